// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import TestSupport
import Testing

/// Goal: a sim's report says each number once, under its name, as text and as JSON, and says
/// nothing of what did not happen.
@Suite struct SimReportTests {
  @Test func textOfAQuietRunTellsEachNumberUnderItsName() {
    #expect(
      SampleReports.sim().text == """
        scene         flags, 7 entities
        run           demo, live delivery
        ring          64 slots, 4096 bytes a frame; a reader may be 1.05 s late
        kernels       avx2, 1.6 of 2 threads, fixed16, cached stores
        published     600 frames in 10.00 s
        rate          59.98 Hz reached, 60.00 Hz asked
        ticks         600 on time
        state hash    00000000000000ab
                             mean        p50        p90        p99      p99.9        max
        work              17.7 µs     2.0 µs    50.0 µs    50.0 µs    50.0 µs    50.0 µs
        publish            700 ns     700 ns     700 ns     700 ns     700 ns     700 ns
        """)
    #expect(SampleReports.sim(threads: 1).text.contains("avx2, 1 thread, fixed16"))
  }

  @Test func whatWentWrongHasALine() {
    var report = SampleReports.troubledSim()
    report.subscribers = []
    #expect(
      report.text == """
        scene         flags, 7 entities
        run           demo, live delivery
        ring          64 slots, 4096 bytes a frame; a reader may be 0.97 s late
        kernels       avx2, 1.6 of 2 threads, fixed16, cached stores, up to 5 ticks
                      ahead
        published     600 frames in 61.50 s
        rate          10.30 Hz reached, 30.00 Hz asked
        ticks         597 on time, 3 late, by 170.00 ms at most
        over budget   2 frames took longer than a tick, 33.33 ms
        longest stall 136.70 ms more than a tick between two frames
        schedule      moved 1 time
        paused        3.25 s
        waited        12.00 ms for subscribers
        state hash    00000000000000ab
                             mean        p50        p90        p99      p99.9        max
        work              17.7 µs     2.0 µs    50.0 µs    50.0 µs    50.0 µs    50.0 µs
        publish            700 ns     700 ns     700 ns     700 ns     700 ns     700 ns
        """)
  }

  /// Where nobody can be late nothing is said of it.
  @Test func readersAreLateOnlyInALivePacedRun() {
    var report = SampleReports.sim()
    report.delivery = "lockstep"
    #expect(!report.text.contains("late"))
    report = SampleReports.sim()
    report.pace.askedHz = nil
    #expect(!report.text.contains("late"))
    report = SampleReports.sim(lookAhead: 1)
    report.slots = 2
    #expect(!report.text.contains("late"))
  }

  @Test func hashSaysWhatItCovers() {
    var report = SampleReports.sim()
    report.hash = "rolling"
    #expect(report.text.contains("\nstate hash    00000000000000ab, rolling\n"))
    report.hash = "off"
    #expect(report.text.contains("\nstate hash    off\n"))
  }

  @Test func runThatIsNotPacedHasNoTicksOnTime() {
    var report = SampleReports.sim()
    (report.pace.askedHz, report.pace.stallMaxNs) = (nil, 48_100_000)
    #expect(report.text.contains("\nrate          59.98 Hz reached, as fast as possible\n"))
    #expect(report.text.contains("\nlongest stall 48.10 ms between two frames\n"))
    #expect(!report.text.contains("on time"))
  }

  @Test func runWithoutFramesSaysNoMore() {
    var report = SampleReports.sim()
    report.frames = 0
    #expect(report.text.hasSuffix("\npublished     0 frames in 10.00 s"))
  }

  @Test func lastEightSubscribersAreShown() {
    let accounts = (1...9).map { SampleReports.account($0) }
    #expect(
      SampleReports.sim(subscribers: Array(accounts.prefix(2))).text.hasSuffix(
        "\nsubscriber    s1 (pid 101): received 10 frames, missed 1; reading every, waiting"
          + "\n              futex; left"
          + "\nsubscriber    s2 (pid 102): received 20 frames, missed 2; reading every, waiting"
          + "\n              futex; left"))
    let eight = SampleReports.sim(subscribers: Array(accounts.prefix(8))).text
    #expect(eight.contains("\nsubscriber    s1 "))
    #expect(!eight.contains("more, and"))
    let nine = SampleReports.sim(subscribers: accounts).text
    #expect(nine.contains("ns\nsubscribers   1 more, and\nsubscriber    s2 "))
    #expect(nine.contains("\nsubscriber    s9 (pid 109): received 90 frames, missed 9;"))
  }

  @Test func accountSaysWhatItLacks() {
    var report = SampleReports.sim(subscribers: [SampleReports.account(1)])
    (report.subscribers[0].processID, report.subscribers[0].missed) = (0, 0)
    (report.subscribers[0].departure, report.subscribers[0].isFinal) = ("died", false)
    #expect(
      report.text.hasSuffix(
        "\nsubscriber    s1: received 10 frames; reading every, waiting futex; died; no"
          + "\n              last account"))
  }

  /// A subscriber that ran twice under one name reported once: the newest account is its own.
  @Test func accountOfAProgramThatReportedIsHiddenOnce() {
    var report = SampleReports.sim(subscribers: (1...3).map { SampleReports.account($0) })
    report.subscribers[0].name = "logger"
    report.subscribers[2].name = "logger"
    let text = report.text(hidingAccountsOf: ["logger", "renderer"])
    #expect(text.contains("\nsubscriber    logger (pid 101)"))
    #expect(text.contains("\nsubscriber    s2 (pid 102)"))
    #expect(!text.contains("103"))
  }

  @Test func durationsAreMeanPercentilesAndLargest() {
    var histogram = Histogram()
    for value in UInt64(1)...50 { histogram.record(value) }
    histogram.record(61)
    let report = DurationReport(histogram)
    #expect(report.count == 51)
    // 1,336 divided by 51 is 26.2.
    #expect(report.meanNs == 26)
    #expect((report.p50Ns, report.p90Ns, report.p99Ns) == (26, 46, 61))
    #expect((report.p999Ns, report.maxNs) == (61, 61))
    for _ in 0..<49 { histogram.record(1) }
    // 99 of 100 values are 50 or less.
    #expect(DurationReport(histogram).p99Ns == 50)
    #expect(DurationReport(histogram).p999Ns == 61)
    #expect(DurationReport(histogram).p50Ns == 1)
    #expect(DurationReport(histogram).maxNs == 61)
  }

  @Test func noDurationsAreZeros() {
    let none = DurationReport(Histogram())
    #expect((none.count, none.meanNs, none.p50Ns, none.p999Ns, none.maxNs) == (0, 0, 0, 0, 0))
  }

  @Test func reportComesBackFromItsLine() throws {
    for report in [SampleReports.sim(), SampleReports.troubledSim()] {
      let line = ReportLine.encode(report, schema: SimReport.schema)
      #expect(line.hasPrefix("{\"schema\":\"orrery.sim.v2\","))
      #expect(ReportLine.decode(line) == report)
    }
    let progress = ProgressReport(tick: 5, seconds: 0.5, lateTicks: 2)
    let line = ReportLine.encode(progress, schema: "p")
    #expect(line.hasPrefix("{\"schema\":\"p\",\"late_ticks\":2,\"program\":\"sim\","))
    #expect(ReportLine.decode(line) == progress)
  }
}
