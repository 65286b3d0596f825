// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import TestSupport
import Testing

/// Goal: rows loop seamlessly, without drift, and their older forms err exactly as they are
/// written.
///
/// Method: the checklist's numbers, as written and improved side by side.
@Suite struct MarqueeMotionTests {
  private static let cells = [30.0, 20, 40]

  private func isClose(_ found: Double, _ expected: Double, _ bound: Double = 1e-9) -> Bool {
    abs(found - expected) < bound
  }

  private func row(speed: Double = 60, _ direction: MarqueeMotion.Direction = .left)
    -> MarqueeMotion
  {
    MarqueeMotion(labels: Self.cells, speed: speed, direction: direction)
  }

  // MARK: - As written: one linear animation, for ever

  /// [S0-06] D = 40, t = 10 -> -547.5 and -712.5.
  @Test func linearRowsMoveToZero() {
    let rows = [-730.0, -950].map { LinearMarqueeAsWritten(start: $0, duration: 40) }
    #expect(rows.map { $0.offset(at: 10) } == [-547.5, -712.5])
  }

  /// [S0-07] D = 40 -> 18.25 and 23.75 pt/s; improved: the speed is the parameter.
  @Test func linearRowsHaveDifferentSpeeds() {
    let rows = [-730.0, -950].map { LinearMarqueeAsWritten(start: $0, duration: 40) }
    #expect(rows.map(\.velocity) == [18.25, 23.75])
    let improved = [[30.0, 20], [90.0, 80]].map { MarqueeMotion(labels: $0, speed: 18.25) }
    #expect(improved.map { $0.offset(at: 4) } == [-73, -73])
  }

  /// [S0-08] The numbers grow, so it moves right; improved: direction left, v = 60, t = 0.1 -> -6.
  @Test func directionIsExplicit() {
    let written = LinearMarqueeAsWritten(start: -730, duration: 40)
    #expect(written.velocity > 0)
    #expect(written.offset(at: 1) > written.offset(at: 0))
    #expect(isClose(row().offset(at: 0.1), -6))
    #expect(isClose(row(.right).offset(at: 0.1), 6))
  }

  private func row(_ direction: MarqueeMotion.Direction) -> MarqueeMotion {
    row(speed: 60, direction)
  }

  /// [S0-09] D = 40: t = 39.999 -> -0.01825, t = 40.001 -> -729.98175.
  @Test func oneCopyJumps() {
    let written = LinearMarqueeAsWritten(start: -730, duration: 40)
    #expect(isClose(written.offset(at: 39.999), -0.01825))
    #expect(isClose(written.offset(at: 40.001), -729.98175))
  }

  /// [S0-10] The period from widths is neither 730 nor 950.
  @Test func tunedStartsDoNotFit() {
    for (start, count) in [(-730.0, 12), (-950, 13)] {
      let period = MarqueeMotion(
        labels: [Double](repeating: 26, count: count), speed: 60
      ).period
      #expect(LinearMarqueeAsWritten(start: start).jump(period: period) > 800)
    }
  }

  // MARK: - As written: timer steps

  private static let first = TimerMarqueeAsWritten(start: -1550, resetAt: 330)
  private static let second = TimerMarqueeAsWritten(start: -1800, resetAt: 460)

  /// [S0-11] Step 3 from -1550, tick 250 -> -800; row 1 from -1800 -> -1050.
  @Test func timerAddsSteps() {
    #expect(Self.first.offset(tick: 250) == -800)
    #expect(Self.second.offset(tick: 250) == -1050)
  }

  /// [S0-12] Step 3, tick 700 -> row 0 -1331, row 1 300; reaching the limit exactly resets in the
  /// same tick.
  @Test func timerResetsInTheSameTick() {
    #expect(Self.first.offset(tick: 700) == -1331)
    #expect(Self.second.offset(tick: 700) == 300)
    let exact = TimerMarqueeAsWritten(start: 0, resetAt: 9)
    #expect((0...4).map { exact.offset(tick: $0) } == [0, 3, 6, 0, 3])
    // Steps of less than a point, and loops of one step.
    let slow = TimerMarqueeAsWritten(start: 0, resetAt: 1, step: 0.5)
    #expect(slow.loopTicks == 2)
    #expect((0...4).map { slow.offset(tick: $0) } == [0, 0.5, 0, 0.5, 0])
    let short = TimerMarqueeAsWritten(start: 0, resetAt: 3)
    #expect(short.loopTicks == 1)
    #expect((0...3).map { short.loops(tick: $0) } == [0, 1, 2, 3])
    #expect(short.offset(tick: 2) == 0)
    let still = TimerMarqueeAsWritten(start: 0, resetAt: 3, step: 0)
    #expect(still.loopTicks == 0)
    #expect(still.loops(tick: 5) == 0)
  }

  /// [S0-13] Step 7 -> row 0 269 ticks; [S0-14] it reaches 333 before the reset, so 3 points are
  /// lost per loop; improved: the remainder is kept.
  @Test func timerLosesTheOvershoot() {
    let row = TimerMarqueeAsWritten(start: -1550, resetAt: 330, step: 7)
    #expect(row.loopTicks == 269)
    #expect(row.overshoot == 3)
    #expect(Self.first.loopTicks == 627)
    #expect(Self.second.loopTicks == 754)
    // One loop is 438 points: 63 steps of 7 lead 3 points past it.
    let improved = self.row(speed: 7)
    #expect(isClose(improved.offset(at: 63), -3))
  }

  /// [S0-15] Mean label width 26 -> true periods 1704 and 1846, jumps of 176 and 414; the distances
  /// would need means of 40.67 and 57.85.
  @Test func timerJumpsByTheDifference() {
    for (row, count, period, jump, mean) in [
      (Self.first, 12, 1704.0, 176.0, 40.67), (Self.second, 13, 1846, 414, 57.85),
    ] {
      let labels = [Double](repeating: 26, count: count)
      #expect(MarqueeMotion(labels: labels, speed: 1).period == period)
      #expect(row.jump(period: period) == jump)
      #expect(abs(row.fittingLabelWidth(cellCount: count) - mean) < 0.005)
    }
  }

  /// [S0-16] 100 steps per second, each with an animation of 0.35 s, stack 35 of them; without an
  /// animation per step there is at most one.
  @Test func stepsNeedNoAnimation() {
    var (stacked, stepped) = (AnimationTrack(-1550.0), AnimationTrack(-1550.0))
    for tick in 1...100 {
      let (time, offset) = (Double(tick) / 100, Self.first.offset(tick: tick))
      stacked.set(offset, animation: .easeInOut, at: time, id: UInt64(tick))
      stepped.set(offset, animation: nil, at: time, id: UInt64(tick))
      _ = stacked.removeFinished(at: time)
    }
    #expect(stacked.motions.count >= 35)
    #expect(stepped.motions.count <= 1)
    #expect(stepped.value(at: 1) == -1250)
  }

  /// [S0-17] A tick 25 ms late still adds one step; improved: speed times time.
  @Test func lateTicksLoseTime() {
    let times = [0.01, 0.02, 0.055]
    let written = times.indices.map {
      Self.first.offset(tick: $0 + 1) - Self.first.offset(tick: $0)
    }
    #expect(written == [3, 3, 3])
    let improved = row(speed: 300, .right)
    #expect(isClose(improved.offset(at: 0.055) - improved.offset(at: 0.02), 10.5))
  }

  /// [S0-18] Three starts make it three times as fast; improved: start(); start() -> speed
  /// unchanged, and what is stopped stands.
  @Test func startingTwiceIsStartingOnce() {
    var written = Self.first
    for _ in 0..<3 { written.startTimer() }
    #expect(isClose(written.speed, 900))
    var clock = MotionClock()
    clock.start(at: 1)
    clock.start(at: 2)
    #expect(isClose(row().offset(at: clock.elapsed(at: 3)), -120))
    clock.stop(at: 3)
    clock.stop(at: 4)
    #expect(!clock.isRunning)
    #expect(clock.elapsed(at: 9) == 2)
    clock.start(at: 10)
    #expect(clock.elapsed(at: 10.5) == 2.5)
    #expect(clock.elapsed(at: 5) == 2)
  }

  /// [S0-19] Step 3: after 10 s row 0 has looped once (at 6.27 s), row 1 once (at 7.54 s); the
  /// difference of their loops grows without bound.
  @Test func timerRowsDriftApart() {
    #expect(Self.first.loops(tick: 626) == 0)
    #expect(Self.first.loops(tick: 627) == 1)
    #expect(Self.second.loops(tick: 753) == 0)
    #expect(Self.second.loops(tick: 754) == 1)
    #expect(Self.first.loops(tick: 1000) == 1)
    #expect(Self.second.loops(tick: 1000) == 1)
    let differences = [10_000, 100_000, 1_000_000].map {
      Self.first.loops(tick: $0) - Self.second.loops(tick: $0)
    }
    #expect(differences == [2, 27, 268])
  }

  // MARK: - Seamless

  /// [S0-20] The picture at offset o and at o - P is the same, for every o.
  @Test func pictureRepeatsAfterAPeriod() {
    let row = row()
    let loop = row.period / 60
    for time in stride(from: 0.0, to: loop, by: 0.37) {
      func edges(_ time: Double) -> [Double] {
        row.copyNumbers(viewport: 390).flatMap { copy in
          row.visibleItems(copy: copy, at: time, viewport: 390)
            .map { row.x(item: $0, copy: copy, at: time) }
        }
      }
      let (now, later) = (edges(time), edges(time + 3 * loop))
      #expect(now.count == later.count)
      #expect(!now.isEmpty)
      #expect(zip(now, later).allSatisfy { isClose($0, $1, 1e-6) })
    }
  }

  /// [S0-21] Labels 30, 20, 40, flag 100, spacing 8 -> P = 438; [S0-22] half of the doubled width
  /// is 434: a jump of 4; (doubled + spacing)/2 is right.
  @Test func periodCountsEverySpace() {
    let row = row()
    #expect(row.period == 438)
    let doubled = 2 * row.period - row.spacing
    #expect(doubled == 868)
    #expect(row.period - doubled / 2 == 4)
    #expect((doubled + row.spacing) / 2 == row.period)
  }

  /// [S0-23] v = 60, t = 10, P = 438 -> -162; [S0-24] v = 60, t = 7.3e6 s, exactly 10^6 loops -> 0.
  @Test func offsetDoesNotDrift() {
    #expect(row().offset(at: 10) == -162)
    #expect(isClose(row().offset(at: 7.3e6), 0, 1e-6))
    for time in stride(from: -50.0, to: 50, by: 0.31) {
      #expect((-438.0...0).contains(row().offset(at: time)))
      #expect(row().offset(at: time) > -438)
      #expect((0.0..<438).contains(row(.right).offset(at: time)))
    }
  }

  /// [S0-25] Viewport 390: P 438 -> 2, P 50 -> 9; P = 0 or an empty row: no copies, offset 0, no
  /// NaN.
  @Test func copiesCoverTheViewport() {
    #expect(row().copies(viewport: 390) == 2)
    #expect(MarqueeMotion(widths: [42], speed: 60).copies(viewport: 390) == 9)
    #expect(row(.right).copyNumbers(viewport: 390) == -1..<1)
    for widths in [[], [-8], [.nan], [.infinity]] as [[Double]] {
      let empty = MarqueeMotion(widths: widths, speed: 60)
      #expect(empty.copies(viewport: 390) == 0)
      #expect(empty.offset(at: 3) == 0)
      #expect(empty.period == 0)
      #expect(empty.visibleItems(copy: 0, at: 1, viewport: 390).isEmpty)
    }
  }

  /// [S0-26] P 438 -> 500 at -162 -> -184.93 with the phase kept, -162 with the points kept.
  @Test func relocalisationKeepsPhaseOrPoints() {
    var (phase, points, shorter) = (row(), row(), row())
    let labels = [50.0, 40, 62]
    phase.replaceItems(labels: labels, at: 10)
    points.replaceItems(labels: labels, at: 10, keeping: .points)
    #expect(phase.period == 500)
    #expect(isClose(phase.offset(at: 10), -184.93, 0.005))
    #expect(isClose(points.offset(at: 10), -162))
    #expect(isClose(points.offset(at: 10.5), -192))
    shorter.replaceItems(widths: [92], at: 10, keeping: .points)
    #expect(shorter.period == 100)
    #expect(isClose(shorter.offset(at: 10), -62))
  }

  /// [S0-27] Item i of copy k stands at offset + kP + prefix; what is visible is found by
  /// bisection.
  @Test func visibleItemsAreFound() {
    let row = row()
    #expect(row.x(item: 3, copy: 1, at: 10) == -162 + 438 + (100 + 8 + 30 + 8 + 100 + 8))
    for seed in UInt64(1)...200 {
      var random = SeededRandom(seed: seed)
      let widths = (0..<20).map { _ in random.number(in: 0...60) }
      let moving = MarqueeMotion(
        widths: widths, speed: 60, direction: seed.isMultiple(of: 2) ? .left : .right)
      let (time, viewport) = (random.number(in: 0...100), random.number(in: 0...500))
      for copy in -2...2 {
        let visible = widths.indices.filter {
          let x = moving.x(item: $0, copy: copy, at: time)
          return x + widths[$0] > 0 && x < viewport
        }
        let found = moving.visibleItems(copy: copy, at: time, viewport: viewport)
        #expect(Array(found) == visible, "seed \(seed)")
        if !moving.copyNumbers(viewport: viewport).contains(copy) {
          #expect(visible.isEmpty, "seed \(seed)")
        }
      }
    }
  }

  /// [S0-28] v = 60 left and v = 45 right, P = 438: t = 10 -> -162 and +12.
  @Test func rowsHaveTheirOwnSpeedAndDirection() {
    #expect(row().offset(at: 10) == -162)
    #expect(row(speed: 45, .right).offset(at: 10) == 12)
  }

  // MARK: - Layout

  /// [S0-01] [S0-02] Rows of 12 and 13 cells keep their widths and order: item 2i is the flag, 2i +
  /// 1 its label.
  @Test func itemsAreNeverCompressed() {
    #expect(row().widths == [100, 30, 100, 20, 100, 40])
    for count in [12, 13] {
      let labels = (0..<count).map { 20 + Double($0) }
      let row = MarqueeMotion(labels: labels, speed: 60)
      #expect(row.widths.count == 2 * count)
      #expect(stride(from: 1, to: 2 * count, by: 2).map { row.widths[$0] } == labels)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 0, 1e308])
  func hostileNumbersDoNotTrap(number: Double) {
    let row = MarqueeMotion(labels: [number, 1], flag: number, spacing: number, speed: number)
    #expect(row.offset(at: number).isFinite)
    #expect(row.copies(viewport: number) >= 0)
    _ = row.visibleItems(copy: 0, at: number, viewport: number)
    let linear = LinearMarqueeAsWritten(start: -1, duration: number)
    #expect(linear.offset(at: 1).isFinite)
    let timer = TimerMarqueeAsWritten(start: number, resetAt: 1, step: number, interval: number)
    #expect(timer.loopTicks >= 0)
    _ = timer.offset(tick: .max)
    _ = timer.offset(tick: .min)
    _ = MarqueeMotion(widths: [1e-300], spacing: 0, speed: 1).copies(viewport: 1e300)
  }

  /// A distance beyond a whole period that vanishes beside it is none: an offset never is a period.
  @Test func wrapsStayBelowThePeriod() {
    #expect(row(.right).offset(at: -1e-20) == 0)
    #expect(row().offset(at: -1e-20) == 0)
    #expect(isClose(row(.right).offset(at: -1), 378))
    #expect(row(.right).offset(at: 7.3) == 0)
    #expect(OrbitMotion(radius: 1, period: 20).angle(at: -1e-20) == 0)
    #expect(OrbitMotion(radius: 1, period: 20).angle(at: -5) == 1.5 * .pi)
    #expect(LinearMarqueeAsWritten(start: -730, duration: 40).offset(at: -10) == -182.5)
  }

  /// Copies of any number are counted, but no more than a Double tells apart.
  @Test func copiesHaveALimit() {
    let tiny = MarqueeMotion(widths: [1e-300], spacing: 0, speed: 1)
    #expect(tiny.copies(viewport: 1e300) == 1 << 53 + 1)
    #expect(row().copies(viewport: 438) == 2)
    #expect(row().copies(viewport: 438.5) == 3)
    #expect(row().copies(viewport: 0) == 1)
    #expect(row().copies(viewport: -1) == 0)
    #expect(row().copyNumbers(viewport: 390) == 0..<2)
    for direction in [MarqueeMotion.Direction.left, .right] {
      let empty = MarqueeMotion(widths: [], speed: 1, direction: direction)
      #expect(empty.copyNumbers(viewport: 390) == 0..<0)
    }
  }

  /// A speed that is none stands still, and the parts are those that were given.
  @Test func rowsKeepTheirParts() {
    for speed in [0, -1, .nan, .infinity] as [Double] {
      #expect(MarqueeMotion(widths: [10], speed: speed).speed == 0)
    }
    let row = MarqueeMotion(labels: [1, 2], flag: 3, spacing: 4, speed: 5, direction: .right)
    #expect(row.widths == [3, 1, 3, 2])
    #expect(row.spacing == 4)
    #expect(row.speed == 5)
    #expect(row.direction == .right)
    #expect(row.period == 25)
    let plain = MarqueeMotion(labels: [1], speed: 5)
    #expect(plain.widths == [100, 1])
    #expect(plain.spacing == 8)
    #expect(plain.direction == .left)
    var other = plain
    other.replaceItems(labels: [7], flag: 9, at: 0)
    #expect(other.widths == [9, 7])
    #expect(other.period == 32)
    // From nothing to something the row begins at its beginning.
    var empty = MarqueeMotion(widths: [], speed: 5)
    empty.replaceItems(widths: [42], at: 3)
    #expect(empty.period == 50)
    #expect(empty.offset(at: 3) == 0)
    #expect(isClose(empty.offset(at: 4), -5))
  }

  /// [S0-10] [S0-15] A jump is the difference to the period, in either direction.
  @Test func jumpsAreDistances() {
    let linear = LinearMarqueeAsWritten(start: -730)
    #expect(linear.duration == 60)
    #expect(linear.jump(period: 700) == 30)
    #expect(linear.jump(period: 760) == 30)
    #expect(Self.first.distance == 1880)
    #expect(Self.first.jump(period: 1900) == 20)
    #expect(Self.first.jump(period: 1800) == 80)
    #expect(Self.first.fittingLabelWidth(cellCount: 10, flag: 50, spacing: 4) == 130)
    #expect((Self.first.step, Self.first.interval) == (3, 0.01))
    #expect(Self.first.speed == 0)
  }

  /// Ticks before the first are the first, and loops that cannot be are none.
  @Test func ticksBeginAtTheStart() {
    #expect(Self.first.offset(tick: -5) == -1550)
    #expect(Self.first.loops(tick: -5000) == 0)
    #expect(TimerMarqueeAsWritten(start: 0, resetAt: 0, step: 0).loopTicks == 1)
    #expect(TimerMarqueeAsWritten(start: 5, resetAt: 3, step: 0).loopTicks == 1)
    #expect(TimerMarqueeAsWritten(start: 5, resetAt: 3, step: 2).loopTicks == 1)
    #expect(TimerMarqueeAsWritten(start: 0, resetAt: .infinity, step: 2).loopTicks == 0)
    // What never reaches its limit is never set back.
    let endless = TimerMarqueeAsWritten(start: 5, resetAt: .infinity, step: 2)
    #expect([-4, 0, 4].map { endless.offset(tick: $0) } == [5, 5, 13])
    #expect(endless.loops(tick: 4) == 0)
    // A sum of tenths that misses a whole number by roundings is that number.
    #expect(TimerMarqueeAsWritten(start: 0, resetAt: 0.3, step: 0.1).loopTicks == 3)
    #expect(TimerMarqueeAsWritten(start: 0, resetAt: 0.1 + 0.2, step: 0.1).loopTicks == 3)
    #expect(TimerMarqueeAsWritten(start: 0, resetAt: 0.31, step: 0.1).loopTicks == 4)
  }
}
