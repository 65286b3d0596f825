// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Animates the modifiers of a view from one state to the next, without a screen.
///
///     var dot = ViewPlayer(EmptyView().opacity(0.3))
///     withAnimation(.easeInOut) { dot.update(EmptyView().opacity(1), at: 0) }
///     dot.values(at: 0.1, size: size).opacity
///
/// - Each modifier moves by the transaction's animation, or by that of an `animation(_:value:)`,
///   `animation(_:)` or `transaction(_:)` outside of it; the innermost of these counts.
/// - A running animation goes on, or a spring takes it over, as in an ``AnimatedProperty``.
/// - If the new state has other modifiers than the old one, it shows at once.
/// - A view or modifier with animatable data moves by its data; what else changed in it jumps.
/// - An animator in the view plays if the new state has another trigger. It starts when it first is in the
///   view, and goes on from state to state; an update animates only what the update changes.
/// - Completions of a transaction belong to an ``AnimationEngine``; a player does not delay them.
///
/// Times are seconds and never decrease from one call to the next.
public struct ViewPlayer<Content: View> {
  /// The newest state.
  public private(set) var content: Content

  /// The values that the view reads as `@Environment`, and custom animations as their context's environment.
  ///
  /// A change shows at once.
  public var environment: EnvironmentValues {
    didSet {
      dependsOnTime = true
      for index in effects.indices { effects[index].track.use(environment) }
    }
  }

  /// Which side is leading, by the environment.
  public var layoutDirection: LayoutDirection { environment.layoutDirection }

  /// When the view appeared, for timelines and animators in it.
  private let start: Double

  private var effects: [TrackedEffect] = []

  /// Where animators in the view stand, and the state of its views.
  private var memory = ViewMemory()

  /// Whether the view may change without an update.
  private var dependsOnTime = false

  private let journal = StateJournal()

  /// Number for the next animation.
  private var nextID: UInt64 = 0

  /// Makes a player that shows a view.
  ///
  /// - Parameters:
  ///   - content: The first state.
  ///   - layoutDirection: Which side is leading; by default the environment's.
  ///   - environment: The values that the view reads.
  ///   - time: When it appears, in seconds.
  public init(
    _ content: Content, layoutDirection: LayoutDirection? = nil,
    environment: EnvironmentValues = EnvironmentValues(), at time: Double = 0
  ) {
    self.content = content
    self.environment = environment.with(layoutDirection)
    start = time
    effects = record(at: time).map { TrackedEffect($0) }
  }

  /// Shows another state.
  ///
  /// - Parameters:
  ///   - content: The new state.
  ///   - time: Seconds.
  ///   - transaction: By default that of the running body, as `withAnimation(_:_:)` sets it.
  public mutating func update(
    _ content: Content, at time: Double, transaction: Transaction = .current
  ) {
    // Timelines and animators may have moved on since the last update, state may have been changed.
    let old =
      dependsOnTime || !memory.isEmpty
      ? self.content.description(moment(at: time)).effects : effects.map(\.model)
    self.content = content
    move(from: old, at: time, transaction)
  }

  /// Changes the view's state.
  ///
  /// Changes of `@State` properties, directly or by bindings, are animated by the transactions in which
  /// they are made. Objects that state refers to are animated by the transaction of the call.
  ///
  ///     player.update(at: 2) { card in withAnimation(.bouncy) { card.isOpen.toggle() } }
  ///
  /// Copies of a player share the state of their views.
  ///
  /// - Parameters:
  ///   - time: Seconds.
  ///   - change: Changes the state of the view that it gets: the newest one.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; its changes until then show nevertheless.
  @discardableResult
  public mutating func update<Result, Failure: Error>(
    at time: Double, _ change: (Content) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // This connects the state to the player, too.
    var old = content.description(moment(at: time)).effects
    let content = content
    let (groups, result) = journal.changes { () throws(Failure) in try change(content) }
    if groups.isEmpty { move(from: old, at: time, .current) }
    for group in groups {
      for redo in group.redo { redo() }
      move(from: old, at: time, group.transaction)
      old = content.description(moment(at: time)).effects
    }
    return try result.get()
  }

  /// Begins animations to the newest state.
  ///
  /// - Parameters:
  ///   - old: The effects of the state before, at this time.
  ///   - time: Seconds.
  ///   - transaction: Of the change.
  private mutating func move(from old: [ViewEffect], at time: Double, _ transaction: Transaction) {
    let new = record(at: time)
    guard areTracked(old), areTracked(new) else {
      effects = new.map { TrackedEffect($0) }
      return
    }
    for (index, model) in new.enumerated() {
      let steps = ImplicitAnimation.steps(
        model.implicit, from: effects[index].model.implicit)
      let own = TransitionPart.OwnAnimation(steps)
      let animation = (own?.applied(to: transaction) ?? transaction).animation
      effects[index].model = model
      _ = effects[index].track.removeFinished(at: time)
      effects[index].move(
        from: old[index].effect.vector, animation: animation, at: time, id: nextID, environment)
      nextID += 1
    }
  }

  /// Takes over the environment of the view around this one, before animations begin.
  mutating func adopt(_ environment: EnvironmentValues, at time: Double) {
    if environment.isEmpty { return }
    self.environment = environment
    replace(content, at: time)
  }

  /// Shows another state at once, while running animations go on.
  ///
  /// - Parameters:
  ///   - content: The new state.
  ///   - time: Seconds.
  mutating func replace(_ content: Content, at time: Double) {
    self.content = content
    let new = record(at: time)
    guard areTracked(new) else {
      effects = new.map { TrackedEffect($0) }
      return
    }
    for (index, model) in new.enumerated() { effects[index].model = model }
  }

  /// The moment of the view at a time in seconds.
  private func moment(at time: Double) -> ViewMoment {
    var moment = ViewMoment(time: max(0, time - start), environment: environment)
    (moment.memory, moment.journal) = (memory, journal)
    return moment
  }

  /// The effects of the newest state; remembers where its animators stand from now on.
  private mutating func record(at time: Double) -> [ViewEffect] {
    var moment = moment(at: time)
    let recorder = ViewRecorder(time: moment.time ?? 0)
    moment.recorder = recorder
    let effects = content.description(moment).effects
    memory = recorder.memory
    dependsOnTime = recorder.dependsOnTime
    return effects
  }

  /// Whether animations of the tracked effects are animations of these.
  private func areTracked(_ new: [ViewEffect]) -> Bool {
    TransitionEffect.areAlike(effects.map(\.model.effect), new.map(\.effect))
  }

  /// Steps custom animations and phase animators; others depend on the time alone.
  ///
  /// - Parameter time: Seconds.
  public mutating func advance(to time: Double) {
    if !memory.isEmpty { _ = record(at: time) }
    for index in effects.indices { _ = effects[index].track.removeFinished(at: time) }
  }

  /// Whether an animation runs.
  ///
  /// - Parameter time: Seconds, not before the last update.
  /// - Returns: False once all animations are over; timelines and animators do not count.
  public func isMoving(at time: Double) -> Bool {
    effects.contains { !$0.track.isAtRest(at: time) }
  }

  /// The values with which the view is drawn.
  ///
  /// - Parameters:
  ///   - time: Seconds, not before the last update.
  ///   - size: Size of the view, in points.
  /// - Returns: The values of all its modifiers together.
  public func values(at time: Double, size: CGSize) -> TransitionValues {
    AnyTransition.values(
      description(at: time).effects.map(\.effect), size: size, layoutDirection: layoutDirection)
  }

  /// What the view draws.
  func description(at time: Double) -> ViewDescription {
    var view = content.description(moment(at: time))
    // An animator in the view may have reached a state with other modifiers.
    guard areTracked(view.effects) else { return view }
    for (index, tracked) in effects.enumerated() where !tracked.track.motions.isEmpty {
      let shown = tracked.track.value(at: time)
      let current = view.effects[index].effect.vector
      // A timeline in the view may have moved on since the last update.
      let vector = current == tracked.track.model ? shown : current + (shown - tracked.track.model)
      view.effects[index].effect = view.effects[index].effect.with(vector)
    }
    return view
  }
}

@available(*, unavailable)
extension ViewPlayer: Sendable {}

/// An effect of the newest state of a view, and its way there.
private struct TrackedEffect {
  var model: ViewEffect

  /// Moves by as much as updates changed the effect; between updates a timeline or an animator may change
  /// it too.
  var track: AnimationTrack<ErasedVector>

  init(_ model: ViewEffect) {
    self.model = model
    track = AnimationTrack(model.effect.vector)
  }

  /// Begins an animation to the model.
  ///
  /// - Parameters:
  ///   - old: The numbers of the state before, at this time.
  ///   - animation: Nil jumps.
  ///   - time: Seconds.
  ///   - id: Number for the animation.
  ///   - environment: The environment that a custom animation reads.
  mutating func move(
    from old: ErasedVector, animation: Animation?, at time: Double, id: UInt64,
    _ environment: EnvironmentValues
  ) {
    if track.motions.isEmpty, old != track.model { track = AnimationTrack(old) }
    let new = model.effect.vector
    let target = old == track.model ? new : track.model + (new - old)
    track.set(target, animation: animation, at: time, id: id, environment: environment)
  }
}
