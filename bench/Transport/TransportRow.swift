// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// A way to hand messages over, and the results of its rounds.
package final class TransportRow {
  /// Rows that are compared with each other; they take turns.
  package enum Group: String, Codable, CaseIterable {
    case spin, wake, rate, remote, cost

    /// The heading of its table.
    package var title: String {
      switch self {
      case .spin: "one way, spinning"
      case .wake: "one way, the reader sleeps"
      case .rate: "frames per second on this machine"
      case .remote: "frames per second over tcp loopback"
      case .cost: "what publishing costs the sim's thread"
      }
    }
  }

  /// The key by which goals find the row.
  package let key: String
  /// The rows that it is compared with.
  package let group: Group
  /// Orrery, a peer or a limit.
  package let subject: StudyRow.Subject
  /// The name in the table.
  package let name: String
  /// Bytes of a message.
  package let messageBytes: Int
  /// Readers, each a process.
  package let readerCount: Int

  /// The way that its program must report.
  package let way: HandoverWay
  /// The program to start.
  package let launch: HandoverProgram.Launch
  /// The request of each round.
  package let request: HandoverRequest
  private var program: HandoverProgram?

  /// The results of its rounds.
  package private(set) var answers: [HandoverAnswer] = []

  /// Why there are no results, or no more.
  package private(set) var failure: String?

  /// A row that has not been started.
  ///
  /// - Parameters:
  ///   - key: The key by which goals find the row.
  ///   - group: The rows that it is compared with.
  ///   - subject: Orrery, a peer or a limit.
  ///   - way: The way that its program must report.
  ///   - name: The name in the table.
  ///   - bytes: Bytes of a message.
  ///   - readers: Count of readers, each a process.
  ///   - launch: The program to start.
  ///   - request: The request of each round.
  package init(
    _ key: String, _ group: Group, _ subject: StudyRow.Subject, _ way: HandoverWay, _ name: String,
    bytes: Int, readers: Int = 1, launch: HandoverProgram.Launch, request: HandoverRequest
  ) {
    (self.key, self.group, self.subject, self.name) = (key, group, subject, name)
    (messageBytes, readerCount) = (bytes, readers)
    (self.way, self.launch, self.request) = (way, launch, request)
  }

  /// Starts the program; it sleeps until its first round.
  package func start() {
    do throws(Failure) {
      program = try HandoverProgram(launch)
      // A short round first: late starts and untouched pages must not count as latency.
      _ = program?.ask(HandoverRequest(count: min(request.count, 64), pauseNs: request.pauseNs))
    } catch {
      failure = error.description
    }
  }

  /// Measures one round; a program that failed is not asked again.
  ///
  /// A round whose number of sleeps contradicts the row's label does not count. On a busy machine readers
  /// come too late to sleep, or cannot spin: the round is repeated, `attemptsMax` times in all.
  package func measure() {
    guard failure == nil, let program else { return }
    var answer = program.ask(request)
    for _ in 1..<Self.attemptsMax where answer.error == nil && wrongSleeps(answer) != nil {
      answer = program.ask(request)
    }
    take(answer)
    if failure != nil { stop() }
  }

  /// Attempts at one round.
  package static let attemptsMax = 4

  /// Takes the answer of a round; an answer with another way than the row's is a failure.
  package func take(_ answer: HandoverAnswer) {
    failure = answer.error ?? contradiction(answer)
    if failure == nil { answers.append(answer) }
  }

  /// How an answer contradicts the row's label; nil if it does not.
  private func contradiction(_ answer: HandoverAnswer) -> String? {
    guard answer.way == way else {
      return "the row is «\(way.rawValue)», its program did «\(answer.way?.rawValue ?? "nothing")»"
    }
    return wrongSleeps(answer)
  }

  /// How the number of sleeps contradicts the row's group; nil if it does not.
  private func wrongSleeps(_ answer: HandoverAnswer) -> String? {
    guard group == .spin || group == .wake else { return nil }
    guard let slept = answer.slept else {
      return "its program does not say how often readers slept"
    }
    // Readers that wait by sleeping sleep for nearly every message, spinning ones for nearly none.
    let sleeps = slept >= answer.received / Self.sleepingDivisor
    if sleeps == (group == .wake) { return nil }
    return "readers of «\(way.rawValue)» slept \(slept) times in \(answer.received) messages"
  }

  /// Readers that sleep for at least a quarter of the messages count as sleeping.
  private static let sleepingDivisor: UInt64 = 4

  /// Ends the program.
  package func stop() {
    program?.stop()
    program = nil
  }
}
