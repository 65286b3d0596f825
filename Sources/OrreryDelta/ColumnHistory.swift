// SPDX-License-Identifier: Apache-2.0

import CDelta
import Glibc

/// The 16-bit numbers of a column in the last two recorded frames, from which the next ones are predicted.
///
/// Both are padded with zeros to whole blocks of 128 values. A keyframe sets both, so that the first prediction after
/// it is no change.
final class ColumnHistory {
  /// Values of the column.
  let count: Int

  /// The last frame's values, and those of the frame before it.
  private(set) var last: UnsafeMutableRawPointer
  private(set) var before: UnsafeMutableRawPointer

  private let memory: UnsafeMutableRawPointer

  /// Values in a block.
  static let blockValues = Int(DELTA_BLOCK_VALUES)

  /// Bytes of one.
  static let valueBytes = 2

  init(count: Int) {
    self.count = count
    let blocks = (count + Self.blockValues - 1) / Self.blockValues
    let bytes = blocks * Self.blockValues * Self.valueBytes
    guard let memory = calloc(max(2 * bytes, 1), 1) else {
      preconditionFailure("no memory for \(2 * bytes) bytes of a column's history")
    }
    (self.memory, last, before) = (memory, memory, memory + bytes)
  }

  deinit { free(memory) }

  /// Begins anew with the values of a keyframe.
  func set(_ values: UnsafeRawPointer) {
    memcpy(last, values, count * Self.valueBytes)
    memcpy(before, values, count * Self.valueBytes)
  }

  /// Makes the values that were written over the older ones the last.
  func advance() { swap(&last, &before) }
}
