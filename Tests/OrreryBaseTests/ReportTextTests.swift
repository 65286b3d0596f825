// SPDX-License-Identifier: Apache-2.0

import OrreryBase
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

  private static func report(missed: UInt64, gaps: [String]) -> SubscriberReportMessage {
    var histogram = Histogram()
    histogram.record(1_500)
    return SubscriberReportMessage(
      program: "logger", run: "demo/\"x\"", joinedAfter: 7, published: 100,
      received: 100 - missed, missed: missed, gaps: gaps, latency: DurationReport(histogram),
      use: DurationReport(histogram), simEnded: true, files: ["a/b.mcap"])
  }

  @Test func subscriberTextTellsWhatWasMissed() {
    #expect(
      Self.report(missed: 0, gaps: []).text == """
        logger     received 100 of 100, missed 0
                   use p50 1.5 µs, p99 1.5 µs, max 1.5 µs
                   latency p50 1.5 µs, p99 1.5 µs, max 1.5 µs
        """)
    let some = Self.report(missed: 12, gaps: (1...10).map { "\($0 * 4)" }).text
    #expect(some.contains("missed 12\n           4 8 12 16 20 24 28 32 36 40\n"))
  }

  @Test(arguments: [0, 1, 10, 17, 18, 34, 35, 1000])
  func gapsFitATerminalAndTheRestIsCounted(count: Int) {
    let gaps = (0..<count).map { "\($0 % 100 + 100)-\($0 % 100 + 200)" }
    let lines = Self.report(missed: 50, gaps: gaps).text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    let shown = lines.dropFirst().prefix { $0.contains("-") }
    let shownCount = shown.reduce(0) { $0 + $1.split(separator: " ").count { $0.contains("-") } }
    let rest = shown.last?.split(separator: " ").suffix(3).first.flatMap { Int($0) } ?? 0
    #expect(shownCount + rest == count)
  }

  @Test func reportComesBackFromItsLine() {
    let report = Self.report(missed: 2, gaps: ["9-10"])
    let line = ReportLine.encode(report, schema: "orrery.subscriber.1")
    #expect(line.hasPrefix("{\"schema\":\"orrery.subscriber.1\",\""))
    #expect(!line.contains("\n"))
    #expect(!line.contains("\\/"))
    #expect(ReportLine.decode(line) == report)
    #expect((ReportLine.decode("{}") as SubscriberReportMessage?) == nil)
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
