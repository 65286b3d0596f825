// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import Testing

/// Goal: content runs through its container as a function of the date, and the older forms err as
/// they are written.
@Suite struct TickerMotionTests {
  private func isClose(_ found: Double, _ expected: Double, _ bound: Double = 1e-9) -> Bool {
    abs(found - expected) < bound
  }

  /// [S3-08] W = 360, 725 updates -> -5; [S3-11] each evaluation moves it; improved: the same date
  /// gives the same offset.
  @Test func naiveTickerCountsUpdates() {
    var ticker = NaiveTickerAsWritten(width: 360)
    for _ in 0..<725 { ticker.update() }
    #expect(ticker.offset == -5)
    #expect(NaiveTickerAsWritten.offset(updates: 725, width: 360) == -5)
    ticker.update()
    #expect(ticker.offset == -6)
    let improved = TickerMotion(content: 120, container: 360)
    #expect(improved.offset(at: 3.3) == improved.offset(at: 3.3))
    #expect(improved.offset(at: 3.3) == 165)
  }

  /// [S3-09] 90 Hz -> 90 pt/s.
  @Test func naiveSpeedIsTheFrameRate() {
    #expect(NaiveTickerAsWritten.speed(framesPerSecond: 90) == 90)
    #expect(NaiveTickerAsWritten.offset(updates: 90, width: 360) == -90)
  }

  /// [S3-10] W = 360, text 120: for offsets in (-360, -120) nothing is on screen; then all of it,
  /// at 0.
  @Test func naiveTickerLeavesTheContainerEmpty() {
    var ticker = NaiveTickerAsWritten(width: 360)
    var hidden: [Double] = []
    for _ in 0..<359 {
      ticker.update()
      if !ticker.isVisible(content: 120) { hidden.append(ticker.offset) }
    }
    #expect(hidden == stride(from: -120.0, through: -359, by: -1).map { $0 })
    ticker.update()
    #expect(ticker.offset == 0)
    #expect(ticker.isVisible(content: 120))
  }

  private func delta(_ dates: [Double], width: Double) -> [Double] {
    var ticker = DeltaTickerAsWritten()
    ticker.appear(width: width)
    return dates.map { date in
      ticker.update(date)
      return ticker.offset
    }
  }

  private func isClose(_ found: [Double], _ expected: [Double]) -> Bool {
    found.count == expected.count && zip(found, expected).allSatisfy { isClose($0, $1) }
  }

  /// [S3-12] W = 100: dates 0, 1.9, 2.1 -> 0, 95, 0; [S3-13] improved: 0, 95, 5.
  @Test func deltaTickerDropsTheOvershoot() {
    #expect(isClose(delta([0, 1.9, 2.1], width: 100), [0, 95, 0]))
    #expect(
      isClose(
        TickerMotion.offsets(dates: [0, 1.9, 2.1], content: 50, container: 100), [0, 95, 5]))
  }

  /// [S3-14] W = 360, offset 100 -> copies at -100 and 260; [S3-15] content 120: a gap of 240.
  @Test func copiesAreAContainerApart() {
    var written = DeltaTickerAsWritten()
    written.contentWidth = 120
    written.appear(width: 360)
    written.update(0)
    written.update(2)
    #expect(written.offset == 100)
    #expect(written.copies == [-100, 260])
    #expect(written.gap == 240)
    let improved = TickerMotion(content: 120, container: 360)
    #expect(improved.copies(at: 2) == [-100, 260])
    #expect(improved.period - 120 == 240)
  }

  /// [S3-16] Content 400, W 360 -> an overlap of 40; improved: period max(W, content + gap).
  @Test func wideContentDoesNotOverlap() {
    var written = DeltaTickerAsWritten()
    written.contentWidth = 400
    written.appear(width: 360)
    #expect(written.gap == -40)
    #expect(TickerMotion(content: 400, container: 360).period == 400)
    #expect(TickerMotion(content: 400, container: 360, gap: 20).period == 420)
    #expect(TickerMotion(content: 300, container: 360, gap: 20).period == 360)
  }

  /// [S3-17] Container unknown for 0.5 s, then 360: as written pinned to 0; improved: 5 at 0.6 s.
  @Test func motionBeginsWhenWidthsAreKnown() {
    var written = DeltaTickerAsWritten()
    for date in [0, 0.25, 0.5] {
      written.update(date)
      #expect(written.offset == 0)
    }
    var ticker = TickerMotion()
    ticker.setWidths(content: 120, container: nil, at: 0)
    #expect(ticker.offset(at: 0.4) == 0)
    #expect(ticker.period == 0)
    ticker.setWidths(content: 120, container: 360, at: 0.5)
    #expect(ticker.offset(at: 0.5) == 0)
    #expect(isClose(ticker.offset(at: 0.6), 5))
  }

  /// [S3-18] Width 360 -> 640 at offset 350: the next wrap is at 640; as written still at 360.
  @Test func widthChangesAreFollowed() {
    var ticker = TickerMotion(content: 120, container: 360)
    ticker.setWidths(content: 120, container: 640, at: 7)
    #expect(isClose(ticker.offset(at: 7), 350))
    #expect(isClose(ticker.offset(at: 12.7), 635))
    #expect(isClose(ticker.offset(at: 12.9), 5))
    ticker.setWidths(content: 120, container: 100, at: 12.7)
    #expect(isClose(ticker.offset(at: 12.7), 635 - 5 * 120))
    var written = DeltaTickerAsWritten()
    written.appear(width: 360)
    written.appear(width: 640)
    #expect(written.containerWidth == 360)
  }

  /// [S3-19] Parent update at t = 3: the offset stays 150.
  @Test func parentUpdatesDoNotReset() {
    var ticker = TickerMotion(content: 120, container: 360)
    #expect(ticker.offset(at: 3) == 150)
    ticker.setWidths(content: 120, container: 360, at: 3)
    #expect(ticker.offset(at: 3) == 150)
    #expect(TickerMotion(content: 120, container: 360).offset(at: 3) == 150)
    #expect(delta([3], width: 360) == [0])
  }

  /// [S3-20] Dates 0, 1000, W = 360 -> 320; as written 0.
  @Test func suspensionKeepsThePhase() {
    #expect(
      TickerMotion.offsets(dates: [0, 1000], content: 120, container: 360) == [0, 320])
    #expect(delta([0, 1000], width: 360) == [0, 0])
  }

  /// [S3-21] Dates 10, 9 -> exactly -50 mod W; as written -50 itself.
  @Test func clockSetBackIsModulo() {
    #expect(TickerMotion.offsets(dates: [10, 9], content: 120, container: 360) == [0, 310])
    #expect(delta([10, 9], width: 360) == [0, -50])
  }

  /// [S3-22] Two dates 1/120 s apart at 1.75e9 -> 0.41667 pt apart, not 0.
  @Test func datesOf1970AreTold() {
    let first = 1.75e9
    let offsets = TickerMotion.offsets(
      dates: [first, first + 3600, first + 3600 + 1.0 / 120], content: 120, container: 360)
    #expect(isClose(offsets[2] - offsets[1], 0.41667, 5e-5))
  }

  /// [S3-24] Paused 10...20: the offset during 15 is that at 10; it goes on from where it stopped.
  @Test func pausedTickerStands() {
    var ticker = TickerMotion(content: 120, container: 360)
    let stopped = ticker.offset(at: 10)
    ticker.pause(at: 10)
    ticker.pause(at: 12)
    #expect(ticker.offset(at: 15) == stopped)
    #expect(ticker.isPaused)
    #expect(stopped == 140)
    ticker.resume(at: 20)
    ticker.resume(at: 25)
    #expect(ticker.offset(at: 20) == stopped)
    #expect(isClose(ticker.offset(at: 21), 190))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e308])
  func hostileNumbersDoNotTrap(number: Double) {
    let ticker = TickerMotion(content: number, container: number, speed: number, from: number)
    #expect(ticker.offset(at: number).isFinite)
    #expect(ticker.offset(at: 1).isFinite)
    #expect(NaiveTickerAsWritten.offset(updates: .max, width: number).isFinite)
    #expect(NaiveTickerAsWritten.offset(updates: -1, width: number) == 0)
    _ = delta([number, 1, number], width: number)
  }

  /// [S3-12] At the container's width exactly it starts again, as written.
  @Test func deltaTickerRestartsAtTheWidth() {
    #expect(delta([0, 2], width: 100) == [0, 0])
    #expect(isClose(delta([0, 1.99], width: 100), [0, 99.5]))
    var naive = NaiveTickerAsWritten(width: 3)
    var offsets: [Double] = []
    for _ in 0..<4 {
      naive.update()
      offsets.append(naive.offset)
    }
    #expect(offsets == [-1, -2, 0, -1])
    #expect(
      (0...4).map { NaiveTickerAsWritten.offset(updates: $0, width: 3) } == [0, -1, -2, 0, -1])
    #expect(NaiveTickerAsWritten.offset(updates: 7, width: 2.5) == -1)
    #expect(NaiveTickerAsWritten.offset(updates: 7, width: 0) == 0)
  }

  /// What is left out: 50 points per second, no gap, the first date 0.
  @Test func tickersKeepTheirParts() {
    let plain = TickerMotion()
    #expect((plain.speed, plain.gap) == (50, 0))
    #expect(plain.content == nil)
    #expect(plain.container == nil)
    #expect(!plain.isPaused)
    for speed in [0, -1, .nan, .infinity] as [Double] {
      #expect(TickerMotion(speed: speed).speed == 0)
    }
    let ticker = TickerMotion(content: 1, container: 2, speed: 3, gap: 4, from: 5)
    #expect((ticker.content, ticker.container) == (1, 2))
    #expect((ticker.speed, ticker.gap) == (3, 4))
    #expect(ticker.offset(at: 5) == 0)
    #expect(ticker.offset(at: 6) == 3)
    #expect(ticker.copies(at: 6) == [-3, 2])
    #expect(
      TickerMotion.offsets(dates: [5, 6, 7], content: 1, container: 2, speed: 3, gap: 4)
        == [0, 3, 1])
    #expect(TickerMotion.offsets(dates: [], content: 1, container: 2) == [])
    #expect(TickerMotion(content: 0, container: 0).period == 0)
    #expect(TickerMotion(content: 1, container: .infinity).period == 0)
  }

  /// Paused before its widths are known, a ticker begins when it is resumed and they are.
  @Test func pausesBeforeTheBeginningCostNothing() {
    var ticker = TickerMotion()
    ticker.pause(at: 1)
    ticker.resume(at: 2)
    #expect(ticker.offset(at: 3) == 0)
    ticker.setWidths(content: 120, container: 360, at: 4)
    #expect(isClose(ticker.offset(at: 5), 50))
    ticker.pause(at: 5)
    ticker.setWidths(content: 120, container: 640, at: 6)
    #expect(isClose(ticker.offset(at: 9), 50))
    ticker.resume(at: 10)
    #expect(isClose(ticker.offset(at: 11), 100))
    // Widths that are lost stop it.
    ticker.setWidths(content: nil, container: 640, at: 12)
    #expect(ticker.offset(at: 13) == 0)
  }
}
