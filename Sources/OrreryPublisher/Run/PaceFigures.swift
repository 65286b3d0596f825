// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// When a run's frames came: frames over budget, stalls, pauses and waits.
///
/// The loop hands in the times that it has read anyway; recording compares and adds.
package struct PaceFigures {
  /// Frames that took longer to compute and publish than a tick.
  package private(set) var overBudgetFrames: UInt64 = 0

  /// The longest time between two frames; of a paced run, the part beyond a tick.
  ///
  /// A pause between the two does not count.
  package private(set) var stallMaxNs: UInt64 = 0

  /// Time in which a run in lockstep waited for its subscribers.
  package private(set) var waitedNs: UInt64 = 0

  /// Frames that were published.
  private var frames: UInt64 = 0

  /// Of these, steps and seeks of a run that was paused: no rate of their own is asked for.
  private var pausedFrames: UInt64 = 0

  /// Sum of the lengths of their ticks, each at the speed of its time.
  private var ticksNs: UInt64 = 0

  /// When the run began.
  private let startNs: UInt64

  /// When the last frame was published; nil before the first, and after a pause.
  private var publishedNs: UInt64?

  /// When the present pause began; nil while the run goes on.
  private var pausedSinceNs: UInt64?

  /// Time of the pauses that are over.
  private var pausedNs: UInt64 = 0

  /// Figures of a run that begins now.
  ///
  /// - Parameters:
  ///   - startNs: Now; this and all other times are of the monotonic clock.
  ///   - isPaused: Whether it begins with a pause.
  package init(startNs: UInt64, isPaused: Bool = false) {
    self.startNs = startNs
    if isPaused { pausedSinceNs = startNs }
  }

  /// Records a published frame.
  ///
  /// - Parameters:
  ///   - beginNs: When its computation began.
  ///   - publishedNs: When readers could see it.
  ///   - tickNs: Length of a tick at the run's speed.
  ///   - isPaced: Whether ticks are due at times.
  package mutating func record(
    beginNs: UInt64, publishedNs: UInt64, tickNs: UInt64, isPaced: Bool
  ) {
    frames += 1
    if pausedSinceNs != nil { pausedFrames += 1 }
    ticksNs &+= tickNs
    if publishedNs > beginNs + tickNs { overBudgetFrames += 1 }
    if let last = self.publishedNs {
      let dueNs = isPaced ? last + tickNs : last
      if publishedNs > dueNs { stallMaxNs = max(stallMaxNs, publishedNs - dueNs) }
    }
    self.publishedNs = publishedNs
  }

  /// Records whether frames are wanted from now on.
  package mutating func frames(areWanted: Bool, nowNs: UInt64) {
    if areWanted, let since = pausedSinceNs {
      pausedNs += nowNs - min(since, nowNs)
      pausedSinceNs = nil
    } else if !areWanted, pausedSinceNs == nil {
      pausedSinceNs = nowNs
      publishedNs = nil
    }
  }

  /// Records a wait for subscribers.
  package mutating func waited(fromNs beginNs: UInt64, toNs endNs: UInt64) {
    waitedNs += endNs - min(beginNs, endNs)
  }

  /// The report of a run that ends now.
  ///
  /// - Parameters:
  ///   - nowNs: Now.
  ///   - frames: Frames published.
  ///   - clock: The run's schedule.
  ///   - ticksPerSecond: The scene's rate; nil if ticks are due at no time.
  /// - Returns: With what these figures and the clock have counted.
  package func report(
    nowNs: UInt64, frames: UInt64, clock: TickClock, ticksPerSecond: Double?
  ) -> PaceReport {
    let elapsed = Double(nowNs - min(startNs, nowNs)) / 1e9
    let pause = pausedNs + (pausedSinceNs.map { nowNs - min($0, nowNs) } ?? 0)
    let paused = min(Double(pause) / 1e9, elapsed)
    return PaceReport(
      elapsedSeconds: elapsed, pausedSeconds: paused, waitedSeconds: Double(waitedNs) / 1e9,
      askedHz: ticksPerSecond.map { asked($0 * clock.speed, tickNs: clock.tickNs) },
      reachedHz: elapsed > paused
        ? Double(frames - min(pausedFrames, frames)) / (elapsed - paused) : 0,
      tickNs: clock.tickNs, lateTicks: clock.lateTicks, latenessMaxNs: clock.latenessMaxNs,
      overBudgetFrames: overBudgetFrames, stallMaxNs: stallMaxNs,
      scheduleShifts: clock.scheduleShifts)
  }

  /// The rate that was asked for: the one at the last speed, or the mean if the speed was changed.
  private func asked(_ lastHz: Double, tickNs: UInt64) -> Double {
    let (allNs, isTooLong) = frames.multipliedReportingOverflow(by: tickNs)
    if ticksNs == 0 || (allNs == ticksNs && !isTooLong) { return lastHz }
    return Double(frames) * 1e9 / Double(ticksNs)
  }
}
