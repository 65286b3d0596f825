// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// The address of a sim's ROUTER.
package enum WireAddress: Equatable, Sendable {
  /// A run of this user on this machine.
  case run(RunDirectory)
  /// A TCP address; keys are required unless it is a loopback address.
  case tcp(WireEndpoint, keys: CurveKeys?)

  /// The address in ZeroMQ's notation.
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

  /// Refuses another machine without keys: without them, any process there could answer.
  ///
  /// - Throws: `WireError.needsKeys`.
  package func check() throws(WireError) {
    guard case .tcp(let endpoint, nil) = self, !endpoint.isLoopback else { return }
    throw .needsKeys(endpoint: endpoint.text)
  }

  /// Whether both have the same endpoint and the same keys.
  package static func == (left: WireAddress, right: WireAddress) -> Bool {
    left.endpoint == right.endpoint && left.keys == right.keys
  }
}

/// Sends control requests to a running sim.
package final class ControlClient {
  private let address: WireAddress
  private let connection: WireConnection
  private var lastID: Int64 = 0

  /// Begins to connect; the first request shows whether a sim answers.
  ///
  /// - Throws: `WireError.needsKeys` or `zeroMQ`.
  package init(_ address: WireAddress) throws(WireError) {
    try address.check()
    self.address = address
    connection = try WireConnection(endpoint: address.endpoint, keys: address.keys)
  }

  /// Sends a request and waits for the reply.
  ///
  /// - Parameters:
  ///   - verb: The request's verb.
  ///   - fields: The request's fields.
  ///   - timeoutSeconds: How long to wait.
  /// - Returns: The reply's fields and attachments.
  /// - Throws: `WireError`: `refused` with the sim's reason, `noAnswer`, `notAllowed` or
  ///   `badMessage`.
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
      connection.readMonitor()
      if connection.state == .notAllowed { throw .notAllowed(endpoint: address.endpoint) }
      let now = Clock.monotonicNs()
      guard now < deadline, connection.state != .broken else {
        throw .noAnswer(endpoint: address.endpoint, waitedSeconds: timeoutSeconds)
      }
      connection.wait(ns: min(deadline - now, 100_000_000))
    }
  }
}
