// SPDX-License-Identifier: Apache-2.0

import CDelta
import Glibc

/// Gives a column's values back from what changed: the opposite of `ColumnPacker`, and of what packed floats in messages
/// of the older form.
struct ColumnUnpacker {
  let isa: delta_isa

  /// Unpacks a column of 16-bit numbers into its history, whose last values are then the column's.
  ///
  /// - Parameters:
  ///   - bytes: What `ColumnPacker` made, or anything else.
  ///   - history: The column's last two frames; what it has is undefined afterwards if bytes are damaged.
  /// - Returns: The offset of the byte that is damaged, or missing; nil if all is well.
  func unpack(_ bytes: UnsafeRawBufferPointer, _ history: ColumnHistory) -> Int? {
    let (last, before) = (
      history.last.assumingMemoryBound(to: UInt16.self),
      history.before.assumingMemoryBound(to: UInt16.self)
    )
    let damage = Self.forEachBlock(
      of: bytes, count: history.count, valueBytes: ColumnHistory.valueBytes
    ) { first, residuals in
      delta_to_multiples(
        isa, residuals.assumingMemoryBound(to: UInt16.self), last + first, before + first)
    }
    history.advance()
    return damage
  }

  /// Unpacks a column of floats of a message of the older form.
  ///
  /// - Parameters:
  ///   - bytes: The packed changes, or anything else.
  ///   - history: The column's last frames; what it has is undefined afterwards if bytes are damaged.
  ///   - column: Gets the values; undefined likewise.
  /// - Returns: As `unpack`.
  func unpackOlder(
    _ bytes: UnsafeRawBufferPointer, _ history: FloatHistory, to column: UnsafeMutableRawPointer
  ) -> Int? {
    withUnsafeTemporaryAllocation(
      of: UnsafePointer<UInt32>.self, capacity: FloatHistory.depth
    ) { frames -> Int? in
      guard let frames = frames.baseAddress else { return 0 }
      let damage = Self.forEachBlock(of: bytes, count: history.count, valueBytes: 4) {
        first, residuals in
        let block = first / ColumnHistory.blockValues
        let values = history.oldest(block)
        history.find(block, frames)
        memcpy(values, frames[history.known > 1 ? 1 : 0], 4 * ColumnHistory.blockValues)
        delta_to_floats(isa, residuals.assumingMemoryBound(to: UInt32.self), frames[0], values)
        memcpy(column + 4 * first, values, 4 * history.valueCount(of: block))
      }
      history.advance()
      return damage
    }
  }

  /// Reads the residuals of each block.
  ///
  /// - Returns: The offset of the byte that is damaged, or missing; nil if all is well.
  private static func forEachBlock(
    of bytes: UnsafeRawBufferPointer, count: Int, valueBytes: Int,
    _ body: (_ first: Int, _ residuals: UnsafeMutableRawPointer) -> Void
  ) -> Int? {
    withUnsafeTemporaryAllocation(
      byteCount: ColumnHistory.blockValues * 4, alignment: 64
    ) { scratch -> Int? in
      guard let residuals = scratch.baseAddress else { return 0 }
      var offset = 0
      for first in stride(from: 0, to: count, by: ColumnHistory.blockValues) {
        let rest = count - first
        let isRead =
          rest < ColumnHistory.blockValues
          ? readShort(bytes, &offset, count: rest, valueBytes: valueBytes, to: residuals)
          : read(bytes, &offset, valueBytes: valueBytes, to: residuals)
        guard isRead else { return offset }
        body(first, residuals)
      }
      return offset == bytes.count ? nil : offset
    }
  }

  /// Reads a block of 128 residuals.
  ///
  /// - Returns: False if it is damaged, at `offset`.
  private static func read(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int, valueBytes: Int,
    to residuals: UnsafeMutableRawPointer
  ) -> Bool {
    guard offset < bytes.count, let start = bytes.baseAddress else { return false }
    let head = bytes[offset]
    let width = Int(head & PackedBlock.widthMask)
    let hasExceptions = head & PackedBlock.hasExceptions != 0
    guard width <= 8 * valueBytes, head & PackedBlock.isShort == 0 else { return false }
    let packed = offset + (hasExceptions ? 2 : 1)
    guard bytes.count - offset >= packed - offset + 16 * width else {
      offset = bytes.count
      return false
    }
    let exceptions = hasExceptions ? Int(bytes[offset + 1]) : 0
    if valueBytes == 2 {
      delta_unpack_16(
        start + packed, UInt32(width), residuals.assumingMemoryBound(to: UInt16.self))
    } else {
      delta_unpack_32(
        start + packed, UInt32(width), residuals.assumingMemoryBound(to: UInt32.self))
    }
    offset = packed + 16 * width
    guard bytes.count - offset >= exceptions * (1 + valueBytes) else {
      offset = bytes.count
      return false
    }
    for _ in 0..<exceptions {
      let index = Int(bytes[offset])
      guard index < ColumnHistory.blockValues else { return false }
      residuals.advanced(by: index * valueBytes).copyMemory(
        from: start + offset + 1, byteCount: valueBytes)
      offset += 1 + valueBytes
    }
    return true
  }

  /// Reads an incomplete block; the residuals behind it are 0.
  private static func readShort(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int, count: Int, valueBytes: Int,
    to residuals: UnsafeMutableRawPointer
  ) -> Bool {
    guard offset < bytes.count, let start = bytes.baseAddress else { return false }
    let residualBytes = Int(bytes[offset] & PackedBlock.widthMask)
    guard bytes[offset] & ~PackedBlock.widthMask == PackedBlock.isShort,
      residualBytes <= valueBytes
    else { return false }
    offset += 1
    guard bytes.count - offset >= count * residualBytes else {
      offset = bytes.count
      return false
    }
    residuals.initializeMemory(
      as: UInt8.self, repeating: 0, count: ColumnHistory.blockValues * 4)
    for index in 0..<count {
      residuals.advanced(by: index * valueBytes).copyMemory(
        from: start + offset, byteCount: residualBytes)
      offset += residualBytes
    }
    return true
  }
}
