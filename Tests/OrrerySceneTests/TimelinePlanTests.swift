// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: clocks and tickers are planned as the article and its corrections say.
///
/// Method: plan them with texts of known widths and compare specs and sprites.
@Suite struct TimelinePlanTests {
  private func plan(
    _ clock: TimelineClock, date: Double = 0, timeZone: String = "GMT"
  ) throws -> ScenePlan {
    let scene = Scene("s", dateSeconds: date, timeZone: timeZone) { clock }
    return try ScenePlan(scene, text: FixedWidths(width: 20, height: 40))
  }

  @Test func eachDigitIsAStripBehindAWindow() throws {
    let plan = try plan(TimelineClock(.periodic(from: 0, by: 1)).position(x: 640, y: 300))
    let specs = plan.clocks
    // A mark has one digit.
    #expect(specs.map(\.base) == [24, 1, 6, 10, 1, 6, 10])
    #expect(specs.filter { $0.base > 1 }.map(\.unit) == [3600, 600, 60, 10, 1])
    #expect(specs.allSatisfy { $0.digitHeight == 40 })
    let hours = plan.layout.sprites[0]
    #expect((hours.clip.width, hours.clip.height) == (40, 40))
    #expect(hours.elements.map(\.text.text) == (0..<24).map { ($0 < 10 ? "0" : "") + "\($0)" })
    #expect(hours.elements.map(\.y) == (0..<24).map { 40 * Double($0) })
    // Two digits, mark, and so on: 160 points, from 560 on.
    let batch = try #require(plan.message("clock"))
    #expect(batch.originX == [560, 600, 620, 640, 660, 680, 700])
    #expect(batch.originY == [280, 300, 280, 280, 300, 280, 280])
  }

  @Test func fractionsAndSpacesAreFields() throws {
    let specs = try plan(TimelineClock(.everyMinute, format: "ss SSS")).clocks
    #expect(specs.map(\.unit) == [10, 1, 0.1, 0.01, 0.001])
  }

  /// 2025-10-26 01:45:10 in London, summer time: the day there began at 23:00 in Greenwich.
  @Test func clocksShowTheTimeOfTheirZone() throws {
    let date = 1_761_439_510.0
    let spec = try #require(
      try plan(TimelineClock(.everyMinute), date: date, timeZone: "Europe/London").clocks.first)
    #expect(spec.start == Date(timeIntervalSince1970: date))
    #expect(spec.start.timeIntervalSince(spec.zero) == 1 * 3600 + 45 * 60 + 10)
    #expect(spec.schedule == .everyMinute(timeZone: "Europe/London"))
    // Half past midnight there, and the evening before in Greenwich.
    let evening = try #require(
      try plan(TimelineClock(.everyMinute), date: 1_761_435_000, timeZone: "Europe/London")
        .clocks.first)
    #expect(evening.start.timeIntervalSince(evening.zero) == 30 * 60)
    let before = try #require(try plan(TimelineClock(.everyMinute), date: -90.5).clocks.first)
    #expect(before.start.timeIntervalSince(before.zero) == 86_400 - 90.5)
  }

  @Test(
    arguments: [
      ("date = 2025-05-01T08:15:42Z", 1_746_087_342), ("date = 1746087342.5", 1_746_087_342.5),
      ("date = 2025-05-01T10:15:42.25+02:00", 1_746_087_342.25), ("date = -1", -1),
      ("date = \"2025-05-01T08:15:42Z\"", 1_746_087_342), ("date = 1969-12-31T23:59:59Z", -1),
      ("date = \"2025-05-01T10:15:42.25+02:00\"", 1_746_087_342.25),
      ("date = 2000-02-29T00:00:00Z", 951_782_400),
      ("date = 0001-01-01T00:00:00Z", -62_135_596_800),
    ] as [(String, Double)])
  func datesAreUnixSeconds(line: String, seconds: Double) throws {
    let text = line + "\n[[content]]\nkind = \"text\"\ntext = \"t\""
    #expect(try SceneFile.decode(text, file: "f").scene.dateSeconds == seconds)
  }

  // MARK: Tickers

  private func ticker(_ row: Row, width: Double, rate: TickRate = 60) throws -> ScenePlan {
    let scene = Scene("s", rate: rate) {
      row.frame(width: 360).position(x: 180, y: 100)
    }
    return try ScenePlan(scene, text: FixedWidths(width: width))
  }

  private let row = Row(cells: [.label("t")])

  /// [S3-14] [S3-15] W = 360, content 120: the second copy stands 360 points on, a gap of 240.
  @Test func copiesStandOneFrameApart() throws {
    let delta = try ticker(row.ticker(variant: .delta), width: 120).layout.sprites[0]
    #expect(delta.elements.map(\.x) == [0, 360])
    let plan = try ticker(row.ticker(speed: 50), width: 120)
    #expect(plan.layout.sprites[0].tilePeriod == 360)
    #expect(plan.layout.sprites[0].tilePeriod - 120 == 240)
    #expect(
      plan.marquees == [MarqueeSpec(period: 360, speed: 50, direction: .left, phase: 0)])
    #expect(plan.layout.batches[0].originX == [0])
  }

  /// [S3-16] Content 400 in a frame of 360: an overlap of 40 points, or a period of content and
  /// gap.
  @Test func wideContentKeepsItsDistance() throws {
    let delta = try ticker(row.ticker(variant: .delta), width: 400).layout.sprites[0]
    #expect(400 - delta.elements[1].x == 40)
    #expect(try ticker(row.ticker(), width: 400).marquees[0].period == 408)
    #expect(try ticker(row.ticker(gap: 25), width: 400).marquees[0].period == 425)
  }

  /// [S3-08] [S3-10] One point at each update, one copy, back to 0 after 360: 725 updates give -5.
  @Test func naiveTickerStepsWithTheUpdates() throws {
    let plan = try ticker(row.ticker(variant: .perUpdate), width: 120)
    let spec = try #require(plan.timers.first)
    #expect((spec.start, spec.step, spec.resetAt, spec.loopTicks) == (0, -1, -360, 360))
    #expect(spec.start + spec.step * Double(725 % spec.loopTicks) == -5)
    #expect(plan.layout.sprites[0].elements.count == 1)
    #expect(plan.layout.sprites[0].tilePeriod == 0)
  }

  /// [S3-09] Speed is ticks per second: one step in each of a second's 90.
  @Test(arguments: [1, 7, 60, 90, 120] as [TickRate])
  func naiveTickerIsAsFastAsTheRate(rate: TickRate) throws {
    let spec = try #require(
      try ticker(row.ticker(variant: .perUpdate), width: 120, rate: rate).timers.first)
    #expect(spec.interval == TimerInterval(tickOf: rate))
  }

  /// [S3-12] Steps of 50 points per second, so many to each update.
  @Test func deltaTickerStepsByTime() throws {
    let spec = try #require(
      try ticker(row.ticker(variant: .delta), width: 120, rate: 100).timers.first)
    #expect((spec.step, spec.resetAt) == (-0.5, -360))
    #expect(spec.loopTicks == 720)
  }

  /// A digit stands in the middle of its window, and a space is half a digit wide.
  @Test func digitsStandInTheMiddleOfTheirWindows() throws {
    let hours = try plan(TimelineClock(.everyMinute, format: "HH"))
    #expect(hours.layout.sprites[0].elements.map(\.x) == [Double](repeating: 10, count: 24))
    #expect(hours.message("clock")?.originX == [620])
    let plan = try plan(
      TimelineClock(.everyMinute, format: "ss SSS").position(x: 640, y: 300).foregroundColor(.red))
    #expect(plan.layout.sprites[0].elements.map(\.x) == [Double](repeating: 0, count: 6))
    #expect(plan.layout.sprites[0].elements[0].text.color == Color.red.rgba)
    // Two digits, half a one, three digits: 110 points, from 585 on.
    #expect(plan.message("clock")?.originX == [585, 605, 635, 655, 675])
    #expect(plan.message("clock")?.originY == [Float](repeating: 280, count: 5))
  }

  /// The widest digit makes all windows, and each digit is in the middle of its own.
  @Test func windowsAreAsWideAsTheWidestDigit() throws {
    var widths = FixedWidths(width: 10, height: 40)
    widths.widths["4"] = 30
    let scene = Scene("s") { TimelineClock(.everyMinute, format: "S.") }
    let plan = try ScenePlan(scene, text: widths)
    #expect(plan.layout.sprites[0].clip.width == 30)
    #expect(
      plan.layout.sprites[0].elements.map(\.x) == (0..<10).map { $0 == 4 ? 0 : 10 })
    // The mark has its own width: 40 points in all.
    #expect(plan.message("clock")?.originX == [620, 650])
    #expect(plan.layout.sprites[1].elements[0].x == 0)
    #expect(plan.layout.sprites[1].elements[0].text.text == ".")
  }

  @Test(
    arguments: [
      ("HH:mm:ss", [3600, 600, 60, 10, 1], 7), ("S", [0.1], 1), ("SS", [0.1, 0.01], 2),
      ("SSS", [0.1, 0.01, 0.001], 3), ("SSSS", [0.1, 0.01, 0.001, 0.1], 4), (" mm", [600, 60], 2),
      ("ss-/,.: ", [10, 1], 7), ("", nil, 0), (" : ", nil, 0), ("H", nil, 0), ("hh", nil, 0),
      ("mm;ss", nil, 0),
    ] as [(String, [Double]?, Int)])
  func formatsAreFieldsAndMarks(text: String, units: [Double]?, entities: Int) {
    let format = ClockFormat(text)
    #expect(format?.digits.map(\.unit) == units)
    #expect((format?.entityCount ?? 0) == entities)
  }

  @Test func formatsHave100CharactersAtMost() {
    #expect(ClockFormat(String(repeating: "S", count: 100))?.entityCount == 100)
    #expect(ClockFormat(String(repeating: "S", count: 101)) == nil)
  }

  /// [S3-12] A ticker that says no speed moves 50 points per second.
  @Test func tickersHaveTheirDefaults() throws {
    #expect(try ticker(row.ticker(), width: 120).marquees[0].speed == 50)
    let delta = try #require(
      try ticker(row.ticker(speed: 25, variant: .delta), width: 120, rate: 100).timers.first)
    #expect((delta.start, delta.step) == (0, -0.25))
    #expect(delta.interval == TimerInterval(tickOf: 100))
    // A tick's time, which has no decimal.
    let film = try ticker(row.ticker(variant: .perUpdate), width: 120, rate: 30)
    #expect(film.timers[0].interval.numerator == 1)
    #expect(film.timers[0].interval.denominator == 30)
  }

  @Test(
    arguments: [
      ("2025-01-01T00:00:00Z", 1_735_689_600), ("2025-02-28T23:59:59Z", 1_740_787_199),
      ("2025-03-01T00:00:00Z", 1_740_787_200), ("1900-03-01T00:00:00Z", -2_203_891_200),
      ("2100-02-28T00:00:00Z", 4_107_456_000), ("2100-03-01T00:00:00Z", 4_107_542_400),
      ("1970-01-01T00:01:00.5-01:30", 5_460.5), ("9999-12-31T23:59:59Z", 253_402_300_799),
      ("2024-12-31T12:30:45.125+05:45", 1_735_627_545.125),
    ] as [(String, Double)])
  func datesOfTheCalendarAreUnixSeconds(date: String, seconds: Double) throws {
    let text = "[[content]]\nkind = \"text\"\ntext = \"t\""
    let plain = try SceneFile.decode("date = \(date)\n" + text, file: "f").scene
    #expect(plain.dateSeconds == seconds)
    let quoted = try SceneFile.decode("date = \"\(date)\"\n" + text, file: "f").scene
    #expect(quoted.dateSeconds == seconds)
  }

  @Test func yearsBeforeTheFirstAreOutOfRange() {
    let text = "[[content]]\nkind = \"text\"\ntext = \"t\""
    #expect(
      problems("date = 0000-02-29T00:00:00Z\n" + text) == [
        "1:8: date: -62162121600 is out of range -62135596800...253402300799 seconds since 1970"
      ])
  }
}
