// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import Testing

/// Goal: every word and every default of an expression has its meaning, and what is one too long, too deep or
/// too many is refused where it stands.
///
/// Method: each way to write something beside its value in Swift; wrong texts beside their message; texts at
/// each limit and one above it.
@Suite struct NotationLimitTests {
  static let animations: [(String, Animation)] = [
    ("default", .default), ("linear()", .linear), ("easeOut", .easeOut), ("easeInOut", .easeInOut),
    ("easeOut(duration: 2)", .easeOut(duration: 2)),
    ("timingCurve(circularEaseIn)", .timingCurve(.circularEaseIn)),
    ("timingCurve(0.1, 0.2, 0.3, 0.4, duration: 2)", .timingCurve(0.1, 0.2, 0.3, 0.4, duration: 2)),
    ("spring(.snappy, blendDuration: 0.1)", .spring(.snappy, blendDuration: 0.1)),
    ("spring(Spring(duration: 2))", .spring(Spring(duration: 2))),
    ("interactiveSpring(response: 0.2)", .interactiveSpring(response: 0.2)),
    ("interactiveSpring(dampingFraction: 0.5)", .interactiveSpring(dampingFraction: 0.5)),
    ("interactiveSpring(dampingRatio: 0.5)", .interactiveSpring(dampingFraction: 0.5)),
    ("interactiveSpring(extraBounce: 0.1)", .interactiveSpring(extraBounce: 0.1)),
    (
      "interactiveSpring(duration: 0.3, blendDuration: 0)",
      .interactiveSpring(duration: 0.3, blendDuration: 0)
    ),
    ("interpolatingSpring(bounce: 0.2)", .interpolatingSpring(bounce: 0.2)),
    (
      "interpolatingSpring(stiffness: 144, damping: 12)",
      .interpolatingSpring(stiffness: 144, damping: 12)
    ),
    (
      "interpolatingSpring(.bouncy, initialVelocity: 2)",
      .interpolatingSpring(Spring.bouncy, initialVelocity: 2)
    ),
    ("interpolatingSpring(smooth)", .interpolatingSpring(Spring.smooth)),
    ("snappy(extraBounce: 0.1)", .snappy(extraBounce: 0.1)),
    ("smooth(duration: 2)", .smooth(duration: 2)),
    ("linear.speed(2)", .linear.speed(2)),
    ("linear.repeatForever(autoreverses: false)", .linear.repeatForever(autoreverses: false)),
    ("linear.repeatCount(2, autoreverses: false)", .linear.repeatCount(2, autoreverses: false)),
    ("linear.repeatCount(9007199254740992)", .linear.repeatCount(1 << 53)),
    ("linear.repeatCount(-9007199254740992)", .linear.repeatCount(-(1 << 53))),
    ("linear.logicallyComplete(after: 0.2)", .linear.logicallyComplete(after: 0.2)),
  ]

  @Test(arguments: animations.indices) func animationsHaveTheirDefaults(index: Int) throws {
    let (text, animation) = Self.animations[index]
    #expect(try Notation.animation(text) == animation)
  }

  static let springs: [(String, Spring)] = [
    ("spring(duration: 0.4)", Spring(duration: 0.4)), ("init(bounce: 0.2)", Spring(bounce: 0.2)),
    ("spring(stiffness: 144, damping: 60)", Spring(stiffness: 144, damping: 60)),
    (
      "spring(mass: 2, stiffness: 144, damping: 60, allowOverDamping: false)",
      Spring(mass: 2, stiffness: 144, damping: 60)
    ),
    (
      "spring(settlingDuration: 1.2, dampingRatio: 0.6)",
      Spring(settlingDuration: 1.2, dampingRatio: 0.6, epsilon: 0.001)
    ),
    ("smooth", .smooth), ("snappy(extraBounce: 0.2)", .snappy(extraBounce: 0.2)),
    ("bouncy(duration: 2)", .bouncy(duration: 2)),
    ("smooth(duration: 2, extraBounce: 0.1)", .smooth(duration: 2, extraBounce: 0.1)),
  ]

  @Test(arguments: springs.indices) func springsHaveTheirDefaults(index: Int) throws {
    let (text, spring) = Self.springs[index]
    #expect(try Notation.spring(text) == spring)
  }

  static let curves: [(String, UnitCurve)] = [
    ("step-end", .steps(1, .jumpEnd)), ("ease-in", .easeIn), ("ease-out", .easeOut),
    ("easeInEaseOut", .easeInOut), ("spring", .spring(Spring())), ("snappy", .spring(.snappy)),
    ("smooth(duration: 2)", .spring(.smooth(duration: 2))),
    ("steps(3, jump-both)", .steps(3, .jumpBoth)), ("steps(3, jumpStart)", .steps(3, .jumpStart)),
    ("steps(3, .jumpEnd)", .steps(3, .jumpEnd)), ("steps(3, jumpNone)", .steps(3, .jumpNone)),
    ("steps(3, StepJump.jumpBoth)", .steps(3, .jumpBoth)),
    ("steps(1)", .steps(1, .jumpEnd)), ("steps(1000000)", .steps(1_000_000, .jumpEnd)),
    (
      "linear(0 0%, 1 50% 100%)",
      .linear([LinearStop(0, at: 0), LinearStop(1, at: 0.5), LinearStop(1, at: 1)])
    ),
    ("linear(0.5)", .linear([0.5])),
    (
      "bezier(startControlPoint: .init(x: 0.1, y: 2), endControlPoint: topTrailing)",
      NotationTests.bezier(0.1, 2, 1, 0)
    ),
    ("bezier(1E-1, +0.5, 2e+0, 25e-2)", NotationTests.bezier(0.1, 0.5, 2, 0.25)),
    ("\tbezier(0,\n0,\r1, 1)\n", NotationTests.bezier(0, 0, 1, 1)),
  ]

  @Test(arguments: curves.indices) func curvesHaveTheirWords(index: Int) throws {
    let (text, curve) = Self.curves[index]
    #expect(try Notation.curve(text) == curve)
  }

  static let points: [(String, UnitPoint)] = [
    ("zero", .zero), (".center", .center), ("leading", .leading), ("trailing", .trailing),
    ("top", .top), ("bottom", .bottom), ("topLeading", .topLeading),
    ("UnitPoint.topTrailing", .topTrailing), ("bottomLeading", .bottomLeading),
    ("bottomTrailing", .bottomTrailing), ("UnitPoint()", .zero),
    ("UnitPoint(x: 0.2, y: 1)", UnitPoint(x: 0.2, y: 1)),
    ("UnitPoint.init(x: 1, y: 0.5)", .trailing),
  ]

  @Test(arguments: points.indices) func pointsHaveTheirNames(index: Int) throws {
    let (text, point) = Self.points[index]
    #expect(
      try Notation.transition("scale(0.5, anchor: \(text))") == .scale(scale: 0.5, anchor: point))
  }

  static let transitions: [(String, AnyTransition)] = [
    ("scale(0.5)", .scale(scale: 0.5, anchor: .center)), ("slide", .slide),
    ("scale(scale: 0.5, anchor: top)", .scale(scale: 0.5, anchor: .top)),
    ("offset(x: 2)", .offset(x: 2, y: 0)), ("offset(y: 2)", .offset(x: 0, y: 2)),
    ("offset(.init(width: 3, height: 4))", .offset(x: 3, y: 4)),
    ("blurReplace(downUp)", AnyTransition(.blurReplace(.downUp))),
    ("move(edge: Edge.trailing)", .move(edge: .trailing)),
    ("Transition.opacity.combined(with: slide)", .opacity.combined(with: .slide)),
  ]

  @Test(arguments: transitions.indices) func transitionsHaveTheirWords(index: Int) throws {
    let (text, transition) = Self.transitions[index]
    #expect(try Notation.transition(text) == transition)
  }

  static let schedules: [(String, ClockSchedule)] = [
    ("everyMinute(in: \"Asia/Tokyo\")", .everyMinute(timeZone: "Asia/Tokyo")),
    ("periodic(by: 2)", .periodic(from: 0, by: 2)),
    ("TimelineSchedule.everyMinute", .everyMinute(timeZone: "UTC")),
    ("animation(minimumInterval: 0.5)", .animation(minimumInterval: 0.5, paused: false)),
    ("animation(paused: true)", .animation(minimumInterval: nil, paused: true)),
    ("explicit([-1, 2.5])", .explicit([-1, 2.5])),
  ]

  @Test(arguments: schedules.indices) func schedulesHaveTheirDefaults(index: Int) throws {
    let (text, schedule) = Self.schedules[index]
    #expect(try Notation.schedule(text) == schedule)
  }

  // MARK: Errors

  /// What a text is read as.
  enum Kind: Sendable { case curve, spring, animation, transition, schedule, motion }

  /// The error that a text gives; empty if it is read.
  private func message(_ kind: Kind, _ text: String) -> String {
    do throws(NotationError) {
      switch kind {
      case .curve: _ = try Notation.curve(text)
      case .spring: _ = try Notation.spring(text)
      case .animation: _ = try Notation.animation(text)
      case .transition: _ = try Notation.transition(text)
      case .schedule: _ = try Notation.schedule(text)
      case .motion: _ = try Notation.motion(text)
      }
      return ""
    } catch {
      return "\(error)"
    }
  }

  /// Kinds and texts, with what their message begins with.
  static let wrong: [(Kind, String, String)] = [
    (.curve, "steps(2, end.start)", "column 10: found more than a name, expected jump-start or "),
    (.curve, "steps(2, end())", "column 10: found more than a name, expected jump-start or "),
    (
      .curve, "steps(1000001)",
      "column 7: count 1000001 is out of range; allowed: whole numbers 1...1000000"
    ),
    (
      .curve, "linear(a: 1)",
      "column 8: found a, expected an output with at most two inputs, as 0.5 20% 40%"
    ),
    (.curve, "linear(1 2)", "column 10: found 2, expected \",\" or \")\""),
    (.curve, "easeIn.inverse()", "column 8: inverse is not a known change of a curve"),
    (
      .curve, "ease-in(1)", "column 1: ease-in does not take these arguments; allowed: ease-in"
    ),
    (
      .curve, "smooth(bounce: 1)",
      "column 8: smooth has no argument bounce; allowed: smooth(duration: …, extraBounce: …)"
    ),
    (
      .curve, "bezier(1, 2, 3, 4, 5)",
      "column 1: bezier does not take these arguments; allowed: bezier(x1, y1, x2, y2), or "
        + "bezier(startControlPoint: …, endControlPoint: …)"
    ),
    (.curve, "1e5e5", "column 4: found \"e\", expected the number 1e5 to end here"),
    (.curve, "0x1", "column 2: found \"x\", expected the number 0 to end here"),
    (.curve, "5%", "column 1: found 5%, expected a name, a number, a string or \"[\""),
    (.curve, "@", "column 1: found \"@\", expected a name, a number, a string, \"[\" or \".\""),
    (.curve, "a b", "column 3: found b, expected the end"),
    (.curve, "easeIn.", "column 8: found the end, expected a name"),
    (.curve, "easeIn.5", "column 7: found 0.5, expected the end"),
    (.curve, "5", "column 1: found 5, expected a curve"),
    (.curve, "\"easeIn\"", "column 1: found a string, expected a curve"),
    (.spring, "Spring.smooth.bouncy", "column 1: found 2 names, expected one spring"),
    (
      .spring, "spring(stiffness: 0, damping: 1)",
      "column 19: stiffness 0 is out of range; allowed: more than 0"
    ),
    (.spring, "Spring(settlingDuration: 1)", "column 1: Spring does not take these arguments; "),
    (
      .animation, "linear.repeatCount(9007199254740994)",
      "column 20: count 9.007199254740994e+15 is out of range; allowed: whole numbers "
        + "-9007199254740992...9007199254740992"
    ),
    (
      .animation, "lineer",
      "column 1: lineer is not a known animation; did you mean linear? known: "
    ),
    (
      .transition, "offset(5)",
      "column 8: found 5, expected a size, as CGSize(width: 10, height: 20)"
    ),
    (
      .transition, "offset(point)",
      "column 8: found point, expected CGSize(width: …, height: …)"
    ),
    (
      .transition, "scale(0.5).combined(opacity)",
      "column 12: combined does not take these arguments; allowed: combined(with: …)"
    ),
    (
      .transition, "opacity.animation()",
      "column 9: animation does not take these arguments; allowed: animation(animation)"
    ),
    (
      .transition, "opacity.fade(1)",
      "column 9: fade is not a known modifier of a transition; known: combined, animation"
    ),
    (.transition, "blurReplace(upDown)", "column 13: upDown is not a known configuration; "),
    (.schedule, "periodic(by: 1).x", "column 1: found 2 names, expected one schedule"),
    (.schedule, "explicit(5)", "column 10: found 5, expected a list, as [0, 5, 10]"),
    (.schedule, "explicit([0, a])", "column 14: found a, expected a number for a date"),
    (
      .schedule, "everyMinute(timeZone: UTC)",
      "column 23: found UTC, expected a string in \"\" for timeZone"
    ),
    (.schedule, "animation(paused: maybe)", "column 19: maybe is not a known truth value; "),
    (.motion, "spring(duration: x)", "column 18: found x, expected a number for duration"),
    (
      .motion, "bouncy.dely(1)",
      "column 8: dely is not a known curve, spring or animation; did you mean delay? known: "
        + "inverse, delay, speed, repeatCount, repeatForever, logicallyComplete"
    ),
  ]

  @Test(arguments: wrong.indices) func errorsSayWhatAndWhere(index: Int) {
    let (kind, text, expected) = Self.wrong[index]
    let found = message(kind, text)
    #expect(found.hasPrefix(expected), "\(text): \(found)")
  }

  // MARK: Limits

  @Test func brackets64DeepAreRead() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(message(.curve, nested(64)) == "column 1: found a list, expected a curve")
    #expect(message(.curve, nested(65)) == "column 65: nests deeper than 64 levels")
  }

  /// What is closed again is no deeper.
  @Test func bracketsSideBySideDoNotNest() throws {
    let lists = String(repeating: "[], ", count: 100)
    #expect(
      message(.schedule, "explicit([\(lists)0])")
        == "column 11: found a list, expected a number for a date")
    let delays = String(repeating: ".delay(1)", count: 60)
    let animation = (0..<60).reduce(Animation.linear) { sum, _ in sum.delay(1) }
    let half = "opacity.animation(linear\(delays))"
    #expect(
      try Notation.transition("asymmetric(insertion: \(half), removal: \(half))")
        == .asymmetric(
          insertion: .opacity.animation(animation), removal: .opacity.animation(animation)))
  }

  @Test func chainsOf64NamesAreRead() {
    func chain(_ count: Int) -> String {
      "easeIn" + String(repeating: ".inverse", count: count - 1)
    }
    #expect(message(.curve, chain(64)) == "")
    #expect(
      message(.curve, chain(65))
        == "column \(chain(64).count + 1): more than 64 names follow each other with a point")
  }

  @Test func textsOf16KiBAreRead() throws {
    let text = "linear" + String(repeating: " ", count: 16_384 - 6)
    #expect(try Notation.curve(text) == .linear)
    #expect(message(.curve, text + " ") == "column 1: 16385 bytes of UTF-8, more than 16384")
  }
}
