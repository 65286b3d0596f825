// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import TestSupport
import Testing

/// Goal: a clock shows any time, before its scene's date too, and its marks never move.
///
/// Method: scenes with one entry, whose digits were worked out by hand; a stepped run and ticks by themselves.
@Suite struct ClockMarkTests {
  /// [S3-02] [L-04] Times in seconds after the midnight with which the scene begins: an hour and a half and
  /// three days before it, the day after, and 31,688 years on both sides.
  @Test(
    arguments: [
      (-1.5, [23, 5, 9, 5, 8]), (-0.000_001, [23, 5, 9, 5, 9]), (0, [0, 0, 0, 0, 0]),
      (-5_401, [22, 2, 9, 5, 9]), (-259_200, [0, 0, 0, 0, 0]), (86_399, [23, 5, 9, 5, 9]),
      (86_400, [0, 0, 0, 0, 0]), (1e12, [1, 4, 6, 4, 0]), (-1e12, [22, 1, 3, 2, 0]),
    ] as [(Double, [Double])],
    [1_748_736_000.0, -86_400])
  func marksStandStill(time: (seconds: Double, digits: [Double]), date: Double) throws {
    let scene = Scene("clock", dateSeconds: date) {
      TimelineClock(.explicit([min(time.seconds, 0), time.seconds]), format: "HH:mm:ss")
    }
    let plan = try ScenePlan(scene, text: SquareTexts())
    let paths = try Paths(plan.batches, rate: plan.rate)
    // The entry of a time after the start is reached at its own tick.
    let last = UInt64(max(time.seconds, 0)) * plan.rate.numerator
    var (random, comparison) = (RandomMotion(seed: 1), Comparison("a clock at \(time.seconds) s"))
    let found = paths.values(
      at: [last, last + 1, last + 60, last + 10_000_000_000], of: (0..<7).map { (.y, $0) }, &random,
      &comparison)
    var digits = time.digits
    digits.insert(0, at: 3)
    digits.insert(0, at: 1)
    for (entity, digit) in digits.enumerated() {
      #expect(found[entity] == Array(repeating: digit == 0 ? 0 : -40 * digit, count: 4))
    }
  }
}

/// Measures every text as 40 points high and wide.
private struct SquareTexts: TextMeasuring {
  func size(of text: String, font: String, language: String) -> MeasuredText {
    MeasuredText(width: 40, height: 40)
  }

  func draws(flag: String) -> Bool { true }

  func aspect(ofFlag flag: String) -> Double { 1 }
}
