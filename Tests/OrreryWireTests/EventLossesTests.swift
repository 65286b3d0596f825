// SPDX-License-Identifier: Apache-2.0

import OrreryWire
import Testing

/// Goal: heads of `orrery.Events` messages are read from their bytes, or refused, and the account of events is exact.
///
/// Method: messages written by hand.
@Suite struct EventLossesTests {
  private static func word(_ tag: UInt8, _ value: UInt64) -> [UInt8] {
    [tag] + withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  /// A message of events with bodies of these lengths.
  private static func message(
    first: UInt64, bodies: [Int] = [], generation: UInt64 = 7, tick: UInt64 = 3
  ) -> [UInt8] {
    var bytes = word(0x09, generation) + word(0x11, first) + word(0x19, tick)
    for count in bodies { bytes += event(count) }
    return bytes
  }

  private static func event(_ count: Int) -> [UInt8] {
    var (bytes, rest): ([UInt8], Int) = ([0x22], count)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)] + [UInt8](repeating: 0xff, count: count)
  }

  private static func head(_ bytes: [UInt8]) -> EventsHead? {
    bytes.withUnsafeBytes { EventsHead($0) }
  }

  /// Events that come with frames are sent to whoever asked for both: nothing is waited for.
  @Test func inboxIsKnownToItsSender() {
    #expect(EventInbox().waitUntilKnown(timeoutNs: 0))
  }

  @Test func headIsWhatTheMessageSays() throws {
    let head = try #require(
      Self.head(Self.message(first: 5, bodies: [0, 1, 127, 128, 300, 20_000])))
    #expect(head.generation == 7)
    #expect(head.firstNumber == 5)
    #expect(head.tick == 3)
    #expect(head.count == 6)
    // Fields of the value 0 are not written.
    let empty = try #require(Self.head([]))
    #expect(empty.generation == 0)
    #expect(empty.firstNumber == 0)
    #expect(empty.tick == 0)
    #expect(empty.count == 0)
  }

  /// A length may have more bytes than it needs, up to the ten of a varint.
  @Test func lengthsOfAllSizesAreRead() throws {
    #expect(Self.head(Self.event(1 << 21))?.count == 1)
    for more in 0...10 {
      let length = [0x81] + [UInt8](repeating: 0x80, count: more) + [0x00]
      #expect(Self.head([0x22] + length + [0xff])?.count == (more <= 8 ? 1 : nil))
    }
  }

  @Test(arguments: [0x08, 0x0a, 0x10, 0x18, 0x21, 0x2a, 0x00, 0xff] as [UInt8])
  func otherFieldsAreNoEvents(tag: UInt8) {
    #expect(Self.head(Self.message(first: 1, bodies: [3]) + [tag, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
  }

  @Test func everyCutIsRefusedOrTheEndOfAField() {
    let whole = Self.message(first: 1, bodies: [3, 200])
    // Where fields end: three words, an event of 5 bytes and one of 203.
    let ends: [Int: UInt64] = [0: 0, 9: 0, 18: 0, 27: 0, 32: 1, 235: 2]
    #expect(whole.count == 235)
    for count in 0...whole.count {
      #expect(Self.head(Array(whole.prefix(count)))?.count == ends[count], "\(count) bytes")
    }
  }

  // MARK: - The account

  private static func account(_ messages: [(first: UInt64, count: Int)]) throws -> EventLosses {
    var account = EventLosses()
    for (first, count) in messages {
      account.receive(
        try #require(head(message(first: first, bodies: [Int](repeating: 0, count: count)))))
    }
    return account
  }

  @Test func eventsBetweenMessagesAreMissed() throws {
    let account = try Self.account([(1, 3), (4, 2), (9, 1)])
    #expect(account.receivedCount == 6)
    #expect(account.missedCount(isFromStart: true) == 3)
    #expect(account.missedCount(isFromStart: false) == 3)
    #expect(!account.isFinal)
  }

  @Test func whoWasThereFromTheStartMissedWhatCameBefore() throws {
    let account = try Self.account([(5, 1)])
    #expect(account.missedCount(isFromStart: true) == 4)
    #expect(account.missedCount(isFromStart: false) == 0)
    #expect(EventLosses().missedCount(isFromStart: true) == 0)
    // No event has the number 0.
    #expect(try Self.account([(0, 0)]).missedCount(isFromStart: true) == 0)
  }

  @Test func messageThatCameTwiceCountsOnce() throws {
    let account = try Self.account([(1, 3), (1, 3), (3, 5), (4, 1)])
    #expect(account.receivedCount == 4)
    #expect(account.missedCount(isFromStart: true) == 0)
  }

  @Test func messageWithoutEventsIsTheLast() throws {
    var account = try Self.account([(1, 3), (8, 0)])
    #expect(account.isFinal)
    #expect(account.missedCount(isFromStart: false) == 4)
    // Another one that follows all the same says that it was not.
    account.receive(try #require(Self.head(Self.message(first: 8, bodies: [0]))))
    #expect(!account.isFinal)
  }

  @Test func numbersThatWouldOverflowAreNotCounted() throws {
    let account = try Self.account([(1, 1), (.max, 1)])
    #expect(account.receivedCount == 1)
    #expect(account.missedCount(isFromStart: true) == 0)
    let last = try Self.account([(1, 1), (.max - 1, 1)])
    #expect(last.receivedCount == 2)
    #expect(last.missedCount(isFromStart: true) == UInt64.max - 3)
  }
}
