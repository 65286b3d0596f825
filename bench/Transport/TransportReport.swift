// SPDX-License-Identifier: Apache-2.0

/// All results of a run of `bench transport`, as written to JSON.
package struct TransportReport: BenchReport {
  package static let area = "transport"

  /// The machine of the run.
  package var machine: BenchMachine
  /// The compiler of limits and peers.
  package var compiler: String?
  /// Rounds of each row.
  package var roundCount: Int
  /// Missing programs, with the reason.
  package var missing: [String]
  /// Time between two readings of the counter, ns; subtracted from every latency.
  package var counterNs: Double
  /// All rows, group after group.
  package var rows: [Row] = []
  /// The goals, judged.
  package var goals: [BenchGoal] = []

  /// A report without rows.
  package init(
    machine: BenchMachine = BenchMachine(), compiler: String?, roundCount: Int, missing: [String],
    counterNs: Double = CounterScale().ownNs
  ) {
    (self.machine, self.compiler, self.roundCount) = (machine, compiler, roundCount)
    (self.missing, self.counterNs) = (missing, counterNs)
  }

  /// A measured row: medians of its rounds.
  package struct Row: Encodable {
    /// The key by which goals find the row.
    package let key: String
    /// The rows that it is compared with.
    package let group: TransportRow.Group
    /// Orrery, a peer or a limit.
    package let subject: BenchRow.Subject
    /// The name in the table.
    package let name: String
    /// Bytes of a message.
    package let messageBytes: Int
    /// Readers, each a process.
    package let readerCount: Int
    /// Median latency one way, ns; in the group `cost`, time per frame.
    package let p50: Double
    /// The 90th percentile, ns.
    package let p90: Double
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
    /// The rate of each round.
    package let perSecondRounds: [Double]
    /// How messages were handed over, as the program reports it.
    package let way: HandoverWay?
    /// Count of the readers' sleeps; nil if not counted.
    package let slept: UInt64?
    /// Why it ended early.
    package let failure: String?

    /// Keys name the unit; the table's heading does it for the columns.
    private enum CodingKeys: String, CodingKey {
      case key, group, subject, name, messageBytes, readerCount
      case p50 = "p50Ns"
      case p90 = "p90Ns"
      case p99 = "p99Ns"
      case max = "maxNs"
      case perSecond, received, missed
      case p50Rounds = "p50RoundsNs"
      case p99Rounds = "p99RoundsNs"
      case perSecondRounds, way, slept, failure
    }

    /// Bytes per second and reader.
    package var bytesPerSecond: Double { perSecond * Double(messageBytes) }
  }

  /// Adds the results of a row.
  package mutating func add(_ row: TransportRow) {
    let answers = row.answers
    let median = { (values: [Double]) in
      var rounds = Rounds()
      for value in values { rounds.add(value) }
      return rounds.median
    }
    let rates = answers.map { answer in
      answer.seconds > 0
        ? Double(answer.received) / Double(Swift.max(row.readerCount, 1)) / answer.seconds : 0
    }
    let slept = answers.compactMap(\.slept)
    rows.append(
      Row(
        key: row.key, group: row.group, subject: row.subject, name: row.name,
        messageBytes: row.messageBytes, readerCount: row.readerCount,
        p50: median(answers.map(\.p50)), p90: median(answers.map(\.p90)),
        p99: median(answers.map(\.p99)), max: answers.map(\.max).max() ?? 0,
        perSecond: median(rates), received: answers.reduce(0) { $0 + $1.received },
        missed: answers.reduce(0) { $0 + $1.missed }, p50Rounds: answers.map(\.p50),
        p99Rounds: answers.map(\.p99), perSecondRounds: rates, way: answers.first?.way,
        slept: slept.isEmpty ? nil : slept.reduce(0, +), failure: row.failure))
  }

  /// The row with a key; nil if it was not measured.
  package func row(_ key: String) -> Row? { rows.first { $0.key == key && !$0.p50Rounds.isEmpty } }
}
