// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// Everything that a run of `bench transport` found, as it is written to JSON.
struct TransportReport: Codable, BenchReport {
  var machine = KernelReport.Machine()
  /// The compiler of limits and peers.
  var compiler: String?
  var roundCount: Int
  /// What is not there, and why.
  var missing: [String]
  /// What two readings of the counter take, ns; taken off every latency.
  var counterNs = CounterScale().ownNs
  var rows: [Row] = []
  var goals: [Goal] = []

  /// A measured row: medians of its rounds.
  struct Row: Codable {
    let key: String
    let group: TransportRow.Group
    let subject: TransportRow.Subject
    let name: String
    let messageBytes: Int
    let readerCount: Int
    /// One way, ns; of a cost, of a frame.
    let p50: Double
    let p90: Double
    let p99: Double
    let max: Double
    /// Messages that a reader got whole, on average of the readers, in a second.
    let perSecond: Double
    let received: UInt64
    let missed: UInt64
    /// Of each round.
    let p50Rounds: [Double]
    let p99Rounds: [Double]
    let perSecondRounds: [Double]
    /// Why it ended early.
    let failure: String?

    var bytesPerSecond: Double { perSecond * Double(messageBytes) }
  }

  /// One of the goals that are set for Orrery's transport.
  struct Goal: Codable {
    let name: String
    let wanted: Double
    /// Whether more is worse.
    let isLimit: Bool
    let measured: Double?

    var verdict: String {
      guard let measured else { return "not measured" }
      return (isLimit ? measured <= wanted : measured >= wanted) ? "holds" : "missed"
    }
  }

  /// Adds what a row came to.
  mutating func add(_ row: TransportRow) {
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
    rows.append(
      Row(
        key: row.key, group: row.group, subject: row.subject, name: row.name,
        messageBytes: row.messageBytes, readerCount: row.readerCount,
        p50: median(answers.map(\.p50)), p90: median(answers.map(\.p90)),
        p99: median(answers.map(\.p99)), max: answers.map(\.max).max() ?? 0,
        perSecond: median(rates), received: answers.reduce(0) { $0 + $1.received },
        missed: answers.reduce(0) { $0 + $1.missed }, p50Rounds: answers.map(\.p50),
        p99Rounds: answers.map(\.p99), perSecondRounds: rates, failure: row.failure))
  }

  /// The row of a key, if it was measured.
  func row(_ key: String) -> Row? { rows.first { $0.key == key && !$0.p50Rounds.isEmpty } }
}
