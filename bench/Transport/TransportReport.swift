// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// Everything that a run of `bench transport` found, as it is written to JSON.
package struct TransportReport: Codable, BenchReport {
  /// What the run was on.
  package var machine = KernelReport.Machine()
  /// The compiler of limits and peers.
  package var compiler: String?
  /// Rounds of each row.
  package var roundCount: Int
  /// What is not there, and why.
  package var missing: [String]
  /// What two readings of the counter take, ns; taken off every latency.
  package var counterNs: Double
  /// All rows, group after group.
  package var rows: [Row] = []
  /// The goals, judged.
  package var goals: [Goal] = []

  /// A report without rows.
  package init(
    machine: KernelReport.Machine = .init(), compiler: String?, roundCount: Int, missing: [String],
    counterNs: Double = CounterScale().ownNs
  ) {
    (self.machine, self.compiler, self.roundCount) = (machine, compiler, roundCount)
    (self.missing, self.counterNs) = (missing, counterNs)
  }

  /// A measured row: medians of its rounds.
  package struct Row: Codable {
    /// What goals ask for it by.
    package let key: String
    /// What it is compared with.
    package let group: TransportRow.Group
    /// Whose row it is.
    package let subject: TransportRow.Subject
    /// In words of the table.
    package let name: String
    /// Bytes of a message.
    package let messageBytes: Int
    /// Readers, each a process.
    package let readerCount: Int
    /// One way, ns; of a cost, of a frame.
    package let p50: Double
    /// Of ten, the ninth.
    package let p90: Double
    /// Of a hundred, the ninety-ninth.
    package let p99: Double
    /// The longest.
    package let max: Double
    /// Messages that a reader got whole, on average of the readers, in a second.
    package let perSecond: Double
    /// Messages that all readers got whole.
    package let received: UInt64
    /// Messages that went by.
    package let missed: UInt64
    /// Of each round.
    package let p50Rounds: [Double]
    /// The p99 of each round.
    package let p99Rounds: [Double]
    /// The rate of each round.
    package let perSecondRounds: [Double]
    /// How messages were handed over, as its program said.
    package let way: HandoverWay?
    /// How often readers went to sleep; nil where nobody looked.
    package let slept: UInt64?
    /// Why it ended early.
    package let failure: String?

    /// At its best.
    package var bytesPerSecond: Double { perSecond * Double(messageBytes) }
  }

  /// One of the goals that are set for Orrery's transport.
  package struct Goal: Codable {
    /// What is to be reached.
    package let name: String
    /// The figure to reach.
    package let wanted: Double
    /// Whether more is worse.
    package let isLimit: Bool
    /// The figure that was reached; nil where rows are missing.
    package let measured: Double?

    /// A goal and what came of it.
    package init(name: String, wanted: Double, isLimit: Bool, measured: Double?) {
      (self.name, self.wanted) = (name, wanted)
      (self.isLimit, self.measured) = (isLimit, measured)
    }

    /// Whether it holds, in a word or two.
    package var verdict: String {
      guard let measured else { return "not measured" }
      return (isLimit ? measured <= wanted : measured >= wanted) ? "holds" : "missed"
    }
  }

  /// Adds what a row came to.
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

  /// The row of a key, if it was measured.
  package func row(_ key: String) -> Row? { rows.first { $0.key == key && !$0.p50Rounds.isEmpty } }
}
