// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryPublisher
import Testing

/// Goal: a run's report tells work from waiting: what took longer than a tick, the longest stall,
/// and the rate without its pauses.
///
/// Method: times handed in, in ticks of a hundredth of a second.
@Suite struct PaceFiguresTests {
  private static let tickNs: UInt64 = 10_000_000

  /// Figures of frames that were published at these times, each begun 1 ms before.
  private static func figures(
    publishedMs: [UInt64], isPaced: Bool = true
  ) -> PaceFigures {
    var figures = PaceFigures(startNs: 0)
    for time in publishedMs {
      figures.record(
        beginNs: (time - 1) * 1_000_000, publishedNs: time * 1_000_000, tickNs: tickNs,
        isPaced: isPaced)
    }
    return figures
  }

  private static func report(
    _ figures: PaceFigures, nowMs: UInt64, frames: UInt64, ticksPerSecond: Double? = 100
  ) -> PaceReport {
    figures.report(
      nowNs: nowMs * 1_000_000, frames: frames, clock: TickClock(rate: 100, startNs: 0),
      ticksPerSecond: ticksPerSecond)
  }

  @Test func framesOnTheirDatesStallNothing() {
    let figures = Self.figures(publishedMs: [10, 20, 30])
    #expect(figures.stallMaxNs == 0)
    #expect(figures.overBudgetFrames == 0)
  }

  @Test func stallIsTheTimeBeyondATick() {
    // 31 ms from the second to the third; a tick that hurries after it makes up for nothing.
    #expect(Self.figures(publishedMs: [10, 20, 51, 52]).stallMaxNs == 21_000_000)
  }

  @Test func stallOfARunWithoutDatesIsTheWholeTime() {
    #expect(
      Self.figures(publishedMs: [10, 20, 51, 52], isPaced: false).stallMaxNs == 31_000_000)
  }

  @Test(arguments: [(10_000_000, 0), (10_000_001, 1)] as [(UInt64, UInt64)])
  func frameIsOverBudgetIfItTakesLongerThanATick(workNs: UInt64, count: UInt64) {
    var figures = PaceFigures(startNs: 0)
    figures.record(beginNs: 5, publishedNs: 5 + workNs, tickNs: Self.tickNs, isPaced: true)
    #expect(figures.overBudgetFrames == count)
  }

  @Test func pauseIsNoStallAndNotInTheRate() {
    var figures = Self.figures(publishedMs: [10, 20])
    figures.frames(areWanted: false, nowNs: 20_000_000)
    // Told twice, it has paused once.
    figures.frames(areWanted: false, nowNs: 500_000_000)
    figures.frames(areWanted: true, nowNs: 1_020_000_000)
    figures.record(
      beginNs: 1_029_000_000, publishedNs: 1_030_000_000, tickNs: Self.tickNs, isPaced: true)
    #expect(figures.stallMaxNs == 0)
    let report = Self.report(figures, nowMs: 1_040, frames: 4)
    #expect(report.elapsedSeconds == 1.04)
    #expect(report.pausedSeconds == 1)
    #expect(abs(report.reachedHz - 100) < 1e-9)
  }

  @Test func runThatEndsInAPauseHasPausedToItsEnd() {
    var figures = Self.figures(publishedMs: [10])
    figures.frames(areWanted: false, nowNs: 10_000_000)
    #expect(Self.report(figures, nowMs: 510, frames: 1).pausedSeconds == 0.5)
    let never = PaceFigures(startNs: 0, isPaused: true)
    let report = Self.report(never, nowMs: 50, frames: 0)
    #expect(report.pausedSeconds == 0.05)
    #expect(report.reachedHz == 0)
  }

  /// One tick at full speed, three at half of it.
  @Test func rateThatIsAskedForIsTheMeanOfTheSpeeds() {
    var figures = PaceFigures(startNs: 0)
    for tickNs in [10_000_000, 20_000_000, 20_000_000, 20_000_000] as [UInt64] {
      figures.record(beginNs: 1, publishedNs: 2, tickNs: tickNs, isPaced: true)
    }
    let asked = Self.report(figures, nowMs: 70, frames: 4).askedHz ?? 0
    #expect(abs(asked - 4 / 0.07) < 1e-9, "\(asked)")
    // At one speed it is that of the scene, to the bit.
    let steady = Self.figures(publishedMs: [10, 20])
    #expect(Self.report(steady, nowMs: 20, frames: 2).askedHz == 100)
  }

  @Test func waitsForSubscribersAddUp() {
    var figures = PaceFigures(startNs: 0)
    figures.waited(fromNs: 5, toNs: 1_000_005)
    figures.waited(fromNs: 2_000_000, toNs: 4_000_000)
    // A clock that was set back.
    figures.waited(fromNs: 9, toNs: 3)
    #expect(Self.report(figures, nowMs: 10, frames: 1).waitedSeconds == 0.003)
  }

  @Test func reportHasWhatTheClockCounted() {
    var clock = TickClock(rate: 100, startNs: 0)
    clock.begin(1, atNs: 40_000_000)
    clock.begin(2, atNs: 40_000_000)
    clock.continues(at: 0.5, nowNs: 40_000_000)
    let report = PaceFigures(startNs: 0).report(
      nowNs: 1_000_000_000, frames: 2, clock: clock, ticksPerSecond: 100)
    #expect(report.lateTicks == 2)
    #expect(report.latenessMaxNs == 30_000_000)
    #expect(report.scheduleShifts == 0)
    // At half its speed, a tick lasts twice as long and half as many are asked for.
    #expect(report.askedHz == 50)
    #expect(report.tickNs == 20_000_000)
    let free = Self.report(PaceFigures(startNs: 0), nowMs: 1, frames: 0, ticksPerSecond: nil)
    #expect(free.askedHz == nil)
  }
}
