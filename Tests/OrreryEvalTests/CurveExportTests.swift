// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryEval
import TestSupport
import Testing

/// Goal: for every target, `orrery curve --as` prints numbers that give the motion again, and an error that is true.
///
/// Method: the printed numbers are read back from the text and put into the target's own formula, written here.
@Suite struct CurveExportTests {
  private static let bouncy = "spring(duration: 0.5, bounce: 0.3)"

  /// A spring from 0 to 1 at rest that swings, by stiffness and damping at mass 1.
  private static func spring(_ stiffness: Double, _ damping: Double, at time: Double) -> Double {
    let decay = damping / 2
    let ringing = (stiffness - decay * decay).squareRoot()
    return 1
      - exp(-decay * time) * (cos(ringing * time) + decay / ringing * sin(ringing * time))
  }

  private static func wanted(_ time: Double) -> Double {
    let w = 4 * Double.pi
    return spring(w * w, 2 * 0.7 * w, at: time)
  }

  private static func text(
    _ spec: String, _ target: ExportTarget, within: Double = 0.001
  ) throws -> String {
    try #require(try CurveExport(spec, as: target, within: within).text)
  }

  @Test(arguments: ExportTarget.allCases)
  func reportIsAsTheSchemaSays(target: ExportTarget) throws {
    for spec in [
      Self.bouncy, "easeIn", "steps(3, jump-end)", "easeIn(duration: 1).repeatCount(3).delay(0.2)",
      #"[{"linear":8,"duration":0.4},{"cubic":2,"duration":0.5},{"springTo":5}]"#,
    ] {
      let export = try CurveExport(spec, as: target, within: 0.001)
      let line = ReportLine.encode(export, schema: CurveExport.schema)
      #expect(try Repository.schema("curve-export").faults(of: Data(line.utf8)) == [], "\(line)")
      #expect(export.errorMax <= 0.001, "\(spec) for \(target): \(export.errorLine)")
      #expect((export.text == nil) == (target == .json))
    }
  }

  @Test func pointsOfJSONAreTheMotion() throws {
    let export = try CurveExport(Self.bouncy, as: .json, within: 0.01)
    for point in export.points {
      #expect(abs(point.value - Self.wanted(try #require(point.timeSeconds))) <= 0.01)
    }
    #expect(export.points.first?.value == 0)
    #expect(export.points.last?.value == 1)
    #expect(export.points.last?.timeSeconds == export.durationSeconds)
  }

  @Test(arguments: [
    (bouncy, ".spring(duration: 0.5, bounce: 0.3)"),
    ("spring(response: 0.4, dampingRatio: 0.7)", ".spring(duration: 0.4, bounce: 0.3)"),
    ("easeIn", "UnitCurve.easeIn"),
    (
      "easeIn(duration: 1).repeatCount(3).delay(0.2)",
      ".easeIn(duration: 1).repeatCount(3, autoreverses: true).delay(0.2)"
    ),
    ("timingCurve(circularEaseIn, duration: 2)", ".timingCurve(.circularEaseIn, duration: 2)"),
  ])
  func swiftHasItsOwnWords(spec: String, text: String) throws {
    let export = try CurveExport(spec, as: .swift, within: 0.001)
    #expect(export.text == text)
    #expect(export.errorMax == 0)
  }

  @Test func springOfComposeIsTheSpring() throws {
    let text = try Self.text(Self.bouncy, .kotlin)
    let match = try #require(
      text.wholeMatch(of: /spring<Float>\(dampingRatio = (.*)f, stiffness = (.*)f\)/))
    let (ratio, stiffness) = (try #require(Double(match.1)), try #require(Double(match.2)))
    for index in 0...1_000 {
      let time = Double(index) / 1_000
      let shown = Self.spring(stiffness, 2 * ratio * stiffness.squareRoot(), at: time)
      #expect(abs(shown - Self.wanted(time)) < 1e-6)
    }
  }

  @Test func keyframesOfComposeAreTheMotion() throws {
    let text = try Self.text("timingCurve(spring(bounce: 0.3), duration: 0.7)", .kotlin)
    #expect(text.hasPrefix("keyframes<Float> {\n  durationMillis = 700\n  0f at 0\n"))
    let rows = try text.matches(of: /(\S+)f at (\d+)/).map { match in
      (value: try #require(Double(match.1)), time: try #require(Double(match.2)) / 700)
    }
    let curve = try CurveExport("UnitCurve.spring(bounce: 0.3)", as: .json, within: 1e-5).points
    for (a, b) in zip(rows, rows.dropFirst()) {
      // In the middle of each line; the curve as fine points that another test compares.
      let time = (a.time + b.time) / 2
      let next = try #require(curve.firstIndex { $0.progress ?? 1 >= time })
      let (c, d) = (curve[next - 1], curve[next])
      let share = (time - (c.progress ?? 0)) / ((d.progress ?? 1) - (c.progress ?? 0))
      #expect(abs((a.value + b.value) / 2 - (c.value + (d.value - c.value) * share)) <= 0.00102)
    }
  }

  /// Whole milliseconds cannot show a vertical start: an easing with a table does.
  @Test func circleOfComposeIsATable() throws {
    let export = try CurveExport(
      "timingCurve(circularEaseOut, duration: 0.2)", as: .kotlin, within: 0.001)
    #expect(export.text?.hasPrefix("tween<Float>(\n  durationMillis = 200,\n") == true)
    #expect(export.text?.contains("floatArrayOf") == true)
    #expect(export.errorMax <= 0.001)
  }

  @Test func springOfFlutterIsTheSpring() throws {
    let text = try Self.text(Self.bouncy, .dart)
    let match = try #require(
      text.firstMatch(of: /mass: 1, stiffness: ([\d.]+), damping: ([\d.]+)\),\s+0, 1, 0\)/))
    let (stiffness, damping) = (try #require(Double(match.1)), try #require(Double(match.2)))
    for index in 0...1_000 {
      let time = Double(index) / 1_000
      #expect(abs(Self.spring(stiffness, damping, at: time) - Self.wanted(time)) < 1e-12)
    }
  }

  /// One coordinate of a cubic Bézier curve.
  private static func bezier(_ a: Double, _ b: Double, _ c: Double, _ d: Double, at t: Double)
    -> Double
  {
    let s = 1 - t
    return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d
  }

  @Test func keyframesOfLottieAreTheMotion() throws {
    let text = try Self.text(Self.bouncy, .lottie)
    let keyframes =
      try JSONDecoder().decode(JSONDocument.self, from: Data(text.utf8))["k"]?.members ?? []
    #expect(keyframes.count > 3)
    #expect(keyframes.count < 20)
    for (a, b) in zip(keyframes, keyframes.dropFirst()) {
      let (from, to) = (try #require(a["t"]?.number), try #require(b["t"]?.number))
      let (first, last) = (
        try #require(a["s"]?.members.first?.number), try #require(b["s"]?.members.first?.number)
      )
      let handles = try [a["o"]?["x"], a["o"]?["y"], a["i"]?["x"], a["i"]?["y"]].map {
        try #require($0?.members.first?.number)
      }
      for index in 0...100 {
        let t = Double(index) / 100
        let share = Self.bezier(0, handles[0], handles[2], 1, at: t)
        let way = Self.bezier(0, handles[1], handles[3], 1, at: t)
        let time = (from + (to - from) * share) / 60
        #expect(abs(first + (last - first) * way - Self.wanted(time)) <= 0.001, "\(time)")
      }
    }
  }

  @Test func pathOfGSAPIsTheMotion() throws {
    let text = try Self.text(Self.bouncy, .gsap)
    let match = try #require(
      text.wholeMatch(
        of: /\{ duration: ([\d.]+), ease: CustomEase\.create\("exported", "M0,0 (.*)"\) \}/))
    let seconds = try #require(Double(match.1))
    var last = (x: 0.0, y: 0.0)
    for part in match.2.split(separator: "C") {
      let numbers = try part.split { " ,".contains($0) }.map { try #require(Double($0)) }
      #expect(numbers.count == 6)
      for index in 0...100 {
        let t = Double(index) / 100
        let x = Self.bezier(last.x, numbers[0], numbers[2], numbers[4], at: t)
        let y = Self.bezier(last.y, numbers[1], numbers[3], numbers[5], at: t)
        #expect(abs(y - Self.wanted(x * seconds)) <= 0.001, "\(x)")
      }
      last = (numbers[4], numbers[5])
    }
    #expect(last == (1, 1))
  }

  /// GSAP's `steps(n)` has n + 1 intervals.
  @Test(arguments: [
    ("steps(4, jump-none)", "\"steps(3)\""), ("steps(4, jump-start)", "\"steps(4,true)\""),
    ("linear", "\"none\""),
  ])
  func easesOfGSAPKeepTheirName(spec: String, text: String) throws {
    #expect(try Self.text(spec, .gsap) == text)
  }

  @Test func jumpsAreKept() throws {
    let spec = #"[{"linear":4,"duration":0.5},{"move":1},{"linear":2,"duration":0.5}]"#
    let export = try CurveExport(spec, as: .css, within: 0.001)
    let easing = try CSSDeclarations(try #require(export.text)).easing()
    #expect((export.from, export.to) == (0, 2))
    #expect(easing.count == 4)
    #expect(abs(easing.value(at: 0.499_999) - 2) < 1e-4)
    #expect(abs(easing.value(at: 0.5) - 0.5) < 1e-4)
    #expect(export.notes == ["0 stands for the value 0, 1 for 2"])
  }

  @Test(arguments: [
    ("spring(bounce: 1)", ExportError.endless), ("linear(duration: 1).speed(0)", .endless),
    ("easeIn(duration: 1e10)", .tooLong(1e10)),
  ])
  func whatNeverEndsIsRefused(spec: String, error: ExportError) {
    #expect(throws: error) { try CurveExport(spec, as: .json, within: 0.001) }
  }

  /// A spring that never settles still is a spring of Compose, Flutter and SwiftUI.
  @Test(arguments: [ExportTarget.kotlin, .dart, .swift])
  func springThatNeverSettlesIsASpring(target: ExportTarget) throws {
    let export = try CurveExport("spring(bounce: 1)", as: target, within: 0.001)
    #expect(export.isSame)
  }
}
