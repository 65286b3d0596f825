// SPDX-License-Identifier: Apache-2.0

/// Plays phases, one animation after the other: a phase animator without views.
///
///     var player = PhasePlayer([1.0, 1.5, 0.8]) { _ in .linear(duration: 0.2) }
///     player.trigger(at: 0)
///     while let change = player.nextChange(until: now) { scale = change.phase }
///
/// The next phase begins when the animation to the one before is *logically* complete, though a
/// spring may still settle. With `repeats`, rounds follow each other for ever. Otherwise each
/// trigger plays one round, back to the first phase.
///
/// Where descriptions of SwiftUI say nothing, these are the choices:
///
/// - The closure gets the phase at the animation's end. If it returns nil, the phase changes at
///   once.
/// - A phase that equals the one before is skipped at once: with the phases [1, 1, 2], a round
///   has two animations.
/// - A trigger during a round begins a new round: the next change is to the second phase, at once.
/// - A round without duration is not repeated.
/// - The end of a custom animation is found by polling, in ``nextChange(until:)``.
public struct PhasePlayer<Phase: Equatable> {
  /// The phases of a round.
  public let phases: [Phase]

  /// Whether one round follows another for ever.
  public let repeats: Bool

  /// The shown phase, or the phase at the end of the running animation; nil without phases.
  public private(set) var phase: Phase?

  private let animation: (Phase) -> Animation?

  /// Index of the phase in the round.
  private var index = 0

  /// Whether the running step returns to the first phase.
  private var isReturning = false

  /// The step that must be complete before the next phase; nil at rest.
  private var step: PhaseStep?

  /// Consecutive phases without duration.
  private var idleCount = 0

  /// Makes a player that shows the first phase.
  ///
  /// - Parameters:
  ///   - phases: The phases of a round, in their order.
  ///   - repeats: Whether one round follows another for ever.
  ///   - animation: The animation to a phase.
  public init(
    _ phases: some Sequence<Phase>, repeats: Bool = false,
    animation: @escaping (Phase) -> Animation? = { _ in .default }
  ) {
    self.phases = Array(phases)
    self.repeats = repeats
    self.animation = animation
    phase = self.phases.first
  }

  /// A change to a phase.
  public struct Change: Equatable {
    /// When it happens, in seconds.
    public let time: Double
    /// The new phase.
    public let phase: Phase
    /// The animation; nil: at once.
    public let animation: Animation?
  }

  /// Whether an animation runs or the next phase is due.
  public var isRunning: Bool { step != nil }

  /// When the running animation is complete, in seconds; infinity if it never is or the time is not
  /// known, nil at rest.
  public var stepEnd: Double? { step?.end }

  /// Begins a round, or the endless sequence of rounds.
  ///
  /// - Parameter time: Seconds.
  public mutating func trigger(at time: Double) {
    guard !phases.isEmpty else { return }
    (index, idleCount, isReturning) = (0, 0, false)
    step = PhaseStep(nil, start: time)
  }

  /// Goes on where another player stands, with its own phases and animations.
  ///
  /// If it has fewer phases than that, it starts anew.
  ///
  /// - Parameters:
  ///   - other: The player before.
  ///   - time: Seconds.
  mutating func resume(_ other: PhasePlayer, at time: Double) {
    guard other.index < phases.count else {
      if repeats { trigger(at: time) }
      return
    }
    (index, isReturning) = (other.index, other.isReturning)
    (step, idleCount) = (other.step, other.idleCount)
    phase = phases[index]
  }

  /// Removes and returns the next change.
  ///
  /// - Parameter time: Seconds; changes after it stay.
  /// - Returns: The change, with the exact time of the completion that it follows; nil if there is
  ///   none.
  /// - Complexity: O(phases).
  public mutating func nextChange(until time: Double) -> Change? {
    while let due = step?.completion(polledAt: time) {
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
    if step?.completion(polledAt: time) != nil { step = nil }
    return nil
  }
}

@available(*, unavailable)
extension PhasePlayer: Sendable {}
extension PhasePlayer.Change: Sendable where Phase: Sendable {}
