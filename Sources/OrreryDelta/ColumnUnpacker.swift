// SPDX-License-Identifier: Apache-2.0

import CDelta

/// Gives a column's values back from what changed: the opposite of `ColumnPacker`.
struct ColumnUnpacker {
  let isa: delta_isa

  /// Unpacks a column into its history, whose last values are then the column's.
  ///
  /// - Parameters:
  ///   - bytes: What `ColumnPacker` made, or anything else.
  ///   - history: The column's last two frames; what it has is undefined afterwards if bytes are damaged.
  /// - Returns: The offset of the byte that is damaged, or missing; nil if all is well.
  func unpack(_ bytes: UnsafeRawBufferPointer, _ history: ColumnHistory) -> Int? {
    withUnsafeTemporaryAllocation(
      byteCount: ColumnHistory.blockValues * 4, alignment: 64
    ) { scratch -> Int? in
      guard let residuals = scratch.baseAddress else { return 0 }
      var offset = 0
      var first = 0
      while first < history.count {
        let count = min(history.count - first, ColumnHistory.blockValues)
        let isRead =
          count < ColumnHistory.blockValues
          ? Self.readShort(
            bytes, &offset, count: count, valueBytes: history.valueBytes, to: residuals)
          : Self.read(bytes, &offset, valueBytes: history.valueBytes, to: residuals)
        guard isRead else { return offset }
        apply(residuals, history, first: first)
        first += count
      }
      history.advance()
      return offset == bytes.count ? nil : offset
    }
  }

  private func apply(
    _ residuals: UnsafeMutableRawPointer, _ history: ColumnHistory, first: Int
  ) {
    let last = history.last + first * history.valueBytes
    let before = history.before + first * history.valueBytes
    if history.valueBytes == 2 {
      delta_to_multiples(
        isa, residuals.assumingMemoryBound(to: UInt16.self),
        last.assumingMemoryBound(to: UInt16.self), before.assumingMemoryBound(to: UInt16.self))
    } else {
      delta_to_floats(
        isa, residuals.assumingMemoryBound(to: UInt32.self),
        last.assumingMemoryBound(to: UInt32.self), before.assumingMemoryBound(to: UInt32.self))
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
