// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// A way to hand messages over, and what its rounds came to.
package final class TransportRow {
  /// Who it is.
  package enum Subject: String, Codable {
    case ours, peer, limit
  }

  /// What is compared with each other; rows of a group take turns.
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

  /// What goals ask for it by.
  package let key: String
  /// What it is compared with.
  package let group: Group
  /// Whose row it is.
  package let subject: Subject
  /// In words of the table.
  package let name: String
  /// Bytes of a message.
  package let messageBytes: Int
  /// Readers, each a process.
  package let readerCount: Int

  /// What its program has to say that it did.
  package let way: HandoverWay
  /// What is started.
  package let launch: HandoverProgram.Launch
  /// What each round asks for.
  package let request: HandoverRequest
  private var program: HandoverProgram?

  /// What its rounds came to.
  package private(set) var answers: [HandoverAnswer] = []

  /// Why there are none, or no more.
  package private(set) var failure: String?

  /// A row that has not been started.
  ///
  /// - Parameters:
  ///   - key: What goals ask for it by.
  ///   - group: What it is compared with.
  ///   - subject: Who it is.
  ///   - way: What its program has to say that it did.
  ///   - name: In words of the table.
  ///   - bytes: Of a message.
  ///   - readers: Each a process.
  ///   - launch: What is started.
  ///   - request: What each round asks for.
  package init(
    _ key: String, _ group: Group, _ subject: Subject, _ way: HandoverWay, _ name: String,
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
      // Whoever is late, and pages that were not touched yet, are nobody's latency.
      _ = program?.ask(HandoverRequest(count: min(request.count, 64), pauseNs: request.pauseNs))
    } catch {
      failure = error.description
    }
  }

  /// Measures one round; a program that failed is not asked again.
  package func measure() {
    guard failure == nil, let program else { return }
    take(program.ask(request))
    if failure != nil { stop() }
  }

  /// Takes what a round came to; an answer of something else than the row's way is none.
  package func take(_ answer: HandoverAnswer) {
    failure = answer.error ?? contradiction(answer)
    if failure == nil { answers.append(answer) }
  }

  /// What an answer says against the row's label; nil if nothing.
  private func contradiction(_ answer: HandoverAnswer) -> String? {
    guard answer.way == way else {
      return "the row is «\(way.rawValue)», its program did «\(answer.way?.rawValue ?? "nothing")»"
    }
    guard group == .spin || group == .wake else { return nil }
    guard let slept = answer.slept else {
      return "its program does not say how often readers slept"
    }
    // Readers that sleep do so at nearly every message, and those that spin at nearly none.
    let sleeps = slept >= answer.received / Self.sleepersPart
    if sleeps == (group == .wake) { return nil }
    return "readers of «\(way.rawValue)» slept \(slept) times in \(answer.received) messages"
  }

  /// From a quarter of the messages on, readers count as sleeping.
  private static let sleepersPart: UInt64 = 4

  /// Ends the program.
  package func stop() {
    program?.stop()
    program = nil
  }
}
