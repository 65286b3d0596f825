// SPDX-License-Identifier: Apache-2.0

/// Time for an animation that a late frame at its start shall not make skip, as SwiftUI has it.
///
/// The first frame shows the start, the second one shows it still and begins to count, and the
/// third one counts at most 1/60 s; from then on time is real. The engine does not do this: its
/// animations begin at the time of their change.
public struct HitchAbsorption: Hashable, Sendable {
  /// Most that the third frame can be after the second, s.
  public static let frameSecondsMax = 1.0 / 60

  private var frameCount = 0

  /// When the animation began, s.
  private var start = 0.0

  /// No frame has been shown.
  public init() {}

  /// Time that a frame shows.
  ///
  /// - Parameter time: Of the frame, s; frames come in order.
  /// - Returns: s since the animation began.
  public mutating func elapsed(at time: Double) -> Double {
    switch frameCount {
    case 0, 1: start = time
    case 2: start = max(start, time - Self.frameSecondsMax)
    default: return max(0, time - start)
    }
    frameCount += 1
    return max(0, time - start)
  }
}
