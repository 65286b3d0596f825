// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryWire
import TestSupport
import Testing

/// Goal: whatever a sim sends, a subscriber reads frames of the run that it joined or says what is wrong.
///
/// Method: a false sim sends a true run's messages, damaged at random places.
@Suite struct HostileSimTests {
  /// Follows what a false sim says; returns what it came to.
  private static func follow(_ messages: [[[UInt8]]]) throws -> (SubscriptionEvent, Losses) {
    let sim = try FalseSim(messages)
    defer { sim.stop() }
    let subscription = try RemoteSubscription(
      RemoteSubscription.connect(to: sim.address, waitSeconds: 10), sim.address,
      RemoteOptions(name: "test"), waitSeconds: 2)
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
    let (event, losses) = try Self.follow(FalseSim.messages())
    #expect(event == .ended)
    #expect(losses.receivedCount == 2)
    #expect(losses.missedCount == 0)
  }

  @Test func fault14FramesOfAnotherRunOrLengthAreNotTaken() throws {
    let good = try FalseSim.frame(1)
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
      var messages = try FalseSim.messages()
      messages[1] = [frame]
      let (event, losses) = try Self.follow(messages)
      guard case .dropped(.remote(let reason)) = event else {
        Issue.record("\(event) after a frame of \(frame.count) bytes")
        continue
      }
      #expect(reason.contains("broke the protocol"), "\(reason)")
      #expect(losses.receivedCount == 0, "\(reason)")
    }
  }

  @Test func fault14DamagedMessagesAreFollowedOrRefused() throws {
    var random = SeededRandom(seed: 141)
    for _ in 0..<60 * testEffort {
      var messages = try FalseSim.messages()
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

  /// An LZ4 frame whose one block is stored as it is.
  private static func packed(_ bytes: [UInt8], isEnded: Bool = true) -> [UInt8] {
    let size = UInt32(bytes.count) | 1 << 31
    let head: [UInt8] = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82]
    return head + withUnsafeBytes(of: size.littleEndian) { Array($0) } + bytes
      + (isEnded ? [0, 0, 0, 0] : [])
  }

  @Test func packedFrameIsTakenIfNothingIsMissingOrLeftOver() throws {
    let good = try FalseSim.frame(1)
    let whole = Self.packed(good)
    var messages = try FalseSim.messages()
    messages[1] = [whole]
    let (event, losses) = try Self.follow(messages)
    #expect(event == .ended)
    #expect(losses.receivedCount == 2)
    let bad: [(name: String, bytes: [UInt8])] = [
      ("a byte behind it", whole + [0]), ("an end behind it", whole + [0, 0, 0, 0]),
      ("another behind it", whole + whole), ("no end", Self.packed(good, isEnded: false)),
      ("half an end", Array(whole.dropLast(2))), ("too short", Self.packed(Array(good.dropLast()))),
      ("too long", Self.packed(good + [0])), ("nothing in it", Self.packed([])),
    ]
    for (name, bytes) in bad {
      messages[1] = [bytes]
      let (event, losses) = try Self.follow(messages)
      let reason = "a packed frame of \(bytes.count) bytes that cannot be unpacked"
      #expect(
        event == .dropped(.remote("the sim broke the protocol: " + reason)), "\(name): \(event)")
      #expect(losses.receivedCount == 0, "\(name)")
    }
  }
}
