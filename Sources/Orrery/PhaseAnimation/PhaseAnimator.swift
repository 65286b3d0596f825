// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Animates a view through phases, one after the other: SwiftUI's view as a headless player.
///
///     let pulse = PhaseAnimator([1.0, 1.5]) { scale in
///       EmptyView().scaleEffect(scale)
///     } animation: { _ in
///       .linear(duration: 0.5)
///     }
///     pulse.values(at: 0.25, size: size).matrix.a        // 1.25
///
/// Without a trigger rounds follow each other for ever, from time 0. With one, each new value of it
/// plays a round, back to the first phase: ``trigger(_:at:)``. In the body of a view a ``ViewPlayer``
/// plays it when the view's next state has another trigger. ``PhasePlayer`` tells when phases change;
/// changes of the view move as in a ``ViewPlayer``.
///
/// Times are seconds since the animator appeared. A call for a time replays the changes since the last
/// ``advance(to:)``, at most a million.
public struct PhaseAnimator<Phase: Equatable, Content: View>: View {
  private let makeContent: (Phase) -> Content
  private var player: PhasePlayer<Phase>
  private var view: ViewPlayer<Content?>
  private var triggerValue: AnyEquatable?

  /// Whether a program has triggered it itself.
  private(set) var isTriggered = false

  /// Changes that one call replays.
  private static var changeMax: Int { 1_000_000 }

  /// Plays rounds for ever.
  ///
  /// - Parameters:
  ///   - phases: The phases of a round, in their order.
  ///   - content: The view in a phase.
  ///   - animation: The animation to a phase; nil: at once.
  public init(
    _ phases: some Sequence<Phase>, @ViewBuilder content: @escaping (Phase) -> Content,
    animation: @escaping (Phase) -> Animation? = { _ in .default }
  ) {
    self.init(PhasePlayer(phases, repeats: true, animation: animation), nil, content)
    player.trigger(at: 0)
  }

  /// Plays a round each time a value changes.
  ///
  /// - Parameters:
  ///   - phases: The phases of a round, in their order.
  ///   - trigger: Compared with its value in the view's state before, and with the values that
  ///     ``trigger(_:at:)`` is given.
  ///   - content: The view in a phase.
  ///   - animation: The animation to a phase; nil: at once.
  public init(
    _ phases: some Sequence<Phase>, trigger: some Equatable,
    @ViewBuilder content: @escaping (Phase) -> Content,
    animation: @escaping (Phase) -> Animation? = { _ in .default }
  ) {
    self.init(PhasePlayer(phases, animation: animation), AnyEquatable(trigger), content)
  }

  private init(
    _ player: PhasePlayer<Phase>, _ trigger: AnyEquatable?,
    _ content: @escaping (Phase) -> Content
  ) {
    self.player = player
    triggerValue = trigger
    makeContent = content
    view = ViewPlayer(player.phase.map(content))
  }

  /// It has no body.
  public typealias Body = Never

  /// Plays a round if the value differs from the last one.
  ///
  /// Without a trigger it does nothing.
  ///
  /// - Parameters:
  ///   - value: The trigger's value.
  ///   - time: Seconds.
  public mutating func trigger(_ value: some Equatable, at time: Double) {
    guard let triggerValue, triggerValue != AnyEquatable(value) else { return }
    advance(to: time)
    self.triggerValue = AnyEquatable(value)
    isTriggered = true
    player.trigger(at: time)
  }

  /// Goes on to a time: later calls start there.
  ///
  /// - Parameter time: Seconds.
  public mutating func advance(to time: Double) {
    var count = 0
    while count < Self.changeMax, let change = player.nextChange(until: time) {
      view.advance(to: change.time)
      view.update(
        makeContent(change.phase), at: change.time,
        transaction: Transaction(animation: change.animation))
      count += 1
    }
    view.advance(to: time)
  }

  /// The shown phase, or the phase at the end of the running animation.
  ///
  /// - Parameter time: Seconds, not before the last ``advance(to:)``.
  /// - Returns: Nil without phases.
  public func phase(at time: Double) -> Phase? { advanced(to: time).player.phase }

  /// The view in the phase of a time.
  ///
  /// - Parameter time: Seconds, not before the last ``advance(to:)``.
  /// - Returns: Nil without phases.
  public func content(at time: Double) -> Content? { advanced(to: time).view.content }

  /// The values with which the view is drawn.
  ///
  /// - Parameters:
  ///   - time: Seconds, not before the last ``advance(to:)``.
  ///   - size: Size of the view, in points.
  /// - Returns: The values, on the way from one phase to the next.
  public func values(at time: Double, size: CGSize) -> TransitionValues {
    advanced(to: time).view.values(at: time, size: size)
  }

  private func advanced(to time: Double) -> PhaseAnimator {
    var animator = self
    animator.advance(to: time)
    return animator
  }
}

extension PhaseAnimator: PlayedAnimator {
  static var name: String { "a phase animator" }

  var hasTrigger: Bool { triggerValue != nil }

  mutating func adopt(_ environment: EnvironmentValues) { view.adopt(environment, at: 0) }

  mutating func `continue`(_ old: Self, at time: Double) {
    let environment = view.environment
    let old = old.advanced(to: time)
    player.resume(old.player, at: time)
    view = old.view
    if !environment.isEmpty { view.environment = environment }
    view.replace(player.phase.map(makeContent), at: time)
  }

  mutating func play(after old: Self, at time: Double) {
    if triggerValue != old.triggerValue { player.trigger(at: time) }
  }

  func described(at time: Double, _ moment: ViewMoment) -> ViewDescription {
    advanced(to: time).view.description(at: time)
  }
}

@available(*, unavailable)
extension PhaseAnimator: Sendable {}

extension View {
  /// Animates the view through phases, for ever.
  ///
  /// - Parameters:
  ///   - phases: The phases of a round, in their order.
  ///   - content: The view with the modifiers of a phase.
  ///   - animation: The animation to a phase; nil: at once.
  /// - Returns: The animator.
  public func phaseAnimator<Phase: Equatable, Modified: View>(
    _ phases: some Sequence<Phase>,
    @ViewBuilder content: @escaping (PlaceholderContentView<Self>, Phase) -> Modified,
    animation: @escaping (Phase) -> Animation? = { _ in .default }
  ) -> PhaseAnimator<Phase, PlacedContent<Self, Modified>> {
    PhaseAnimator(
      phases,
      content: { PlacedContent(self, in: content(PlaceholderContentView(), $0)) },
      animation: animation)
  }

  /// Animates the view through phases each time a value changes.
  ///
  /// - Parameters:
  ///   - phases: The phases of a round, in their order.
  ///   - trigger: Compared with its value in the view's state before, and with the values that
  ///     ``PhaseAnimator/trigger(_:at:)`` is given.
  ///   - content: The view with the modifiers of a phase.
  ///   - animation: The animation to a phase; nil: at once.
  /// - Returns: The animator.
  public func phaseAnimator<Phase: Equatable, Modified: View>(
    _ phases: some Sequence<Phase>, trigger: some Equatable,
    @ViewBuilder content: @escaping (PlaceholderContentView<Self>, Phase) -> Modified,
    animation: @escaping (Phase) -> Animation? = { _ in .default }
  ) -> PhaseAnimator<Phase, PlacedContent<Self, Modified>> {
    PhaseAnimator(
      phases, trigger: trigger,
      content: { PlacedContent(self, in: content(PlaceholderContentView(), $0)) },
      animation: animation)
  }
}
