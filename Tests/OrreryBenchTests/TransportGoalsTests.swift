// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// Goals of transport are ratios the right way up, judged in the right sense.
///
/// Method: a report of rows by hand, whose figures give every goal a ratio of its own; the whole list of
/// goals, with what was wanted and what came of it, against a list by hand.
@Suite struct TransportGoalsTests {
  /// A row with a p50 of 100 ns times its factor, a p99 of 200, and a rate of 1000 a second.
  private func add(
    _ key: String, p50: Double = 100, p99: Double = 200, rate: UInt64 = 1000,
    to report: inout TransportReport
  ) {
    let row = HandMade.transport(key, .cost)
    var answer = HandMade.answer(received: rate)
    (answer.p50, answer.p99) = (p50, p99)
    row.take(answer)
    report.add(row)
  }

  private func lines(_ report: TransportReport) -> [String] {
    TransportGoals.all(report).map { goal in
      let measured = goal.measured.map { "\($0)" } ?? "-"
      return "\(goal.name) \(goal.sign)\(goal.wanted): \(measured), \(goal.verdict)"
    }
  }

  private func expect(_ found: [String], _ expected: [String]) {
    for (found, expected) in zip(found, expected) where found != expected {
      Issue.record("\(found), but \(expected) is right")
      break
    }
    #expect(found.count == expected.count)
  }

  @Test func latenciesAreHeldAgainstLimitsAndPeersAgainstOurs() {
    var report = TransportReport()
    add("line", to: &report)
    let bytes = [64, 4096, 65_536, 1_048_576, 16_777_216]
    for (index, bytes) in bytes.enumerated() {
      // p50 1, 1.5, 2, 2.5 and 3 times the line's; p99 2, 2.5, 3, 3.5 and 4 times.
      let step = Double(index) / 2
      add("spin/reader/\(bytes)", p50: 100 + 100 * step, p99: 400 + 200 * step, to: &report)
      add("spin/subscription/\(bytes)", p50: 100 + 100 * step, p99: 400 + 200 * step, to: &report)
    }
    add("futex", p50: 1000, to: &report)
    add("futex/subscription", p50: 1250, to: &report)
    add("zeromq-paced/ipc", p50: 1000, to: &report)
    add("zeromq/ipc", p50: 2000, to: &report)
    add("announcement/subscription", p50: 1500, to: &report)
    // Ours at these sizes: p50 100, 150 and 250, p99 400, 500 and 700.
    add("iceoryx/64", p50: 500, p99: 400, to: &report)
    add("iceoryx/4096", p50: 600, p99: 250, to: &report)
    add("iceoryx/1048576", p50: 1500, p99: 1400, to: &report)
    add("iceoryx2/64", p50: 1000, p99: 800, to: &report)
    let spinning = ["reader", "subscription"].flatMap { who in
      zip(["64 B", "4 KiB", "64 KiB", "1 MiB", "16 MiB"], 0..<5).flatMap { size, index in
        let (p50, p99) = (1 + Double(index) / 2, 2 + Double(index) / 2)
        return [
          "spin, \(who), \(size), by the line's p50 ≤ 2.0: \(p50), "
            + (index <= 2 ? "holds" : "missed"),
          "spin, \(who), \(size), by the line's p99 ≤ 3.0: \(p99), "
            + (index <= 2 ? "holds" : "missed"),
        ]
      }
    }
    let rest = [
      "futex, by the bare futex's p50 ≤ 1.3: 1.25, holds",
      "announcement, by libzmq's pair, paced, p50 ≤ 1.2: 1.5, missed",
      "announcement, by libzmq's pair, to and fro, p50 ≤ 1.2: 0.75, holds",
      "iceoryx, 64 B, by ours, p50 ≥ 5.0: 5.0, holds",
      "iceoryx, 64 B, by ours, p99 ≥ 1.0: 1.0, holds",
      "iceoryx, 4 KiB, by ours, p50 ≥ 5.0: 4.0, missed",
      "iceoryx, 4 KiB, by ours, p99 ≥ 1.0: 0.5, missed",
      "iceoryx, 1 MiB, by ours, p50 ≥ 5.0: 6.0, holds",
      "iceoryx, 1 MiB, by ours, p99 ≥ 1.0: 2.0, holds",
      "iceoryx2, 64 B, by ours, p50 ≥ 5.0: 10.0, holds",
      "iceoryx2, 64 B, by ours, p99 ≥ 1.0: 2.0, holds",
      "iceoryx2, 4 KiB, by ours, p50 ≥ 5.0: -, not measured",
    ]
    expect(Array(lines(report).prefix(32)), spinning + rest)
  }

  @Test func ratesAreByThoseOfRingsAndOfTheBestOfLibzmq() {
    var report = TransportReport()
    add("rate/handed/window/1", rate: 80, to: &report)
    add("ring/handed/window/1", rate: 100, to: &report)
    add("rate/handed/window/3", rate: 70, to: &report)
    add("ring/handed/window/3", rate: 100, to: &report)
    add("remote/4096", rate: 100, to: &report)
    add("throughput/4096", rate: 50, to: &report)
    add("inplace/4096", rate: 80, to: &report)
    add("remote/262144", rate: 95, to: &report)
    add("throughput/262144", rate: 100, to: &report)
    add("inplace/262144", rate: 80, to: &report)
    add("remote/4194304", rate: 50, to: &report)
    add("inplace/4194304", rate: 100, to: &report)
    add("throughput/16777216", rate: 100, to: &report)
    expect(
      Array(lines(report).dropFirst(35).prefix(6)),
      [
        "4 KiB handed over, 1 reading, by the ring ≥ 0.8: 0.8, holds",
        "4 KiB handed over, 3 reading, by the ring ≥ 0.8: 0.7, missed",
        "tcp, 4 KiB, by libzmq's best ≥ 0.95: 1.25, holds",
        "tcp, 256 KiB, by libzmq's best ≥ 0.95: 0.95, holds",
        "tcp, 4 MiB, by libzmq's best ≥ 0.95: 0.5, missed",
        "tcp, 16 MiB, by libzmq's best ≥ 0.95: -, not measured",
      ])
  }

  @Test func costsAreMicrosecondsOfTheSlowestSortOfSubscribers() {
    var report = TransportReport()
    add("cost/4096/spin/3/paced", p50: 500, to: &report)
    add("cost/4096/futex/3/paced", p50: 2000, to: &report)
    add("cost/4096/announcement/3/paced", p50: 1000, to: &report)
    add("cost/4096/futex/3/unpaced", p50: 9000, to: &report)
    add("cost/4096/futex/1/paced", p50: 9000, to: &report)
    add("cost/1048576/announcement/3/paced", p50: 2500, to: &report)
    expect(
      Array(lines(report).dropFirst(41)),
      [
        "publishing 4 KiB, 3 subscribers, p50, µs ≤ 2.0: 2.0, holds",
        "publishing 1 MiB, 3 subscribers, p50, µs ≤ 2.0: 2.5, missed",
        "publishing 16 MiB, 3 subscribers, p50, µs ≤ 2.0: -, not measured",
      ])
  }

  @Test func nothingIsMeasuredOfNothing() {
    let goals = TransportGoals.all(TransportReport())
    #expect(goals.count == 44)
    #expect(goals.allSatisfy { $0.measured == nil })
    #expect(goals.allSatisfy { $0.verdict == "not measured" })
    var report = TransportReport()
    add("line", p50: 0, to: &report)
    add("spin/reader/64", to: &report)
    #expect(TransportGoals.all(report).first?.measured == nil, "by nothing")
  }

  @Test func senseOfAGoalIsThatOfItsLimit() {
    func verdict(_ isLimit: Bool, _ measured: Double?) -> String {
      (isLimit ? BenchGoal("goal", atMost: 2, measured) : BenchGoal("goal", atLeast: 2, measured))
        .verdict
    }
    #expect(verdict(true, 1.99) == "holds")
    #expect(verdict(true, 2) == "holds")
    #expect(verdict(true, 2.01) == "missed")
    #expect(verdict(false, 1.99) == "missed")
    #expect(verdict(false, 2) == "holds")
    #expect(verdict(false, 2.01) == "holds")
    #expect(verdict(true, nil) == "not measured")
    #expect(verdict(false, nil) == "not measured")
  }
}
