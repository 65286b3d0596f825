// SPDX-License-Identifier: Apache-2.0

/// Goals of Orrery's transport on any machine: ratios to limits and peers of the same run.
package enum TransportGoals {
  /// Compares the measured rows with the goals; a goal whose rows are missing stays unmeasured.
  package static func all(_ report: TransportReport) -> [TransportReport.Goal] {
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

  private static func spinning(_ report: TransportReport) -> [TransportReport.Goal] {
    var goals: [TransportReport.Goal] = []
    for who in ["reader", "subscription"] {
      for bytes in TransportRows.spinBytes {
        let key = "spin/\(who)/\(bytes)"
        let name = "spin, \(who), \(TransportRows.size(bytes)), by the line's"
        goals += [
          .init(
            name: name + " p50", wanted: 2, isLimit: true,
            measured: ratio(report, key, "line", \.p50)),
          .init(
            name: name + " p99", wanted: 3, isLimit: true,
            measured: ratio(report, key, "line", \.p99)),
        ]
      }
    }
    return goals
  }

  private static func sleeping(_ report: TransportReport) -> [TransportReport.Goal] {
    [
      .init(
        name: "futex, by the bare futex's p50", wanted: 1.3, isLimit: true,
        measured: ratio(report, "futex/subscription", "futex", \.p50)),
      .init(
        name: "announcement, by libzmq's pair, paced, p50", wanted: 1.2, isLimit: true,
        measured: ratio(report, "announcement/subscription", "zeromq-paced/ipc", \.p50)),
      .init(
        name: "announcement, by libzmq's pair, to and fro, p50", wanted: 1.2, isLimit: true,
        measured: ratio(report, "announcement/subscription", "zeromq/ipc", \.p50)),
    ]
  }

  private static func peers(_ report: TransportReport) -> [TransportReport.Goal] {
    var goals: [TransportReport.Goal] = []
    for peer in ["iceoryx", "iceoryx2"] {
      for bytes in TransportRows.peerBytes {
        let (key, ours) = ("\(peer)/\(bytes)", "spin/subscription/\(bytes)")
        goals += [
          .init(
            name: "\(peer), \(TransportRows.size(bytes)), by ours, p50", wanted: 5, isLimit: false,
            measured: ratio(report, key, ours, \.p50)),
          .init(
            name: "\(peer), \(TransportRows.size(bytes)), by ours, p99", wanted: 1, isLimit: false,
            measured: ratio(report, key, ours, \.p99)),
        ]
      }
    }
    return goals
  }

  private static func rates(_ report: TransportReport) -> [TransportReport.Goal] {
    var goals = [1, 3].map { readers in
      TransportReport.Goal(
        name: "4 KiB handed over, \(readers) reading, by the ring", wanted: 0.8, isLimit: false,
        measured: ratio(
          report, "rate/handed/window/\(readers)", "ring/handed/window/\(readers)", \.perSecond))
    }
    for bytes in TransportRows.remoteBytes {
      let ours = report.row("remote/\(bytes)")?.perSecond
      let best = ["throughput", "inplace"].compactMap { report.row("\($0)/\(bytes)")?.perSecond }
        .max()
      goals.append(
        .init(
          name: "tcp, \(TransportRows.size(bytes)), by libzmq's best", wanted: 0.95, isLimit: false,
          measured: ours.flatMap { ours in best.map { ours / $0 } }))
    }
    return goals
  }

  private static func costs(_ report: TransportReport) -> [TransportReport.Goal] {
    TransportRows.costBytes.map { bytes in
      let rows = ["spin", "futex", "announcement"].compactMap {
        report.row("cost/\(bytes)/\($0)/3/paced")
      }
      return .init(
        name: "publishing \(TransportRows.size(bytes)), 3 subscribers, p50, µs", wanted: 2,
        isLimit: true,
        measured: rows.map { $0.p50 / 1000 }.max())
    }
  }
}
