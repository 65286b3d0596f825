// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

/// Goal: code written for SwiftUI compiles and means the same.
///
/// Method: every name with and without its arguments; what must be equal is.
@Suite struct AnimationVocabularyTests {
  /// Parameters count, `default` counts by itself.
  @Test func equalParametersAreEqual() {
    #expect(Animation.default == .default)
    #expect(
      Animation.default != .spring(response: 0.55, dampingFraction: 1, blendDuration: 0))
    #expect(Animation.linear(duration: 2) == .linear(duration: 2))
    #expect(Animation.linear(duration: 2) != .linear(duration: 2).delay(0))
    #expect(Animation.linear(duration: 2) != .linear(duration: 3))
    #expect(Animation.linear.repeatCount(2) != .linear.repeatCount(2, autoreverses: false))
    #expect(Animation.spring.speed(2).delay(1) != .spring.delay(1).speed(2))
    #expect(Set([Animation.linear, .linear, .linear(duration: 0.35), .easeIn]).count == 2)
  }

  /// Where several functions fit, Swift picks those that SwiftUI's declarations make it pick.
  @Test func overloadsResolveAsInSwiftUI() {
    let plain: Animation = .spring()
    #expect(plain == .spring(duration: 0.5, bounce: 0))
    #expect(Animation.spring == plain)
    #expect(Animation.spring(blendDuration: 0) == plain)
    #expect(
      Animation.spring(response: 0.5)
        == .spring(Spring(response: 0.5, dampingRatio: 0.825), blendDuration: 0))
    #expect(Animation.spring(dampingFraction: 0.825) == .spring(response: 0.5))
    #expect(Animation.spring(bounce: 0.25) == .spring(Spring(duration: 0.5, bounce: 0.25)))
    #expect(Animation.interpolatingSpring == .interpolatingSpring(duration: 0.5, bounce: 0))
    #expect(
      Animation.interpolatingSpring(Spring(mass: 1, stiffness: 1, damping: 1)).course()?.end
        == Animation.interpolatingSpring(stiffness: 1, damping: 1).course()?.end)
    let all: [Animation] = [
      .default, .linear, .easeIn, .easeOut, .easeInOut, .linear(duration: 1),
      .easeIn(duration: 1), .easeOut(duration: 1), .easeInOut(duration: 1),
      .timingCurve(0, 0, 1, 1), .timingCurve(0, 0, 1, 1, duration: 1),
      .timingCurve(.circularEaseIn, duration: 1), .smooth, .snappy, .bouncy,
      .smooth(duration: 1), .snappy(extraBounce: 0.1), .bouncy(duration: 1, extraBounce: 0.1),
      .spring(.bouncy, blendDuration: 0.1), .interactiveSpring,
      .interactiveSpring(duration: 1, extraBounce: 0.1, blendDuration: 0.2),
      .interpolatingSpring(.snappy, initialVelocity: 1),
      .interpolatingSpring(duration: 1, bounce: 0.2, initialVelocity: 1),
      .linear.delay(1), .linear.speed(2), .linear.repeatCount(3), .linear.repeatForever(),
      .linear.repeatCount(3, autoreverses: false), .linear.repeatForever(autoreverses: false),
      .linear.logicallyComplete(after: 1),
    ]
    #expect(Set(all).count == all.count)
  }

  /// [P-08] The presets of springs as animations.
  @Test func presetsHaveTheirParameters() {
    #expect(Animation.smooth == .spring(duration: 0.5, bounce: 0))
    #expect(Animation.snappy == .spring(duration: 0.5, bounce: 0.15))
    #expect(Animation.bouncy == .spring(duration: 0.5, bounce: 0.3))
    #expect(
      Animation.bouncy(extraBounce: 0.1) == .spring(duration: 0.5, bounce: 0.3 + 0.1))
    #expect(
      Animation.bouncy(extraBounce: 0.1).description
        == "spring(response: 0.5, dampingFraction: 0.6, blendDuration: 0)")
    #expect(
      Animation.snappy(duration: 0.4).description
        == "spring(response: 0.4, dampingFraction: 0.85, blendDuration: 0)")
    #expect(
      Animation.interactiveSpring(response: 0.15)
        == .spring(response: 0.15, dampingFraction: 0.86, blendDuration: 0.25))
    #expect(
      Animation.interactiveSpring()
        == .spring(duration: 0.15, bounce: 0.15, blendDuration: 0.25))
    #expect(Animation.interactiveSpring == .interactiveSpring())
  }

  /// One spelling for each value.
  @Test func descriptionIsSwift() {
    let rows: [(Animation, String)] = [
      (.default, "default"), (.linear, "linear(duration: 0.35)"),
      (
        .linear(duration: 0.8).repeatCount(3, autoreverses: true).delay(0.2).speed(2),
        "linear(duration: 0.8).repeatCount(3, autoreverses: true).delay(0.2).speed(2)"
      ),
      (.timingCurve(0.42, 0, 0.58, 1, duration: 1), "easeInOut(duration: 1)"),
      (
        .timingCurve(0.1, -0.25, 1e-7, 2, duration: 1),
        "timingCurve(0.1, -0.25, 1e-07, 2, duration: 1)"
      ),
      (
        .timingCurve(.steps(4, .jumpNone), duration: 2),
        "timingCurve(steps(4, jump-none), duration: 2)"
      ),
      (
        .timingCurve(.linear([0, LinearStop(0.5, at: 0.2), 1]), duration: 2),
        "timingCurve(linear(0 0%, 0.5 20%, 1 100%), duration: 2)"
      ),
      (
        .timingCurve(.circularEaseInOut.inverse, duration: 2),
        "timingCurve(circularEaseInOut.inverse, duration: 2)"
      ),
      (
        .interpolatingSpring(mass: 2, stiffness: 100, damping: 10, initialVelocity: -1),
        "interpolatingSpring(mass: 2, stiffness: 100, damping: 10, initialVelocity: -1)"
      ),
      (
        .interpolatingSpring(duration: 0),
        "interpolatingSpring(duration: 0, bounce: 0, initialVelocity: 0)"
      ),
      (
        .spring(duration: 1, bounce: -1).repeatForever().logicallyComplete(after: 3),
        "spring(duration: 1, bounce: -1, blendDuration: 0).repeatForever(autoreverses: true)"
          + ".logicallyComplete(after: 3)"
      ),
    ]
    for (animation, text) in rows { #expect(animation.description == text) }
  }

  /// What is left out, in every builder.
  @Test func leftOutArgumentsAreTheDefaults() {
    let rows: [(Animation, Animation)] = [
      (.smooth(extraBounce: 0.1), .spring(duration: 0.5, bounce: 0.1)),
      (.snappy(extraBounce: 0.1), .spring(duration: 0.5, bounce: 0.15 + 0.1)),
      (.smooth(duration: 2), .spring(duration: 2, bounce: 0)),
      (.bouncy(duration: 2), .spring(duration: 2, bounce: 0.3)),
      (.spring(duration: 2), .spring(duration: 2, bounce: 0, blendDuration: 0)),
      (.spring(bounce: 0.2), .spring(duration: 0.5, bounce: 0.2, blendDuration: 0)),
      (
        .spring(response: 2), .spring(response: 2, dampingFraction: 0.825, blendDuration: 0)
      ),
      (
        .spring(dampingFraction: 0.5),
        .spring(response: 0.5, dampingFraction: 0.5, blendDuration: 0)
      ),
      (.spring(.bouncy), .spring(.bouncy, blendDuration: 0)),
      (
        .interactiveSpring(dampingFraction: 0.5),
        .spring(response: 0.15, dampingFraction: 0.5, blendDuration: 0.25)
      ),
      (
        .interactiveSpring(response: 2),
        .spring(response: 2, dampingFraction: 0.86, blendDuration: 0.25)
      ),
      (
        .interactiveSpring(extraBounce: 0.1),
        .spring(duration: 0.15, bounce: 0.15 + 0.1, blendDuration: 0.25)
      ),
      (
        .interactiveSpring(duration: 2, blendDuration: 3),
        .spring(duration: 2, bounce: 0.15, blendDuration: 3)
      ),
      (
        .interpolatingSpring(stiffness: 2, damping: 3),
        .interpolatingSpring(mass: 1, stiffness: 2, damping: 3, initialVelocity: 0)
      ),
      (
        .interpolatingSpring(bounce: 0.2),
        .interpolatingSpring(duration: 0.5, bounce: 0.2, initialVelocity: 0)
      ),
      (
        .interpolatingSpring(.bouncy), .interpolatingSpring(.bouncy, initialVelocity: 0)
      ),
      (
        .interpolatingSpring(Spring(response: 0.5, dampingRatio: 3)),
        .interpolatingSpring(Spring(response: 0.5, dampingRatio: 1))
      ),
      (.linear.repeatCount(3), .linear.repeatCount(3, autoreverses: true)),
      (.linear.repeatForever(), .linear.repeatForever(autoreverses: true)),
      (.timingCurve(.easeIn), .easeIn(duration: 0.35)),
      (.timingCurve(0.1, 0.2, 0.3, 0.4), .timingCurve(0.1, 0.2, 0.3, 0.4, duration: 0.35)),
    ]
    for (short, long) in rows { #expect(short == long) }
  }

  @Test func springsKeepTheirParts() {
    #expect(
      Animation.spring(response: 1, dampingFraction: 0.5, blendDuration: 2).description
        == "spring(response: 1, dampingFraction: 0.5, blendDuration: 2)")
    #expect(
      Animation.spring(Spring(response: 1, dampingRatio: 0.5), blendDuration: 2)
        == .spring(response: 1, dampingFraction: 0.5, blendDuration: 2))
    let thrown = Animation.interpolatingSpring(duration: 2, bounce: 0.5, initialVelocity: 3)
    #expect(
      thrown
        == .interpolatingSpring(Spring(duration: 2, bounce: 0.5), initialVelocity: 3))
    let physical = Animation.interpolatingSpring(Spring(mass: 2, stiffness: 8, damping: 4))
    #expect(
      physical.description.hasPrefix("interpolatingSpring(mass: 2, stiffness: 8"))
    #expect(
      Animation.linear.delay(-.infinity).speed(.infinity).description
        == "linear(duration: 0.35).delay(-infinity).speed(infinity)")
    #expect(Animation.linear.debugDescription == "linear(duration: 0.35)")
    #expect(
      Animation.easeOut(duration: 1).repeatCount(2, autoreverses: false).description
        == "easeOut(duration: 1).repeatCount(2, autoreverses: false)")
    #expect(Animation.easeIn(duration: 1).description == "easeIn(duration: 1)")
  }
}
