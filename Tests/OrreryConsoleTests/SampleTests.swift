// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryConsole
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
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

  private static func text(
    _ properties: Set<ViewProperty>, hasNames: Bool = false, _ lines: [SampleLine]
  ) -> [String] {
    var written: [String] = []
    var table = SampleTable(properties, hasNames: hasNames) { written.append($0) }
    for line in lines { table.add(line) }
    table.finish()
    return written
  }

  private static let mars = SampleLine(
    time: 1.23456, tick: 74, entity: 3, name: "Mars.\"panel\"", x: 1.5, y: -2.25, opacity: 0.5,
    scale: 2, rotation: 90, blur: 0.125)

  @Test func objectHasEveryValueUnderItsName() throws {
    let own =
      "{\"schema\":\"orrery.sample.v2\",\"time_s\":1.23456,\"tick\":74,\"entity\":3,\"x\":1.5,\"y\":-2.25,"
      + "\"opacity\":0.5,\"scale\":2.0,\"rotation\":90.0,\"blur\":0.125"
    #expect(Self.mars.json == own + ",\"name\":\"Mars.\\\"panel\\\"\"}")
    let drawn = SampleLine(
      time: 1.23456, tick: 74, entity: 3, isWorld: true, x: 1.5, y: -2.25, opacity: 0.5, scale: 2,
      rotation: 90, blur: 0.125)
    #expect(drawn.json == own + ",\"world\":true}")
  }

  @Test func everyColumnStandsUnderItsNameAndUnit() {
    let other = SampleLine(
      time: 10, tick: 600, entity: 12, x: 1_234.5, y: 0, opacity: 1, scale: 1, rotation: 0, blur: 0)
    #expect(
      Self.text(Set(ViewProperty.allCases), hasNames: true, [Self.mars, other]) == [
        "time(s)  tick  entity  name           x(pt)  y(pt)  opacity  scale  rotation(rad)  blur(pt)",
        "  1.235    74       3  Mars.\"panel\"     1.5  -2.25      0.5    2.0           90.0     0.125",
        " 10.000   600      12  -             1234.5    0.0      1.0    1.0            0.0       0.0",
      ])
    #expect(
      Self.text([.opacity, .x], [Self.mars]) == [
        "time(s)  tick  entity  x(pt)  opacity", "  1.235    74       3    1.5      0.5",
      ])
  }

  /// The widths are those of the first thousand lines; what is wider later stays apart.
  @Test func longNumbersStayApart() {
    let wide = SampleLine(
      time: 4e9, tick: 123_456_789_012, entity: 12_345_678, x: -1234.5678, y: 0.1, opacity: 1,
      scale: 1, rotation: 0, blur: 0)
    #expect(
      Self.text([.x, .y], [wide]) == [
        "       time(s)          tick    entity       x(pt)  y(pt)",
        "4000000000.000  123456789012  12345678  -1234.5677    0.1",
      ])
    let lines = Self.text([.x], Array(repeating: Self.mars, count: 1_000) + [wide])
    #expect(lines.count == 1_002)
    #expect(
      Set(lines.dropLast()) == ["time(s)  tick  entity  x(pt)", "  1.235    74       3    1.5"])
    #expect(lines.last == "4000000000.000  123456789012  12345678  -1234.5677")
    // The thousandth is one of the first.
    let last = Self.text([.x], Array(repeating: Self.mars, count: 999) + [wide])
    #expect(Set(last.map(\.count)) == [50])
  }

  @Test func tableWithoutLinesIsItsHeading() {
    #expect(Self.text([.y], []) == ["time(s)  tick  entity  y(pt)"])
  }

  @Test func timesAreKeptInTheirOrder() {
    #expect(SampleTimes(argument: "2.5")?.seconds == [2.5])
    #expect(SampleTimes(argument: "3,0,4000000000,3")?.seconds == [3, 0, 4e9, 3])
    #expect(SampleTimes(argument: " 3, 0 1.5 ,2")?.seconds == [3, 0, 1.5, 2])
  }

  @Test(arguments: [
    "", ",", "1,", "1,,2", " ", "1, ,2", "-1", "-0.001", "4000000001", "nan", "inf", "1;2", "x",
  ])
  func whatIsNoTimeIsRefused(text: String) {
    #expect(SampleTimes(argument: text)?.seconds == nil)
  }
}
