// SPDX-License-Identifier: Apache-2.0

/// Springs that take over the position and velocity of running motions.
///
/// They end when they stay closer to the target than a thousandth of the interval. They are
/// logically complete after their response. Their stiffness is at most 45,000 1/s²; a response
/// of 0 snaps.
extension Animation {
  /// A spring with a response of 0.55 s that does not overshoot; equal only to itself.
  public static let `default` = Animation(.standard)

  /// A spring of 0.5 s without bounce.
  public static var spring: Animation { spring(duration: 0.5) }

  /// A spring by its perceptual duration and its bounce.
  ///
  /// - Parameters:
  ///   - duration: Perceptual duration, s.
  ///   - bounce: From -1 to 1: 0 does not overshoot, 1 oscillates for ever, -1 stands still.
  ///   - blendDuration: Seconds in which the response changes to this one, if another spring runs.
  /// - Returns: The animation.
  public static func spring(
    duration: Double = 0.5, bounce: Double = 0, blendDuration: Double = 0
  ) -> Animation {
    spring(Spring(duration: duration, bounce: bounce), blendDuration: blendDuration)
  }

  /// A spring by its response and its damping.
  ///
  /// - Parameters:
  ///   - response: Time of one oscillation without damping, s.
  ///   - dampingFraction: Damping as a share of critical damping.
  ///   - blendDuration: Seconds in which the response changes to this one, if another spring runs.
  /// - Returns: The animation.
  @_disfavoredOverload
  public static func spring(
    response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: Double = 0
  ) -> Animation {
    spring(
      Spring(response: response, dampingRatio: dampingFraction), blendDuration: blendDuration)
  }

  /// A spring.
  ///
  /// - Parameters:
  ///   - spring: The spring; its mass has no influence.
  ///   - blendDuration: Seconds in which the response changes to this one, if another spring runs.
  /// - Returns: The animation.
  public static func spring(_ spring: Spring, blendDuration: Double = 0) -> Animation {
    Animation(
      .spring(
        response: spring.response, dampingFraction: spring.dampingRatio,
        blendDuration: blendDuration))
  }

  /// A fast spring for a value that follows a finger: duration 0.15 s, bounce 0.15.
  public static var interactiveSpring: Animation { interactiveSpring(duration: 0.15) }

  /// A fast spring for a value that follows a finger, by its response and its damping.
  ///
  /// - Parameters:
  ///   - response: Time of one oscillation without damping, s.
  ///   - dampingFraction: Damping as a share of critical damping.
  ///   - blendDuration: Seconds in which the response changes to this one, if another spring runs.
  /// - Returns: The animation.
  @_disfavoredOverload
  public static func interactiveSpring(
    response: Double = 0.15, dampingFraction: Double = 0.86, blendDuration: Double = 0.25
  ) -> Animation {
    spring(
      response: response, dampingFraction: dampingFraction, blendDuration: blendDuration)
  }

  /// A fast spring for a value that follows a finger, by its perceptual duration.
  ///
  /// - Parameters:
  ///   - duration: Perceptual duration, s.
  ///   - extraBounce: Added to a bounce of 0.15.
  ///   - blendDuration: Seconds in which the response changes to this one, if another spring runs.
  /// - Returns: The animation.
  public static func interactiveSpring(
    duration: Double = 0.15, extraBounce: Double = 0, blendDuration: Double = 0.25
  ) -> Animation {
    spring(duration: duration, bounce: 0.15 + extraBounce, blendDuration: blendDuration)
  }

  /// A spring of 0.5 s without bounce.
  public static var smooth: Animation { smooth() }

  /// A spring of 0.5 s with a bounce of 0.15.
  public static var snappy: Animation { snappy() }

  /// A spring of 0.5 s with a bounce of 0.3.
  public static var bouncy: Animation { bouncy() }

  /// A spring whose only bounce is the extra one.
  ///
  /// - Parameters:
  ///   - duration: Perceptual duration, s.
  ///   - extraBounce: Added to a bounce of 0.
  /// - Returns: The animation.
  public static func smooth(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    spring(.smooth(duration: duration, extraBounce: extraBounce))
  }

  /// A spring with a little bounce.
  ///
  /// - Parameters:
  ///   - duration: Perceptual duration, s.
  ///   - extraBounce: Added to a bounce of 0.15.
  /// - Returns: The animation.
  public static func snappy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    spring(.snappy(duration: duration, extraBounce: extraBounce))
  }

  /// A spring with more bounce.
  ///
  /// - Parameters:
  ///   - duration: Perceptual duration, s.
  ///   - extraBounce: Added to a bounce of 0.3.
  /// - Returns: The animation.
  public static func bouncy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    spring(.bouncy(duration: duration, extraBounce: extraBounce))
  }
}
