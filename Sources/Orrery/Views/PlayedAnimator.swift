// SPDX-License-Identifier: Apache-2.0

/// An animator in the body of a view: a player keeps where it stands from one state of the view to
/// the next, and plays it when the next state has another trigger.
///
/// Its times are seconds since it appeared in the view.
protocol PlayedAnimator: PrimitiveView {
  /// For messages, with an article.
  static var name: String { get }

  /// Whether it has a trigger.
  var hasTrigger: Bool { get }

  /// Whether the program has triggered it directly: then it plays that round.
  var isTriggered: Bool { get }

  /// Takes over the environment of the view around it, when it is new there.
  mutating func adopt(_ environment: EnvironmentValues)

  /// Goes on where the one before it stands.
  mutating func `continue`(_ old: Self, at time: Double)

  /// Plays if its trigger differs from that of the one before it.
  mutating func play(after old: Self, at time: Double)

  /// The description of its content at a time.
  func described(at time: Double, _ moment: ViewMoment) -> ViewDescription
}

/// An animator as it is kept.
private struct KeptAnimator<Animator: PlayedAnimator> {
  let animator: Animator

  /// When it appeared, in seconds since the outermost view did.
  let appearance: Double
}

extension PlayedAnimator {
  func described(_ moment: ViewMoment) -> ViewDescription {
    let now = moment.seconds(for: Self.name)
    var kept = moment.remembered(as: KeptAnimator<Self>.self)
    if kept?.animator.hasTrigger != hasTrigger { kept = nil }
    // One that was not there when the view was last recorded appeared since then.
    let appearance = kept?.appearance ?? (moment.recorder == nil ? moment.memory.time : now)
    let time = now - appearance
    var animator = self
    animator.adopt(moment.environment)
    if let kept, !isTriggered { animator.continue(kept.animator, at: time) }
    // Keyframes begin at their initial value, phases may change at once: that belongs to the
    // animator, and is not a change that the view's transaction animates.
    let view = animator.described(at: time, moment.at(.content))
    if let kept, !isTriggered { animator.play(after: kept.animator, at: time) }
    moment.remember(KeptAnimator(animator: animator, appearance: appearance))
    return view
  }
}
