// SPDX-License-Identifier: Apache-2.0

/// A clock without a screen, and the properties that are animated by it.
///
///     let engine = AnimationEngine()
///     let x = engine.property(0.0, name: "x")
///     withAnimation(.linear(duration: 1)) {
///       x.value = 10
///     } completion: {
///       print("there at", engine.time)
///     }
///     engine.advance(by: 0.5)                    // x.value is 10, x.presentation 5
///
/// Time moves only by ``advance(to:)``. Whatever happens on the way happens at its exact time and
/// in the order of time, and then of the changes: an animation that a completion starts begins when
/// the other one ended, and not at the next frame. Values have closed forms, so any partition of a
/// time into steps shows the same.
///
/// An advance costs by what happens in it; a property that is not animated costs nothing, and one
/// that is costs when it is asked for its value. The engine keeps a property only while it is
/// animated.
///
/// An engine and its properties belong to one thread at a time; the compiler sees to it.
public final class AnimationEngine {
  /// Seconds; in a completion and in ``onEvent``, the exact time of what happened.
  public private(set) var time: Double

  /// Is told of every event, in order, before completions at the same event are called.
  ///
  /// Of one animation's legs within one advance only the last million are told.
  public var onEvent: ((AnimationEvent) -> Void)?

  /// Whether an animation waits until frames come regularly, as SwiftUI does; see
  /// ``HitchAbsorption``.
  ///
  /// An animation then begins with the second or third advance after its change, so that nothing of
  /// it is skipped by a late one. Off, which is the default, it begins at the time of its change.
  public var absorbsHitches = false

  /// Events that the engine has looked at since it was made: what its advances have cost.
  package private(set) var handledCount = 0

  /// Of each animated change what is told next, and of each episode its end; some are stale.
  private var queue = EventQueue<DueStep>()

  /// Episodes, by their places.
  private var slots: [EpisodeSlot] = []

  /// Slots without an episode.
  private var freeSlots: [UInt32] = []

  /// Episodes with motions whose end must be looked for.
  private var noticed: Set<EpisodePlace> = []

  /// Frames after which changes wait, oldest first.
  private var frames: [WaitingFrame] = []

  /// Advances so far.
  private var frameCount: UInt64 = 0

  /// Changes so far; they are numbered from 1.
  private var changeCount: UInt64 = 0

  private var isAdvancing = false

  /// Where the running advance leads.
  private var target: Double

  /// An engine without properties.
  ///
  /// - Parameter time: Seconds; what is not finite or below 0 counts as 0.
  public init(time: Double = 0) {
    self.time = time.isFinite && time > 0 ? time : 0
    target = self.time
  }

  /// Makes a property.
  ///
  /// - Parameters:
  ///   - value: What it is at first.
  ///   - name: What events call it; names need not differ.
  /// - Returns: The property, at rest.
  public func property<Value: Animatable>(
    _ value: Value, name: String = ""
  ) -> AnimatedProperty<Value> {
    AnimatedProperty(value, name: name, engine: self, scope: nil)
  }

  /// Makes a scope for implicit animations.
  ///
  /// - Returns: The scope, without an animation.
  public func scope() -> AnimationScope {
    AnimationScope(engine: self, outer: nil)
  }

  /// Moves time on by a step; see ``advance(to:)``.
  ///
  /// - Parameter seconds: 0, a negative number and what is not finite do nothing.
  public func advance(by seconds: Double) {
    advance(to: time + seconds)
  }

  /// Moves time on, and delivers everything that is due by then, each once and in order.
  ///
  /// Called in a completion or in ``onEvent`` it does nothing: time is moving already.
  ///
  /// - Parameter newTime: Seconds; a time that is not after ``time``, or not finite, does nothing.
  public func advance(to newTime: Double) {
    guard newTime > time, newTime < .infinity, !isAdvancing else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    frameCount += 1
    if !frames.isEmpty { settleFrames(at: newTime) }
    deliver(through: newTime)
    notice()
  }

  /// Properties that are animated.
  public var activeCount: Int { slots.count - freeSlots.count }
}

@available(*, unavailable)
extension AnimationEngine: Sendable {}

/// What an event of the queue is about.
private struct DueStep: BitwiseCopyable {
  let place: EpisodePlace
  /// The change, or 0 for the removal of the last motion.
  let change: UInt64
}

/// Properties that were changed before a frame, and since wait.
private struct WaitingFrame {
  let number: UInt64
  var properties: [any EpisodeOwner] = []

  /// When the animations begin, in seconds; nil before the frame that settles it.
  private(set) var start: Double?

  private var absorption = HitchAbsorption()
  private var shownCount = 0

  init(number: UInt64) { self.number = number }

  mutating func settle(at time: Double) {
    let elapsed = absorption.elapsed(at: time)
    shownCount += 1
    if shownCount == 3 { start = time - elapsed }
  }
}

private struct EpisodeSlot {
  var generation: UInt32 = 0
  var episode: AnimationEpisode?
}

/// Episodes.
extension AnimationEngine {
  /// A number for a change, from 1.
  func nextChange() -> UInt64 {
    changeCount += 1
    return changeCount
  }

  /// Begins an episode of a property that is at rest.
  func begin(_ property: any EpisodeOwner) -> AnimationEpisode {
    let slot = freeSlots.popLast() ?? UInt32(slots.count)
    if slot == slots.count { slots.append(EpisodeSlot()) }
    let place = EpisodePlace(slot: slot, generation: slots[Int(slot)].generation)
    let episode = AnimationEpisode(property, place: place, first: changeCount)
    slots[Int(slot)].episode = episode
    property.scope?.insert(episode)
    return episode
  }

  /// Takes an animated change into an episode.
  ///
  /// - Parameters:
  ///   - change: What is to be told; its groups have been entered.
  ///   - episode: Of the property that was changed.
  ///   - rest: Of the episode, with the change.
  func add(_ change: AnimatedChange, to episode: AnimationEpisode, rest: EpisodeRest) {
    episode.changes.append(change)
    episode.newest = change.number
    schedule(change, of: episode)
    update(episode, rest)
  }

  private func update(_ episode: AnimationEpisode, _ rest: EpisodeRest) {
    if rest.isNoticed { noticed.insert(episode.place) } else { noticed.remove(episode.place) }
    if rest.end != episode.end, rest.end < .infinity {
      queue.push(
        DueStep(place: episode.place, change: 0), at: rest.end, number: episode.newest << 1 | 1)
    }
    episode.end = rest.end
  }

  /// Ends an episode at once.
  func end(_ episode: AnimationEpisode, _ removal: AnimationEvent.Removal) {
    if !episode.isOver { finish(episode, removal) }
  }
}

/// Changes that wait for frames to settle.
extension AnimationEngine {
  /// Keeps a property until the animation of a change may begin.
  ///
  /// - Returns: The frame before which the change is made.
  func wait(_ property: any EpisodeOwner) -> UInt64 {
    if frames.last?.number != frameCount { frames.append(WaitingFrame(number: frameCount)) }
    frames[frames.count - 1].properties.append(property)
    return frameCount
  }

  /// Begins all changes that were made before a frame.
  func beginWaiting(of frame: UInt64) {
    let ready = frames.prefix { $0.number <= frame }
    frames.removeFirst(ready.count)
    for property in ready.flatMap(\.properties) { property.beginWaiting(of: frame) }
  }

  /// Tells those who wait for changes of destroyed properties.
  func dropDestroyed() {
    for property in frames.flatMap(\.properties) where property.isDestroyed {
      property.beginWaiting(of: .max)
    }
  }

  private func settleFrames(at newTime: Double) {
    for index in frames.indices { frames[index].settle(at: newTime) }
    while let frame = frames.first, let start = frame.start {
      deliver(through: max(time, start))
      beginWaiting(of: frame.number)
    }
  }
}

/// What happens on the way.
extension AnimationEngine {
  /// Legs of a change that are told within one advance.
  private static var legMax: Int { 1_000_000 }

  private func deliver(through newTime: Double) {
    target = newTime
    while let event = queue.pop(notAfter: newTime) {
      handledCount += 1
      let step = event.payload
      let slot = slots[Int(step.place.slot)]
      guard slot.generation == step.place.generation, let episode = slot.episode else { continue }
      if step.change != 0 {
        time = max(time, event.time)
        tell(step.change, of: episode)
      } else if event.time == episode.end {
        time = max(time, event.time)
        finish(episode, .finished)
      }
    }
    time = newTime
  }

  private func schedule(_ change: AnimatedChange, of episode: AnimationEpisode) {
    guard let next = change.next, next.time < .infinity else { return }
    queue.push(
      DueStep(place: episode.place, change: change.number), at: next.time,
      number: change.number << 1)
  }

  /// Tells what a change has come to by now, and schedules what is next.
  private func tell(_ number: UInt64, of episode: AnimationEpisode) {
    while let index = episode.index(of: number), !episode.isOver {
      guard let next = episode.changes[index].next, next.time <= time else {
        schedule(episode.changes[index], of: episode)
        return
      }
      switch next.step {
      case .logicallyComplete: complete(index, of: episode)
      case .leg:
        episode.changes[index].skipLegs(
          through: target, keeping: onEvent == nil ? 0 : Self.legMax)
        recordLeg(index, of: episode)
      }
    }
  }

  private func recordLeg(_ index: Int, of episode: AnimationEpisode) {
    guard let next = episode.changes[index].next, next.time <= time, case .leg(let leg) = next.step
    else { return }
    episode.changes[index].leg += 1
    forget(index, of: episode)
    emit(.legEnded(index: leg), episode)
  }

  /// A change counts as complete.
  private func complete(_ index: Int, of episode: AnimationEpisode) {
    episode.changes[index].isLogicallyComplete = true
    let groups = episode.changes[index].takeGroups(.logicallyComplete)
    forget(index, of: episode)
    emit(.logicallyComplete, episode)
    for group in groups { group.leave() }
  }

  /// Drops a change of which nothing is left to tell.
  private func forget(_ index: Int, of episode: AnimationEpisode) {
    if episode.changes[index].isTold { episode.changes.remove(at: index) }
  }

  /// Ends an episode: what is left to tell of it is told now.
  private func finish(_ episode: AnimationEpisode, _ removal: AnimationEvent.Removal) {
    episode.isOver = true
    let slot = Int(episode.place.slot)
    slots[slot].episode = nil
    slots[slot].generation &+= 1
    freeSlots.append(episode.place.slot)
    noticed.remove(episode.place)
    episode.property.scope?.remove(episode)
    episode.property.endEpisode(at: time)
    if removal == .finished {
      for index in episode.changes.indices where !episode.changes[index].isLogicallyComplete {
        let groups = episode.changes[index].takeGroups(.logicallyComplete)
        emit(.logicallyComplete, episode)
        for group in groups { group.leave() }
      }
    }
    emit(.removed(removal), episode)
    for group in episode.changes.flatMap(\.groups) { group.leave() }
  }

  /// Looks at motions that cannot tell beforehand when they end.
  private func notice() {
    let episodes = noticed.compactMap { slots[Int($0.slot)].episode }
    for episode in episodes.sorted(by: { $0.first < $1.first }) where !episode.isOver {
      handledCount += 1
      let (complete, rest) = episode.property.notice(at: time)
      for number in complete {
        if let index = episode.index(of: number), !episode.changes[index].isLogicallyComplete {
          self.complete(index, of: episode)
        }
      }
      if episode.isOver { continue }
      if rest.end <= time { finish(episode, .finished) } else { update(episode, rest) }
    }
  }

  private func emit(_ kind: AnimationEvent.Kind, _ episode: AnimationEpisode) {
    onEvent?(AnimationEvent(time: time, name: episode.property.name, kind: kind))
  }
}
