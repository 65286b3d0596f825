// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrreryPublisher
import OrreryWire
import TestSupport
import Testing

/// Asks a run's queue as the wire's thread does.
struct CommandQueueClient: Sendable {
  let queue: CommandQueue

  /// Asks and goes on; the reply is there once `wait` returns.
  func post(_ verb: ControlVerb, _ fields: [String: DocumentValue] = [:]) -> PostedRequest {
    let posted = PostedRequest(verb)
    queue.handle(ControlRequest(verb: verb, id: 1, fields: fields)) { posted.answer($0) }
    return posted
  }

  /// Asks and waits for the reply.
  func ask(_ verb: ControlVerb, _ fields: [String: DocumentValue] = [:]) -> ControlReply {
    post(verb, fields).wait()
  }

  /// Asks for what is not refused.
  @discardableResult
  func done(
    _ verb: ControlVerb, _ fields: [String: DocumentValue] = [:]
  ) -> [String: DocumentValue] {
    switch ask(verb, fields) {
    case .done(let said, _): return said
    case .refused(let reason):
      Issue.record("\(verb): \(reason)")
      return [:]
    }
  }

  /// Asks for what is refused.
  func reason(_ verb: ControlVerb, _ fields: [String: DocumentValue] = [:]) -> String {
    switch ask(verb, fields) {
    case .done(let said, _):
      Issue.record("\(verb): \(said)")
      return ""
    case .refused(let reason): return reason
    }
  }
}

/// A request that was made, and its answer.
final class PostedRequest: Sendable {
  private let verb: ControlVerb
  private let replies = Monitor<[ControlReply]>([])

  init(_ verb: ControlVerb) { self.verb = verb }

  func answer(_ reply: ControlReply) { replies.change { $0.append(reply) } }

  /// How often it was answered.
  var answerCount: Int { replies.read { $0.count } }

  /// Waits for the first answer; one that does not come is a refusal that says so.
  func wait(seconds: Double = patienceSeconds) -> ControlReply {
    let reply = replies.wait(atMostNs: UInt64(seconds * 1e9)) { $0.first }
    if reply == nil { Issue.record("waited \(seconds) s for the answer to \(verb)") }
    return reply ?? .refused("not answered")
  }
}

extension [String: DocumentValue] {
  func count(_ key: String) -> UInt64? {
    if case .integer(let value) = self[key] { UInt64(exactly: value) } else { nil }
  }

  func string(_ key: String) -> String? {
    if case .string(let value) = self[key] { value } else { nil }
  }
}
