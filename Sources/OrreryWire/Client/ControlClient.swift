// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
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

  /// The address at a TCP endpoint.
  ///
  /// - Parameters:
  ///   - text: `tcp://HOST:PORT`.
  ///   - directory: Where the keys are; they are required unless it is a loopback address.
  ///   - read: Reads them, as a client or as a sim.
  /// - Returns: The address, which `check` accepts.
  /// - Throws: `WireError`: `badEndpoint`, `keys` or `needsKeys`.
  package static func tcp(
    _ text: String, keysIn directory: String?, _ read: (String) throws(KeyError) -> CurveKeys
  ) throws(WireError) -> WireAddress {
    let keys: CurveKeys?
    do throws(KeyError) {
      keys = if let directory { try read(directory) } else { nil }
    } catch {
      throw .keys(error)
    }
    let address = WireAddress.tcp(try WireEndpoint(text), keys: keys)
    try address.check()
    return address
  }

  /// Refuses another machine without keys: without them, any process there could answer.
  ///
  /// - Throws: `WireError.needsKeys`.
  package func check() throws(WireError) {
    guard case .tcp(let endpoint, nil) = self, !endpoint.isLoopback else { return }
    throw .needsKeys(endpoint: endpoint.text)
  }

  /// Checks that a run of this machine is there, and can answer.
  ///
  /// - Throws: `WireError`: `noRun`, `runDied`, `runStopped` or `directory`; nothing for an address.
  package func checkIsThere() throws(WireError) {
    guard case .run(let directory) = self else { return }
    let state: RunState
    do throws(RunDirectoryError) {
      state = try directory.state()
    } catch {
      throw .directory(error)
    }
    switch state {
    case .missing: throw .noRun(name: directory.name, waitedSeconds: 0)
    case .dead(let owner): throw .runDied(name: directory.name, owner: owner.description)
    case .stopped(let owner):
      throw .runStopped(name: directory.name, processID: owner.processID ?? 0)
    case .starting, .running: return
    }
  }

  /// Time in which a run of this machine that closed its connection is found to be dead or ended, and the last
  /// answer of one that ended comes: the kernel closes a process's sockets and releases its lock one after the other.
  fileprivate var partingNs: UInt64 {
    switch self {
    case .run: 1_000_000_000
    case .tcp: 0
    }
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
    connection = try WireConnection(address)
  }

  /// Sends a request and waits for the reply.
  ///
  /// A run of this machine that cannot answer, because it died, was stopped or ended, is noticed within
  /// a tenth of a second.
  ///
  /// - Parameters:
  ///   - verb: The request's verb.
  ///   - fields: The request's fields.
  ///   - timeoutSeconds: How long to wait.
  /// - Returns: The reply's fields and attachments.
  /// - Throws: `WireError`: `refused` with the sim's reason, `noAnswer`, `notAllowed`, `keysDiffer`,
  ///   `serverKeyDiffers` or `badMessage`; of a run of this machine also what
  ///   `WireAddress.checkIsThere` throws, or `runEnded`.
  package func ask(
    _ verb: ControlVerb, _ fields: [String: DocumentValue] = [:], timeoutSeconds: Double = 5
  ) throws(WireError) -> (fields: [String: DocumentValue], attachments: [[UInt8]]) {
    lastID += 1
    connection.send(ControlRequest(verb: verb, id: lastID, fields: fields))
    var heardNs = Clock.monotonicNs()
    var giveUpNs = heardNs + UInt64(timeoutSeconds * 1e9)
    var end: WireError?
    while true {
      // What was sent before a connection broke can be received when that is seen.
      let wasBroken = connection.state == .broken
      while let message = try connection.receive() {
        guard case .reply(let fields, let attachments) = message,
          fields["id"] == .integer(lastID)
        else { continue }
        try WireReply.check(fields)
        return (fields, attachments.map { Array($0.bytes) })
      }
      connection.readMonitor()
      if let refusal = connection.refusal { throw refusal }
      if end == nil { end = try endOfRun() }
      let now = Clock.monotonicNs()
      connection.extend(&giveUpNs, since: &heardNs, nowNs: now)
      let isBroken = connection.state == .broken
      if isBroken || end != nil { giveUpNs = min(giveUpNs, now + address.partingNs) }
      if isBroken, !wasBroken { continue }
      guard now < giveUpNs, !isBroken || end == nil else {
        throw end ?? .noAnswer(endpoint: address.endpoint, waitedSeconds: timeoutSeconds)
      }
      connection.wait(ns: min(giveUpNs - now, Self.pollNs))
    }
  }

  /// Sends a request and returns the answer's fields.
  package typealias Ask =
    (ControlVerb, [String: DocumentValue]) throws(WireError) -> [String: DocumentValue]

  /// Asks a sim again and again over one connection, which the first request makes: the sim is there by then.
  ///
  /// - Parameters:
  ///   - timeoutSeconds: How long to wait for each answer.
  ///   - find: Finds the sim; called again after a connection that failed.
  /// - Returns: Sends a request; used on one thread.
  package static func asking(
    timeoutSeconds: Double, _ find: @escaping () throws(WireError) -> WireAddress
  ) -> Ask {
    var client: ControlClient?
    return { (verb, fields) throws(WireError) in
      do throws(WireError) {
        let connected = if let client { client } else { try ControlClient(try find()) }
        client = connected
        return try connected.ask(verb, fields, timeoutSeconds: timeoutSeconds).fields
      } catch {
        if case .refused = error { throw error }
        client = nil
        throw error
      }
    }
  }

  /// Time between two polls of the run.
  private static let pollNs: UInt64 = 100_000_000

  /// Checks that a run of this machine is there.
  ///
  /// - Returns: `runEnded` if it was there: its answer may still be on the way.
  private func endOfRun() throws(WireError) -> WireError? {
    do throws(WireError) {
      try address.checkIsThere()
      return nil
    } catch .noRun(let name, _) where connection.state != .connecting {
      return .runEnded(name: name)
    }
  }
}
