// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryEval
import Testing

/// Goal: a custom animation by formula moves as the formula says, and no text can do harm.
///
/// Method: formulas whose numbers are known, beside Swift's own arithmetic; wrong ones beside their
/// messages; then what is longest and deepest.
@Suite struct FormulaTests {
  /// The value of a formula of `time` at a time, as the moved part of an interval of 2.
  private func value(_ formula: String, at time: Double) throws -> Double {
    let answer = try Answer(
      #"{"animation":{"formula":"\#(formula)","duration":1e6},"from":0,"to":2,"at":[\#(time)]}"#)
    return try #require(answer["values"].numbers.first, "\(formula): \(answer.error)")
  }

  @Test(arguments: [
    ("value * time", 1), ("time + 2 * 3 - 4 / 8", 6), ("-2 ^ 2", -4), ("2 ^ 3 ^ 2", 512),
    ("(1 + 2) * 3", 9), ("--3", 3), ("2 ^ -1", 0.5), ("-7 % 3", -1), ("1 - 2 - 3", -4),
    ("8 / 4 / 2", 1), ("time < 1", 1), ("time >= 0.75", 0), ("1 == 1", 1), ("1 != 1", 0),
    ("if(time < 1, 5, 7)", 5), ("clamp(time, 0.6, 1)", 0.6), ("mix(2, 4, time)", 3),
    ("min(3, max(1, 2))", 2), ("abs(-3)", 3), ("sign(-3)", -1), ("sign(0)", 0), ("floor(-0.5)", -1),
    ("ceil(0.5)", 1), ("round(2.5)", 3), ("sqrt(16)", 4), ("pow(2, 10)", 1024),
    ("sin(pi / 2)", 1), ("cos(0)", 1), ("atan2(1, 1) * 4 - pi", 0), ("exp(1) - e", 0),
    ("log(e)", 1), ("tan(0)", 0), ("acos(1)", 0), ("asin(0)", 0), ("atan(0)", 0),
    (".5 + 1.e1", 10.5),
    ("1e-3*1E3", 1), (" time\\t", 0.5),
  ])
  func arithmeticIsSwifts(formula: String, expected: Double) throws {
    #expect(abs(try value(formula, at: 0.5) - expected) < 1e-12)
  }

  /// The end shows the target, and events are found by the first frame that is not before them.
  @Test func animationsMoveByFormula() throws {
    let answer = try Answer(
      #"{"animation":{"formula":"value * time ^ 2","duration":1,"logicallyComplete":0.51},"#
        + #""from":10,"to":20,"at":[2,0.5,-1,0]}"#)
    #expect(answer["values"].numbers == [20, 12.5, 10, 10])
    #expect(
      answer["events"].elements.map { $0["kind"].string } == ["logicallyComplete", "removed"])
    #expect(answer["events"].elements.map { $0["time_s"].number } == [31.0 / 60, 1])
    let early = try Answer(#"{"animation":{"formula":"value","duration":9},"at":[0.5]}"#)
    #expect(early["values"].numbers == [1])
    #expect(early["events"].elements.isEmpty)
    let still = try Answer(
      #"{"animation":{"formula":"9","duration":1},"from":3,"to":3,"at":[0.5]}"#)
    #expect(still["values"].numbers == [3])
    #expect(still["events"].elements.map { $0["time_s"].number } == [0, 0])
  }

  @Test func modifiersApply() throws {
    let formula = #""formula":"value * time","duration":1"#
    func values(_ others: String, _ at: String) throws -> [Double] {
      try Answer(#"{"animation":{\#(formula),\#(others)},"at":\#(at)}"#)["values"].numbers
    }
    #expect(try values(#""delay":0.5"#, "[0.25,1]") == [0, 0.5])
    #expect(try values(#""speed":2"#, "[0.25,1]") == [0.5, 1])
    #expect(areClose(try values(#""repeatCount":2"#, "[0.5,1.25]"), [0.5, 0.75], within: 1e-12))
    #expect(
      areClose(
        try values(#""repeatCount":2,"autoreverses":false"#, "[0.5,1.25]"), [0.5, 0.25],
        within: 1e-12))
  }

  /// In a script a spring takes over the velocity that a formula gives, and completions are heard.
  @Test func scriptsRunFormulas() throws {
    func velocity(_ others: String) throws -> Double? {
      let answer = try Answer(
        #"{"script":[{"at":0,"set":{"x":1},"animation":{"formula":"value * time","duration":1"#
          + others + #"}},{"at":0.5,"set":{"x":2},"animation":"spring(duration: 0.5)"}],"#
          + #""initial":{"x":0},"sample":["x"],"times":[0.5],"velocities":true}"#)
      return answer["sample_velocities"]["x"].numbers.first
    }
    #expect(try velocity(#","velocity":"value""#) == 1)
    #expect(try velocity("") == 0)
    let answer = try Answer(
      #"{"script":[{"at":0,"set":{"x":1},"animation":{"formula":"value * time","duration":0.5},"#
        + #""completion":"done"}],"initial":{"x":0},"sample":["x"],"times":[0.25]}"#)
    #expect(answer["samples"]["x"].numbers == [0.25])
    #expect(answer["events"].elements.map { $0["time_s"].number } == [0.5])
  }

  /// An animation that merges moves the whole way from where the first one began.
  @Test func formulasMayTakeOver() throws {
    func value(_ merges: Bool) throws -> [Double] {
      let animation = #"{"formula":"value * time","duration":1,"merges":\#(merges)}"#
      return try Answer(
        #"{"script":[{"at":0,"set":{"x":1},"animation":\#(animation)},"#
          + #"{"at":0.5,"set":{"x":3},"animation":\#(animation)}],"#
          + #""initial":{"x":0},"sample":["x"],"times":[0.75]}"#)["samples"]["x"].numbers
    }
    #expect(try value(true) == [2.25])
    #expect(try value(false) == [1.25])
  }

  static let wrong: [(String, String)] = [
    ("", "column 1: found the end, expected a number, a name or \"(\""),
    ("1 +", "column 4: found the end"), ("1 2", "column 3: found \"2\", expected an operator"),
    ("(1", "column 3: found the end, expected \")\""), ("1)", "column 2: found \")\""),
    ("tim", "column 1: tim is not a known name; did you mean time? known: value, time, e, pi"),
    ("sine(1)", "column 1: sine is not a known function; did you mean sin?"),
    ("sin", "column 1: sin is not a known name"),
    ("time(1)", "column 1: time is not a known function"),
    ("min(1)", "column 6: found \")\", expected \",\""),
    ("sin(1, 2)", "column 6: found \",\", expected \")\" after 1 arguments of sin"),
    ("1e999", "column 1: 1e999 is not a finite number"),
    (".", "column 1: . is not a finite number"),
    ("1 < 2 < 3", "column 7: found \"<\""), ("1 = 2", "column 3: found \"=\""),
    ("é", "column 1: found a byte that no formula has"), ("* 2", "column 1: found \"*\""),
  ]

  @Test(arguments: wrong.indices) func wrongFormulasAreToldWhere(index: Int) throws {
    let (formula, message) = Self.wrong[index]
    let error = try Answer(
      #"{"animation":{"formula":"\#(formula)","duration":1},"at":[0.5]}"#
    ).error
    #expect(error.hasPrefix("animation.formula: " + message), "\(error)")
  }

  @Test func longAndDeepFormulasAreRefused() throws {
    func error(_ formula: String) throws -> String {
      try Answer(#"{"animation":{"formula":"\#(formula)","duration":1},"at":[0.5]}"#).error
    }
    func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    let deep = "animation.formula: column 65: nests deeper than 64 levels"
    #expect(try error(repeated("(", 1_000)) == deep)
    #expect(try error(repeated("-", 1_000) + "1") == deep)
    #expect(try error(repeated("2^", 500) + "1").hasSuffix("nests deeper than 64 levels"))
    #expect(try error(repeated("abs(", 250)).hasSuffix("nests deeper than 64 levels"))
    #expect(try error(repeated("1+", 511) + "1").hasPrefix("no error"))
    let long = try error(repeated("1+", 512) + "1")
    #expect(
      long == "animation.formula: column 1: 1025 bytes are out of range; allowed: at most 1024")
    #expect(try error(repeated("(", 63) + "1" + repeated(")", 63)).hasPrefix("no error"))
  }

  /// What is no number is passed on, and does no harm.
  @Test(arguments: ["1 / 0", "0 / 0", "log(-1)", "sqrt(-1)", "1e308 * 10", "value % 0"])
  func resultsNeedNotBeNumbers(formula: String) throws {
    let animation = #"{"formula":"\#(formula)","velocity":"\#(formula)","duration":1}"#
    let answer = try Answer(#"{"animation":\#(animation),"at":[0.5,2]}"#)
    #expect(answer["values"].elements.count == 2)
    let script = try Answer(
      #"{"script":[{"at":0,"set":{"x":1},"animation":\#(animation)},"#
        + #"{"at":0.5,"set":{"x":2},"animation":"default"}],"initial":{"x":0},"sample":["x"],"#
        + #""times":[0.75,9]}"#)
    #expect(script["samples"]["x"].elements.count == 2)
  }

  /// Frames are counted: a formula that lasts long is not asked for ever.
  @Test func framesAreLimited() throws {
    let endless = #"{"formula":"value * time","duration":1e9}"#
    let error = try Answer(#"{"animation":\#(endless),"at":[1,20000]}"#).error
    #expect(error.hasPrefix("at[1]: 20000 is out of range; allowed: at most 1000000 frames"))
    let script = try Answer(
      #"{"script":[{"at":0,"set":{"x":1},"animation":\#(endless)}],"initial":{"x":0}}"#)
    #expect(script.error == "script: its formulas are asked at more than 1000000 frames of 1/60 s")
    let phases = try Answer(#"{"phases":[0,1],"animation":\#(endless),"at":[20000]}"#).error
    #expect(phases.hasPrefix("at: 20000 is out of range; allowed: at most 1000000 frames"))
  }
}
