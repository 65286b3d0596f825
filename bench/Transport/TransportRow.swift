// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// A way to hand messages over, and what its rounds came to.
final class TransportRow {
  /// Who it is.
  enum Subject: String, Codable {
    case ours, peer, limit
  }

  /// What is compared with each other; rows of a group take turns.
  enum Group: String, Codable, CaseIterable {
    case spin, wake, rate, remote, cost

    var title: String {
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
  let key: String
  let group: Group
  let subject: Subject
  /// In words of the table.
  let name: String
  let messageBytes: Int
  let readerCount: Int

  private let launch: HandoverProgram.Launch
  private let request: HandoverRequest
  private var program: HandoverProgram?

  private(set) var answers: [HandoverAnswer] = []

  /// Why there are none, or no more.
  private(set) var failure: String?

  init(
    _ key: String, _ group: Group, _ subject: Subject, _ name: String, bytes: Int, readers: Int = 1,
    launch: HandoverProgram.Launch, request: HandoverRequest
  ) {
    (self.key, self.group, self.subject, self.name) = (key, group, subject, name)
    (messageBytes, readerCount) = (bytes, readers)
    (self.launch, self.request) = (launch, request)
  }

  /// Starts the program; it sleeps until its first round.
  func start() {
    do throws(Failure) {
      program = try HandoverProgram(launch)
      // Whoever is late, and pages that were not touched yet, are nobody's latency.
      _ = program?.ask(HandoverRequest(count: min(request.count, 64), pauseNs: request.pauseNs))
    } catch {
      failure = error.description
    }
  }

  /// Measures one round; a program that failed is not asked again.
  func measure() {
    guard failure == nil, let program else { return }
    let answer = program.ask(request)
    if let error = answer.error {
      failure = error
      stop()
    } else {
      answers.append(answer)
    }
  }

  func stop() {
    program?.stop()
    program = nil
  }
}
