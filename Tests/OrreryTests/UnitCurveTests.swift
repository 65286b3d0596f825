// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import TestSupport
import Testing

/// Goal: curves have SwiftUI's values and are solved to the precision of Double.
///
/// Method: the numbers of the semantics (ids in brackets), laws on random curves, and an oracle
/// that halves the interval of t and evaluates by de Casteljau's construction.
@Suite struct UnitCurveTests {
  static let named: [(name: String, curve: UnitCurve)] = [
    ("linear", .linear), ("easeIn", .easeIn), ("easeOut", .easeOut), ("easeInOut", .easeInOut),
    ("circularEaseIn", .circularEaseIn), ("circularEaseOut", .circularEaseOut),
    ("circularEaseInOut", .circularEaseInOut),
    ("its inverse", UnitCurve.circularEaseInOut.inverse),
  ]

  static func bezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> UnitCurve {
    .bezier(startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
  }

  /// A point between, as de Casteljau constructs it.
  static func point(_ a: Double, _ b: Double, _ t: Double) -> Double {
    let (ab, bc, cd) = (a * t, a + (b - a) * t, b + (1 - b) * t)
    let (abc, bcd) = (ab + (bc - ab) * t, bc + (cd - bc) * t)
    return abc + (bcd - abc) * t
  }

  static func oracle(_ c: (Double, Double, Double, Double), at x: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<200 {
      let t = (low + high) / 2
      if point(c.0, c.2, t) < x { low = t } else { high = t }
    }
    return point(c.1, c.3, (low + high) / 2)
  }

  /// [A-03] [A-04] [U-03] [A-06] [N-10] Control points of the named curves.
  @Test(arguments: knownCurves.indices) func knownValues(index: Int) {
    let (curve, values) = Self.knownCurves[index]
    for (x, value) in zip([0.2, 0.4, 0.6], values) {
      #expect(abs(curve.value(at: x) - value) < 6e-7)
    }
  }

  /// Values at 0.2, 0.4 and 0.6.
  static let knownCurves: [(UnitCurve, [Double])] = [
    (.easeIn, [0.062282, 0.214861, 0.429120]),
    (.easeOut, [0.308366, 0.570880, 0.785139]),
    (.easeInOut, [0.081660, 0.331884, 0.668116]),
    (.easeInEaseOut, [0.081660, 0.331884, 0.668116]),
    (bezier(0.1, 0.75, 0.85, 0.35), [0.400458, 0.508322, 0.578731]),
    (.circularEaseIn, [1 - 0.96.squareRoot(), 1 - 0.84.squareRoot(), 0.2]),
    (.circularEaseOut, [0.6, 0.8, 0.9165151]),
    (.circularEaseInOut, [0.5 - 0.84.squareRoot() / 2, 0.2, 0.8]),
    (.linear, [0.2, 0.4, 0.6]),
  ]

  /// [U-01] and Choices: clamped for every curve.
  @Test(arguments: named.indices) func progressIsClamped(index: Int) {
    let (name, curve) = Self.named[index]
    #expect(curve.value(at: -3) == 0, "\(name)")
    #expect(curve.value(at: 0) == 0, "\(name)")
    #expect(curve.value(at: 1) == 1, "\(name)")
    #expect(curve.value(at: 7) == 1, "\(name)")
    #expect(curve.velocity(at: -3) == curve.velocity(at: 0), "\(name)")
    #expect(curve.velocity(at: 7) == curve.velocity(at: 1), "\(name)")
    #expect(curve.value(at: .nan).isNaN, "\(name)")
    #expect(curve.velocity(at: .nan).isNaN, "\(name)")
  }

  /// [U-02] [U-04] Slopes.
  @Test func knownVelocities() {
    #expect(abs(UnitCurve.easeInOut.velocity(at: 0.3) - 1.267218) < 1e-6)
    for x in [0, 0.3, 1] { #expect(UnitCurve.linear.velocity(at: x) == 1) }
    #expect(abs(UnitCurve.circularEaseIn.velocity(at: 0.6) - 0.75) < 1e-12)
    #expect(abs(UnitCurve.circularEaseOut.velocity(at: 0.6) - 0.436436) < 1e-6)
    #expect(abs(UnitCurve.circularEaseInOut.velocity(at: 0.2) - 0.436436) < 1e-6)
    #expect(UnitCurve.circularEaseIn.velocity(at: 1) == .infinity)
    #expect(UnitCurve.circularEaseOut.velocity(at: 0) == .infinity)
    #expect(UnitCurve.circularEaseInOut.velocity(at: 0.5) == .infinity)
  }

  /// [U-02] Velocity is the quotient of small differences.
  @Test(arguments: named.indices) func velocityIsTheSlope(index: Int) {
    let (name, curve) = Self.named[index]
    for x in stride(from: 0.02, to: 0.99, by: 0.03) where abs(x - 0.5) > 0.01 {
      let slope = (curve.value(at: x + 1e-6) - curve.value(at: x - 1e-6)) / 2e-6
      #expect(abs(curve.velocity(at: x) - slope) < 1e-5 * (1 + slope), "\(name) at \(x)")
    }
  }

  /// [U-07] The slope toward the next control point that is elsewhere; vertical ends; cusps.
  @Test func velocityAtDegeneratePlaces() {
    #expect(abs(UnitCurve.easeOut.velocity(at: 0) - 1.724138) < 1e-6)
    #expect(abs(UnitCurve.easeIn.velocity(at: 1) - 1.724138) < 1e-6)
    #expect(UnitCurve.easeIn.velocity(at: 0) == 0)
    #expect(Self.bezier(0, 0, 0, 0).velocity(at: 0) == 1)
    #expect(Self.bezier(1, 1, 1, 1).velocity(at: 1) == 1)
    #expect(Self.bezier(0, 0.3, 0.5, 1).velocity(at: 0) == .infinity)
    #expect(Self.bezier(0, -0.3, 0.5, 1).velocity(at: 0) == -.infinity)
    #expect(Self.bezier(0.5, 0, 1, 0.7).velocity(at: 1) == .infinity)
    #expect(Self.bezier(0.5, 0, 1, 1.7).velocity(at: 1) == -.infinity)
    #expect(Self.bezier(1, 0.5, 1, 1).velocity(at: 1) == .infinity)
    #expect(Self.bezier(1, 1, 0, 0).velocity(at: 0.5) == 1)
    #expect(Self.bezier(1, 0, 0, 1).velocity(at: 0.5) == .infinity)
  }

  /// [U-05] Choices: also for circularEaseInOut.
  @Test(arguments: named.indices) func inverseUndoes(index: Int) {
    let (name, curve) = Self.named[index]
    for x in stride(from: 0, through: 1, by: 0.05) {
      #expect(abs(curve.inverse.value(at: curve.value(at: x)) - x) < 1e-7, "\(name) at \(x)")
    }
    #expect(curve.inverse.inverse == curve, "\(name)")
    #expect(abs(UnitCurve.easeInOut.inverse.value(at: 0.331884) - 0.4) < 1e-6)
    #expect(UnitCurve.circularEaseIn.inverse == .circularEaseOut)
  }

  /// [U-06] Choices: x is clamped, y is not.
  @Test func onlyXOfControlPointsIsClamped() {
    let (wide, narrow) = (Self.bezier(-1, 0.5, 2, 0.5), Self.bezier(0, 0.5, 1, 0.5))
    let high = Self.bezier(0.2, 2, 0.6, 1.5)
    for x in stride(from: 0, through: 1, by: 0.1) {
      #expect(wide.value(at: x) == narrow.value(at: x))
      #expect(wide.velocity(at: x) == narrow.velocity(at: x))
    }
    #expect(abs(high.value(at: 0.5) - Self.oracle((0.2, 2, 0.6, 1.5), at: 0.5)) < 1e-12)
    #expect(high.value(at: 0.5) > 1)
  }

  /// [U-08] Steep, flat and self-touching curves.
  @Test func hardCurvesConverge() {
    #expect(Self.bezier(1, 0, 0, 1).value(at: 0.5) == 0.5)
    for c in [(0.0, 1.0, 1.0, 0.0), (1, 0, 0, 1), (0, 0, 0, 1), (1, 0, 1, 1), (0, 1, 0, 1)] {
      let curve = Self.bezier(c.0, c.1, c.2, c.3)
      var before = 0.0
      for x in stride(from: 0.0, through: 1, by: 1.0 / 1024) {
        let value = curve.value(at: x)
        #expect(value >= before, "\(c) at \(x)")
        // Where x stands still the oracle is off by 3e-6; there the value is known.
        let isKnown = x == 1 || x == 0.5 && c.0 + c.2 == 1
        let exact = isKnown ? x : Self.oracle(c, at: x)
        #expect(abs(value - exact) < 1e-9, "\(c) at \(x)")
        before = value
      }
    }
  }

  /// [U-08] Where x stands still, the change of y is the cube root of the change of x.
  @Test func cuspKeepsItsDigits() {
    let curve = Self.bezier(1, 0, 0, 1)
    for offset in [0x1p-10, 0x1p-20, 0x1p-30, 0x1p-40, 0x1p-52] {
      // x - 1/2 = r³/2 and y - 1/2 = (3 r - r³)/4 - ..., with r = 2 t - 1; y = 3 t² - 2 t³.
      let t = 0.5 + cbrt(2 * offset) / 2
      let exact = t * t * (3 - 2 * t)
      #expect(abs(curve.value(at: 0.5 + offset) - exact) < 1e-12, "\(offset)")
    }
  }

  /// [U-08] Where the t of an x is a short number, it is found to its last digit.
  @Test func shortParametersAreExact() {
    // x(1/4) = 0.45·(9/64 + 3/64) + 1/64 = 0.1, and y = t³.
    #expect(Self.bezier(0.15, 0, 0.15, 0).value(at: 0.1) == 1.0 / 64)
  }

  /// [N-10] Against an independent bisection, far within 2e-6.
  @Test(arguments: [UInt64(1), 2, 3]) func randomCurvesMatchBisection(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<20_000 {
      let c = (
        Double.random(in: 0...1, using: &random), Double.random(in: -1...2, using: &random),
        Double.random(in: 0...1, using: &random), Double.random(in: -1...2, using: &random)
      )
      let x = Double.random(in: 0...1, using: &random)
      let difference = Self.bezier(c.0, c.1, c.2, c.3).value(at: x) - Self.oracle(c, at: x)
      #expect(abs(difference) < 1e-11, "seed \(seed): \(c) at \(x)")
    }
  }

  /// CSS: borders of each jump term, from its table.
  @Test(arguments: StepJump.allCases) func stepsJumpWhereTheySay(jump: StepJump) {
    let curve = UnitCurve.steps(2, jump)
    #expect([0, 0.49, 0.5, 0.99, 1].map { curve.value(at: $0) } == Self.twoSteps[jump])
    #expect(curve.velocity(at: 0.25) == 0)
  }

  /// Values at 0, 0.49, 0.5, 0.99 and 1.
  static let twoSteps: [StepJump: [Double]] = [
    .jumpStart: [0.5, 0.5, 1, 1, 1], .jumpEnd: [0, 0, 0.5, 0.5, 1],
    .jumpNone: [0, 0, 1, 1, 1], .jumpBoth: [1.0 / 3, 1.0 / 3, 2.0 / 3, 2.0 / 3, 1],
  ]

  /// A step is taken exactly at k/count, however that is rounded.
  @Test(arguments: StepJump.allCases) func stepsAreExact(jump: StepJump) {
    for count in 2...400 {
      let curve = UnitCurve.steps(count, jump)
      let first = jump == .jumpStart || jump == .jumpBoth ? 1 : 0
      let jumps = count + (jump == .jumpNone ? -1 : jump == .jumpBoth ? 1 : 0)
      for step in 1..<count {
        let border = Double(step) / Double(count)
        #expect(curve.value(at: border) == Double(step + first) / Double(jumps))
        #expect(curve.value(at: border.nextDown) == Double(step + first - 1) / Double(jumps))
        #expect(curve.inverse.value(at: curve.value(at: border)) == border)
      }
    }
    #expect(UnitCurve.steps(3) == .steps(3, .end))
    #expect(UnitCurve.steps(3, .start) == .steps(3, .jumpStart))
  }

  /// CSS: inputs are spread, raised, and lines go on beyond the outermost stops.
  @Test func stopsAreJoined() {
    let even = UnitCurve.linear([0, 0.5, 0.25, 1])
    #expect(abs(even.value(at: 1.0 / 6) - 0.25) < 1e-15)
    #expect(even.value(at: 0.5) == 0.375)
    #expect(abs(even.velocity(at: 0.5) + 0.75) < 1e-12)
    let late = UnitCurve.linear([LinearStop(0, at: 0.25), 0.5, LinearStop(0.5, at: 0.75)])
    #expect(late.value(at: 0.5) == 0.5)
    #expect(late.value(at: 0) == -0.5)
    #expect(late.value(at: 1) == 0.5)
    let jump = UnitCurve.linear([0, LinearStop(0.2, at: 0.5), LinearStop(0.8, at: 0.1), 1])
    #expect(jump.value(at: 0.5) == 0.8)
    #expect(abs(jump.value(at: 0.5.nextDown) - 0.2) < 1e-15)
    #expect(abs(jump.value(at: 0.75) - 0.9) < 1e-15)
    #expect(UnitCurve.linear([0.3]).value(at: 0.9) == 0.3)
    #expect(UnitCurve.linear([0, 0.5, 1]).value(at: 0.3) == 0.3)
  }

  /// [U-09] CSS: beside an outermost upright line, the outermost stop stays; the last stop is met exactly.
  @Test func outermostStopsAreMetExactly() {
    // In `Double`, 0.7 + (0.1 - 0.7) is not 0.1.
    #expect(UnitCurve.linear([0.7, 0.1]).value(at: 1) == 0.1)
    let first = UnitCurve.linear([LinearStop(0.2, at: 0.5), LinearStop(0.75, at: 0.5), 1])
    #expect(
      [0, 0.25, 0.5.nextDown, 0.5, 1].map { first.value(at: $0) } == [0.2, 0.2, 0.2, 0.75, 1])
    #expect(first.velocity(at: 0.25) == 0)
    let last = UnitCurve.linear([0, LinearStop(0.25, at: 0.5), LinearStop(0.75, at: 0.5)])
    #expect([0.25, 0.5, 0.75, 1].map { last.value(at: $0) } == [0.125, 0.75, 0.75, 0.75])
    #expect(last.velocity(at: 0.75) == 0)
  }

  /// CSS Easing 2, "calculate linear easing output progress", read word by word.
  static func css(_ stops: [(input: Double, output: Double)], at x: Double) -> Double {
    if stops.count == 1 { return stops[0].output }
    if let same = stops.last(where: { $0.input == x }) { return same.output }
    let (a, b): ((input: Double, output: Double), (input: Double, output: Double))
    if stops.allSatisfy({ x < $0.input }) {
      (a, b) = (stops[0], stops[1])
      if a.input == b.input { return a.output }
    } else if stops.allSatisfy({ x > $0.input }) {
      (a, b) = (stops[stops.count - 2], stops[stops.count - 1])
      if a.input == b.input { return b.output }
    } else {
      let after = stops.firstIndex { $0.input > x } ?? stops.count - 1
      (a, b) = (stops[after - 1], stops[after])
    }
    return a.output + (b.output - a.output) * ((x - a.input) / (b.input - a.input))
  }

  /// Stops with inputs of quarters, in any order: pairs at both ends, in the middle and beyond 0...1,
  /// given or made by raising an input to the one before it, are those of CSS.
  @Test(arguments: [UInt64(1), 2, 3]) func equalInputsAreThoseOfCSS(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<2_000 {
      let stops = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        LinearStop(
          Double.random(in: -1...2, using: &random),
          at: Double(Int.random(in: -1...5, using: &random)) / 4)
      }
      var raised: [(input: Double, output: Double)] = []
      for stop in stops {
        raised.append((max(stop.input ?? 0, raised.last?.input ?? -.infinity), stop.output))
      }
      let curve = UnitCurve.linear(stops)
      for x in [0, 0.125, 0.25.nextDown, 0.25, 0.375, 0.5, 0.625, 0.75.nextDown, 0.75, 0.9, 1] {
        let difference = curve.value(at: x) - Self.css(raised, at: x)
        #expect(abs(difference) < 1e-12, "seed \(seed): \(stops) at \(x)")
      }
    }
    let raised = UnitCurve.linear([LinearStop(0, at: 0.75), LinearStop(1, at: 0.25)])
    #expect([0, 0.5, 0.75, 1].map { raised.value(at: $0) } == [0, 0, 1, 1])
  }

  /// Infinite control points: x is clamped, and y overshoots without becoming NaN.
  @Test(arguments: [Double.infinity, -.infinity, 1e308, -1e308])
  func infiniteControlPointsGiveNumbers(point: Double) throws {
    for controls in [
      (point, 0.1, 0.25, 1.0), (0.25, point, 0.25, 1), (0.25, 0.1, point, 1),
      (0.25, 0.1, 0.25, point),
      (point, point, point, point), (0, point, 1, -point),
    ] {
      let curve = Self.bezier(controls.0, controls.1, controls.2, controls.3)
      let course = try #require(
        Animation.timingCurve(controls.0, controls.1, controls.2, controls.3, duration: 2).course())
      for x in [0, 1e-9, 0.25, 0.5, 0.75, 1] {
        let value = curve.value(at: x)
        #expect(value.isFinite, "\(controls) at \(x)")
        #expect(!curve.velocity(at: x).isNaN, "\(controls) at \(x)")
        #expect(course.progress(at: 2 * x) == value)
      }
      #expect(curve.value(at: 0) == 0 && curve.value(at: 1) == 1)
    }
    let clamped = Self.bezier(point > 0 ? 1 : 0, 0.1, 0.25, 1)
    #expect(Self.bezier(point, 0.1, 0.25, 1).value(at: 0.5) == clamped.value(at: 0.5))
    #expect(Self.bezier(0.25, point, 0.25, 1).value(at: 0.5) * point > 0)
  }

  /// The inverse is where an output is reached first, the largest one too.
  @Test func inverseIsTheFirstInput() {
    let rest = UnitCurve.linear([0, LinearStop(1, at: 0.5), 1])
    #expect(rest.inverse.value(at: 1) == 0.5)
    let again = UnitCurve.linear([0, LinearStop(1, at: 0.25), LinearStop(0.5, at: 0.75), 1])
    #expect([0.5, 1].map { again.inverse.value(at: $0) } == [0.125, 0.25])
  }

  /// NaN in, NaN out, whatever the number of stops.
  @Test func stopsKeepWhatIsNoNumber() {
    for curve in [UnitCurve.linear([0.3]), .linear([0, 1]), .linear([0, LinearStop(1, at: 0)])] {
      #expect(curve.value(at: .nan).isNaN)
      #expect(curve.velocity(at: .nan).isNaN)
    }
  }

  /// The inverse reaches each output of random stops, and for rising stops it is the only input.
  @Test(arguments: [UInt64(4), 5, 6]) func stopsAreUndone(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<2_000 {
      let middle = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        LinearStop(Double.random(in: 0...1, using: &random))
      }
      let curve = UnitCurve.linear([0] + middle + [1])
      let rising = UnitCurve.linear([0] + middle.sorted { $0.output < $1.output } + [1])
      let x = Double.random(in: 0...1, using: &random)
      let input = curve.inverse.value(at: x)
      #expect(abs(curve.value(at: input) - x) < 1e-9, "seed \(seed): \(middle) at \(x)")
      #expect(abs(rising.inverse.value(at: rising.value(at: x)) - x) < 1e-9, "seed \(seed)")
      for earlier in stride(from: 0, to: input - 1e-9, by: 0.01) {
        #expect(curve.value(at: earlier) < x + 1e-9, "seed \(seed): \(middle) at \(x)")
      }
    }
    let rest = UnitCurve.linear([0, LinearStop(0.5, at: 0.3), LinearStop(0.5, at: 0.6), 1])
    #expect(abs(rest.inverse.value(at: 0.75) - 0.8) < 1e-15)
    #expect(abs(rest.inverse.value(at: 0.25) - 0.15) < 1e-15)
  }

  @Test func equalCurvesAreEqual() {
    #expect(Set([UnitCurve.easeInOut, .easeInEaseOut, Self.bezier(0.42, 0, 0.58, 1)]).count == 1)
    #expect(UnitCurve.easeIn != .easeOut)
    #expect(UnitPoint.zero == .topLeading)
    #expect(UnitPoint() == .zero)
    #expect(UnitPoint.bottomTrailing == UnitPoint(x: 1, y: 1))
    #expect(UnitPoint.trailing == UnitPoint(x: 1, y: 0.5))
    #expect(UnitPoint.top == UnitPoint(x: 0.5, y: 0))
  }

  @Test func tooFewStepsTrap() async {
    await #expect(processExitsWith: .failure) { _ = UnitCurve.steps(0) }
    await #expect(processExitsWith: .failure) { _ = UnitCurve.steps(1, .jumpNone) }
    await #expect(processExitsWith: .failure) { _ = UnitCurve.linear([]) }
  }
}
