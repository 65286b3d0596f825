// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryDelta
import OrreryFrame
import OrreryMessages
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: no message, whatever its bytes, traps the decoder or makes it read or write outside of its frame; and a chain
/// that is broken is reported, not continued.
///
/// Method: messages are cut at every length, and their bytes changed at random; chains lose and swap messages.
@Suite struct HostileDeltaTests {
  private struct Chain {
    let messages: [(bytes: [UInt8], isKeyframe: Bool)]

    init(quantises: Bool = false, generation: UInt64 = TestFrames.generation) throws {
      let frames = try TestFrames([(130, .float32), (128, .fixed16(unit: 1)), (3, .float32)])
      let encoder = try FrameDeltaEncoder(
        layout: frames.layout, generation: generation, quantises: quantises)
      messages = try (1...8 as ClosedRange<UInt64>).map { sequence in
        let message = try encoder.encode(
          frames.frame(sequence) {
            $1 == 5
              ? UInt32(sequence) &* 0x1357_9bdf
              : Movement.orbits.value($0, $1, sequence).bitPattern
          }, asKeyframe: false)
        return (message.bytes, message.isKeyframe)
      }
    }

    /// A message's columns in the field of the older form, whose bytes they are not.
    func asOlder(_ number: Int) throws -> [UInt8] {
      var message = try Orrery_DeltaFrame(serializedBytes: Data(messages[number].bytes))
      (message.columns, message.predictedColumns) = (message.predictedColumns, [])
      return try message.serializedBytes()
    }

    /// A decoder that has taken the first messages.
    func decoder(after count: Int) throws -> FrameDeltaDecoder {
      let decoder = FrameDeltaDecoder()
      for (bytes, isKeyframe) in messages.prefix(count) {
        try decoder.decode(bytes, isKeyframe: isKeyframe)
      }
      return decoder
    }
  }

  @Test func messageCutAnywhereIsRefused() throws {
    let chain = try Chain()
    for (number, message) in chain.messages.prefix(3).enumerated() {
      for length in 0..<message.bytes.count {
        // A keyframe that ends with a column is a whole frame with fewer columns.
        let decoder = try chain.decoder(after: number)
        guard
          (try? decoder.decode(
            Array(message.bytes.prefix(length)), isKeyframe: message.isKeyframe)) != nil
        else {
          #expect(decoder.sequence == nil)
          continue
        }
        #expect(message.isKeyframe && decoder.frame.count == length)
      }
    }
  }

  @Test func changedBytesNeverTrap() throws {
    let chain = try Chain()
    let frameBytes = chain.messages[0].bytes.count
    var random = SeededRandom(seed: 0xde17a)
    var refused = 0
    let tries = 3_000 * testEffort
    for _ in 0..<tries {
      let number = Int.random(in: 0..<8, using: &random)
      var bytes =
        number > 0 && Bool.random(using: &random)
        ? try chain.asOlder(number) : chain.messages[number].bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let offset = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[offset] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.remove(at: offset)
        default: bytes.insert(0xff, at: offset)
        }
      }
      let decoder = try chain.decoder(after: number)
      do throws(DeltaError) {
        try decoder.decode(bytes, isKeyframe: chain.messages[number].isKeyframe)
        // Damage of values only is for checksums to find; the size is the keyframe's.
        if number > 0 { #expect(decoder.frame.count == frameBytes) }
      } catch {
        refused += 1
        #expect(!"\(error)".isEmpty)
        #expect(decoder.sequence == nil)
        #expect(throws: DeltaError.self) {
          try decoder.decode(chain.messages[7].bytes, isKeyframe: false)
        }
      }
    }
    #expect(refused > tries / 10, "\(refused) of \(tries)")
  }

  @Test func brokenChainIsReported() throws {
    let chain = try Chain()
    #expect(throws: DeltaError.noBase(sequence: 2)) {
      try FrameDeltaDecoder().decode(chain.messages[1].bytes, isKeyframe: false)
    }
    let decoder = try chain.decoder(after: 2)
    #expect(throws: DeltaError.wrongBase(found: 3, expected: 2)) {
      try decoder.decode(chain.messages[3].bytes, isKeyframe: false)
    }
    #expect(throws: DeltaError.noBase(sequence: 3)) {
      try decoder.decode(chain.messages[2].bytes, isKeyframe: false)
    }
    let other = try Chain(generation: 5)
    #expect(throws: DeltaError.otherLayout(found: 5, expected: TestFrames.generation)) {
      try chain.decoder(after: 1).decode(other.messages[1].bytes, isKeyframe: false)
    }
    let rounded = try Chain(quantises: true)
    #expect {
      try chain.decoder(after: 1).decode(rounded.messages[1].bytes, isKeyframe: false)
    } throws: { error in
      guard case .otherLayout = error as? DeltaError else { return false }
      return true
    }
  }

  /// After a keyframe that is refused, too, another one must come.
  @Test func refusedKeyframeEndsTheChain() throws {
    let chain = try Chain()
    let decoder = try chain.decoder(after: 2)
    #expect(throws: DeltaError.self) { try decoder.decode([0xff], isKeyframe: true) }
    #expect(decoder.sequence == nil)
    #expect(throws: DeltaError.noBase(sequence: 3)) {
      try decoder.decode(chain.messages[2].bytes, isKeyframe: false)
    }
  }

  @Test func columnsAreCounted() throws {
    let chain = try Chain()
    var message = try Orrery_DeltaFrame(serializedBytes: Data(chain.messages[1].bytes))
    message.predictedColumns.removeLast()
    let bytes: [UInt8] = try message.serializedBytes()
    let decoder = try chain.decoder(after: 1)
    #expect(throws: DeltaError.columnCount(found: 2, expected: 3)) {
      try decoder.decode(bytes, isKeyframe: false)
    }
  }

  /// Each fault of a packed column of floats at the byte where it is.
  @Test(
    arguments: [
      ([33], 0), ([0x3f], 0), ([0x40], 1), ([0x40, 0], 1), ([0x40, 8], 1), ([0x01], 1), ([0x80], 1),
      ([0x80, 1], 2), ([0x80, 1, 5], 3), ([0x80, 1, 128, 0, 0, 0], 6), ([0x00], 1),
      ([0x00, 33], 1),
      ([0x00, 0x05, 7], 3), ([0x00, 0x80, 1, 2, 0], 3), ([0x00, 0x80, 1, 130, 0, 0, 0, 0], 3),
      ([0x00, 0x00, 0], 2),
    ] as [([UInt8], Int)])
  func damageIsFoundWhereItIs(_ column: [UInt8], offset: Int) throws {
    let chain = try Chain()
    var message = try Orrery_DeltaFrame(serializedBytes: Data(chain.messages[1].bytes))
    message.predictedColumns[0] = Data(column)
    let bytes: [UInt8] = try message.serializedBytes()
    let decoder = try chain.decoder(after: 1)
    #expect(throws: DeltaError.damagedColumn(0, offset: offset)) {
      try decoder.decode(bytes, isKeyframe: false)
    }
  }

  /// The same of a message of the older form.
  @Test(
    arguments: [
      ([UInt8(33)], 0), ([0x40], 0), ([0xc0], 0), ([0x01], 1), ([0x80], 1), ([0x80, 1, 5], 3),
      ([0x80, 1, 128, 0, 0, 0, 0], 2), ([0x00, 0x45], 1), ([0x00, 0x81], 1), ([0x00], 1),
      ([0x00, 0x41, 7], 3), ([0x00, 0x40, 0], 2),
    ] as [([UInt8], Int)])
  func damageOfTheOlderFormIsFound(_ column: [UInt8], offset: Int) throws {
    let chain = try Chain()
    var message = try Orrery_DeltaFrame(serializedBytes: Data(chain.messages[1].bytes))
    (message.columns, message.predictedColumns) = (message.predictedColumns, [])
    message.columns[0] = Data(column)
    let bytes: [UInt8] = try message.serializedBytes()
    let decoder = try chain.decoder(after: 1)
    #expect(throws: DeltaError.damagedColumn(0, offset: offset)) {
      try decoder.decode(bytes, isKeyframe: false)
    }
  }

  @Test func messageOfBothFormsIsRefused() throws {
    let chain = try Chain()
    var message = try Orrery_DeltaFrame(serializedBytes: Data(chain.messages[1].bytes))
    message.columns = [message.predictedColumns.removeLast()]
    let bytes: [UInt8] = try message.serializedBytes()
    let offset =
      bytes.count
      - message.predictedColumns.reduce(0) {
        $0 + $1.count + ($1.count < 128 ? 2 : 3)
      }
    let decoder = try chain.decoder(after: 1)
    #expect(throws: DeltaError.malformed(offset: offset)) {
      try decoder.decode(bytes, isKeyframe: false)
    }
  }

  @Test func largeFrameIsRefused() throws {
    let chain = try Chain()
    let bytes = chain.messages[0].bytes
    let decoder = FrameDeltaDecoder(frameBytesMax: bytes.count - 1)
    #expect(throws: DeltaError.tooLarge(bytes: bytes.count, limit: bytes.count - 1)) {
      try decoder.decode(bytes, isKeyframe: true)
    }
    try FrameDeltaDecoder(frameBytesMax: bytes.count).decode(bytes, isKeyframe: true)
  }
}
