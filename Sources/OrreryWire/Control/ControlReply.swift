// SPDX-License-Identifier: Apache-2.0

import OrreryDocument

/// The reply to a request.
package enum ControlReply: Equatable, Sendable {
  /// The request was done: fields of the reply, and message parts that follow.
  case done([String: DocumentValue] = [:], attachments: [[UInt8]] = [])
  /// The request was not done: the reason.
  case refused(String)

  /// Encodes the reply.
  ///
  /// - Parameters:
  ///   - id: The request's ID; nil if it could not be read.
  ///   - details: Further fields of a refusal, for programs.
  /// - Returns: `{"id":7,"ok":true,…}` or `{"id":7,"ok":false,"reason":"…",…}`.
  package func json(id: Int64?, details: [String: DocumentValue] = [:]) -> [UInt8] {
    var fields: [String: DocumentValue]
    switch self {
    case .done(let result, _):
      fields = result
      fields["ok"] = .bool(true)
    case .refused(let reason):
      fields = details
      fields["ok"] = .bool(false)
      fields["reason"] = .string(reason)
    }
    if let id { fields["id"] = .integer(id) }
    return fields.json
  }
}

/// Handles requests to the sim itself.
package protocol ControlHandler: AnyObject, Sendable {
  /// Handles a request, now or later.
  ///
  /// Called on the wire's thread; it must not block.
  ///
  /// - Parameters:
  ///   - request: Any verb but `join`, `leave` and `progress`.
  ///   - answer: To be called once, on any thread, at any time.
  func handle(
    _ request: ControlRequest, answer: @escaping @Sendable (ControlReply) -> Void)
}
