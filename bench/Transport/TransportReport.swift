// SPDX-License-Identifier: Apache-2.0

/// What `bench transport` measured, as its goals and its plot need it.
package struct TransportReport {
  /// All rows, group after group.
  package var rows: [Row] = []

  /// A report without rows.
  package init() {}

  /// A measured row: medians of its rounds.
  package struct Row {
    /// The key by which goals find the row.
    package let key: String
    /// The rows that it is compared with.
    package let group: TransportRow.Group
    /// Orrery, a peer or a limit.
    package let subject: StudyRow.Subject
    /// The name in the table.
    package let name: String
    /// Bytes of a message.
    package let messageBytes: Int
    /// Median latency one way, ns; in the group `cost`, time per frame.
    package let p50: Double
    /// The 99th percentile, ns.
    package let p99: Double
    /// The longest, ns.
    package let max: Double
    /// Whole messages per second and reader, averaged over readers.
    package let perSecond: Double
    /// Whole messages that all readers together received.
    package let received: UInt64
    /// Messages that all readers together missed.
    package let missed: UInt64
    /// The p50 of each round.
    package let p50Rounds: [Double]
    /// The p99 of each round.
    package let p99Rounds: [Double]
    /// The longest of each round.
    package let maxRounds: [Double]
    /// The rate of each round.
    package let perSecondRounds: [Double]
    /// Why it ended early.
    package let failure: String?

    /// Bytes per second and reader.
    package var bytesPerSecond: Double { perSecond * Double(messageBytes) }

    /// Its line in the table of its group.
    package var studyRows: [StudyRow] {
      let isRate = group == .rate || group == .remote
      let all = Double(received + missed)
      let figures: [(name: String, unit: String, samples: [Double])] =
        isRate
        ? [
          ("M/s", "M/s", perSecondRounds.map { $0 / 1e6 }),
          ("GB/s", "GB/s", perSecondRounds.map { $0 * Double(messageBytes) / 1e9 }),
          ("missed %", "%", all > 0 ? [Double(missed) / all * 100] : []),
        ]
        : [
          ("p50", "ns", p50Rounds), ("p99", "ns", p99Rounds), ("max", "ns", maxRounds),
        ]
      return figures.map { figure in
        // Between two readings of the counter a latency may be less than the reading itself.
        var row = StudyRow(
          .init(group.title, name, figure.name), unit: figure.unit,
          better: isRate && figure.unit != "%" ? .larger : .smaller,
          figure.samples.map { Swift.max($0, 0) }, subject: subject)
        if figure.name == figures[0].name, let failure {
          row.doubts = [p50Rounds.isEmpty ? failure : "ended early: \(failure)"]
        }
        return row
      }
    }
  }

  /// Adds the results of a row.
  package mutating func add(_ row: TransportRow) {
    let answers = row.answers
    let median = SampleSummary.median
    let rates = answers.map { answer in
      answer.seconds > 0
        ? Double(answer.received) / Double(Swift.max(row.readerCount, 1)) / answer.seconds : 0
    }
    rows.append(
      Row(
        key: row.key, group: row.group, subject: row.subject, name: row.name,
        messageBytes: row.messageBytes,
        p50: median(answers.map(\.p50)), p99: median(answers.map(\.p99)),
        max: answers.map(\.max).max() ?? 0,
        perSecond: median(rates), received: answers.reduce(0) { $0 + $1.received },
        missed: answers.reduce(0) { $0 + $1.missed }, p50Rounds: answers.map(\.p50),
        p99Rounds: answers.map(\.p99), maxRounds: answers.map(\.max), perSecondRounds: rates,
        failure: row.failure))
  }

  /// The row with a key; nil if it was not measured.
  package func row(_ key: String) -> Row? { rows.first { $0.key == key && !$0.p50Rounds.isEmpty } }
}
