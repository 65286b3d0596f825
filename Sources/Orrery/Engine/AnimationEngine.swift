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
/// Time moves only by ``advance(to:)``. Events happen at their exact times, in the order of time;
/// those of equal time in the order of the changes. So an animation that a completion starts begins
/// when the other one ended, and not at the next frame. Values have closed forms, so they do not
/// depend on how a time is divided into steps.
///
/// The cost of an advance is that of its events. A property that is not animated costs nothing; one
/// that is costs when its value is read. The engine keeps a property only while it is animated.
///
/// An engine and its properties belong to one thread at a time; the compiler checks this.
public final class AnimationEngine {
  /// Seconds; in a completion and in ``onEvent``, the exact time of the event.
  public private(set) var time: Double

  /// Called for every event, in order, before the completions of that event.
  ///
  /// For the legs of one animation within one advance it is called for the last million only.
  public var onEvent: ((AnimationEvent) -> Void)?

  /// Whether an animation waits until frames come regularly, as SwiftUI does; see
  /// ``HitchAbsorption``.
  ///
  /// If true, an animation begins with the second or third advance after its change, so that a late
  /// advance skips none of it. If false, the default, it begins at the time of its change.
  public var absorbsHitches = false

  /// The environment that custom animations read as ``AnimationContext/environment``; running animations see
  /// a change.
  public var environment = EnvironmentValues() {
    didSet {
      for handle in polled { slots[Int(handle.slot)].episode?.property.use(environment) }
    }
  }

  /// Queue entries and polls handled since the engine was made: the cost of its advances.
  package private(set) var handledCount = 0

  /// Queue entries that wait: the memory of past and coming events.
  package var waitingCount: Int { queue.count }

  /// The next event of each animated change, and the end of each episode; some entries are stale.
  private var queue = EventQueue<DueStep>()

  /// Episodes, by the slots of their handles.
  private var slots: [EpisodeSlot] = []

  /// Slots without an episode.
  private var freeSlots: [UInt32] = []

  /// Episodes with custom animations, whose ends are found by polling.
  private var polled: Set<EpisodeHandle> = []

  /// Frames with waiting changes, oldest first.
  private var frames: [WaitingFrame] = []

  /// Advances so far.
  private var frameCount: UInt64 = 0

  /// Changes so far; they are numbered from 1.
  private var changeCount: UInt64 = 0

  private var isAdvancing = false

  /// Time to which the running advance moves.
  private var target: Double

  /// An engine without properties.
  ///
  /// - Parameter time: Seconds; a time that is not finite or below 0 counts as 0.
  public init(time: Double = 0) {
    self.time = time.isFinite && time > 0 ? time : 0
    target = self.time
  }

  /// Makes a property.
  ///
  /// - Parameters:
  ///   - value: Its first value.
  ///   - name: Its name in events; names need not differ.
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
  /// - Parameter seconds: 0, negative numbers, NaN and infinity do nothing.
  public func advance(by seconds: Double) {
    advance(to: time + seconds)
  }

  /// Moves time on, and delivers every event that is due by then, once and in order.
  ///
  /// A call in a completion or in ``onEvent`` does nothing: time is moving already.
  ///
  /// - Parameter newTime: Seconds; a time that is not after ``time``, or not finite, does nothing.
  public func advance(to newTime: Double) {
    guard newTime > time, newTime < .infinity, !isAdvancing else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    frameCount += 1
    if !frames.isEmpty { recordFrame(at: newTime) }
    deliver(through: newTime)
    pollEpisodes()
  }

  /// Number of properties that are animated.
  public var activeCount: Int { slots.count - freeSlots.count }
}

@available(*, unavailable)
extension AnimationEngine: Sendable {}

/// An entry of the queue.
private struct DueStep: EventPayload {
  let handle: EpisodeHandle
  /// The change, or 0 for the removal of the last motion.
  let change: UInt64
}

/// Properties that were changed before a frame and wait to begin.
private struct WaitingFrame {
  let number: UInt64
  var properties: [any EpisodeOwner] = []

  /// When the animations begin, in seconds; nil until three frames have been recorded.
  private(set) var start: Double?

  private var absorption = HitchAbsorption()
  private var shownCount = 0

  init(number: UInt64) { self.number = number }

  mutating func recordFrame(at time: Double) {
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
    let handle = EpisodeHandle(slot: slot, generation: slots[Int(slot)].generation)
    let episode = AnimationEpisode(property, handle: handle, first: changeCount)
    slots[Int(slot)].episode = episode
    property.scope?.insert(episode)
    return episode
  }

  /// Adds an animated change to an episode.
  ///
  /// - Parameters:
  ///   - change: The change; the episode's account knows it.
  ///   - episode: The episode of the changed property.
  ///   - status: The episode's status, with the change.
  func add(_ change: AnimatedChange, to episode: AnimationEpisode, status: EpisodeStatus) {
    episode.changes.append(change)
    schedule(episode.changes.count - 1, of: episode)
    update(episode, status)
  }

  /// Sets when a change's legs end, and when it is complete: a later change has taken its motion over, or
  /// ends it.
  ///
  /// - Parameters:
  ///   - number: The change.
  ///   - episode: Its episode.
  ///   - legEnd: When each leg ends, in seconds; nil: ends of legs are no longer recorded.
  ///   - logicalEnd: Seconds.
  func setEnds(
    of number: UInt64, in episode: AnimationEpisode, legEnd: ((Int) -> Double?)?, logicalEnd: Double
  ) {
    guard let index = episode.index(of: number) else { return }
    episode.changes[index].legEnd = legEnd
    if episode.changes[index].logicalEnd != nil { episode.changes[index].logicalEnd = logicalEnd }
    schedule(index, of: episode)
    dropIfRecorded(index, of: episode)
  }

  /// Updates the end of an episode.
  func update(_ episode: AnimationEpisode, _ status: EpisodeStatus) {
    if status.needsPolling { polled.insert(episode.handle) } else { polled.remove(episode.handle) }
    let isKnown = status.end == episode.end && status.endChange == episode.endChange
    (episode.end, episode.endChange) = (status.end, status.endChange)
    if !isKnown, status.end < .infinity {
      push(
        DueStep(handle: episode.handle, change: 0), at: status.end,
        number: status.endChange << 1 | 1)
    }
  }

  /// Ends an episode at once.
  func end(_ episode: AnimationEpisode, _ removal: AnimationEvent.Removal) {
    if !episode.isOver { finish(episode, removal) }
  }
}

/// Changes that wait for regular frames.
extension AnimationEngine {
  /// Keeps a property until the animation of a change may begin.
  ///
  /// - Returns: Number of advances before the change.
  func wait(_ property: any EpisodeOwner) -> UInt64 {
    if frames.last?.number != frameCount { frames.append(WaitingFrame(number: frameCount)) }
    frames[frames.count - 1].properties.append(property)
    return frameCount
  }

  /// Begins all waiting changes up to a frame number.
  func beginWaiting(of frame: UInt64) {
    let ready = frames.prefix { $0.number <= frame }
    frames.removeFirst(ready.count)
    for property in ready.flatMap(\.properties) { property.beginWaiting(of: frame) }
  }

  /// Applies the waiting changes of destroyed properties and releases their completion groups.
  func dropDestroyed() {
    for property in frames.flatMap(\.properties) where property.isDestroyed {
      property.beginWaiting(of: .max)
    }
  }

  /// Records a frame, and begins the changes whose start it determines.
  private func recordFrame(at newTime: Double) {
    for index in frames.indices { frames[index].recordFrame(at: newTime) }
    while let frame = frames.first, let start = frame.start {
      deliver(through: max(time, start))
      beginWaiting(of: frame.number)
    }
  }
}

/// Delivery of events.
extension AnimationEngine {
  /// Legs of a change whose ends are recorded within one advance.
  private static var legMax: Int { 1_000_000 }

  private func deliver(through newTime: Double) {
    target = newTime
    while let event = queue.pop(notAfter: newTime) {
      handledCount += 1
      let change = event.payload.change
      guard let episode = episode(of: event) else { continue }
      time = max(time, event.time)
      if change == 0 {
        finish(episode, .finished)
      } else {
        if let index = episode.index(of: change) { episode.changes[index].dueTime = .infinity }
        recordSteps(of: change, in: episode)
      }
    }
    time = newTime
  }

  /// The episode of an entry of the queue; nil if the entry is stale.
  private func episode(of event: EventQueue<DueStep>.Event) -> AnimationEpisode? {
    let step = event.payload
    let slot = slots[Int(step.handle.slot)]
    guard slot.generation == step.handle.generation, let episode = slot.episode else { return nil }
    if step.change == 0 {
      let isEnd = event.time == episode.end && event.number == episode.endChange << 1 | 1
      return isEnd ? episode : nil
    }
    guard let index = episode.index(of: step.change) else { return nil }
    return episode.changes[index].dueTime == event.time ? episode : nil
  }

  private func push(_ step: DueStep, at time: Double, number: UInt64) {
    queue.push(step, at: time, number: number)
    // An episode with one change has three entries at most.
    if queue.isLarge, queue.count > 4 * activeCount {
      queue.removeAll { episode(of: $0) == nil }
    }
  }

  /// Puts the next event of a change into the queue, unless an entry that is not later is there.
  private func schedule(_ index: Int, of episode: AnimationEpisode) {
    let change = episode.changes[index]
    guard let next = change.next, next.time < change.dueTime else { return }
    episode.changes[index].dueTime = next.time
    push(
      DueStep(handle: episode.handle, change: change.number), at: next.time,
      number: change.number << 1)
  }

  /// Records the events of a change that are due by now, and schedules the next one.
  private func recordSteps(of number: UInt64, in episode: AnimationEpisode) {
    while let index = episode.index(of: number), !episode.isOver {
      guard let next = episode.changes[index].next, next.time <= time else {
        schedule(index, of: episode)
        return
      }
      switch next.step {
      case .logicallyComplete: complete(number, of: episode)
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
    dropIfRecorded(index, of: episode)
    emit(.legEnded(index: leg), episode)
  }

  /// Records the logical completion of a change and releases its groups.
  private func complete(_ number: UInt64, of episode: AnimationEpisode) {
    guard episode.account.complete(number) else { return }
    if let index = episode.index(of: number) {
      episode.changes[index].logicalEnd = nil
      dropIfRecorded(index, of: episode)
    }
    let groups = episode.takeGroups(of: number, isRemoved: false)
    emit(.logicallyComplete, episode)
    for group in groups { group.leave() }
  }

  /// Drops a change if it has no event left.
  private func dropIfRecorded(_ index: Int, of episode: AnimationEpisode) {
    if episode.changes[index].next == nil { episode.changes.remove(at: index) }
  }

  /// Ends an episode: records its remaining events now.
  private func finish(_ episode: AnimationEpisode, _ removal: AnimationEvent.Removal) {
    episode.isOver = true
    let slot = Int(episode.handle.slot)
    slots[slot].episode = nil
    slots[slot].generation &+= 1
    freeSlots.append(episode.handle.slot)
    polled.remove(episode.handle)
    episode.property.scope?.remove(episode)
    episode.property.endEpisode(at: time, isFinished: removal == .finished)
    if removal == .finished {
      while let number = episode.account.incomplete.first { complete(number, of: episode) }
    }
    let waits = episode.account.waits
    episode.account.removeAll()
    emit(.removed(removal), episode)
    for wait in waits { wait.group.leave() }
  }

  /// Polls custom animations, whose ends are not known beforehand.
  private func pollEpisodes() {
    let episodes = polled.compactMap { slots[Int($0.slot)].episode }
    for episode in episodes.sorted(by: { $0.first < $1.first }) where !episode.isOver {
      handledCount += 1
      let (complete, status) = episode.property.poll(at: time)
      for number in complete { self.complete(number, of: episode) }
      if episode.isOver { continue }
      if status.end <= time { finish(episode, .finished) } else { update(episode, status) }
    }
  }

  private func emit(_ kind: AnimationEvent.Kind, _ episode: AnimationEpisode) {
    onEvent?(AnimationEvent(time: time, name: episode.property.name, kind: kind))
  }
}
