// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryReplay
import SwiftProtobuf
import Testing

/// Goal: heads of messages are read from any bytes without harm.
///
/// Method: messages of the generated types, whole and cut off at every byte.
@Suite struct MessageHeadTests {
  private static func bytes(_ message: some Message) throws -> [UInt8] {
    try message.serializedBytes()
  }

  @Test func headOfAFrameHasItsNumbers() throws {
    var frame = Orrery_Frame()
    (frame.sequence, frame.tick, frame.stateHash, frame.generation) = (7, 9, 11, 13)
    frame.columns = [Orrery_Column()]
    let head = try Self.bytes(frame).withUnsafeBytes { MessageHead(.frame, $0) }
    #expect(head?.sequence == 7)
    #expect(head?.tick == 9)
    #expect(head?.stamp.stateHash == 11)
    #expect(head?.generation == 13)
    #expect(head?.count == 1)
  }

  @Test func headOfDigestsCountsThem() throws {
    var digests = Orrery_Digests()
    (digests.generation, digests.firstSequence, digests.firstTick) = (13, 4, 5)
    digests.stateHashes = [1, 2, 3]
    digests.publishTimesNs = [4, 5, 6]
    let head = try Self.bytes(digests).withUnsafeBytes { MessageHead(.digests, $0) }
    #expect(head?.count == 3)
    #expect(head?.sequence == 4)
    #expect(head?.tick == 5)
  }

  @Test func headsOfHostileNumbersAreRefused() throws {
    var frame = Orrery_Frame()
    #expect(try Self.bytes(frame).withUnsafeBytes { MessageHead(.frame, $0) } == nil)
    frame.sequence = .max
    #expect(try Self.bytes(frame).withUnsafeBytes { MessageHead(.frame, $0) } == nil)
    var digests = Orrery_Digests()
    (digests.firstSequence, digests.firstTick) = (1, .max)
    digests.stateHashes = [1]
    #expect(try Self.bytes(digests).withUnsafeBytes { MessageHead(.digests, $0) } == nil)
  }

  @Test func anyPrefixIsReadWithoutHarm() throws {
    var digests = Orrery_Digests()
    (digests.generation, digests.firstSequence, digests.firstTick) = (13, 4, 5)
    digests.stateHashes = [1, 2, 3]
    let bytes = try Self.bytes(digests)
    for end in 0...bytes.count {
      for kind in MessageHead.Kind.allCases {
        _ = bytes[..<end].withUnsafeBytes { MessageHead(kind, $0) }
      }
    }
  }

  /// What a decoder refuses is said in words, not in the names of its errors.
  @Test(
    arguments: [
      ([0x0a, 5, 1], "it is cut off"),
      ([0x07, 1], "its bytes are no protobuf message"),
      ([0x0e, 1], "its bytes are no protobuf message"),
    ] as [([UInt8], String)])
  func faultsOfMessagesAreInWords(bytes: [UInt8], words: String) {
    do {
      _ = try Orrery_SceneLayout(serializedBytes: bytes)
      Issue.record("decoded")
    } catch {
      #expect(messageFault(error) == words)
    }
  }
}
