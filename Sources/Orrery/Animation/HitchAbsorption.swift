// SPDX-License-Identifier: Apache-2.0

/// Time of an animation that does not skip when a frame at its start is late, as in SwiftUI.
///
/// The first frame shows the start. The second one still shows it and starts the clock. The third
/// one counts at most 1/60 s. From then on time is real. An engine does this only with
/// ``AnimationEngine/absorbsHitches``; otherwise its animations begin at the time of their change.
public struct HitchAbsorption: Hashable, Sendable {
  /// Longest counted time from the second frame to the third, s.
  public static let frameSecondsMax = 1.0 / 60

  private var frameCount = 0

  /// When the animation began, s.
  private var start = 0.0

  /// Makes the state before the first frame.
  public init() {}

  /// The animation's time that a frame shows.
  ///
  /// - Parameter time: Time of the frame, s; frames come in order.
  /// - Returns: Seconds since the animation began.
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
