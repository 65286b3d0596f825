// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CZeroMQ
import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// A sim that says what a test likes: a bare ROUTER, which answers the first request and notes all of them.
final class FalseSim: Sendable {
  let address: WireAddress
  private let isStopping = Flag()
  private let heard: Monitor<[ControlRequest]>
  private let thread: TestThread

  /// Binds a port and waits for requests.
  ///
  /// - Parameters:
  ///   - messages: The answer to the first, part by part.
  ///   - again: The answer to the second `join`.
  ///   - endpoint: Where to listen.
  /// - Throws: When there is no socket or no thread left.
  init(
    _ messages: [[[UInt8]]], again: [[[UInt8]]] = [], at endpoint: String = "tcp://127.0.0.1:*"
  ) throws {
    let router = try BareRouter([(ZMQ_RCVTIMEO, 2)], at: endpoint)
    address = router.address
    let heard = Monitor<[ControlRequest]>([])
    self.heard = heard
    thread = try TestThread("the end of a false sim") { [isStopping] in
      while !isStopping.isSet { Self.serve(router.socket, messages, again, heard) }
      router.close()
    }
  }

  /// Takes one request, if one comes.
  private static func serve(
    _ router: UnsafeMutableRawPointer, _ messages: [[[UInt8]]], _ again: [[[UInt8]]],
    _ heard: Monitor<[ControlRequest]>
  ) {
    var peer = [UInt8](repeating: 0, count: 255)
    let count = Int(zmq_recv(router, &peer, peer.count, 0))
    guard count > 0 else { return }
    var body = [UInt8](repeating: 0, count: 4096)
    let bodyCount = Int(zmq_recv(router, &body, body.count, 0))
    guard let request = try? ControlRequest(json: Array(body.prefix(max(bodyCount, 0)))) else {
      Issue.record("not a request: \(bodyCount) bytes")
      return
    }
    let answer: [[[UInt8]]] = heard.change { requests in
      requests.append(request)
      if requests.count == 1 { return messages }
      let joinCount = requests.count { $0.verb == .join }
      return request.verb == .join && joinCount == 2 ? again : []
    }
    for message in answer {
      _ = zmq_send(router, peer, count, ZMQ_SNDMORE)
      for (index, part) in message.enumerated() {
        _ = zmq_send(router, part, part.count, index < message.count - 1 ? ZMQ_SNDMORE : 0)
      }
    }
  }

  /// What was asked so far.
  var requests: [ControlRequest] { heard.read { $0 } }

  /// Hangs up without a word.
  func stop() {
    isStopping.set()
    do { try thread.join() } catch { Issue.record("\(error)") }
  }

  /// Joins it.
  func join(_ options: RemoteOptions, waitSeconds: Double = 2) throws -> RemoteSubscription {
    try RemoteSubscription(
      RemoteSubscription.connect(to: address, waitSeconds: 10), address, options,
      waitSeconds: waitSeconds)
  }
}

// MARK: - What a true sim says

extension FalseSim {
  /// Of every frame: one column of eight values.
  static func layout() throws -> FrameLayout {
    try FrameLayout(columns: [
      ColumnDescription(batch: 0, field: 1, firstEntity: 0, valueCount: 8)
    ])
  }

  /// The message of a frame.
  static func frame(
    _ sequence: UInt64, publishedNs: UInt64 = 0, layout other: FrameLayout? = nil
  ) throws -> [UInt8] {
    let layout = if let other { other } else { try Self.layout() }
    var bytes = [UInt8](repeating: 0, count: Int(layout.frameBytes))
    bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      FrameTemplate(layout, generation: 7).write(to: start)
      // Numbers 1 and 4, behind their tags.
      (start + 1).storeBytes(of: sequence.littleEndian, as: UInt64.self)
      (start + 28).storeBytes(of: publishedNs.littleEndian, as: UInt64.self)
    }
    return bytes
  }

  /// The answer to `join`, with the request's number.
  static func welcome(
    id: Int64 = 1, delivery: Delivery = .live, slots: UInt64 = 8, joinedAfter: UInt64 = 0,
    newest: UInt64? = nil, layout other: FrameLayout? = nil
  ) throws -> [[UInt8]] {
    let layout = if let other { other } else { try Self.layout() }
    let fields: [String: DocumentValue] = [
      "id": .integer(id), "ok": .bool(true), "generation": .word(7),
      "layout_hash": .word(layout.layoutHash),
      "layout_version": .integer(Int64(FRAME_LAYOUT_VERSION)),
      "frame_bytes": .count(layout.frameBytes), "sequence": .count(joinedAfter),
      "newest": .count(newest ?? joinedAfter),
      "slots": .count(slots), "delivery": .string("\(delivery)"),
    ]
    return [Array("reply".utf8), fields.json, [1], layout.columnTable, [2]]
  }

  /// A message that nobody asked for.
  static func told(_ name: String, _ fields: [String: DocumentValue]) -> [[UInt8]] {
    [Array(name.utf8), fields.json]
  }

  /// Welcome, frames 1 and 2, the end.
  static func messages() throws -> [[[UInt8]]] {
    [
      try welcome(), [try frame(1)], [try frame(2)], told("end", ["sequence": .integer(2)]),
    ]
  }
}
