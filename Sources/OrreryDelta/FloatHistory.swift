// SPDX-License-Identifier: Apache-2.0

import CDelta
import Glibc
import OrreryBase

/// The floats of a column in the last five recorded frames, from which the next ones are predicted.
///
/// Each frame has a place of its own, of which the oldest is used again: a pass over a column then reads and writes a
/// few long streams, which the processor fetches ahead. With a block's five frames side by side it takes twice as long.
/// Frames are padded with zeros to whole blocks of 128 values.
final class FloatHistory {
  /// The bits of a block's values in each frame, the last frame first.
  typealias Frames = UnsafeMutablePointer<UnsafePointer<UInt32>>

  /// Values of the column.
  let count: Int

  /// Blocks of 128 values; the last may have fewer.
  let blockCount: Int

  /// Frames since the keyframe, which is the first of them: 1 … 5.
  private(set) var known = 1

  /// The predictor that each block named last.
  let predictors: UnsafeMutablePointer<UInt8>

  /// Place of the last frame.
  private var newest = 0

  private let memory: UnsafeMutablePointer<UInt32>

  /// Values from one frame to the next.
  private let stride: Int

  /// Values between frames, so that those of a block do not lie at the same offset of a page: 13 cache lines.
  private static let skew = 208

  static let depth = Int(DELTA_FRAMES)
  private static let blockValues = ColumnHistory.blockValues

  init(count: Int) {
    self.count = count
    blockCount = (count + Self.blockValues - 1) / Self.blockValues
    predictors = .allocate(capacity: max(blockCount, 1))
    predictors.initialize(repeating: Predictor.first, count: blockCount)
    stride = blockCount * Self.blockValues + Self.skew
    let bytes = Self.depth * stride * 4
    let isLong = bytes >= Memory.hugePageBytes
    guard let memory = aligned_alloc(isLong ? Memory.hugePageBytes : 64, bytes) else {
      preconditionFailure("no memory for \(bytes) bytes of a column's history")
    }
    if isLong { Memory.preferHugePages(memory, bytes: bytes) }
    self.memory = memory.bindMemory(to: UInt32.self, capacity: bytes / 4)
    self.memory.update(repeating: 0, count: bytes / 4)
  }

  deinit {
    predictors.deallocate()
    free(memory)
  }

  /// Begins anew with the values of a keyframe.
  func set(_ values: UnsafeRawPointer) {
    known = 1
    predictors.update(repeating: Predictor.first, count: blockCount)
    for block in 0..<blockCount {
      memcpy(
        frame(newest, block), values + 4 * block * Self.blockValues, 4 * valueCount(of: block))
    }
  }

  /// Values of a block.
  func valueCount(of block: Int) -> Int {
    min(count - block * Self.blockValues, Self.blockValues)
  }

  /// Finds a block's frames.
  func find(_ block: Int, _ frames: Frames) {
    for age in 0..<Self.depth {
      frames[age] = UnsafePointer(frame((newest + age) % Self.depth, block))
    }
  }

  /// Where the oldest frame of a block is, which the next frame takes the place of.
  func oldest(_ block: Int) -> UnsafeMutablePointer<UInt32> {
    frame((newest + Self.depth - 1) % Self.depth, block)
  }

  /// Makes the values that were written over the oldest ones the last.
  func advance() {
    newest = (newest + Self.depth - 1) % Self.depth
    known = min(known + 1, Self.depth)
  }

  private func frame(_ place: Int, _ block: Int) -> UnsafeMutablePointer<UInt32> {
    memory + place * stride + block * Self.blockValues
  }
}
