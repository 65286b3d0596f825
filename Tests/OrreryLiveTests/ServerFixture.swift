// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OrreryBase
import OrreryDocument
import OrreryLive
import OrreryWire
import TestSupport
import Testing

/// A server of a run that a test makes up.
final class ServerFixture {
  let server: LiveServer

  /// Requests that came for the sim.
  let asked = Monitor<[ControlRequest]>([])

  init(
    clientsMax: Int = 100,
    curve: @escaping @Sendable (String) -> String = { "{\"asked\":\"\($0)\"}" }
  ) throws {
    server = try LiveServer(
      port: 0, clientsMax: clientsMax,
      work: PageWork(
        curve: curve,
        texts: { #"{"schema":"orrery.scene-texts.v1","texts":[],"made_up":\#($0)}"# }))
  }

  deinit { server.close() }

  var port: Int {
    Int(server.address.split(separator: ":").last?.prefix { $0.isNumber } ?? "") ?? 0
  }
  var host: String { "127.0.0.1:\(port)" }
  var token: String { String(server.address.split(separator: "=").last ?? "") }
  var cookie: String { "Cookie: orrery-live-\(port)=\(token)" }
  var origin: String { "Origin: http://\(host)" }

  func client() throws -> LoopbackClient { try #require(LoopbackClient(port: port)) }

  /// A page that has opened; what greets it is read.
  func page() throws -> LoopbackClient {
    let client = try client()
    #expect(client.upgrade("/live", [cookie, origin], host: host).status == 101)
    _ = try #require(client.message())
    return client
  }

  func begin(_ number: UInt32 = 1, layout: [UInt8] = [1, 2, 3]) {
    let asked = asked
    server.hub.begin(
      LiveScene(
        number: number, run: "made-up", layout: layout, isLocal: true,
        clockOffsetNs: 5_000_000_000,
        isSteered: true)
    ) { request, _ in asked.change { $0.append(request) } }
  }

  /// Publishes a frame that is its number; its changes are the number and a thousand.
  func publish(
    _ sequence: UInt64, byteCount: Int = 8, isExact: Bool = true, isForAll: Bool = true,
    changesFrom base: UInt64? = nil
  ) {
    let bytes = { (number: UInt64) in
      ByteBuffer(
        bytes: (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
          + [UInt8](repeating: 0, count: byteCount - 8))
    }
    server.hub.publish([
      LiveFrame(
        sequence: sequence, isExact: isExact, isForAll: isForAll, bytes: bytes(sequence),
        changes: base.map { ($0, bytes(sequence + 1000)) })
    ])
  }
}

extension LoopbackClient {
  /// The first result that `use` has for a message; nil if none has one in time, whatever else comes.
  private func first<Result>(_ use: (Message) -> Result?) -> Result? {
    let endNs = Clock.monotonicNs() + patienceNs
    while Clock.monotonicNs() < endNs, let message = message() {
      if let result = use(message) { return result }
    }
    return nil
  }

  /// The number of the next frame, texts left out.
  func frame() -> UInt64? {
    first { message in
      guard case .binary(let bytes) = message else { return nil }
      return bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  /// The next text with this key.
  func text(with key: String) -> [String: DocumentValue]? {
    first { message in
      guard case .text(let text) = message,
        let fields = try? [String: DocumentValue](json: Array(text.utf8)), fields[key] != nil
      else { return nil }
      return fields
    }
  }

  /// The code with which the server closes, other messages left out.
  func closeCode() -> UInt16? {
    first { message in if case .close(let code) = message { code } else { nil } }
  }
}
