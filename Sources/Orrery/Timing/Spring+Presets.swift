// SPDX-License-Identifier: Apache-2.0

extension Spring {
  /// Duration 0.5 s, no bounce.
  public static var smooth: Spring { smooth() }

  /// Duration 0.5 s, bounce 0.15.
  public static var snappy: Spring { snappy() }

  /// Duration 0.5 s, bounce 0.3.
  public static var bouncy: Spring { bouncy() }

  /// A spring whose only bounce is the extra one.
  ///
  /// - Parameters:
  ///   - duration: Perceptual duration, s.
  ///   - extraBounce: Added to a bounce of 0.
  /// - Returns: The spring.
  public static func smooth(duration: Double = 0.5, extraBounce: Double = 0) -> Spring {
    Spring(duration: duration, bounce: extraBounce)
  }

  /// A spring with a little bounce.
  ///
  /// - Parameters:
  ///   - duration: Perceptual duration, s.
  ///   - extraBounce: Added to a bounce of 0.15.
  /// - Returns: The spring.
  public static func snappy(duration: Double = 0.5, extraBounce: Double = 0) -> Spring {
    Spring(duration: duration, bounce: 0.15 + extraBounce)
  }

  /// A spring with more bounce.
  ///
  /// - Parameters:
  ///   - duration: Perceptual duration, s.
  ///   - extraBounce: Added to a bounce of 0.3.
  /// - Returns: The spring.
  public static func bouncy(duration: Double = 0.5, extraBounce: Double = 0) -> Spring {
    Spring(duration: duration, bounce: 0.3 + extraBounce)
  }
}
