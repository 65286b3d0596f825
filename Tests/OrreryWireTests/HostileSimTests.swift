// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CZeroMQ
import Foundation
import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire
import Synchronization
import TestSupport
import Testing

/// A sim that says what a test likes: a bare ROUTER.
private final class FalseSim: @unchecked Sendable {
  private let context: UnsafeMutableRawPointer
  private let router: UnsafeMutableRawPointer
  let address: WireAddress

  init() throws {
    context = try #require(zmq_ctx_new())
    router = try #require(zmq_socket(context, ZMQ_ROUTER))
    var linger: CInt = 0
    zmq_setsockopt(router, ZMQ_LINGER, &linger, MemoryLayout<CInt>.size)
    try #require(zmq_bind(router, "tcp://127.0.0.1:*") == 0)
    var name = [CChar](repeating: 0, count: 128)
    var count = name.count
    zmq_getsockopt(router, ZMQ_LAST_ENDPOINT, &name, &count)
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    address = .tcp(try WireEndpoint(text), keys: nil)
  }

  deinit {
    zmq_close(router)
    zmq_ctx_term(context)
  }

  /// Takes one request and answers with these messages; the first part of a reply gets the request's id.
  func answer(_ messages: [[[UInt8]]]) {
    var peer = [UInt8](repeating: 0, count: 255)
    let count = zmq_recv(router, &peer, peer.count, 0)
    guard count > 0 else { return }
    var body = [UInt8](repeating: 0, count: 4096)
    _ = zmq_recv(router, &body, body.count, 0)
    for message in messages {
      _ = zmq_send(router, peer, Int(count), ZMQ_SNDMORE)
      for (index, part) in message.enumerated() {
        _ = zmq_send(router, part, part.count, index < message.count - 1 ? ZMQ_SNDMORE : 0)
      }
    }
  }
}

/// Goal: whatever a sim sends, a subscriber reads frames of the run that it joined or says what is wrong.
///
/// Method: a false sim sends a true run's messages, damaged at random places.
@Suite(.timeLimit(.minutes(10))) struct HostileSimTests {
  private static let layout = try? FrameLayout(columns: [
    ColumnDescription(batch: 0, field: 1, firstEntity: 0, valueCount: 8)
  ])

  private static func frame(_ sequence: UInt64, _ layout: FrameLayout) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(layout.frameBytes))
    bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      layout.writeConstantPart(to: start, generation: 7)
      (start + 1).storeBytes(of: sequence.littleEndian, as: UInt64.self)
    }
    return bytes
  }

  /// What a true sim says: welcome, frames 1 and 2, the end.
  private static func messages(_ layout: FrameLayout) -> [[[UInt8]]] {
    let welcome: [String: ControlValue] = [
      "id": .integer(1), "ok": .bool(true), "generation": .word(7),
      "layout_hash": .word(layout.layoutHash),
      "layout_version": .integer(Int64(FRAME_LAYOUT_VERSION)),
      "frame_bytes": .count(layout.frameBytes), "sequence": .count(0), "slots": .count(8),
      "delivery": .string("live"),
    ]
    return [
      [Array("reply".utf8), welcome.json, [1], layout.columnTable, [2]], [frame(1, layout)],
      [frame(2, layout)], [Array("end".utf8), Array(#"{"sequence":2}"#.utf8)],
    ]
  }

  /// Follows what a false sim says; returns what it came to.
  private static func follow(_ messages: [[[UInt8]]]) throws -> (SubscriptionEvent, Losses) {
    let sim = try FalseSim()
    let answering = try BackgroundThread { sim.answer(messages) }
    defer { answering.join() }
    let subscription = try RemoteSubscription(
      RemoteSubscription.connect(to: sim.address, waitSeconds: 10), sim.address,
      RemoteWishes(name: "test"), waitSeconds: 2)
    for _ in 0..<50 {
      let event = subscription.next(timeoutNs: 10_000_000) { view in
        view.values(subscription.source.layout.columns[0]).allSatisfy { $0 == $0 || true }
      }
      switch event {
      case .frame, .missed, .idle: continue
      default: return (event, subscription.losses)
      }
    }
    return (.idle, subscription.losses)
  }

  @Test func trueMessagesAreFollowed() throws {
    let layout = try #require(Self.layout)
    let (event, losses) = try Self.follow(Self.messages(layout))
    #expect(event == .ended)
    #expect(losses.receivedCount == 2)
    #expect(losses.missedCount == 0)
  }

  @Test func fault14FramesOfAnotherRunOrLengthAreNotTaken() throws {
    let layout = try #require(Self.layout)
    let good = Self.frame(1, layout)
    var otherRun = good
    otherRun[8 * 6 + 7] ^= 1
    var otherTag = good
    otherTag[9] ^= 1
    var otherHead = good
    otherHead[64] ^= 1
    var farAhead = good
    farAhead[8] = 0xff
    let bad = [
      [], [9], Array(good.dropLast()), good + [0], otherRun, otherTag, otherHead, farAhead,
      [0x04, 0x22, 0x4d, 0x18], [0x04, 0x22, 0x4d, 0x18] + good,
      [UInt8](repeating: 0, count: 1 << 20),
    ]
    for frame in bad {
      var messages = Self.messages(layout)
      messages[1] = [frame]
      let (event, losses) = try Self.follow(messages)
      guard case .dropped(.said(let reason)) = event else {
        Issue.record("\(event) after a frame of \(frame.count) bytes")
        continue
      }
      #expect(reason.contains("broke the protocol"), "\(reason)")
      #expect(losses.receivedCount == 0, "\(reason)")
    }
  }

  @Test func fault14DamagedMessagesAreFollowedOrRefused() throws {
    let layout = try #require(Self.layout)
    var random = SeededRandom(seed: 141)
    for _ in 0..<60 * testEffort {
      var messages = Self.messages(layout)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let message = Int.random(in: messages.indices, using: &random)
        let part = Int.random(in: messages[message].indices, using: &random)
        var bytes = messages[message][part]
        guard !bytes.isEmpty else { continue }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeLast(.random(in: 1...bytes.count, using: &random))
        case 1: bytes += bytes
        default:
          bytes[.random(in: bytes.indices, using: &random)] = .random(
            in: .min ... .max, using: &random)
        }
        messages[message][part] = bytes
      }
      do {
        let (_, losses) = try Self.follow(messages)
        #expect(losses.last - losses.joinedAfter == losses.receivedCount + losses.missedCount)
      } catch {
        #expect(error is WireError, "\(error)")
      }
    }
  }
}
