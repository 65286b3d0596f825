// SPDX-License-Identifier: Apache-2.0

/// The answer to a request.
package enum ControlReply: Equatable, Sendable {
  /// Done; what there is to say, and message parts that follow.
  case done([String: ControlValue] = [:], attachments: [[UInt8]] = [])
  /// Not done, and why.
  case refused(String)

  /// Encodes the answer.
  ///
  /// - Parameters:
  ///   - id: Of the request; nil if it could not be read.
  ///   - details: Of a refusal, for a program.
  /// - Returns: `{"id":7,"ok":true,…}` or `{"id":7,"ok":false,"reason":"…",…}`.
  package func json(id: Int64?, details: [String: ControlValue] = [:]) -> [UInt8] {
    var fields: [String: ControlValue]
    switch self {
    case .done(let said, _):
      fields = said
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

/// What does the requests that are about the sim itself.
package protocol ControlHandler: AnyObject, Sendable {
  /// Does a request, now or later.
  ///
  /// Called on the wire's thread and must not keep it waiting.
  ///
  /// - Parameters:
  ///   - request: Any verb but `join`, `leave` and `progress`.
  ///   - answer: To be called once, from any thread, at any time.
  func handle(
    _ request: ControlRequest, answer: @escaping @Sendable (ControlReply) -> Void)
}
