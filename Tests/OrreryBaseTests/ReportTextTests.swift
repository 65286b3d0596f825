// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import TestSupport
import Testing

/// Goal: numbers in reports read the same in every locale, and JSON comes back as it was.
@Suite struct ReportTextTests {
  @Test(
    arguments: [
      (0, 0, "0"), (0, 2, "0.00"), (1.005, 0, "1"), (1.5, 0, "2"), (2.25, 1, "2.3"),
      (-2.25, 1, "-2.3"), (0.05, 2, "0.05"), (0.999, 2, "1.00"), (12.0625, 4, "12.0625"),
      (-0.001, 2, "0.00"), (-0.0, 1, "0.0"), (999_999_999_999_999, 1, "999999999999999.0"),
      (1e15, 2, "1000000000000000.0"), (-1e300, 2, "-1e+300"), (1e14, 6, "100000000000000.0"),
      (.infinity, 2, "inf"), (.nan, 2, "nan"),
    ] as [(Double, Int, String)])
  func decimalRoundsToItsPlaces(value: Double, places: Int, text: String) {
    #expect(decimal(value, places: places) == text)
  }

  @Test(
    arguments: [
      (0, "0 ns"), (999, "999 ns"), (1_000, "1.0 µs"), (1_250, "1.3 µs"), (999_900, "999.9 µs"),
      (1_000_000, "1.00 ms"), (12_345_678, "12.35 ms"), (1_000_000_000, "1.00 s"),
      (61_230_000_000, "61.23 s"), (.max, "18446744073.71 s"),
    ] as [(UInt64, String)])
  func durationChoosesItsUnit(ns: UInt64, text: String) {
    #expect(duration(ns) == text)
  }

  @Test func hexadecimalHasSixteenDigits() {
    #expect(hexadecimal(0) == "0000000000000000")
    #expect(hexadecimal(0xabc) == "0000000000000abc")
    #expect(hexadecimal(.max) == "ffffffffffffffff")
  }

  @Test func subscriberTextTellsWhatHappened() {
    #expect(
      SampleReports.subscriber().text == """
        logger        received 100 of 100 frames, from frame 8 on; reading every,
                      waiting futex; read to the run's end
                             mean        p50        p90        p99      p99.9        max
        working          400.4 µs     703 ns   800.0 µs   800.0 µs   800.0 µs   800.0 µs
        waiting          16.05 ms   16.10 ms   16.10 ms   16.10 ms   16.10 ms   16.10 ms
        latency            1.5 µs     1.5 µs     1.5 µs     1.5 µs     1.5 µs     1.5 µs
        """)
    let some = SampleReports.subscriber(missed: 12, gaps: (1...10).map { "\($0 * 4)" }).text
    #expect(some.contains("\nmissed        12 frames: 4 8 12 16 20 24 28 32 36 40\n"))
    #expect(some.hasPrefix("logger        received 88 of 100 frames"))
  }

  /// In lockstep a frame is old because it stood in the ring, not because it was slow to arrive.
  @Test func ageOfAFrameInLockstepIsItsTimeInTheQueue() {
    let text = SampleReports.subscriber(delivery: "lockstep").text
    #expect(text.contains("\nqueued             1.5 µs"))
    #expect(!text.contains("latency"))
  }

  @Test(arguments: [
    (SubscriberReportMessage.End.simDied, "ended because the sim died"),
    (.stopped, "ended by a signal"), (.dropped, "dropped by the sim"),
    (.failed, "could not go on"),
  ])
  func subscriberSaysWhyItEnded(end: SubscriberReportMessage.End, text: String) {
    let report = SampleReports.subscriber(ended: end)
    // The words wrap.
    let words = report.text.split(whereSeparator: { " \n".contains($0) }).joined(separator: " ")
    #expect(words.contains("; \(text) mean"))
    #expect(!report.simEnded)
  }

  @Test func subscriberWithoutFramesHasNoDurations() {
    var report = SampleReports.subscriber()
    (report.joinedAfter, report.published, report.received) = (0, 0, 0)
    #expect(
      report.text == """
        logger        received 0 of 0 frames; reading every, waiting futex; read to the
                      run's end
        """)
  }

  @Test(arguments: [0, 1, 10, 17, 18, 34, 35, 1000])
  func gapsFitATerminalAndTheRestIsCounted(count: Int) {
    let gaps = (0..<count).map { "\($0 % 100 + 100)-\($0 % 100 + 200)" }
    let lines = SampleReports.subscriber(missed: 50, gaps: gaps).text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= ReportText.width })
    let words = lines.joined(separator: " ").split(separator: " ")
    let shown = words.count { $0.wholeMatch(of: /\d+-\d+/) != nil }
    let rest = words.firstIndex(of: "more").map { Int(words[$0 - 1]) ?? -1 } ?? 0
    #expect(shown + rest == count)
  }

  @Test func linesWrapBetweenWords() {
    var report = ReportText()
    report.add("label", String(repeating: "word ", count: 30))
    report.add("a label of 14c", String(repeating: "x", count: 100) + " y")
    report.addWhole("", "a  b")
    #expect(
      report.lines == [
        "label         " + String(repeating: "word ", count: 13).dropLast(),
        "              " + String(repeating: "word ", count: 13).dropLast(),
        "              word word word word",
        "a label of 14c " + String(repeating: "x", count: 100),
        "              y",
        "              a  b",
      ])
  }

  @Test func reportComesBackFromItsLine() {
    for delivery in ["live", "lockstep"] {
      let report = SampleReports.subscriber(
        delivery: delivery, missed: 2, gaps: ["9-10"], files: ["a/b.mcap"])
      let line = ReportLine.encode(report, schema: SubscriberReportMessage.schema)
      #expect(line.hasPrefix("{\"schema\":\"orrery.subscriber.v2\",\""))
      #expect(!line.contains("\n"))
      #expect(!line.contains("\\/"))
      #expect(ReportLine.decode(line) == report)
    }
    #expect((ReportLine.decode("{}") as SubscriberReportMessage?) == nil)
  }

  @Test(arguments: [
    ("tick", "tick"), ("stateHash", "state_hash"), ("p999Ns", "p999_ns"),
    ("processID", "process_id"),
    ("elapsedSeconds", "elapsed_s"), ("seconds", "seconds"), ("bytesPerSecond", "bytes_per_second"),
    ("isFinal", "is_final"), ("reachedHz", "reached_hz"), ("", ""),
  ])
  func keysAreInSnakeCaseAndEndInTheirUnit(property: String, key: String) {
    #expect(ReportKey.document(property) == key)
    #expect(ReportKey.property(key) == property)
  }

  @Test func failureEndsTheProgramWithItsStatusAndOneLine() async {
    let result = await #expect(
      processExitsWith: .exitCode(75), observing: [\.standardErrorContent]
    ) {
      Failure(.nameTaken, "run 'a' is taken").exit(program: "sim")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("sim: run 'a' is taken\n"))
  }
}
