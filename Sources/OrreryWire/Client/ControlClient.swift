// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// Where a sim's ROUTER is.
package enum WireAddress: Equatable, Sendable {
  /// Of a run of this user on this machine.
  case run(RunDirectory)
  /// Anywhere; keys where it is not the loopback address.
  case tcp(WireEndpoint, keys: CurveKeys?)

  /// As ZeroMQ reads it.
  package var endpoint: String {
    switch self {
    case .run(let directory): "ipc://" + directory.controlPath
    case .tcp(let endpoint, _): endpoint.text
    }
  }

  var keys: CurveKeys? {
    switch self {
    case .run: nil
    case .tcp(_, let keys): keys
    }
  }

  /// Refuses to talk to another machine without keys: whoever answers there could be anybody.
  ///
  /// - Throws: `WireError.needsKeys`.
  package func check() throws(WireError) {
    guard case .tcp(let endpoint, nil) = self, !endpoint.isLoopback else { return }
    throw .needsKeys(endpoint: endpoint.text)
  }

  /// Whether both lead to the same place in the same way.
  package static func == (left: WireAddress, right: WireAddress) -> Bool {
    left.endpoint == right.endpoint && left.keys == right.keys
  }
}

/// Asks a running sim to do something.
package final class ControlClient {
  private let address: WireAddress
  private let connection: WireConnection
  private var lastID: Int64 = 0

  /// Begins to connect; whether somebody is there shows when it is asked.
  ///
  /// - Throws: `WireError.needsKeys` or `zeroMQ`.
  package init(_ address: WireAddress) throws(WireError) {
    try address.check()
    self.address = address
    connection = try WireConnection(endpoint: address.endpoint, keys: address.keys)
  }

  /// Asks, and waits for the answer.
  ///
  /// - Parameters:
  ///   - verb: What is to be done.
  ///   - fields: Its fields.
  ///   - timeoutSeconds: How long to wait.
  /// - Returns: The answer's fields, and the parts after it.
  /// - Throws: `WireError`: `refused` with the sim's reason, `noAnswer`, `notAllowed`, `badMessage`.
  package func ask(
    _ verb: ControlVerb, _ fields: [String: ControlValue] = [:], timeoutSeconds: Double = 5
  ) throws(WireError) -> (fields: [String: ControlValue], attachments: [[UInt8]]) {
    lastID += 1
    connection.send(ControlRequest(verb: verb, id: lastID, fields: fields))
    let deadline = Clock.monotonicNs() + UInt64(timeoutSeconds * 1e9)
    while true {
      while let message = try connection.receive() {
        guard case .reply(let fields, let attachments) = message,
          fields["id"] == .integer(lastID)
        else { continue }
        try WireReply.check(fields)
        return (fields, attachments.map { Array($0.bytes) })
      }
      connection.look()
      if connection.state == .notAllowed { throw .notAllowed(endpoint: address.endpoint) }
      let now = Clock.monotonicNs()
      guard now < deadline, connection.state != .broken else {
        throw .noAnswer(endpoint: address.endpoint, waitedSeconds: timeoutSeconds)
      }
      connection.wait(ns: min(deadline - now, 100_000_000))
    }
  }
}
