// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryMessages
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: fields are read as any protobuf library writes them, and written as it reads them; and no bytes, whatever they
/// are, make the reader trap or look outside of them.
///
/// Method: random messages of the generated types, read field by field and compared; cut at every byte and changed at
/// random; and written by hand, to be decoded by the generated types.
@Suite struct FieldTests {
  private static func number(_ random: inout SeededRandom) -> UInt64 {
    // Of every length that a varint has.
    random.next() >> UInt64.random(in: 0..<64, using: &random)
  }

  private static func text(_ random: inout SeededRandom) -> String {
    String(repeating: "é", count: Int.random(in: 0...200, using: &random))
  }

  /// A message with fields of each wire type, and a message in it.
  private static func scene(_ random: inout SeededRandom) -> Orrery_SceneLayout {
    var scene = Orrery_SceneLayout()
    (scene.scene, scene.run) = (text(&random), text(&random))
    (scene.generation, scene.seed) = (number(&random), number(&random))
    (scene.rateNumerator, scene.rateDenominator) = (number(&random), number(&random))
    scene.background = UInt32(truncatingIfNeeded: number(&random))
    scene.clockOffsetNs = Int64(bitPattern: number(&random))
    scene.shard.index = UInt32(truncatingIfNeeded: number(&random))
    scene.shard.entityCount = number(&random)
    return scene
  }

  /// All fields of a message, by their numbers; the last one counts.
  private static func fields(
    _ bytes: UnsafeRawBufferPointer, in range: Range<Int>? = nil
  ) throws -> [Int: FieldReader.Value] {
    var found: [Int: FieldReader.Value] = [:]
    var reader = FieldReader(bytes, in: range)
    while let (number, value) = try reader.next() { found[number] = value }
    #expect(reader.isAtEnd)
    return found
  }

  private static func text(_ value: FieldReader.Value?, in bytes: UnsafeRawBufferPointer) -> String
  {
    guard case .bytes(let range)? = value else { return "" }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  @Test func fieldsAreReadAsTheLibraryWritesThem() throws {
    var random = SeededRandom(seed: 0xf1e1d)
    for _ in 0..<200 * testEffort {
      let scene = Self.scene(&random)
      let bytes: [UInt8] = try scene.serializedBytes()
      try bytes.withUnsafeBytes { bytes in
        let found = try Self.fields(bytes)
        #expect(Self.text(found[1], in: bytes) == scene.scene)
        #expect(Self.text(found[2], in: bytes) == scene.run)
        #expect(found[3] ?? .fixed64(0) == .fixed64(scene.generation))
        #expect(found[4] ?? .fixed64(0) == .fixed64(scene.seed))
        #expect(found[6] ?? .varint(0) == .varint(scene.rateNumerator))
        #expect(found[7] ?? .varint(0) == .varint(scene.rateDenominator))
        #expect(found[10] ?? .fixed32(0) == .fixed32(scene.background))
        #expect(found[20] ?? .fixed64(0) == .fixed64(UInt64(bitPattern: scene.clockOffsetNs)))
        guard case .bytes(let range)? = found[23] else {
          Issue.record("no message in the message")
          return
        }
        let shard = try Orrery_Shard(serializedBytes: Array(bytes[range]))
        #expect(shard == scene.shard)
        #expect(try Self.fields(bytes, in: range).count <= 2)
      }
    }
  }

  @Test func packedNumbersAreRead() throws {
    var random = SeededRandom(seed: 7)
    var digests = Orrery_Digests()
    digests.stateHashes = (0..<50).map { _ in random.next() }
    var timings = Orrery_Timings()
    timings.computeNs = (0..<50).map { _ in Self.number(&random) }
    let messages: [([UInt8], Int, WireType, [UInt64])] = [
      (try digests.serializedBytes(), 4, .fixed64, digests.stateHashes),
      (try timings.serializedBytes(), 4, .varint, timings.computeNs),
    ]
    for (bytes, number, wire, expected) in messages {
      try bytes.withUnsafeBytes { bytes in
        guard case .bytes(let range)? = try Self.fields(bytes)[number] else {
          Issue.record("no list")
          return
        }
        var elements = FieldReader(bytes, in: range)
        var found: [UInt64] = []
        while !elements.isAtEnd { found.append(try elements.value(wire).word ?? 0) }
        #expect(found == expected)
      }
    }
  }

  /// What a cut or changed message gives is a fault at one of its bytes, or fields that lie in it.
  private static func read(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var reader = FieldReader(bytes)
      do throws(FieldReader.Fault) {
        while let (number, value) = try reader.next() {
          #expect((1..<1 << 29).contains(number))
          guard case .bytes(let range) = value else { continue }
          #expect(range.upperBound == reader.offset && reader.offset <= bytes.count)
          var nested = FieldReader(bytes, in: range)
          while (try? nested.next()) != nil {}
          #expect(nested.offset <= range.upperBound)
          var elements = FieldReader(bytes, in: range)
          while !elements.isAtEnd, (try? elements.value(.varint)) != nil {}
          #expect(elements.offset <= range.upperBound)
        }
        #expect(reader.isAtEnd && reader.nextTag == nil)
      } catch {
        #expect((0...bytes.count).contains(error.offset))
      }
      var head = FieldReader(bytes)
      _ = head.nextLength
      _ = try? head.leadingNumbers(to: 8)
      #expect(head.offset <= bytes.count)
    }
  }

  @Test func everyPrefixIsFieldsOrAFault() throws {
    var random = SeededRandom(seed: 11)
    for _ in 0..<5 * testEffort {
      let bytes: [UInt8] = try Self.scene(&random).serializedBytes()
      for count in 0...bytes.count { Self.read(Array(bytes[..<count])) }
    }
  }

  @Test func everyFlippedByteIsFieldsOrAFault() throws {
    var random = SeededRandom(seed: 13)
    let bytes: [UInt8] = try Self.scene(&random).serializedBytes()
    for offset in bytes.indices {
      for flip: UInt8 in [0x01, 0x07, 0x08, 0x80, 0xff] {
        var other = bytes
        other[offset] ^= flip
        Self.read(other)
      }
    }
    var fuzzer = ByteFuzzer("FieldTests", seeds: [bytes])
    fuzzer.run(inputs: 2_000 * testEffort, readersEach: 1, Self.read)
  }

  @Test(
    arguments: [
      // No field has the number 0, or 2²⁹; 3, 4, 6 and 7 are no wire types.
      ([0x00], 0), ([0x80, 0x80, 0x80, 0x80, 0x10], 0), ([0x0b], 0), ([0x0e], 0), ([0x0f], 0),
      // A tag and numbers that are cut off, and a varint of eleven bytes.
      ([0x80], 0), ([0x08], 1), ([0x08, 0x80], 1), ([0x09, 1, 2, 3, 4, 5, 6, 7], 1),
      ([0x0d, 1], 1),
      ([0x08] + [UInt8](repeating: 0xff, count: 11), 1),
      // A length beyond the end; of all 64 bits, too.
      ([0x08, 1, 0x0a, 2, 0], 2), ([0x0a] + [UInt8](repeating: 0xff, count: 9) + [0x01, 0], 0),
    ] as [([UInt8], Int)])
  func faultIsWhereItIs(bytes: [UInt8], offset: Int) {
    #expect(throws: FieldReader.Fault(offset: offset)) {
      try bytes.withUnsafeBytes { bytes in
        var reader = FieldReader(bytes)
        while try reader.next() != nil {}
      }
    }
  }

  @Test func leadingNumbersEndBeforeOtherFields() throws {
    var frame = Orrery_Frame()
    (frame.sequence, frame.stateHash, frame.generation) = (3, .max, 5)
    frame.columns = [Orrery_Column()]
    let bytes: [UInt8] = try frame.serializedBytes()
    try bytes.withUnsafeBytes { bytes in
      var reader = FieldReader(bytes)
      let numbers = try reader.leadingNumbers(to: 7)
      let all: [UInt64] = (0..<9).map { numbers[$0] }
      #expect(all == [0, 3, 0, 0, 0, .max, 0, 5, 0])
      #expect(reader.offset == 27)
      #expect(reader.nextTag?.number == 8 && reader.nextTag?.wire == .bytes)
      #expect(reader.nextLength?.number == 8 && reader.nextLength?.byteCount == 0)
      // A number above the last wanted one is another field.
      reader = FieldReader(bytes)
      let fewer = try reader.leadingNumbers(to: 6)
      #expect(fewer[7] == 0)
      #expect(reader.offset == 18)
      #expect(throws: FieldReader.Fault(offset: 19)) {
        var cut = FieldReader(bytes, in: 0..<26)
        _ = try cut.leadingNumbers(to: 7)
      }
    }
  }

  // MARK: - Writing

  @Test func bytesAreThoseThatTheLibraryWrites() throws {
    var random = SeededRandom(seed: 17)
    for _ in 0..<200 * testEffort {
      let scene = Self.scene(&random)
      var fields = FieldWriter()
      fields.append(1, scene.scene)
      fields.append(2, scene.run)
      if scene.generation != 0 { fields.append(3, fixed64: scene.generation) }
      if scene.seed != 0 { fields.append(4, fixed64: scene.seed) }
      fields.append(6, varint: scene.rateNumerator)
      fields.append(7, varint: scene.rateDenominator)
      if scene.background != 0 { fields.append(10, fixed32: scene.background) }
      if scene.clockOffsetNs != 0 {
        fields.append(20, fixed64: UInt64(bitPattern: scene.clockOffsetNs))
      }
      let shard: [UInt8] = try scene.shard.serializedBytes()
      fields.append(23, length: shard.count)
      let expected: [UInt8] = try scene.serializedBytes()
      #expect(fields.bytes + shard == expected)
    }
  }

  /// Contents whose lengths have one byte, two and three.
  @Test(arguments: [0, 1, 127, 128, 16_383, 16_384, 70_000])
  func contentOfAnyLengthHasItsLengthInFront(count: Int) throws {
    var events = Orrery_Events()
    events.firstNumber = 1
    events.events = [Orrery_Event()]
    events.events[0].command = String(repeating: "x", count: count)
    var fields = FieldWriter()
    fields.append(2, fixed64: 1)
    fields.append(4) { $0.append(9, String(repeating: "x", count: count)) }
    let expected: [UInt8] = try events.serializedBytes()
    #expect(fields.bytes == expected)
    fields.removeAll()
    #expect(fields.bytes.isEmpty)
  }

  @Test func lengthsOfAFixedSizeAreReadByTheLibrary() throws {
    for (length, byteCount) in [(0, 1), (5, 1), (5, 2), (127, 5), (300, 2), (300, 5)] {
      var fields = FieldWriter()
      fields.append(4, length: length, in: byteCount)
      #expect(fields.bytes.count == 1 + byteCount)
      fields.append(zeros: length)
      let column = try Orrery_Column(serializedBytes: fields.bytes)
      #expect(column.padding.count == length)
    }
  }

  @Test func lengthThatDoesNotFitTraps() async {
    await #expect(processExitsWith: .failure) {
      var fields = FieldWriter()
      fields.append(1, length: 128, in: 1)
    }
  }
}
