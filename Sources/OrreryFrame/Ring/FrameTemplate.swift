// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// What all frames of a run have in common: all but five numbers and the columns' values.
///
///     a frame      | numbers, head | values | head | values | …
///     the template | numbers, head | head | …
///
/// Made once for a layout, it says of messages whether they are frames of it, writes the heads of frames whose values are
/// filled in, and is the heads of frames whose values lie elsewhere. One thread at a time uses it.
package final class FrameTemplate {
  /// Where columns lie.
  package let layout: FrameLayout

  /// The run that frames are of.
  package let generation: UInt64

  /// A head that lies in `memory`.
  private struct Head {
    /// Where it begins in a frame.
    let offset: Int
    let start: UnsafeMutableRawPointer
    let byteCount: Int
  }

  /// One in front of each column's values, the first with the numbers; without columns the numbers alone.
  private let heads: [Head]

  private let memory: UnsafeMutableRawPointer

  /// The template of frames with these columns.
  package init(_ layout: FrameLayout, generation: UInt64) {
    (self.layout, self.generation) = (layout, generation)
    var bytes = FrameField.head(layoutHash: layout.layoutHash, generation: generation).bytes
    // Where each head begins, in a frame and here; last, where a frame ends.
    var starts = [(offset: 0, index: 0)]
    var end = UInt64(FrameField.allBytes)
    for column in layout.columns {
      bytes += ColumnEncoding.head(of: column, from: end)
      end = column.valuesOffset + column.valuesBytes
      starts.append((Int(end), bytes.count))
    }
    if layout.columns.isEmpty { starts.append((Int(end), bytes.count)) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 64)
    UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyBytes(from: bytes)
    self.memory = memory
    heads = zip(starts, starts.dropFirst()).map { start, next in
      Head(
        offset: start.offset, start: memory + start.index, byteCount: next.index - start.index)
    }
  }

  deinit { memory.deallocate() }

  /// The template of a frame, whoever encoded it; nil if its columns are not where `FrameLayout` has them.
  ///
  /// - Parameter frame: Any bytes.
  package convenience init?(of frame: UnsafeRawBufferPointer) {
    guard let map = try? FrameMap(frame), let layout = map.layout,
      layout.layoutHash == map.number(.layoutHash, in: frame)
    else { return nil }
    self.init(layout, generation: map.number(.generation, in: frame))
    guard fits(frame) else { return nil }
  }

  /// Compares a message with the template.
  ///
  /// - Parameter frame: Any bytes.
  /// - Returns: Whether it is a frame of this layout and run: its tags, lengths, layout hash, generation and column heads
  ///   are the same.
  package func fits(_ frame: UnsafeRawBufferPointer) -> Bool {
    guard UInt64(frame.count) == layout.frameBytes, let start = frame.baseAddress else {
      return false
    }
    // Of the numbers that change only the tags are the same.
    let changing = FrameField.changingBytes
    for tag in stride(from: 0, to: changing, by: Int(FrameField.encodedBytes)) {
      guard
        start.load(fromByteOffset: tag, as: UInt8.self)
          == memory.load(fromByteOffset: tag, as: UInt8.self)
      else { return false }
    }
    for head in heads {
      let skipped = head.offset == 0 ? changing : 0
      guard
        memcmp(start + head.offset + skipped, head.start + skipped, head.byteCount - skipped) == 0
      else { return false }
    }
    return true
  }

  /// Writes the heads of a frame.
  ///
  /// - Parameter frame: Start of at least `frameBytes` bytes.
  package func write(to frame: UnsafeMutableRawPointer) {
    for head in heads {
      (frame + head.offset).copyMemory(from: head.start, byteCount: head.byteCount)
    }
  }

  /// A frame in pieces: its heads lie here, its values elsewhere.
  ///
  /// - Parameters:
  ///   - sequence: Number of the frame.
  ///   - stamp: Its other numbers.
  ///   - pieceCount: Pieces that there will be, heads among them.
  ///   - appendValues: Appends the pieces of a column's values.
  /// - Returns: The frame, valid until the next call.
  package func compose(
    sequence: UInt64, _ stamp: FrameStamp, pieceCount: Int,
    appendValues: (_ column: Int, _ pieces: inout [UnsafeRawBufferPointer]) -> Void
  ) -> FrameView {
    stamp.write(sequence: sequence, to: memory)
    var pieces: [UnsafeRawBufferPointer] = []
    pieces.reserveCapacity(pieceCount)
    for (index, head) in heads.enumerated() {
      pieces.append(UnsafeRawBufferPointer(start: head.start, count: head.byteCount))
      if index < layout.columns.count { appendValues(index, &pieces) }
    }
    return FrameView(sequence: sequence, pieces: pieces)
  }
}
