// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryConsole
import OrreryMessages
import OrreryScene
import OrrerySim
import Testing

/// Goal: `orrery sample` prints each value under its name, at the times that were asked for.
///
/// Method: a world of which every value is known; texts of times, right and wrong.
@Suite struct SampleTests {
  /// Two entities that go 60 points a second, from 0 and from 1000.
  private static func line(entity: Int) throws -> SampleLine {
    let batch = BatchPlan.tween(
      Specs(count: 2) {
        TweenSpec(from: Double($0) * 1000, to: Double($0) * 1000 + 600, period: 10)
      }, .x)
    var layout = Orrery_SceneLayout()
    layout.batches = [Orrery_Batch()]
    let plan = ScenePlan(name: "line", seed: 1, rate: 60, batches: [batch], layout: layout)
    let world = try World(plan, instructionSet: .baseline, threadCount: 1)
    return SampleLine(time: 2, tick: 120, entity: entity, values: Values(of: world, tick: 120))
  }

  @Test func lineHasOneEntitysValues() throws {
    let first = try Self.line(entity: 0)
    let second = try Self.line(entity: 1)
    #expect(first.entity == 0)
    #expect(second.entity == 1)
    #expect(abs(first.x - 120) < 0.01)
    #expect(abs(second.x - 1120) < 0.01)
    // What nothing moves is as it was.
    #expect(second.y == 0)
    #expect(second.opacity == 1)
    #expect(second.scale == 1)
    #expect(second.rotation == 0)
    #expect(second.blur == 0)
  }

  @Test func everyValueStandsUnderItsName() {
    let line = SampleLine(
      time: 1.23456, tick: 74, entity: 3, x: 1.5, y: -2.25, opacity: 0.5, scale: 2, rotation: 90,
      blur: 0.125)
    #expect(
      line.json
        == "{\"time\":1.23456,\"tick\":74,\"entity\":3,\"x\":1.5,\"y\":-2.25,"
        + "\"opacity\":0.5,\"scale\":2.0,\"rotation\":90.0,\"blur\":0.125}")
    #expect(
      SampleLine.heading
        == "     time    tick  entity           x           y   opacity     scale  rotation")
    #expect(
      line.text
        == "    1.235      74       3         1.5       -2.25       0.5       2.0      90.0")
    #expect(line.text.count == 79)
  }

  @Test func longNumbersStayApart() {
    let line = SampleLine(
      time: 4e9, tick: 123_456_789_012, entity: 12_345_678, x: -1234.5678, y: 0.1, opacity: 1,
      scale: 1, rotation: 0, blur: 0)
    #expect(
      line.text
        == " 4000000000.000 123456789012 12345678  -1234.5677         0.1       1.0       1.0"
        + "       0.0")
  }

  @Test func timesAreKeptInTheirOrder() {
    #expect(SampleTimes(argument: "2.5")?.seconds == [2.5])
    #expect(SampleTimes(argument: "3,0,4000000000,3")?.seconds == [3, 0, 4e9, 3])
  }

  @Test(arguments: ["", ",", "1,", "1,,2", "-1", "-0.001", "4000000001", "nan", "inf", "1;2", "x"])
  func whatIsNoTimeIsRefused(text: String) {
    #expect(SampleTimes(argument: text)?.seconds == nil)
  }
}
