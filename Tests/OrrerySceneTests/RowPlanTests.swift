// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: rows are laid out and move as the article and its corrections say [S0-01 … S0-28].
///
/// Method: plan scenes with texts of known widths and compare periods, origins, sprites and specs
/// with numbers worked out by hand.
@Suite struct RowPlanTests {
  /// Labels of 30, 20 and 40 points after flags of 100, spacing 8.
  private let three = Row(cells: [
    .label("a", flag: "EU"), .label("b", flag: "JP"), .label("c", flag: "CH"),
  ])
  private let widths = FixedWidths(widths: ["a": 30, "b": 20, "c": 40])

  private func plan(_ rows: [Row], width: Double = 400) throws -> ScenePlan {
    let scene = Scene("s", size: CGSize(width: width, height: 300)) { rows.map(SceneContent.row) }
    return try ScenePlan(scene, text: widths)
  }

  private func layout(labels: [Double], spacing: Double = 8) -> RowLayout {
    let items: [(content: RowLayout.Content, width: Double, height: Double)] = labels.flatMap {
      [(.flag("🇪🇺"), 100, 30), (.label("x"), $0, 16)]
    }
    return RowLayout(items, spacing: spacing)
  }

  /// [S0-01] Counts 12 and 13, order kept.
  @Test func twoRowsHaveTwelveAndThirteenCurrencies() throws {
    let file = try SceneSource.load(nameOrPath: "flags")
    let codes = file.scene.content.compactMap { part -> [String]? in
      guard case .row(let row) = part else { return nil }
      return row.cells.compactMap { if case .currency(let code) = $0 { code } else { nil } }
    }
    #expect(
      codes.map { $0.joined(separator: " ") } == [
        "AED AUD CAD CHF DKK EUR GBP HKD HUF JPY KRW MOP",
        "MXN MYR NOK NZD PLN RUB SAR SEK SGD THB TRY USD ZAR",
      ])
  }

  /// [S0-02] Labels of 30, 20 and 40 points in a narrow container keep 30, 20 and 40.
  @Test func nothingIsCompressed() throws {
    let elements = try plan([three.marquee(speed: 60)], width: 200).layout.sprites[0].elements
    #expect(elements.map(\.x) == [0, 108, 146, 254, 282, 390])
    #expect(elements.map(\.text.width) == [100, 0, 100, 0, 100, 0])
    #expect(elements.map(\.text.text) == ["🇪🇺", "a", "🇯🇵", "b", "🇨🇭", "c"])
  }

  /// [S0-03] Container 400: rows 380 wide, at y 0 and 60.
  @Test func framesAreNarrowerThanTheSceneAndThirtyApart() throws {
    let row = three.marquee(speed: 60).clipped()
    let layout = try plan([row, row]).layout
    #expect(layout.sprites.map(\.clip.width) == [380, 380])
    #expect(layout.sprites.map(\.clip.height) == [30, 30])
    #expect(layout.batches[0].originX == [10, 10])
    #expect(layout.batches[0].originY == [0, 60])
  }

  /// [S0-03] A spacer of 30 points, and 8 points that the stack adds above and below it.
  @Test(arguments: ["flags-linear", "flags-timer"])
  func rowsOfTheArticleAreApartByTheStacksSpacingToo(scene: String) throws {
    let file = try SceneSource.load(nameOrPath: scene)
    let layout = try ScenePlan(file, text: FixedWidths(flagAspect: 0.5)).layout
    // Frames of 30 points, in the middle of 720.
    #expect(layout.batches[0].originY == [307, 307 + 30 + 8 + 30 + 8])
    // No flag is higher than its frame.
    for element in layout.sprites.flatMap(\.elements) where element.text.width > 0 {
      #expect((element.text.width * 0.5, element.text.height) == (30, 30))
    }
  }

  /// [S0-04] Row 380, content 868: offset 0 stands at -244, so offset -100 at -344.
  @Test func contentIsCentredInItsFrame() throws {
    #expect(layout(labels: [30, 20, 40]).width(copies: 2) == 868)
    #expect(layout(labels: [30, 20, 40]).centeredX(copies: 2, frameWidth: 380) - 100 == -344)
    let timer = three.timer(start: -1, step: 1, interval: 1, resetAt: 0)
    let tween = three.animation(from: -1, to: 0, duration: 1)
    let layout = try plan([timer, tween]).layout
    #expect(layout.batches[0].originX == [10 - 244])
    #expect(layout.batches[1].originX == [10 + (380 - 430) / 2])
  }

  /// [S0-05] A motion changes no neighbour's frame.
  @Test func offsetsMoveNoFrame() throws {
    let still = three.marquee(speed: 60)
    let one = try plan([three.animation(from: -1, to: 0, duration: 1), still]).layout
    let other = try plan([three.animation(from: -500, to: 9, duration: 1), still]).layout
    #expect(one.batches == other.batches)
    #expect(one.sprites == other.sprites)
  }

  /// [S0-06] [S0-07] [S0-08] The scene flags-linear has the article's numbers.
  @Test func linearSceneHasTheArticlesNumbers() throws {
    let plan = try ScenePlan(SceneSource.load(nameOrPath: "flags-linear"), text: FixedWidths())
    #expect(
      plan.tweens == [
        TweenSpec(from: -730, to: 0, period: 60), TweenSpec(from: -950, to: 0, period: 60),
      ])
  }

  /// [S0-09] One copy only, and not tiled.
  @Test func animationShowsOneCopy() throws {
    let sprite = try plan([three.animation(from: -1, to: 0, duration: 1)]).layout.sprites[0]
    #expect(sprite.elements.count == 6)
    #expect(sprite.tilePeriod == 0)
  }

  /// [S0-11] [S0-12] [S0-13] The scene flags-timer has the article's numbers; loops of 627 and 754.
  @Test func timerSceneHasTheArticlesNumbers() throws {
    let plan = try ScenePlan(SceneSource.load(nameOrPath: "flags-timer"), text: FixedWidths())
    #expect(
      plan.timers == [
        TimerSpec(start: -1550, step: 3, resetAt: 330, interval: 0.01),
        TimerSpec(start: -1800, step: 3, resetAt: 460, interval: 0.01),
      ])
    #expect(plan.timers.map(\.loopTicks) == [627, 754])
  }

  /// [S0-15] Mean label width 26: true periods 1704 and 1846, so jumps of 176 and 414.
  @Test func handTunedDistancesAreNotThePeriod() throws {
    let file = try SceneSource.load(nameOrPath: "flags")
    let periods = try ScenePlan(file, text: FixedWidths(width: 26)).marquees.map(\.period)
    #expect(periods == [1704, 1846])
    let timers = try ScenePlan(
      SceneSource.load(nameOrPath: "flags-timer"), text: FixedWidths(width: 26)
    ).timers
    let jumps = zip(timers, periods).map { $0.resetAt - $0.start - $1 }
    #expect(jumps == [176, 414])
  }

  /// [S0-20] [S0-22] Two copies stand one period apart, not half of their common width.
  @Test func secondCopyFollowsAfterOnePeriod() throws {
    let timer = three.timer(start: -1, step: 1, interval: 1, resetAt: 0)
    let elements = try plan([timer]).layout.sprites[0].elements
    #expect(elements.count == 12)
    for item in 0..<6 { #expect(elements[item + 6].x - elements[item].x == 438) }
    #expect(layout(labels: [30, 20, 40]).width(copies: 2) / 2 == 434)
  }

  /// [S0-21] Labels 30, 20, 40, flags 100, spacing 8: period 438.
  @Test func periodCountsTheSpacingAfterTheLastItem() throws {
    #expect(layout(labels: [30, 20, 40]).period == 438)
    #expect(layout(labels: [30, 20, 40], spacing: 0).period == 390)
    let plan = try plan([three.marquee(speed: 60)])
    #expect(plan.marquees.map(\.period) == [438])
    #expect(plan.layout.sprites[0].tilePeriod == 438)
  }

  /// [S0-25] Viewport 390: period 438 needs 2 copies, 50 needs 9; nothing needs none.
  @Test func copiesCoverTheViewport() {
    #expect(layout(labels: [30, 20, 40]).copies(viewport: 390) == 2)
    let narrow = RowLayout([(.label("x"), 42, 16)], spacing: 8)
    #expect(narrow.copies(viewport: 390) == 9)
    #expect(RowLayout([], spacing: 8).copies(viewport: 390) == 0)
    #expect(RowLayout([], spacing: 8).width(copies: 2) == 0)
  }

  /// [S0-25] A row of no width is refused, not divided by.
  @Test func rowWithoutWidthIsRefused() {
    let row = Row(cells: [.label("a")], spacing: 0).marquee(speed: 60)
    let scene = Scene("s") { row }
    let found = problems { () throws(SceneError) in
      try ScenePlan(scene, text: FixedWidths(width: 0))
    }
    #expect(found == ["content[0].cells: 0 points wide"])
  }

  @Test func rowOfVeryManyItemsAcrossIsRefused() {
    let scene = Scene("s") { Row(cells: [.label("a")], spacing: 0).marquee(speed: 60) }
    let found = problems { () throws(SceneError) in
      try ScenePlan(scene, text: FixedWidths(width: 0.001))
    }
    #expect(
      found == ["content[0].cells: 1280001 items fit across the picture, more than 1000000"])
  }

  /// [S0-26] A longer label gives a longer period.
  @Test func periodFollowsTheLabels() throws {
    let scene = Scene("s") { three.marquee(speed: 60) }
    let longer = FixedWidths(widths: ["a": 92, "b": 20, "c": 40])
    #expect(try ScenePlan(scene, text: longer).marquees[0].period == 500)
  }

  /// [S0-27] Item i stands at the sum of what is before it.
  @Test func itemsStandAtTheirPrefixSums() {
    let items = layout(labels: [30, 20, 40]).items
    for (before, after) in zip(items, items.dropFirst()) {
      #expect(after.x == before.x + before.width + 8)
    }
  }

  /// [S0-28] Rows have speeds and directions of their own.
  @Test func rowsMoveOnTheirOwn() throws {
    let plan = try plan([three.marquee(speed: 60), three.marquee(speed: 45, direction: .right)])
    #expect(
      plan.marquees == [
        MarqueeSpec(period: 438, speed: 60, direction: .left, phase: 0),
        MarqueeSpec(period: 438, speed: 45, direction: .right, phase: 0),
      ])
  }

  @Test func flagsFillTheirWidthAndLabelsAreCentredInHeight() throws {
    let elements = try plan([three.marquee(speed: 60).frame(height: 72)]).layout.sprites[0].elements
    #expect((elements[0].y, elements[0].text.height) == (0, 72))
    #expect(elements[1].y == (72 - 16) / 2)
    #expect(elements[1].text.font == "Noto Sans 13")
  }

  /// [S0-02] A flag of 100 points that is 75 high fits into 30 points when it is 40 wide.
  @Test func flagsFitIntoTheirHeight() throws {
    let row = three.flagHeight(30).marquee(speed: 60)
    let elements = try plan([row]).layout.sprites[0].elements
    #expect(elements.map(\.text.width) == [40, 0, 40, 0, 40, 0])
    #expect(elements.map(\.x) == [30, 108, 176, 254, 312, 390])
    #expect(try plan([row]).marquees.map(\.period) == [438])
    let high = try plan([three.flagHeight(90).marquee(speed: 60)]).layout.sprites[0].elements
    #expect(high.map(\.text.width) == [100, 0, 100, 0, 100, 0])
  }

  @Test func clipStandsWhereTheFrameStands() throws {
    let row = three.timer(start: -1, step: 1, interval: 1, resetAt: 0).position(x: 100, y: 50)
      .frame(width: 60, height: 40).clipped()
    let layout = try plan([row]).layout
    let clip = layout.sprites[0].clip
    #expect(Double(layout.batches[0].originX[0]) + clip.x == 70)
    #expect(Double(layout.batches[0].originY[0]) + clip.y == 30)
    #expect((clip.width, clip.height) == (60, 40))
  }

  @Test func flagThatTheFontLacksIsReported() {
    let scene = Scene("s") { Row(currencies: ["EUR", "JPY"]).marquee(speed: 60) }
    let found = problems { () throws(SceneError) in
      try ScenePlan(scene, text: FixedWidths(missingFlags: ["🇯🇵"]))
    }
    #expect(found == ["content[0].currencies[1]: JP has no flag"])
  }

  /// A row that does not say where it stands follows the one before, wherever that stands.
  @Test func rowsFollowTheOneBefore() throws {
    let rows = [
      three.marquee(speed: 60).position(x: 200, y: 100), three.marquee(speed: 60).frame(height: 50),
      three.marquee(speed: 60),
    ]
    // 100 - 15; 30 below 115; 30 below 195.
    #expect(try plan(rows).layout.batches[0].originY == [85, 145, 225])
  }

  /// A million items are drawn, one more is not.
  @Test func millionItemsAcrossAreTaken() throws {
    let label = FixedWidths(width: 0x1p-10)
    func scene(_ copies: Double) -> Scene {
      Scene("s", size: CGSize(width: (copies - 1) * 0x1p-10, height: 300)) {
        Row(cells: [.label("a")], spacing: 0).marquee(speed: 60)
      }
    }
    #expect(try ScenePlan(scene(1_000_000), text: label).entityCount == 1)
    let found = problems { () throws(SceneError) in
      try ScenePlan(scene(1_000_001), text: label)
    }
    #expect(
      found == ["content[0].cells: 1000001 items fit across the picture, more than 1000000"])
  }

  @Test(
    arguments: [
      (.headline, "Noto Sans Semi-Bold 17"), (.footnote.bold(), "Noto Sans Bold 13"),
      (.system(size: 12.5), "Noto Sans 12.5"), (.caption2, "Noto Sans 11"),
    ] as [(Font, String)])
  func fontsHaveTheirWeight(font: Font, description: String) throws {
    let row = Row(cells: [.label("a", flag: "EU")]).marquee(speed: 1).font(font)
    let elements = try plan([row]).layout.sprites[0].elements
    #expect(elements[1].text.font == description)
    #expect(elements[0].text.font == "Noto Color Emoji " + SceneNumber.text(font.size))
  }

  /// What a cell lacks is told of that cell, and of every one.
  @Test func everyFlagThatIsMissingIsReported() {
    let scene = Scene("s") {
      Row(cells: [.label("a", flag: "CH"), .currency("JPY"), .label("b")]).marquee(speed: 60)
    }
    let found = problems { () throws(SceneError) in
      try ScenePlan(scene, text: FixedWidths(missingFlags: ["🇨🇭", "🇯🇵"]))
    }
    #expect(
      found == [
        "content[0].cells[0].flag: CH has no flag", "content[0].cells[1].currency: JP has no flag",
      ])
  }
}
