// SPDX-License-Identifier: Apache-2.0

import CDelta
import Glibc

/// Gives a column's floats back from what changed: the opposite of `FloatPacker`.
struct FloatUnpacker {
  let isa: delta_isa

  /// Unpacks a column.
  ///
  /// - Parameters:
  ///   - bytes: What `FloatPacker` made, or anything else.
  ///   - history: The column's last frames; what it has is undefined afterwards if bytes are damaged.
  ///   - column: Gets the values; undefined likewise.
  /// - Returns: The offset of the byte that is damaged, or missing; nil if all is well.
  func unpack(
    _ bytes: UnsafeRawBufferPointer, _ history: FloatHistory, to column: UnsafeMutableRawPointer
  ) -> Int? {
    let blockValues = ColumnHistory.blockValues
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * blockValues) { scratch in
      withUnsafeTemporaryAllocation(
        of: UnsafePointer<UInt32>.self, capacity: FloatHistory.depth
      ) { frames -> Int? in
        guard let residuals = scratch.baseAddress, let frames = frames.baseAddress else { return 0 }
        let values = residuals + blockValues
        var offset = 0
        for block in 0..<history.blockCount {
          let count = history.valueCount(of: block)
          guard
            Self.read(
              bytes, &offset, count: count, predictor: &history.predictors[block], to: residuals)
          else { return offset }
          history.find(block, frames)
          let predictor = Predictor.usable(history.predictors[block], known: history.known)
          delta_to_predicted(isa, UInt32(predictor), residuals, frames, values)
          memcpy(history.oldest(block), values, 4 * count)
          memcpy(column + 4 * block * blockValues, values, 4 * count)
        }
        history.advance()
        return offset == bytes.count ? nil : offset
      }
    }
  }

  /// Reads the residuals of a block; those behind an incomplete one are 0.
  ///
  /// - Returns: False if it is damaged, at `offset`.
  private static func read(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int, count: Int, predictor: inout UInt8,
    to residuals: UnsafeMutablePointer<UInt32>
  ) -> Bool {
    func next() -> UInt8? {
      guard offset < bytes.count else { return nil }
      defer { offset += 1 }
      return bytes[offset]
    }
    guard let start = bytes.baseAddress, let head = next() else { return false }
    let width = Int(head & PredictedBlock.widthMask)
    guard width <= UInt32.bitWidth else {
      offset -= 1
      return false
    }
    if head & PredictedBlock.namesPredictor != 0 {
      guard let named = next() else { return false }
      guard Predictor.all.contains(named) else {
        offset -= 1
        return false
      }
      predictor = named
    }
    var exceptions = 0
    if head & PredictedBlock.hasExceptions != 0 {
      guard let found = next() else { return false }
      exceptions = Int(found)
    }
    let packedBytes = PredictedBlock.packedBytes(width: width, count: count)
    guard bytes.count - offset >= packedBytes else {
      offset = bytes.count
      return false
    }
    if count < ColumnHistory.blockValues {
      delta_unpack_few(start + offset, UInt32(count), UInt32(width), residuals)
    } else {
      delta_unpack_32(start + offset, UInt32(width), residuals)
    }
    offset += packedBytes
    for _ in 0..<exceptions {
      guard let named = next() else { return false }
      let index = Int(named & ~PredictedBlock.isLong)
      guard index < count else {
        offset -= 1
        return false
      }
      if named & PredictedBlock.isLong == 0 {
        guard let above = next() else { return false }
        residuals[index] |= UInt32(above) << UInt32(width)
      } else {
        guard bytes.count - offset >= 4 else {
          offset = bytes.count
          return false
        }
        residuals[index] = UInt32(
          littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        offset += 4
      }
    }
    return true
  }
}
