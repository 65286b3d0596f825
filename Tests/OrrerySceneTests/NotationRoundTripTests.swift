// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import TestSupport
import Testing

import OrreryScene

/// Goal: what the library prints of an animation or a transition is read as an equal one.
///
/// Method: every builder by hand, then random ones with random modifiers; the seed is in the failure.
@Suite struct NotationRoundTripTests {
  static let animations: [Animation] = [
    .default, .linear, .easeIn(duration: 1), .easeOut(duration: 0), .easeInOut(duration: -1),
    .timingCurve(0.1, 0.75, 0.85, 0.35), .timingCurve(.circularEaseIn, duration: 2),
    .timingCurve(.circularEaseOut), .timingCurve(.circularEaseInOut),
    .timingCurve(UnitCurve.circularEaseInOut.inverse, duration: 2),
    .timingCurve(.steps(4, .jumpBoth), duration: 2), .timingCurve(.steps(4).inverse),
    .timingCurve(.linear([0, LinearStop(0.5, at: 0.2), LinearStop(0.7, at: 0.2), 1])),
    .timingCurve(UnitCurve.linear([0, LinearStop(0.3, at: 0.9), 1]).inverse),
    .timingCurve(.linear([0.5])), .timingCurve(.spring(.bouncy), duration: 2),
    .timingCurve(UnitCurve.spring(Spring(mass: 2, stiffness: 100, damping: 3)).inverse),
    .spring, .spring(response: 0.4, dampingFraction: 0.8), .spring(duration: 1, bounce: -0.5),
    .spring(duration: 0.3, bounce: 0.2, blendDuration: 0.1), .spring(duration: 0),
    .spring(.snappy), .interactiveSpring, .interactiveSpring(duration: 0.2, extraBounce: 0.1),
    .interpolatingSpring, .interpolatingSpring(duration: 0.4, bounce: 0.3, initialVelocity: 2),
    .interpolatingSpring(mass: 2, stiffness: 144, damping: 12, initialVelocity: -1),
    .smooth, .snappy, .bouncy(duration: 2, extraBounce: 0.1), .linear.delay(0.2).speed(2),
    .linear(duration: 0.8).repeatCount(3, autoreverses: true).delay(0.2).speed(2),
    .easeIn.repeatForever(autoreverses: false).logicallyComplete(after: 0.1),
    .easeIn.repeatCount(0).repeatForever().delay(-1e-5).speed(1e20),
  ]

  @Test(arguments: animations.indices) func animationsComeBack(index: Int) throws {
    let animation = Self.animations[index]
    #expect(try Notation.animation("\(animation)") == animation, "\(animation)")
    #expect(try Notation.animation(".\(animation)") == animation)
    #expect(try Notation.animation("Animation.\(animation)") == animation)
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func randomAnimationsComeBack(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let animation = Self.animation(&random)
      #expect(try Notation.animation("\(animation)") == animation, "seed \(seed): \(animation)")
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func randomTransitionsComeBack(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let transition = Self.transition(&random, depth: 2)
      #expect(
        try Notation.transition("\(transition)") == transition, "seed \(seed): \(transition)")
    }
  }

  static let transitions: [(String, AnyTransition)] = [
    ("identity", .identity), (".opacity", .opacity), ("AnyTransition.slide", .slide),
    ("scale", .scale),
    ("scale(0.2, anchor: .topTrailing)", .scale(scale: 0.2, anchor: .topTrailing)),
    ("scale(scale: 0.2)", .scale(scale: 0.2)), ("move(edge: .leading)", .move(edge: .leading)),
    ("push(from: bottom)", .push(from: .bottom)), ("offset(x: 3, y: -4)", .offset(x: 3, y: -4)),
    ("offset(CGSize(width: 3, height: -4))", .offset(x: 3, y: -4)),
    ("blurReplace(.upUp)", AnyTransition(.blurReplace(.upUp))),
    ("blurReplace", AnyTransition(.blurReplace)),
    ("opacity.animation(nil)", .opacity.animation(nil)),
    ("opacity.animation(linear(duration: 1))", .opacity.animation(.linear(duration: 1))),
    (
      "asymmetric(insertion: move(edge: top).combined(with: opacity), removal: opacity)",
      .asymmetric(insertion: .move(edge: .top).combined(with: .opacity), removal: .opacity)
    ),
  ]

  @Test(arguments: transitions.indices) func transitionsAreRead(index: Int) throws {
    let (text, transition) = Self.transitions[index]
    #expect(try Notation.transition(text) == transition)
    #expect(try Notation.transition("\(transition)") == transition)
  }

  /// Numbers of every length, among them whole and very small ones.
  private static func number(_ random: inout SeededRandom, _ range: ClosedRange<Double>) -> Double {
    let number = random.number(in: range)
    return switch random.next() % 4 {
    case 0: number.rounded()
    case 1: (number * 100).rounded() / 100
    case 2: number * 1e-6
    default: number
    }
  }

  private static func animation(_ random: inout SeededRandom) -> Animation {
    let duration = number(&random, -1...10)
    let bounce = number(&random, -0.9...1)
    var animation: Animation =
      switch random.next() % 8 {
      case 0: .default
      case 1: .linear(duration: duration)
      case 2: .easeInOut(duration: duration)
      case 3:
        .timingCurve(
          number(&random, -1...2), number(&random, -1...2), 1, bounce, duration: duration)
      case 4: .timingCurve(.steps(Int(random.next() % 9) + 2, .jumpNone), duration: duration)
      case 5: .spring(duration: duration, bounce: bounce, blendDuration: abs(bounce))
      case 6: .interactiveSpring(response: abs(duration), dampingFraction: abs(bounce))
      default:
        .interpolatingSpring(
          mass: random.number(in: 0.1...9), stiffness: random.number(in: 1...900),
          damping: duration, initialVelocity: bounce)
      }
    for _ in 0..<random.next() % 5 {
      let amount = number(&random, -1...5)
      animation =
        switch random.next() % 5 {
        case 0: animation.delay(amount)
        case 1: animation.speed(amount)
        case 2: animation.repeatCount(Int(amount), autoreverses: random.next() % 2 == 0)
        case 3: animation.repeatForever(autoreverses: random.next() % 2 == 0)
        default: animation.logicallyComplete(after: amount)
        }
    }
    return animation
  }

  private static func transition(_ random: inout SeededRandom, depth: Int) -> AnyTransition {
    let edge = Edge.allCases[Int(random.next() % 4)]
    let x = number(&random, -9...9)
    let kind = random.next() % (depth > 0 ? 10 : 8)
    switch kind {
    case 0: return .opacity
    case 1: return .move(edge: edge)
    case 2: return .push(from: edge)
    case 3: return .scale(scale: abs(x), anchor: UnitPoint(x: x, y: 0.5))
    case 4: return .offset(x: x, y: number(&random, -1...1))
    case 5: return AnyTransition(.blurReplace(.upUp))
    case 6: return .identity
    case 7: return .slide.animation(animation(&random))
    case 8:
      return .asymmetric(
        insertion: transition(&random, depth: depth - 1),
        removal: transition(&random, depth: depth - 1))
    default:
      return transition(&random, depth: depth - 1).combined(
        with: transition(&random, depth: depth - 1))
    }
  }
}
