// SPDX-License-Identifier: Apache-2.0

/// How often an animation asks for frames.
public enum FrameInterval {
  /// The shortest interval, s.
  public static let secondsMin = 1.0 / 240

  /// The longest interval of 2ᵏ/240 s, which a display can keep, that is not longer than a hint.
  ///
  ///     FrameInterval.quantized(1.0 / 50)     // 1/60
  ///
  /// - Parameter hint: Seconds. Less than 1/240, and NaN, give 1/240.
  /// - Returns: Seconds, at least 1/240; infinite for an infinite hint.
  public static func quantized(_ hint: Double) -> Double {
    guard hint > secondsMin else { return secondsMin }
    // (1/240) · 240 is 1 in Double as well, so no boundary is missed.
    let frames = hint * 240
    guard frames < .infinity else { return hint }
    return Double(sign: .plus, exponent: frames.exponent, significand: 1) / 240
  }
}
