// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

import OrreryScene

/// Goal: expressions are read as Swift reads them, and whatever else a text holds gets an error with its
/// place.
///
/// Method: each form beside the value that it must give; wrong texts beside their whole message.
@Suite struct NotationTests {
  static func bezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> UnitCurve {
    .bezier(startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
  }

  static let curves: [(String, UnitCurve)] = [
    ("linear", .linear), (".easeIn", .easeIn), ("UnitCurve.easeOut", .easeOut),
    (" easeInOut ", .easeInOut), ("circularEaseIn", .circularEaseIn),
    ("circularEaseOut", .circularEaseOut), ("circularEaseInOut", .circularEaseInOut),
    ("cubicBezier(0.42, 0, 0.58, 1)", bezier(0.42, 0, 0.58, 1)),
    ("bezier(-1,+0.5,2e0,.5)", bezier(-1, 0.5, 2, 0.5)),
    ("cubic-bezier(.17,.67,.83,.67)", bezier(0.17, 0.67, 0.83, 0.67)),
    (
      "bezier(startControlPoint: UnitPoint(x: 0.1, y: 2), endControlPoint: .bottom)",
      bezier(0.1, 2, 0.5, 1)
    ),
    ("ease", bezier(0.25, 0.1, 0.25, 1)), ("ease-in-out", .easeInOut),
    ("steps(4, jump-end)", .steps(4, .jumpEnd)), ("steps(4)", .steps(4, .jumpEnd)),
    ("steps(3, jump-start)", .steps(3, .jumpStart)), ("steps(3, start)", .steps(3, .jumpStart)),
    ("steps(3, end)", .steps(3, .jumpEnd)), ("steps(3, .jumpBoth)", .steps(3, .jumpBoth)),
    ("steps(2, jump-none)", .steps(2, .jumpNone)), ("step-start", .steps(1, .jumpStart)),
    ("linear(0, 0.5 20%, 1)", .linear([0, LinearStop(0.5, at: 0.2), 1])),
    (
      "linear(0, 20% 0.5 40%, 1)",
      .linear([0, LinearStop(0.5, at: 0.2), LinearStop(0.5, at: 0.4), 1])
    ),
    ("spring(duration: 0.5, bounce: 0.3)", .spring(Spring(duration: 0.5, bounce: 0.3))),
    ("bouncy", .spring(.bouncy)), ("easeIn.inverse", UnitCurve.easeIn.inverse),
  ]

  @Test(arguments: curves.indices) func curvesAreRead(index: Int) throws {
    #expect(try Notation.curve(Self.curves[index].0) == Self.curves[index].1)
  }

  /// What is left out has the value that it has in Swift.
  static let shortAnimations: [(String, Animation)] = [
    ("spring", .spring()), ("spring(response: 0.4)", .spring(response: 0.4)),
    ("spring(dampingFraction: 0.6)", .spring(dampingFraction: 0.6)),
    ("spring(dampingRatio: 0.6)", .spring(dampingFraction: 0.6)),
    ("spring(bounce: 0.2)", .spring(bounce: 0.2)),
    ("spring(duration: 0.2)", .spring(duration: 0.2)),
    ("interactiveSpring", .interactiveSpring()), ("linear", .linear), ("easeIn", .easeIn),
    ("smooth", .smooth), ("snappy", .snappy), ("bouncy", .bouncy),
    ("timingCurve(0.1, 0.2, 0.3, 0.4)", .timingCurve(0.1, 0.2, 0.3, 0.4)),
    ("linear.repeatCount(3)", .linear.repeatCount(3)),
    ("linear.repeatForever()", .linear.repeatForever()),
  ]

  @Test(arguments: shortAnimations.indices) func leftOutArgumentsHaveTheirDefaults(index: Int)
    throws
  {
    #expect(try Notation.animation(Self.shortAnimations[index].0) == Self.shortAnimations[index].1)
  }

  static let springs: [(String, Spring)] = [
    ("spring", Spring()),
    ("Spring(duration: 0.4, bounce: -0.2)", Spring(duration: 0.4, bounce: -0.2)),
    (".init(bounce: 0.1, duration: 2)", Spring(duration: 2, bounce: 0.1)),
    ("spring(response: 0.4, dampingRatio: 0.8)", Spring(response: 0.4, dampingRatio: 0.8)),
    ("spring(response: 0.4, dampingFraction: 0.8)", Spring(response: 0.4, dampingRatio: 0.8)),
    (
      "spring(mass: 1, stiffness: 144, damping: 60, allowOverDamping: true)",
      Spring(mass: 1, stiffness: 144, damping: 60, allowOverDamping: true)
    ),
    ("spring(stiffness: 144, damping: 12)", Spring(stiffness: 144, damping: 12)),
    (
      "spring(settlingDuration: 1.2, dampingRatio: 0.6, epsilon: 0.01)",
      Spring(settlingDuration: 1.2, dampingRatio: 0.6, epsilon: 0.01)
    ),
    ("Spring.smooth", .smooth), ("snappy(duration: 0.4)", .snappy(duration: 0.4)),
    ("bouncy(extraBounce: 0.1)", .bouncy(extraBounce: 0.1)),
  ]

  @Test(arguments: springs.indices) func springsAreRead(index: Int) throws {
    #expect(try Notation.spring(Self.springs[index].0) == Self.springs[index].1)
  }

  static let schedules: [(String, ClockSchedule)] = [
    ("periodic(from: 0, by: 4)", .periodic(from: 0, by: 4)),
    ("everyMinute", .everyMinute(timeZone: "UTC")),
    ("everyMinute(timeZone: \"Europe/London\")", .everyMinute(timeZone: "Europe/London")),
    ("explicit([0, 5, 10])", .explicit([0, 5, 10])), ("explicit([])", .explicit([])),
    (".animation", .animation(minimumInterval: nil, paused: false)),
    (
      "animation(minimumInterval: 0.25, paused: false)",
      .animation(minimumInterval: 0.25, paused: false)
    ),
    (
      "animation(minimumInterval: nil, paused: true)",
      .animation(minimumInterval: nil, paused: true)
    ),
  ]

  @Test(arguments: schedules.indices) func schedulesAreRead(index: Int) throws {
    #expect(try Notation.schedule(Self.schedules[index].0) == Self.schedules[index].1)
  }

  @Test func criteriaAreRead() throws {
    #expect(try Notation.criteria(".removed") == .removed)
    #expect(try Notation.criteria("logicallyComplete") == .logicallyComplete)
    #expect(throws: NotationError.self) { try Notation.criteria("done") }
  }

  @Test func motionIsTheFirstThatFits() throws {
    #expect(try Notation.motion("spring(duration: 1)") == .spring(Spring(duration: 1)))
    #expect(try Notation.motion("easeIn") == .curve(.easeIn))
    #expect(try Notation.motion("Animation.easeIn") == .animation(.easeIn))
    #expect(try Notation.motion("easeIn(duration: 1)") == .animation(.easeIn(duration: 1)))
    #expect(try Notation.motion("bouncy.delay(1)") == .animation(.bouncy.delay(1)))
  }

  /// Texts, with what their message begins with.
  static let wrongCurves: [(String, String)] = [
    ("", "column 1: found the end, expected a name"),
    ("easIn", "column 1: easIn is not a known curve; did you mean easeIn? known: linear,"),
    ("  easeIn()x", "column 11: found x, expected the end"),
    ("bezier(1, 2, 3)", "column 1: bezier does not take these arguments; allowed: bezier(x1,"),
    ("bezier(1, 2, 3, )", "column 17: found \")\", expected a name"),
    ("bezier(1, 2, 3, 1e999)", "column 17: the number 1e999 is out of range"),
    ("bezier(1, 2, 3, a)", "column 17: found a, expected a number for y2"),
    ("bezier(1, 2, 3, 4%)", "column 19: found \")\", expected a name"),
    ("bezier(1, 2, 3, 4 5%)", "column 17: found a percentage, expected a value without one"),
    ("steps(0)", "column 7: count 0 is out of range; allowed: whole numbers 1...1000000"),
    ("steps(1, jump-none)", "column 7: count 1 is out of range"),
    ("steps(1.5)", "column 7: count 1.5 is out of range"),
    ("steps(2, jump-ned)", "column 10: jump-ned is not a known jump; did you mean jump-end?"),
    ("linear()", "column 1: linear() does not take these arguments"),
    ("linear(0, 1 1% 2% 3%)", "column 11: found 3 percentages"),
    ("spring(durtion: 1)", "column 8: spring has no argument durtion; did you mean duration?"),
    ("spring(duration: 1, duration: 2)", "column 21: the argument duration stands twice"),
    ("spring(duration: 1, dampingRatio: 1)", "column 1: spring does not take these arguments"),
    (
      "spring(mass: 0, stiffness: 1, damping: 1)",
      "column 14: mass 0 is out of range; allowed: more"
    ),
    ("spring(bounce: 1)", "column 1: the settling time of spring infinite is out of range"),
    ("easeIn.delay(1)", "column 8: delay is not a known change of a curve"),
    ("linear 5", "column 8: found 5, expected the end"), ("5x", "column 2: found \"x\", expected"),
    ("-", "column 2: found the end, expected a digit"), ("é", "column 1: found U+00E9, expected"),
    ("\"a", "column 1: found a string without end"),
    ("\"a\\n\"", "column 4: found \"n\", expected"),
    ("[1", "column 3: found the end, expected \",\" or \"]\""), ("a.", "column 3: found the end"),
  ]

  @Test(arguments: wrongCurves.indices) func errorsSayWhatAndWhere(index: Int) {
    let (text, message) = Self.wrongCurves[index]
    let error = #expect(throws: NotationError.self) { try Notation.curve(text) }
    #expect("\(error.map { "\($0)" } ?? "")".hasPrefix(message))
  }

  @Test func errorsOfOtherKindsSayWhatAndWhere() {
    func message(_ body: () throws -> Void) -> String {
      let error = #expect(throws: NotationError.self) { try body() }
      return error.map { "\($0)" } ?? ""
    }
    #expect(
      message { _ = try Notation.schedule("periodic(by: 0)") }
        == "column 14: by 0 is out of range; allowed: more than 0")
    #expect(
      message { _ = try Notation.schedule("everyMinute(timeZone: \"Europe/Lundon\")") }
        .hasPrefix(
          "column 23: \"Europe/Lundon\" is not a known time zone; did you mean Europe/London?"))
    #expect(
      message { _ = try Notation.animation("linear.delay(1).repeatCount(2.5)") }
        .hasPrefix("column 29: count 2.5 is out of range"))
    #expect(
      message { _ = try Notation.animation("linear.dely(1)") }
        == "column 8: dely is not a known modifier of an animation; did you mean delay? "
        + "known: delay, speed, repeatCount, repeatForever, logicallyComplete")
    #expect(
      message { _ = try Notation.transition("move(edge: tpo)") }
        == "column 12: tpo is not a known edge; did you mean top? "
        + "known: top, leading, bottom, trailing")
    #expect(
      message { _ = try Notation.motion("sprng(duration: 1)") }
        .hasPrefix(
          "column 1: sprng is not a known curve, spring or animation; did you mean spring?"))
    #expect(
      message { _ = try Notation.motion("easeIn(duration: true)") }
        == "column 18: found true, expected a number for duration")
  }

  @Test func deepAndLongTextsAreRefused() {
    func fault(_ text: String) -> NotationFault? {
      #expect(throws: NotationError.self) { try Notation.curve(text) }?.fault
    }
    #expect(fault(String(repeating: "[", count: 16_000)) == .tooDeep(limit: 64))
    #expect(fault(String(repeating: "a(", count: 8_000)) == .tooDeep(limit: 64))
    #expect(fault("a" + String(repeating: ".a", count: 64)) == .tooManyLinks(limit: 64))
    let long = String(repeating: " ", count: 16_385)
    #expect(fault(long) == .tooLong(bytes: 16_385, limit: 16_384))
  }

  @Test func anyPrefixAndAnyChangedByteIsReadOrRefused() {
    let texts =
      Self.curves.map(\.0) + Self.springs.map(\.0) + Self.schedules.map(\.0)
      + ["asymmetric(insertion: move(edge: top).combined(with: scale(0.2)), removal: opacity)"]
    var refused = 0
    for text in texts {
      let scalars = Array(text.unicodeScalars)
      for index in scalars.indices {
        var changed = scalars
        changed[index] = ["(", ")", ".", "-", "9", "\"", "x"][index % 7]
        for variant in [Array(scalars[..<index]), changed] {
          let text = String(String.UnicodeScalarView(variant))
          let reads: [() throws -> Void] = [
            { _ = try Notation.curve(text) }, { _ = try Notation.spring(text) },
            { _ = try Notation.animation(text) }, { _ = try Notation.schedule(text) },
            { _ = try Notation.transition(text) }, { _ = try Notation.motion(text) },
          ]
          for read in reads {
            do { try read() } catch { refused += 1 }
          }
        }
      }
    }
    #expect(refused > 1_000)
  }
}
