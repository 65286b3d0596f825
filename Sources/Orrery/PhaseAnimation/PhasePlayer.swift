// SPDX-License-Identifier: Apache-2.0

/// Goes through phases, one animation after the other: a phase animator without views.
///
///     var player = PhasePlayer([1.0, 1.5, 0.8]) { _ in .linear(duration: 0.2) }
///     player.trigger(at: 0)
///     while let change = player.nextChange(until: now) { scale = change.phase }
///
/// The next phase begins when the animation to the one before is complete; a spring is complete
/// when it has *logically* arrived, though it may still settle. With `repeats` it goes round and
/// round, otherwise each trigger is one round, back to the first phase.
///
/// Where descriptions of SwiftUI are silent, these are the choices:
///
/// - The closure is asked with the phase to which the animation leads. Nil leads there at once.
/// - A phase that equals the one before is skipped at once: from the phases [1, 1, 2], a round
///   takes two animations.
/// - A trigger during a round begins a new one: the next change is to the second phase, at once.
/// - A round that takes no time is not repeated.
/// - The end of a custom animation is noticed when somebody asks.
public struct PhasePlayer<Phase: Equatable & Sendable>: Sendable {
  /// The phases of a round.
  public let phases: [Phase]

  /// Whether one round follows another for ever.
  public let repeats: Bool

  /// The phase that is shown or that the running animation leads to; nil without phases.
  public private(set) var phase: Phase?

  private let animation: @Sendable (Phase) -> Animation?

  /// The place in the round, from 0.
  private var index = 0

  /// Whether the step leads back to the first phase.
  private var isReturning = false

  /// What must be complete before the next phase; nil at rest.
  private var step: PhaseStep?

  /// Phases in a row that took no time.
  private var idleCount = 0

  /// Makes a player that shows the first phase.
  ///
  /// - Parameters:
  ///   - phases: The phases of a round, in their order.
  ///   - repeats: Whether one round follows another for ever.
  ///   - animation: The animation to a phase.
  public init(
    _ phases: some Sequence<Phase>, repeats: Bool = false,
    animation: @escaping @Sendable (Phase) -> Animation? = { _ in .default }
  ) {
    self.phases = Array(phases)
    self.repeats = repeats
    self.animation = animation
    phase = self.phases.first
  }

  /// A change to a phase.
  public struct Change: Equatable, Sendable {
    /// When it happens, in seconds.
    public let time: Double
    /// Where it leads.
    public let phase: Phase
    /// How; nil: at once.
    public let animation: Animation?
  }

  /// Whether an animation runs or the next phase is due.
  public var isRunning: Bool { step != nil }

  /// When the running animation is complete, in seconds; infinity if never or if it is not known,
  /// nil at rest.
  public var stepEnd: Double? { step?.end }

  /// Begins a round, or the endless sequence of them.
  ///
  /// - Parameter time: Seconds.
  public mutating func trigger(at time: Double) {
    guard !phases.isEmpty else { return }
    (index, idleCount, isReturning) = (0, 0, false)
    step = PhaseStep(nil, start: time)
  }

  /// Takes the next change.
  ///
  /// - Parameter time: Seconds; changes after it stay.
  /// - Returns: The change, with the exact time of the completion that it follows; nil if there is
  ///   none.
  /// - Complexity: O(phases).
  public mutating func nextChange(until time: Double) -> Change? {
    while let due = step?.completion(noticedAt: time) {
      if isReturning && !repeats || idleCount > phases.count { break }
      index = (index + 1) % phases.count
      isReturning = index == 0
      let next = phases[index]
      if next == phase {
        idleCount += 1
        continue
      }
      phase = next
      let animation = animation(next)
      let following = PhaseStep(animation, start: due)
      idleCount = following.end > due ? 0 : idleCount + 1
      step = following
      return Change(time: due, phase: next, animation: animation)
    }
    if step?.completion(noticedAt: time) != nil { step = nil }
    return nil
  }
}
