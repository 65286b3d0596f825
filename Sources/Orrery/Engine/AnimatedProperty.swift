// SPDX-License-Identifier: Apache-2.0

/// A value that is animated when it is changed in an animated transaction; made by an
/// ``AnimationEngine``.
///
/// Its ``value`` is the model and changes at once; its ``presentation`` follows.
///
/// What is called for each change, each value and each end is compiled for numbers, too: other modules call generic code
/// that builds its types as it runs, which took ten times as long.
public final class AnimatedProperty<Value: Animatable> {
  /// Its name in events.
  public let name: String

  private let engine: AnimationEngine

  /// The scope whose implicit animations it shares with other properties.
  let scope: AnimationScope?

  /// The scope of implicit animations for it alone, if there are any.
  private var ownScope: AnimationScope?

  private var model: Value

  /// Gives the displayed value.
  private var track: AnimationTrack<Value.AnimatableData>

  /// Nil while nothing is animated.
  private var episode: AnimationEpisode?

  /// Changes that wait for regular frames, oldest first.
  private var waiting: [PropertyChange<Value.AnimatableData>] = []

  /// Values set while their velocity is to be tracked.
  private var tracker = VelocityTracker<Value.AnimatableData>()

  private var isDestroyedItself = false

  init(_ value: Value, name: String, engine: AnimationEngine, scope: AnimationScope?) {
    self.name = name
    self.engine = engine
    self.scope = scope
    model = value
    track = AnimationTrack(value.animatableData)
  }

  /// The model value.
  ///
  /// A change uses the animation of the current transaction, unless an implicit animation replaces
  /// it. Without an animation the value shows at once, and running animations end as cancelled.
  /// Setting an equal value changes nothing.
  public var value: Value {
    get { model }
    @specialized(where Value == Double)
    set {
      model = newValue
      let transaction = TransactionScope.current
      let change = PropertyChange(
        value: newValue.animatableData,
        transaction: (ownScope ?? scope)?.applied(to: transaction) ?? transaction)
      if isDestroyed {
        track = AnimationTrack(change.value)
      } else if engine.absorbsHitches, change.transaction.animation != nil {
        wait(change)
      } else {
        beginWaiting(of: .max)
        begin(change)
      }
    }
  }

  /// The displayed value at the engine's time.
  public var presentation: Value {
    @specialized(where Value == Double)
    get {
      var shown = model
      if isMoving { shown.animatableData = track.value(at: engine.time) }
      return shown
    }
  }

  /// How fast the displayed value changes, per second.
  public var velocity: Value.AnimatableData { track.velocity(at: engine.time) }

  /// Whether an animation runs or is about to begin.
  ///
  /// False from the end on, when the animation is removed. A spring still moves ``presentation`` then, by
  /// less than a thousandth of its way, until ``isMoving`` is false.
  public var isAnimating: Bool { episode != nil || !waiting.isEmpty }

  /// Whether ``presentation`` may differ from ``value``: it is animated, or a spring that has ended is not
  /// at rest.
  ///
  /// At rest, less than 0.02 points and less than 1e-5 of the way were left.
  public var isMoving: Bool { isAnimating || !track.isAtRest(at: engine.time) }

  /// Whether it was destroyed: it keeps its value, but is no longer animated.
  public var isDestroyed: Bool { isDestroyedItself || scope?.isDestroyed == true }

  /// Animates this property's changes that are made together with a change of a value; see
  /// ``AnimationScope/animation(_:value:)``.
  ///
  /// - Parameters:
  ///   - animation: The animation; nil: not animated.
  ///   - value: Compared with the value of the last call.
  public func animation<V: Equatable>(_ animation: Animation?, value: V) {
    innermostScope().animation(animation, value: value)
  }

  /// Animates every change of this property from now on; see ``AnimationScope/animation(_:)``.
  ///
  /// - Parameter animation: The animation; nil: not animated.
  public func animation(_ animation: Animation?) {
    innermostScope().animation(animation)
  }

  /// Ends all animations now, as cancelled, and runs their completions.
  ///
  /// From then on nothing is animated.
  public func destroy() {
    if isDestroyed { return }
    isDestroyedItself = true
    if let episode { engine.end(episode, .cancelled) }
    beginWaiting(of: .max)
  }

  private func innermostScope() -> AnimationScope {
    if let ownScope { return ownScope }
    let made = AnimationScope(engine: engine, outer: scope)
    ownScope = made
    return made
  }
}

@available(*, unavailable)
extension AnimatedProperty: Sendable {}

/// Changes.
extension AnimatedProperty {
  private func wait(_ change: PropertyChange<Value.AnimatableData>) {
    for group in change.transaction.completions { group.enter() }
    var change = change
    change.frame = engine.wait(self)
    waiting.append(change)
  }

  @specialized(where Value == Double)
  private func begin(_ change: PropertyChange<Value.AnimatableData>) {
    let (time, number) = (engine.time, engine.nextChange())
    let ended = track.advance(to: time)
    let result = track.set(
      change.value, animation: change.transaction.animation, at: time, id: number,
      velocity: trackedVelocity(change), environment: engine.environment)
    if let episode {
      for motion in result.merged {
        engine.setEnds(of: motion.id, in: episode, legEnd: nil, logicalEnd: motion.logicalEnd)
      }
      setEnds(of: ended + result.stopped, in: episode)
      // A closure, because a key path of a generic type is built at each use.
      episode.replace(result.replaced.map { $0.id }, by: number)
    }
    if let motion = result.began, !motion.isFinished(at: time) {
      add(motion, number, groups: change.transaction.completions)
    } else if let episode {
      if track.motions.allSatisfy({ $0.isFinished(at: time) }) {
        engine.end(episode, result.began == nil ? .cancelled : .finished)
      } else {
        // The replaced motions may have been the last ones to end.
        engine.update(episode, status)
      }
      for group in episode.takeGroups(of: number, isRemoved: true) { group.leave() }
    }
  }

  /// Tells the engine of motions that a later change ends.
  private func setEnds(
    of motions: [AnimationMotion<Value.AnimatableData>], in episode: AnimationEpisode
  ) {
    for motion in motions {
      engine.setEnds(
        of: motion.id, in: episode, legEnd: motion.legEnd, logicalEnd: motion.logicalEnd)
    }
  }

  private func add(
    _ motion: AnimationMotion<Value.AnimatableData>, _ number: UInt64, groups: [CompletionGroup]
  ) {
    let episode = episode ?? engine.begin(self)
    self.episode = episode
    episode.account.expect(number)
    for group in groups {
      group.enter()
      episode.account.wait(group, for: number, awaitsRemoval: group.criteria == .removed)
    }
    engine.add(
      AnimatedChange(
        number: number, legEnd: motion.legEnd, logicalEnd: motion.logicalEnd,
        leg: motion.firstLeg),
      to: episode, status: status)
  }

  /// Records a sample of a change that is not animated; for an animated one, returns the velocity
  /// of the last samples.
  private func trackedVelocity(
    _ change: PropertyChange<Value.AnimatableData>
  ) -> Value.AnimatableData {
    guard change.transaction.animation == nil else {
      defer { tracker.reset() }
      return tracker.velocity(at: engine.time)
    }
    if change.transaction.tracksVelocity {
      tracker.addSample(change.value, time: engine.time)
    } else {
      tracker.reset()
    }
    return .zero
  }

  private var status: EpisodeStatus {
    let end = track.motions.isEmpty ? engine.time : -.infinity
    var status = EpisodeStatus(end: end, endChange: 0, needsPolling: track.needsAdvance)
    for motion in track.motions {
      let end = motion.end.isNaN ? engine.time : motion.end
      // Of equal ends the newest change's is the last event.
      if end >= status.end { (status.end, status.endChange) = (end, motion.id) }
    }
    return status
  }
}

extension AnimatedProperty: EpisodeOwner {
  @specialized(where Value == Double)
  func poll(at time: Double) -> (complete: [UInt64], status: EpisodeStatus) {
    let ended = track.advance(to: time)
    if let episode { setEnds(of: ended, in: episode) }
    let complete = track.motions.filter { $0.logicalEnd <= time }.map { $0.id }
    _ = track.removeFinished(at: time)
    return (complete, status)
  }

  func use(_ environment: EnvironmentValues) { track.use(environment) }

  @specialized(where Value == Double)
  func endEpisode(at time: Double, isFinished: Bool) {
    episode = nil
    if isFinished {
      track.keepWhatMovesOn(at: time)
    } else {
      track = AnimationTrack(track.model)
    }
  }

  @specialized(where Value == Double)
  func beginWaiting(of frame: UInt64) {
    while let change = waiting.first, change.frame <= frame {
      waiting.removeFirst()
      if isDestroyed { track = AnimationTrack(change.value) } else { begin(change) }
      for group in change.transaction.completions { group.leave() }
    }
  }
}

/// A new value, and its transaction.
private struct PropertyChange<Vector: VectorArithmetic> {
  let value: Vector
  let transaction: Transaction
  /// Number of advances that the engine had made before it, if it waits.
  var frame: UInt64 = 0
}
