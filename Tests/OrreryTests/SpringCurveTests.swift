// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

/// Goal: a spring is a curve of progress: its whole way to rest, in one unit of time.
///
/// Method: the curve beside its spring at the same share of the settling time; descriptions by hand.
@Suite struct SpringCurveTests {
  static let springs = [
    Spring(duration: 0.5, bounce: 0.3), .smooth, Spring(duration: 0.7, bounce: -0.4),
    Spring(duration: 2, bounce: 0.8),
  ]

  @Test(arguments: springs) func curveIsTheSpringUntilItRests(spring: Spring) {
    let curve = UnitCurve.spring(spring)
    let seconds = spring.settlingBound
    for x in [0.1, 0.25, 0.5, 0.75, 0.999] {
      #expect(curve.value(at: x) == spring.value(target: 1, time: x * seconds), "\(x)")
      let slope = seconds * spring.velocity(target: 1, time: x * seconds)
      #expect(curve.velocity(at: x) == slope, "\(x)")
    }
    #expect(curve.value(at: 0) == 0)
    #expect(curve.value(at: 1) == 1)
    #expect(curve.value(at: -1) == 0)
    #expect(curve.value(at: 2) == 1)
    #expect(curve.value(at: 1.0.nextDown) != 1)
    #expect(curve.velocity(at: 0) == 0)
  }

  /// Beyond its first turn an output has been reached before: the inverse is the first time.
  @Test(arguments: springs) func inverseIsTheFirstTime(spring: Spring) {
    let curve = UnitCurve.spring(spring)
    let (z, response) = (spring.dampingRatio, spring.response)
    let turn = z < 1 ? response / (2 * (1 - z * z).squareRoot()) / spring.settlingBound : 1
    for share in [0.05, 0.3, 0.6, 0.9] {
      let x = share * min(1, turn)
      let y = curve.value(at: x)
      guard y < 1 else { continue }
      #expect(abs(curve.inverse.value(at: y) - x) < 1e-9, "\(share)")
      let slope = curve.inverse.velocity(at: y) * curve.velocity(at: x)
      #expect(abs(slope - 1) < 1e-6, "\(share)")
    }
    let whole = curve.inverse.value(at: 1)
    #expect(whole <= min(1, turn))
    #expect(abs(curve.value(at: whole) - 1) < 1e-3)
    #expect(curve.inverse.value(at: 0) == 0)
    #expect(curve.inverse.value(at: -1) == 0)
    #expect(curve.inverse.value(at: .nan).isNaN)
    #expect(curve.inverse.inverse == curve)
    #expect(curve.inverse != curve)
  }

  @Test func massDoesNotTellCurvesApart() {
    let heavy = Spring(mass: 3, stiffness: 48, damping: 6)
    let light = Spring(response: heavy.response, dampingRatio: heavy.dampingRatio)
    #expect(heavy != light)
    #expect(UnitCurve.spring(heavy) == .spring(light))
  }

  /// What snaps stands at its start until the end.
  @Test func snappingSpringsAreASingleStep() {
    for ratio in [0.5, 1] {
      let curve = UnitCurve.spring(Spring(response: 0, dampingRatio: ratio))
      #expect(curve.value(at: 0.5) == 0)
      #expect(curve.value(at: 1) == 1)
      #expect(curve.inverse.value(at: 0.5) == 1)
    }
  }

  @Test func whatNeverSettlesIsNoCurve() async {
    await #expect(processExitsWith: .failure) { _ = UnitCurve.spring(Spring(bounce: 1)) }
  }

  static let descriptions: [(UnitCurve, String)] = [
    (.linear, "linear"), (.easeIn, "easeIn"), (.easeOut, "easeOut"), (.easeInOut, "easeInOut"),
    (.circularEaseIn, "circularEaseIn"), (.circularEaseOut, "circularEaseOut"),
    (.circularEaseInOut, "circularEaseInOut"),
    (UnitCurve.circularEaseInOut.inverse, "circularEaseInOut.inverse"),
    (UnitCurveTests.bezier(0.125, -1, 0.5, 2), "cubicBezier(0.125, -1, 0.5, 2)"),
    (UnitCurve.easeIn.inverse, "cubicBezier(0, 0.42, 1, 1)"),
    (.steps(4, .jumpStart), "steps(4, jump-start)"), (.steps(4), "steps(4, jump-end)"),
    (.steps(4, .jumpNone), "steps(4, jump-none)"), (.steps(4, .jumpBoth), "steps(4, jump-both)"),
    (UnitCurve.steps(4).inverse, "steps(4, jump-end).inverse"),
    (.linear([0, LinearStop(0.25, at: 0.5), 1]), "linear(0 0%, 0.25 50%, 1 100%)"),
    (
      .spring(Spring(response: 0.5, dampingRatio: 0.75)),
      "spring(response: 0.5, dampingRatio: 0.75)"
    ),
    (
      UnitCurve.spring(Spring(response: 0.5, dampingRatio: 1)).inverse,
      "spring(response: 0.5, dampingRatio: 1).inverse"
    ),
  ]

  @Test(arguments: descriptions.indices) func curvesAreDescribedAsTheyAreWritten(index: Int) {
    let (curve, text) = Self.descriptions[index]
    #expect(curve.description == text)
  }

  /// A percentage is one that gives the input again when it is divided by 100, if there is one: for some
  /// inputs there is none.
  @Test func percentagesKeepEveryBit() throws {
    var exactCount = 0
    for index in 1..<1_000 {
      let input = Double(index) / 1_000
      let text = UnitCurve.linear([0, LinearStop(0.5, at: input), 1]).description
      let words = text.split(separator: " ")
      try #require(words.count == 6, "\(text)")
      let percent = try #require(Double(words[3].dropLast(2)), "\(text)")
      try #require(abs(percent - input * 100) <= (input * 100).ulp, "\(text)")
      let neighbours = [percent, percent.nextUp, percent.nextDown]
      if neighbours.contains(where: { $0 / 100 == input }) {
        exactCount += 1
        try #require(percent / 100 == input, "\(text)")
      }
    }
    #expect(exactCount > 800)
  }

  @Test func curvesOfOneStopStandStill() {
    let still = UnitCurve.linear([0.25])
    #expect([0, 0.5, 1].map { still.value(at: $0) } == [0.25, 0.25, 0.25])
    #expect(still.velocity(at: 0.5) == 0)
    #expect(still.velocity(at: .nan).isNaN)
    let stop = LinearStop(0.5)
    #expect(stop.output == 0.5)
    #expect(stop.input == nil)
    #expect(LinearStop(0.5, at: 0.25).input == 0.25)
  }

  /// Where two stops share an input there is no slope.
  @Test func jumpsOfALineHaveNoSlope() {
    let jump = UnitCurve.linear([LinearStop(0), LinearStop(1, at: 1), LinearStop(3, at: 1)])
    #expect(jump.value(at: 1) == 3)
    #expect(jump.value(at: 0.5) == 0.5)
    #expect(jump.velocity(at: 0.5) == 1)
    #expect(jump.velocity(at: 1) == 0)
  }

  @Test func namedPointsAreCornersSidesAndTheCenter() {
    let points: [(UnitPoint, Double, Double)] = [
      (.topLeading, 0, 0), (.top, 0.5, 0), (.topTrailing, 1, 0), (.leading, 0, 0.5),
      (.center, 0.5, 0.5), (.trailing, 1, 0.5), (.bottomLeading, 0, 1), (.bottom, 0.5, 1),
      (.bottomTrailing, 1, 1), (.zero, 0, 0), (UnitPoint(), 0, 0), (UnitPoint(x: 2, y: 3), 2, 3),
    ]
    for (point, x, y) in points {
      #expect(Double(point.x) == x, "\(point)")
      #expect(Double(point.y) == y, "\(point)")
    }
  }
}
