// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryEval
import TestSupport
import Testing

/// Goal: what `orrery curve --as css` prints moves as the motion does, with few points.
///
/// Method: springs are computed by the textbook's formula, and `linear()` by CSS's specification (`CSSReference`); no
/// number of either comes from the code under test.
@Suite struct CSSExportTests {
  /// A spring from 0 to 1 at rest, by the three cases of the textbook.
  private static func spring(duration: Double, bounce: Double, at time: Double) -> Double {
    let z = bounce < 0 ? 1 / (1 + bounce) : 1 - bounce
    let w = 2 * Double.pi / duration
    if z < 1 {
      let ringing = w * (1 - z * z).squareRoot()
      return 1 - exp(-z * w * time) * (cos(ringing * time) + z * w / ringing * sin(ringing * time))
    }
    if z == 1 { return 1 - exp(-w * time) * (1 + w * time) }
    let root = (z * z - 1).squareRoot()
    let (slow, fast) = (w * (z - root), w * (z + root))
    return 1 - (fast * exp(-slow * time) - slow * exp(-fast * time)) / (fast - slow)
  }

  /// The largest distance of a text from a spring, also after its end.
  private static func error(
    of text: String, duration: Double, bounce: Double, times: Int
  ) throws -> (error: Double, count: Int) {
    let declarations = try CSSDeclarations(text)
    let (easing, seconds) = (try declarations.easing(), try declarations.seconds())
    var worst = 0.0
    for index in 0...times {
      let time = 1.2 * seconds * Double(index) / Double(times)
      let shown = time < seconds ? easing.value(at: time / seconds) : 1
      worst = max(worst, abs(shown - spring(duration: duration, bounce: bounce, at: time)))
    }
    return (worst, easing.count)
  }

  @Test func randomSpringsStayWithinAThousandth() throws {
    var random = SeededRandom(seed: 7)
    var (worst, most) = (0.0, 0)
    for _ in 0..<250 * testEffort {
      let duration = random.number(in: 0.05...5)
      let bounce = random.number(in: -0.9...0.9)
      let spec = "spring(duration: \(duration), bounce: \(bounce))"
      let export = try CurveExport(spec, as: .css, within: 0.001)
      let text = try #require(export.text)
      let (error, count) = try Self.error(
        of: text, duration: duration, bounce: bounce, times: 10_000)
      worst = max(worst, error)
      if bounce <= 0.3 { most = max(most, count) }
      #expect(error <= 0.001 + 1e-12, "\(spec): \(error)")
      // What is printed as the error is what the reference finds, but for the times of both.
      #expect(abs(export.errorMax - error) < 2e-5, "\(spec): \(export.errorMax), \(error)")
      #expect(export.points.count == count)
      if bounce <= 0.3 { #expect(count <= 40, "\(spec): \(count) points") }
    }
    print("springs: largest error \(worst), most points up to a bounce of 0.3: \(most)")
  }

  @Test(arguments: [(0.1, 10), (0.01, 16), (0.001, 40), (0.0001, 120)])
  func bouncySpringTakesFewPoints(within: Double, countMax: Int) throws {
    let text = try #require(
      try CurveExport("spring(duration: 0.5, bounce: 0.3)", as: .css, within: within).text)
    let (error, count) = try Self.error(of: text, duration: 0.5, bounce: 0.3, times: 20_000)
    #expect(error <= within)
    #expect(count <= countMax)
    print("bounce 0.3 within \(within): \(count) points, error \(error)")
  }

  @Test(arguments: [
    ("linear", "linear"), ("easeIn", "cubic-bezier(0.42, 0, 1, 1)"),
    ("ease", "cubic-bezier(0.25, 0.1, 0.25, 1)"),
    ("cubicBezier(-1, -2, 3, 4)", "cubic-bezier(0, -2, 1, 4)"),
    ("steps(4, jump-both)", "steps(4, jump-both)"), ("step-start", "steps(1, jump-start)"),
    ("linear(0, 0.5 20%, 0.7 20% 60%, 1)", "linear(0 0%, 0.5 20%, 0.7 20%, 0.7 60%, 1 100%)"),
  ])
  func curvesOfCSSKeepTheirName(spec: String, easing: String) throws {
    let export = try CurveExport(spec, as: .css, within: 0.001)
    #expect(export.text == "transition-timing-function: \(easing);")
    #expect(export.isSame)
    #expect(export.errorMax == 0)
  }

  /// Vertical tangents: the points come close together there.
  @Test(arguments: ["circularEaseIn", "circularEaseOut", "circularEaseInOut"])
  func circlesAreLines(spec: String) throws {
    let export = try CurveExport(spec, as: .css, within: 0.001)
    let easing = try CSSDeclarations(try #require(export.text)).easing()
    for index in 0...10_000 {
      let x = Double(index) / 10_000
      let half =
        x < 0.5 ? 1 - (1 - 4 * x * x).squareRoot() : 1 + (1 - 4 * (1 - x) * (1 - x)).squareRoot()
      let wanted =
        switch spec {
        case "circularEaseIn": 1 - (1 - x * x).squareRoot()
        case "circularEaseOut": (1 - (1 - x) * (1 - x)).squareRoot()
        default: half / 2
        }
      #expect(abs(easing.value(at: x) - wanted) <= 0.001 + 1e-12, "\(x)")
    }
    #expect(easing.count < 40)
  }

  @Test func timesAreDeclared() throws {
    let text = try CurveExport(
      "easeInOut(duration: 0.8).repeatCount(3).delay(0.2)", as: .css, within: 0.001
    ).text
    #expect(
      text == """
        animation-timing-function: cubic-bezier(0.42, 0, 0.58, 1);
        animation-duration: 0.8s;
        animation-delay: 0.2s;
        animation-iteration-count: 3;
        animation-direction: alternate;
        animation-fill-mode: backwards;
        """)
    let endless = try CurveExport(
      "linear(duration: 2).repeatForever(autoreverses: false)", as: .css, within: 0.001
    ).text
    #expect(
      endless == """
        animation-timing-function: linear;
        animation-duration: 2s;
        animation-iteration-count: infinite;
        """)
  }

  /// A leg back is 1 minus the leg, and CSS's is the leg backwards: for easeIn these differ.
  @Test func legBackOfAnAsymmetricCurveIsPartOfTheLeg() throws {
    let text = try #require(
      try CurveExport("easeIn(duration: 1).repeatCount(3)", as: .css, within: 0.001).text)
    #expect(text.contains("animation-duration: 2s;\nanimation-iteration-count: 1.5;"))
    #expect(!text.contains("alternate"))
  }

  /// No shorter list of points has the same positions: found by trying all values on a fine grid.
  ///
  /// The grid's own values make its lists at most one line longer or so; the search must never be worse.
  @Test(arguments: ["spring", "slow, fast, slow", "fast, slow"])
  func simpleProgramFindsNoFewerLines(name: String) throws {
    let (tolerance, positions) = (0.02, 60)
    let function: (Double) -> Double =
      switch name {
      case "spring": { $0 == 1 ? 1 : Self.spring(duration: 0.5, bounce: 0.3, at: 0.9 * $0) }
      case "fast, slow": { 1 - pow(1 - $0, 4) }
      default: { $0 * $0 * (3 - 2 * $0) }
      }
    let knots = try FewestLines.knots(
      of: function, steps: positions, within: tolerance, ends: (0, 1))
    let found = knots.count - 1
    let simple = Self.fewestLines(function, positions: positions, tolerance: tolerance)
    #expect(found <= simple)
    #expect(found >= simple - 1, "the grid finds \(simple) lines, the search \(found)")
    for knot in knots { #expect(abs(knot.value - function(knot.position)) <= tolerance) }
  }

  /// The fewest lines between points of a grid: 21 values within the tolerance at each position.
  private static func fewestLines(
    _ function: (Double) -> Double, positions: Int, tolerance: Double
  ) -> Int {
    let levels = 21
    let wanted = (0...10 * positions).map { function(Double($0) / Double(10 * positions)) }
    func value(_ position: Int, _ level: Int) -> Double {
      if position == 0 { return 0 }
      if position == positions { return 1 }
      return wanted[10 * position] + tolerance * (Double(level) / 10 - 1)
    }
    func isWithin(_ a: Int, _ from: Double, _ b: Int, _ to: Double) -> Bool {
      (10 * a...10 * b).allSatisfy { index in
        let share = Double(index - 10 * a) / Double(10 * (b - a))
        return abs(from + (to - from) * share - wanted[index]) <= tolerance
      }
    }
    var counts = [[Int]](repeating: [Int](repeating: .max, count: levels), count: positions + 1)
    counts[0] = [Int](repeating: 0, count: levels)
    for end in 1...positions {
      for level in 0..<(end == positions ? 1 : levels) {
        for start in stride(from: end - 1, through: max(0, end - 60), by: -1) {
          for other in 0..<(start == 0 ? 1 : levels)
          where counts[start][other] != .max && counts[start][other] + 1 < counts[end][level]
            && isWithin(start, value(start, other), end, value(end, level))
          {
            counts[end][level] = counts[start][other] + 1
          }
        }
      }
    }
    return counts[positions][0]
  }
}
