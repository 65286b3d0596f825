// SPDX-License-Identifier: Apache-2.0

/// A value that is animated when it is changed in an animated transaction; made by an
/// ``AnimationEngine``.
///
/// Its ``value`` is the model, which is new as soon as it is set; its ``presentation`` follows.
public final class AnimatedProperty<Value: Animatable> {
  /// What events call it.
  public let name: String

  private let engine: AnimationEngine

  /// What governs it together with others.
  let scope: AnimationScope?

  /// What governs it alone, if anything does.
  private var ownScope: AnimationScope?

  private var model: Value

  /// What is shown follows from it.
  private var track: AnimationTrack<Value.AnimatableData>

  /// Nil while nothing is animated.
  private var episode: AnimationEpisode?

  /// Changes that wait for frames to settle, oldest first.
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
  /// A change is animated as the current transaction says, after implicit animations have replaced
  /// its animation; without one it shows at once, and ends what is running as cancelled. A change
  /// to an equal value is none.
  public var value: Value {
    get { model }
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

  /// What is shown at the engine's time.
  public var presentation: Value {
    var shown = model
    if isAnimating { shown.animatableData = track.value(at: engine.time) }
    return shown
  }

  /// How fast what is shown changes, per second.
  public var velocity: Value.AnimatableData { track.velocity(at: engine.time) }

  /// Whether an animation runs or is about to begin.
  public var isAnimating: Bool { episode != nil || !waiting.isEmpty }

  /// Whether it was destroyed: it then keeps a value, but animates nothing any more.
  public var isDestroyed: Bool { isDestroyedItself || scope?.isDestroyed == true }

  /// Animates this property's changes that are made together with a change of a value; see
  /// ``AnimationScope/animation(_:value:)``.
  ///
  /// - Parameters:
  ///   - animation: How; nil: not at all.
  ///   - value: What is compared with the value of the last call.
  public func animation<V: Equatable>(_ animation: Animation?, value: V) {
    innermostScope().animation(animation, value: value)
  }

  /// Animates every change of this property from now on; see ``AnimationScope/animation(_:)``.
  ///
  /// - Parameter animation: How; nil: not at all.
  public func animation(_ animation: Animation?) {
    innermostScope().animation(animation)
  }

  /// Ends all animations now, as cancelled: who waits for them is told at once.
  ///
  /// Nothing is animated any more.
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

  private func begin(_ change: PropertyChange<Value.AnimatableData>) {
    let (time, number) = (engine.time, engine.nextChange())
    if episode != nil { _ = track.removeFinished(at: time) }
    let result = track.set(
      change.value, animation: change.transaction.animation, at: time, id: number,
      velocity: trackedVelocity(change))
    // Closures, because key paths of generic types are made anew each time.
    episode?.dropLegs(of: result.merged.map { $0.id })
    let replaced = episode?.remove(result.replaced.map { $0.id }) ?? []
    if let motion = result.began, !motion.isFinished(at: time) {
      add(motion, number, groups: change.transaction.completions, replaced)
    } else {
      if let episode, track.motions.allSatisfy({ $0.isFinished(at: time) }) {
        engine.end(episode, result.began == nil ? .cancelled : .finished)
      }
      for group in replaced { group.leave() }
    }
  }

  private func add(
    _ motion: AnimationMotion<Value.AnimatableData>, _ number: UInt64,
    groups: [CompletionGroup], _ replaced: [CompletionGroup]
  ) {
    for group in groups { group.enter() }
    let episode = episode ?? engine.begin(self)
    self.episode = episode
    engine.add(
      AnimatedChange(
        number: number, legEnd: motion.legEnd, logicalEnd: motion.logicalEnd,
        leg: motion.firstLeg, groups: replaced + groups),
      to: episode, rest: rest)
  }

  /// Takes a sample of a change that is not animated, and gives the velocity of the last ones to
  /// one that is.
  private func trackedVelocity(
    _ change: PropertyChange<Value.AnimatableData>
  ) -> Value.AnimatableData {
    guard change.transaction.animation == nil else {
      defer { tracker.reset() }
      return tracker.velocity
    }
    if change.transaction.tracksVelocity {
      tracker.addSample(change.value, time: engine.time)
    } else {
      tracker.reset()
    }
    return .zero
  }

  private var rest: EpisodeRest {
    let end = track.motions.map { $0.end }.max() ?? engine.time
    return EpisodeRest(end: end.isNaN ? engine.time : end, isNoticed: track.needsAdvance)
  }
}

extension AnimatedProperty: EpisodeOwner {
  func notice(at time: Double) -> (complete: [UInt64], rest: EpisodeRest) {
    track.advance(to: time)
    let complete = track.motions.filter { $0.logicalEnd <= time }.map { $0.id }
    _ = track.removeFinished(at: time)
    return (complete, rest)
  }

  func endEpisode(at time: Double) {
    episode = nil
    track = AnimationTrack(track.model)
  }

  func beginWaiting(of frame: UInt64) {
    while let change = waiting.first, change.frame <= frame {
      waiting.removeFirst()
      if isDestroyed { track = AnimationTrack(change.value) } else { begin(change) }
      for group in change.transaction.completions { group.leave() }
    }
  }
}

/// A new value, and the transaction that holds for it.
private struct PropertyChange<Vector: VectorArithmetic> {
  let value: Vector
  let transaction: Transaction
  /// The engine's frame before which it was made, if it waits.
  var frame: UInt64 = 0
}
