// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Reports with a number of its own in each field.
package enum SampleReports {
  /// The durations of these values, in nanoseconds.
  package static func durations(_ values: UInt64...) -> DurationReport {
    var histogram = Histogram()
    for value in values { histogram.record(value) }
    return DurationReport(histogram)
  }

  /// A live run at 60 Hz in which nothing went wrong.
  package static func sim(
    threads: Int = 2, lookAhead: UInt64 = 0, subscribers: [SubscriberAccount] = []
  ) -> SimReport {
    SimReport(
      scene: "flags", run: "demo", entities: 7, isa: "avx2", threads: threads,
      threadsMean: threads == 1 ? 1 : 1.58, delivery: "live", slots: 64, frameBytes: 4_096,
      lookAhead: lookAhead, output: "fixed16", stores: "cached",
      ticksPerSecond: 60, frames: 600, stateHash: "00000000000000ab",
      pace: PaceReport(
        elapsedSeconds: 10.004, askedHz: 60, reachedHz: 59.976, tickNs: 16_666_666,
        latenessMaxNs: 90_000),
      work: durations(1_000, 2_000, 50_000), publish: durations(700),
      memory: MemoryReport(estimatedBytes: 11, residentMaxBytes: 12), subscribers: subscribers)
  }

  /// The same run, with everything that can befall one.
  package static func troubledSim() -> SimReport {
    var report = sim(lookAhead: 5, subscribers: (1...9).map { account($0) })
    report.subscribers[8].isFinal = false
    report.pace = PaceReport(
      elapsedSeconds: 61.5, pausedSeconds: 3.25, waitedSeconds: 0.012, askedHz: 30,
      reachedHz: 10.3, tickNs: 33_333_333, lateTicks: 3, latenessMaxNs: 170_000_000,
      overBudgetFrames: 2, stallMaxNs: 136_700_000, scheduleShifts: 1)
    return report
  }

  /// A sim's account of the subscriber with this number.
  package static func account(_ index: Int) -> SubscriberAccount {
    SubscriberAccount(
      name: "s\(index)", processID: UInt32(100 + index), waiting: "futex", reading: "every",
      joinedAfter: 1, received: UInt64(10 * index), missed: UInt64(index), departure: "left")
  }

  /// A subscriber that joined after frame 7, of which 100 more were published.
  package static func subscriber(
    _ program: String = "logger", delivery: String = "live", missed: UInt64 = 0,
    gaps: [String] = [], ended: SubscriberReportMessage.End = .runEnded, files: [String] = []
  ) -> SubscriberReportMessage {
    SubscriberReportMessage(
      program: program, run: "demo/\"x\"", delivery: delivery, waiting: "futex", joinedAfter: 7,
      published: 100, received: 100 - missed, missed: missed, gaps: gaps,
      age: durations(1_500), waitingTime: durations(16_000_000, 16_100_000),
      working: durations(700, 800_000), ended: ended, files: files)
  }
}
