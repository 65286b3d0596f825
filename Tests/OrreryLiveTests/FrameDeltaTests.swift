// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OrreryLive
import TestSupport
import Testing

/// Goal: changes give the frame's very numbers, and are only sent if they are much less.
///
/// Method: frames are made up as `FrameEncoder` writes them, and read again by the words of the format; the page's own
/// reading is tested by the browser test.
@Suite struct FrameDeltaTests {
  /// An encoded frame of columns of 16-bit numbers.
  private func frame(_ sequence: UInt64, _ columns: [[Int16]], unit: Float = 0.25) -> ByteBuffer {
    var bytes = ByteBuffer()
    bytes.writeInteger(FrameEncoder.version, endianness: .little)
    bytes.writeInteger(UInt32(columns.count), endianness: .little)
    for number in [sequence, 30, 500, 1_700_000_000_000_000_000] {
      bytes.writeInteger(UInt64(number), endianness: .little)
    }
    for number in [UInt32(1), 0] { bytes.writeInteger(number, endianness: .little) }
    var end = FrameEncoder.headBytes + columns.count * FrameEncoder.columnBytes
    for (index, column) in columns.enumerated() {
      end = (end + 7) & ~7
      for number in [0, 0, UInt32(index), UInt32(column.count), UInt32(end), unit.bitPattern] {
        bytes.writeInteger(number, endianness: .little)
      }
      end += 2 * column.count
    }
    for column in columns {
      bytes.writeRepeatingByte(0, count: (8 - bytes.writerIndex % 8) % 8)
      for value in column { bytes.writeInteger(value, endianness: .little) }
    }
    return bytes
  }

  /// The columns after their changes.
  private func columns(_ old: [[Int16]], after changes: ByteBuffer) throws -> [[Int16]] {
    try old.enumerated().map { (index, values) in
      let head = FrameEncoder.headBytes + index * FrameEncoder.columnBytes
      let count = try #require(
        changes.getInteger(at: head + 12, endianness: .little, as: UInt32.self))
      #expect(Int(count) == values.count)
      let start = Int(
        try #require(changes.getInteger(at: head + 16, endianness: .little, as: UInt32.self)))
      var at = start + (values.count + 255) / 256
      return try values.enumerated().map { (index, value) in
        switch try #require(changes.getInteger(at: start + index / 256, as: UInt8.self)) {
        case 0: return value
        case 1:
          defer { at += 1 }
          return value &+ Int16(try #require(changes.getInteger(at: at, as: Int8.self)))
        default:
          defer { at += 2 }
          return value
            &+ (try #require(changes.getInteger(at: at, endianness: .little, as: Int16.self)))
        }
      }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func changesGiveTheFrame(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var delta = FrameDelta()
    var old = [0, 1, 255, 256, 257, 5000].map { count in
      (0..<count).map { _ in Int16.random(in: .min ... .max, using: &random) }
    }
    var count = 0
    for sequence in UInt64(2)...11 {
      let new = old.map { column in
        var reach: Int16 = 0
        return column.enumerated().map { (index, value) in
          if index % 256 == 0 {
            reach = [0, 0, 0, 0, 0, 0, 1, 127, 128, .max].randomElement(using: &random) ?? 0
          }
          return value &+ Int16.random(in: -reach...reach, using: &random)
        }
      }
      let whole = frame(sequence, new)
      let encoded = delta.encode(whole, since: frame(sequence - 1, old))
      // Chance may move too much.
      guard let changes = encoded else { continue }
      count += 1
      #expect(changes.readableBytes <= whole.readableBytes / 2)
      #expect(try columns(old, after: changes) == new, "seed \(seed)")
      #expect(changes.getInteger(at: 8, endianness: .little) == sequence)
      #expect(changes.getInteger(at: 44, endianness: .little) == UInt32(2))
      let at = FrameEncoder.headBytes + 6 * FrameEncoder.columnBytes
      #expect(changes.getInteger(at: at, endianness: .little) == sequence - 1)
      old = new
    }
    #expect(count > 2, "seed \(seed)")
  }

  @Test func whatDoesNotMoveTakesAByteFor256Values() throws {
    var delta = FrameDelta()
    let values = [[Int16](repeating: 7, count: 25_600)]
    let encoded = delta.encode(frame(2, values), since: frame(1, values))
    let changes = try #require(encoded)
    #expect(changes.readableBytes == FrameEncoder.headBytes + FrameEncoder.columnBytes + 8 + 100)
  }

  /// All values that move take a byte each, and what says so is more than half then.
  @Test func whatIsNotHalfIsNotSent() {
    var delta = FrameDelta()
    let old = [[Int16](repeating: 0, count: 2560)]
    let one = delta.encode(frame(2, [[Int16](repeating: 1, count: 2560)]), since: frame(1, old))
    let empty = delta.encode(frame(2, [[]]), since: frame(1, [[]]))
    let half = [Int16](repeating: 128, count: 1024) + [Int16](repeating: 0, count: 1536)
    let far = delta.encode(frame(2, [half]), since: frame(1, old))
    #expect(one == nil && empty == nil && far != nil)
  }

  @Test func aUnitThatHasGrownNeedsTheWholeFrame() {
    var delta = FrameDelta()
    let values = [[Int16](repeating: 7, count: 2560)]
    let grown = delta.encode(frame(2, values, unit: 0.5), since: frame(1, values))
    let same = delta.encode(frame(2, values), since: frame(1, values))
    #expect(grown == nil && same != nil)
  }

  @Test func changesStayAsTheyAreWhileOthersAreEncoded() throws {
    var delta = FrameDelta()
    let old = [[Int16](repeating: 0, count: 2560)]
    let new = [[Int16](repeating: 1, count: 256) + [Int16](repeating: 0, count: 2304)]
    let encoded = delta.encode(frame(2, new), since: frame(1, old))
    let kept = try #require(encoded)
    for sequence in UInt64(3)...12 { _ = delta.encode(frame(sequence, new), since: frame(1, new)) }
    #expect(try columns(old, after: kept) == new)
  }
}
