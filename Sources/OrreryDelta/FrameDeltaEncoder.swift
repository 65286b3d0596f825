// SPDX-License-Identifier: Apache-2.0

import CDelta
import Glibc
import OrreryBase
import OrreryFrame
import Synchronization

/// Makes the messages of a trace from frames: keyframes, and between them what changed since the frame before.
///
/// Lossless: the messages give back the values bit for bit, or, where values are quantised, exactly the nearest multiples
/// of the column's unit. A unit is 1/16 of a point for positions and 1/1024 for other fields; where a value does not fit
/// in 16 bits of it, the frame becomes a keyframe with a coarser unit, and with floats where a value is no number. So an
/// error is half a unit at most, and a unit is at most four times what 16 bits need.
///
/// One thread at a time uses it; it may start others, which pack columns of one frame at the same time. It keeps the
/// frames that values are predicted from: 4 bytes a value, 20 where they are floats.
package final class FrameDeltaEncoder {
  /// An encoded message.
  ///
  /// Its parts are valid until the next call, and as long as the frame that it was made of.
  package struct Message {
    /// Whether it is an `orrery.Frame`; otherwise it is an `orrery.DeltaFrame`.
    package let isKeyframe: Bool

    /// The bytes, in order.
    package let parts: [UnsafeRawBufferPointer]
  }

  /// The layout of recorded keyframes.
  ///
  /// It changes only with a keyframe.
  package private(set) var layout: FrameLayout

  private let generation: UInt64
  private var columns: [RecordedColumn]

  /// The frame that the next changes stand on; nil: a keyframe comes next.
  private var base: UInt64?

  /// A keyframe with rounded values; without memory where frames are recorded as they are.
  private var keyframe = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// A message of changes; what all of them have in common is written already.
  private var changes = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// The field of packed changes: without floats nothing names a predictor, and every reader of deltas reads it.
  private var columnField = DeltaBytes.ColumnField.columns

  /// Of each thread that packs columns: what finds them in a frame.
  private let finders: [ColumnFinder]

  /// Prepares for frames of a layout.
  ///
  /// - Parameters:
  ///   - layout: Of the frames that come.
  ///   - generation: Of the run.
  ///   - quantises: Whether floats are rounded to 16 bits.
  ///   - threadCount: Threads that pack the columns of a frame; the messages are the same. Each frame starts them
  ///     anew, which costs some 50 µs.
  ///   - usesWideVectors: Whether to use the machine's widest instruction set; results are the same.
  /// - Throws: `FrameError.frameTooLarge`.
  package init(
    layout: FrameLayout, generation: UInt64, quantises: Bool, threadCount: Int = 1,
    usesWideVectors: Bool = true
  ) throws(FrameError) {
    finders = (0..<max(threadCount, 1)).map { _ in ColumnFinder() }
    let isa = usesWideVectors ? delta_best_isa() : DELTA_BASELINE
    self.generation = generation
    columns = layout.columns.map { RecordedColumn($0, quantises: quantises, isa: isa) }
    self.layout = layout
    if columns.contains(where: \.isRounded) { try makeKeyframe() } else { makeChanges() }
  }

  deinit {
    for memory in [keyframe, changes] { free(memory.baseAddress) }
  }

  /// Encodes a frame.
  ///
  /// - Parameters:
  ///   - frame: Of the layout. If it turns out afterwards that it was overwritten meanwhile, call `reset`.
  ///   - asKeyframe: Whether it shall be a keyframe. The first one is, the first after a reset, and one that the
  ///     present formats do not hold.
  /// - Returns: The message.
  /// - Throws: `FrameError.frameTooLarge`.
  package func encode(_ frame: FrameView, asKeyframe: Bool) throws(FrameError) -> Message {
    if !asKeyframe, let base, let parts = encodeChanges(frame, base: base) {
      self.base = frame.sequence
      return Message(isKeyframe: false, parts: parts)
    }
    base = nil
    let message = try encodeKeyframe(frame)
    base = frame.sequence
    return message
  }

  /// Forgets the last frame: the next one is a keyframe.
  package func reset() { base = nil }

  // MARK: - Keyframes

  private func encodeKeyframe(_ frame: FrameView) throws(FrameError) -> Message {
    var hasNewFormats = false
    forEachColumn(of: frame) { index, values in
      hasNewFormats = columns[index].fit(values) || hasNewFormats
      return true
    }
    if hasNewFormats { try makeKeyframe() }
    guard let start = keyframe.baseAddress else {
      forEachColumn(of: frame) { index, values in
        columns[index].begin(values, copyTo: nil)
        return true
      }
      return Message(isKeyframe: true, parts: frame.pieces)
    }
    frame.stamp().write(sequence: frame.sequence, to: start)
    forEachColumn(of: frame) { index, values in
      columns[index].begin(values, copyTo: start + Int(layout.columns[index].valuesOffset))
      return true
    }
    return Message(isKeyframe: true, parts: [UnsafeRawBufferPointer(keyframe)])
  }

  /// Makes the memory of a keyframe in the columns' formats.
  private func makeKeyframe() throws(FrameError) {
    layout = try FrameLayout(columns: columns.map(\.description))
    free(keyframe.baseAddress)
    keyframe = Self.allocate(Int(layout.frameBytes))
    if let start = keyframe.baseAddress {
      FrameTemplate(layout, generation: generation).write(to: start)
    }
    makeChanges()
  }

  // MARK: - Changes

  /// Makes the memory of a message of changes.
  private func makeChanges() {
    columnField =
      columns.contains { $0.format == .float32 } ? .predictedColumns : .columns
    let needed = DeltaBytes.headBytes + columns.reduce(0) { $0 + $1.packedBytesMax }
    if needed > changes.count {
      free(changes.baseAddress)
      changes = Self.allocate(needed)
    }
    changes.copyBytes(
      from: DeltaBytes.head(layoutHash: layout.layoutHash, generation: generation))
  }

  /// Encodes what changed.
  ///
  /// - Returns: The message's parts; nil if a column's format does not hold a value.
  private func encodeChanges(_ frame: FrameView, base: UInt64) -> [UnsafeRawBufferPointer]? {
    guard let start = changes.baseAddress else { return nil }
    DeltaBytes.write(frame.stamp(), sequence: frame.sequence, base: base, to: start)
    if finders.count > 1 { return packConcurrently(frame, start) }
    var end = start + DeltaBytes.headBytes
    let isWhole = forEachColumn(of: frame) { index, values in
      guard let packedEnd = columns[index].pack(values, as: columnField, to: end) else {
        return false
      }
      end = packedEnd
      return true
    }
    return isWhole ? [UnsafeRawBufferPointer(start: start, count: end - start)] : nil
  }

  /// Packs columns by several threads: each column to where it begins if all before it have their greatest size.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - message: Its head is there.
  /// - Returns: The head, and the columns in order.
  private func packConcurrently(
    _ frame: FrameView, _ message: UnsafeMutableRawPointer
  ) -> [UnsafeRawBufferPointer]? {
    let head = UnsafeRawBufferPointer(start: message, count: DeltaBytes.headBytes)
    var start = message + head.count
    var parts: [UnsafeRawBufferPointer?] = columns.map { column in
      defer { start += column.packedBytesMax }
      return UnsafeRawBufferPointer(start: start, count: 0)
    }
    let (pieces, columnField) = (frame.pieces, columnField)
    let nextColumn = Atomic(0)
    columns.withUnsafeMutableBufferPointer { columns in
      parts.withUnsafeMutableBufferPointer { parts in
        // Each column, and its part, is one thread's: that of the thread that drew its number.
        nonisolated(unsafe) let (columns, parts, finders) = (columns, parts, finders)
        nonisolated(unsafe) let pieces = pieces
        BackgroundThread.concurrently(finders.count) { thread in
          finders[thread].begin(pieces)
          while true {
            let index = nextColumn.add(1, ordering: .relaxed).oldValue
            guard index < columns.count else { return }
            let values = finders[thread].values(of: columns[index].source)
            guard let room = UnsafeMutableRawPointer(mutating: parts[index]?.baseAddress) else {
              continue
            }
            parts[index] = columns[index].pack(values, as: columnField, to: room)
              .map { UnsafeRawBufferPointer(start: room, count: $0 - room) }
          }
        }
      }
    }
    let packed = parts.compactMap(\.self)
    return packed.count == parts.count ? [head] + packed : nil
  }

  /// Calls a function with each column's values, in one piece, until it returns false.
  ///
  /// - Returns: The last result; true without columns.
  @discardableResult
  private func forEachColumn(
    of frame: FrameView, _ body: (_ column: Int, _ values: UnsafeRawPointer) -> Bool
  ) -> Bool {
    finders[0].begin(frame.pieces)
    return columns.indices.allSatisfy { body($0, finders[0].values(of: columns[$0].source)) }
  }

  private static func allocate(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
    guard let memory = calloc(max(byteCount, 1), 1) else {
      preconditionFailure("no memory for a message of \(byteCount) bytes")
    }
    return UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
  }
}
