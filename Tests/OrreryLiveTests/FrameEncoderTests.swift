// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OrreryFrame
import OrreryLive
import Testing

/// A frame as pages read it has the frame's numbers and values; the page's own reading is tested by the browser test.
@Suite struct FrameEncoderTests {
  /// A frame in memory: floats in the first column, 16-bit numbers in the second.
  private final class Sample {
    let layout: FrameLayout
    let memory: UnsafeMutableRawBufferPointer
    let floats: [Float]
    let multiples: [Int16]

    init(count: Int, tick: UInt64) throws {
      layout = try FrameLayout(columns: [
        ColumnDescription(batch: 0, field: 1, firstEntity: 0, valueCount: UInt32(count)),
        ColumnDescription(
          batch: 0, field: 2, firstEntity: 0, valueCount: UInt32(count),
          format: .fixed16(unit: 0.25)),
      ])
      floats = (0..<count).map { Float($0 % 1000) + 0.125 }
      multiples = (0..<count).map { Int16($0 % 3000) - 1500 }
      memory = .allocate(byteCount: Int(layout.frameBytes), alignment: 64)
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      guard let start = memory.baseAddress else { return }
      FrameStamp(tick: tick, simTimeNs: 500, publishTimeNs: 1_700_000_000_000_000_000, stateHash: 9)
        .write(sequence: 77, to: start)
      floats.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: memory[Int(layout.columns[0].valuesOffset)...])
          .copyMemory(from: $0)
      }
      multiples.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: memory[Int(layout.columns[1].valuesOffset)...])
          .copyMemory(from: $0)
      }
    }

    deinit { memory.deallocate() }

    var view: FrameView { FrameView(sequence: 77, bytes: UnsafeRawBufferPointer(memory)) }
  }

  private struct Head: Equatable {
    var batch, firstEntity, field, count, offset: UInt32
    var unit: Float
  }

  private func head(_ index: Int, of bytes: ByteBuffer) throws -> Head {
    let start = FrameEncoder.headBytes + index * FrameEncoder.columnBytes
    let words = try (0..<6).map {
      try #require(bytes.getInteger(at: start + $0 * 4, endianness: .little, as: UInt32.self))
    }
    return Head(
      batch: words[0], firstEntity: words[1], field: words[2], count: words[3], offset: words[4],
      unit: Float(bitPattern: words[5]))
  }

  private func values<Value: FixedWidthInteger>(
    _ head: Head, of bytes: ByteBuffer, as type: Value.Type
  ) throws -> [Value] {
    try (0..<Int(head.count)).map { index in
      try #require(
        bytes.getInteger(
          at: Int(head.offset) + index * MemoryLayout<Value>.size, endianness: .little, as: type))
    }
  }

  @Test func numbersStandWhereThePageReadsThem() throws {
    let sample = try Sample(count: 3, tick: 30)
    var encoder = FrameEncoder(sample.layout, extent: 1280, runNumber: 2)
    let bytes = encoder.encode(sample.view, isExact: false)
    #expect(bytes.getInteger(at: 0, endianness: .little) == FrameEncoder.version)
    #expect(bytes.getInteger(at: 4, endianness: .little) == UInt32(2))
    #expect(bytes.getInteger(at: 8, endianness: .little) == UInt64(77))
    #expect(bytes.getInteger(at: 16, endianness: .little) == UInt64(30))
    #expect(bytes.getInteger(at: 24, endianness: .little) == UInt64(500))
    #expect(bytes.getInteger(at: 32, endianness: .little) == UInt64(1_700_000_000_000_000_000))
    #expect(bytes.getInteger(at: 40, endianness: .little) == UInt32(2))
    #expect(bytes.getInteger(at: 44, endianness: .little) == UInt32(1), "a small frame is exact")
  }

  @Test func aSmallFrameHasTheValuesAsTheyWerePublished() throws {
    let sample = try Sample(count: 5, tick: 1)
    var encoder = FrameEncoder(sample.layout, extent: 1280, runNumber: 1)
    #expect(encoder.isSmall)
    let bytes = encoder.encode(sample.view, isExact: false)
    let (first, second) = (try head(0, of: bytes), try head(1, of: bytes))
    #expect(first.unit == 0 && first.field == 1 && first.count == 5 && first.offset % 8 == 0)
    #expect(second.unit == 0.25 && second.field == 2 && second.offset % 8 == 0)
    #expect(
      try values(first, of: bytes, as: UInt32.self).map { Float(bitPattern: $0) } == sample.floats)
    #expect(try values(second, of: bytes, as: Int16.self) == sample.multiples)
  }

  @Test func aLargeFrameHasSixteenBitsAValueUnlessItIsToBeExact() throws {
    let sample = try Sample(count: 20_001, tick: 1)
    var encoder = FrameEncoder(sample.layout, extent: 1280, runNumber: 1)
    #expect(!encoder.isSmall)
    let bytes = encoder.encode(sample.view, isExact: false)
    let first = try head(0, of: bytes)
    #expect(first.unit > 0)
    for (multiple, value) in zip(try values(first, of: bytes, as: Int16.self), sample.floats) {
      #expect(abs(Float(multiple) * first.unit - value) <= first.unit / 2)
    }
    #expect(try values(try head(1, of: bytes), of: bytes, as: Int16.self) == sample.multiples)
    #expect(bytes.readableBytes < 20_001 * 4 + 256)
    let exact = encoder.encode(sample.view, isExact: true)
    let head = try head(0, of: exact)
    #expect(head.unit == 0)
    #expect(
      try values(head, of: exact, as: UInt32.self).map { Float(bitPattern: $0) } == sample.floats)
  }

  @Test func anEncodedFrameStaysAsItIsWhileOthersAreEncoded() throws {
    let (old, new) = (try Sample(count: 4, tick: 1), try Sample(count: 4, tick: 2))
    var encoder = FrameEncoder(old.layout, extent: 1280, runNumber: 1)
    let kept = encoder.encode(old.view, isExact: true)
    for _ in 0..<10 { _ = encoder.encode(new.view, isExact: true) }
    #expect(kept.getInteger(at: 16, endianness: .little) == UInt64(1))
  }
}
