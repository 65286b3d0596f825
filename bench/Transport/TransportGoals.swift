// SPDX-License-Identifier: Apache-2.0

/// Goals of Orrery's transport on any machine: ratios to limits and peers of the same run.
package enum TransportGoals {
  /// Compares the measured rows with the goals; a goal whose rows are missing stays unmeasured.
  package static func all(_ report: TransportReport) -> [BenchGoal] {
    spinning(report) + sleeping(report) + peers(report) + rates(report) + costs(report)
  }

  /// A figure of one row, divided by that of another.
  private static func ratio(
    _ report: TransportReport, _ over: String, _ under: String,
    _ figure: KeyPath<TransportReport.Row, Double>
  ) -> Double? {
    guard let over = report.row(over)?[keyPath: figure],
      let under = report.row(under)?[keyPath: figure], under > 0
    else { return nil }
    return over / under
  }

  private static func spinning(_ report: TransportReport) -> [BenchGoal] {
    ["reader", "subscription"].flatMap { who in
      TransportRows.spinBytes.flatMap { bytes in
        let key = "spin/\(who)/\(bytes)"
        let name = "spin, \(who), \(TextTable.size(bytes)), by the line's"
        return [
          BenchGoal(name + " p50", atMost: 2, ratio(report, key, "line", \.p50)),
          BenchGoal(name + " p99", atMost: 3, ratio(report, key, "line", \.p99)),
        ]
      }
    }
  }

  private static func sleeping(_ report: TransportReport) -> [BenchGoal] {
    [
      BenchGoal(
        "futex, by the bare futex's p50", atMost: 1.3,
        ratio(report, "futex/subscription", "futex", \.p50)),
      BenchGoal(
        "announcement, by libzmq's pair, paced, p50", atMost: 1.2,
        ratio(report, "announcement/subscription", "zeromq-paced/ipc", \.p50)),
      BenchGoal(
        "announcement, by libzmq's pair, to and fro, p50", atMost: 1.2,
        ratio(report, "announcement/subscription", "zeromq/ipc", \.p50)),
    ]
  }

  private static func peers(_ report: TransportReport) -> [BenchGoal] {
    ["iceoryx", "iceoryx2"].flatMap { peer in
      TransportRows.peerBytes.flatMap { bytes in
        let (key, ours) = ("\(peer)/\(bytes)", "spin/subscription/\(bytes)")
        let name = "\(peer), \(TextTable.size(bytes)), by ours"
        return [
          BenchGoal(name + ", p50", atLeast: 5, ratio(report, key, ours, \.p50)),
          BenchGoal(name + ", p99", atLeast: 1, ratio(report, key, ours, \.p99)),
        ]
      }
    }
  }

  private static func rates(_ report: TransportReport) -> [BenchGoal] {
    let handed = [1, 3].map { readers in
      BenchGoal(
        "4 KiB handed over, \(readers) reading, by the ring", atLeast: 0.8,
        ratio(
          report, "rate/handed/window/\(readers)", "ring/handed/window/\(readers)", \.perSecond))
    }
    let remote = TransportRows.remoteBytes.map { bytes in
      let ours = report.row("remote/\(bytes)")?.perSecond
      let best = ["throughput", "inplace"].compactMap { report.row("\($0)/\(bytes)")?.perSecond }
        .max()
      return BenchGoal(
        "tcp, \(TextTable.size(bytes)), by libzmq's best", atLeast: 0.95,
        ours.flatMap { ours in best.map { ours / $0 } })
    }
    return handed + remote
  }

  private static func costs(_ report: TransportReport) -> [BenchGoal] {
    TransportRows.costBytes.map { bytes in
      let rows = ["spin", "futex", "announcement"].compactMap {
        report.row("cost/\(bytes)/\($0)/3/paced")
      }
      return BenchGoal(
        "publishing \(TextTable.size(bytes)), 3 subscribers, p50, µs", atMost: 2,
        rows.map { $0.p50 / 1000 }.max())
    }
  }
}
