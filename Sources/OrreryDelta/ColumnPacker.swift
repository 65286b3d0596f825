// SPDX-License-Identifier: Apache-2.0

import CDelta

/// Packs what changed in a column of 16-bit numbers since the last frame.
///
/// Per 128 values: the prediction and its error are one pass over the values and the two frames before (6 or 8 bytes
/// read, 2 written, a value), packing is a second one in the first-level cache. Bound by memory.
struct ColumnPacker {
  /// How values are read.
  enum Source {
    /// 16-bit numbers.
    case multiples
    /// Floats, each rounded to the nearest multiple of 1 / `units`.
    case rounded(units: Float)

    /// Bytes of a value that is read.
    var valueBytes: Int { if case .multiples = self { 2 } else { 4 } }
  }

  let source: Source
  let isa: delta_isa

  /// Bits of the last block: a block that needs many more is looked at for exceptions.
  private var width = 0

  private typealias Scratch = UnsafeMutablePointer<UInt16>

  init(_ source: Source, isa: delta_isa) { (self.source, self.isa) = (source, isa) }

  /// The most bytes that a column takes.
  ///
  /// A few more may be written and taken back: see `delta_store_exceptions_16`.
  static func bytesMax(count: Int) -> Int {
    let whole = count / ColumnHistory.blockValues
    let rest = count % ColumnHistory.blockValues
    return whole * PackedBlock.bytesMax + (rest > 0 ? 1 + rest * ColumnHistory.valueBytes : 0) + 8
  }

  /// Packs a column, and keeps its values in the history.
  ///
  /// - Parameters:
  ///   - values: As many as the history has.
  ///   - history: The column's last two frames; what it has is undefined afterwards if nil is returned.
  ///   - output: Room for `bytesMax`.
  /// - Returns: Bytes written; nil if a value is no number that 16 bits hold.
  mutating func pack(
    _ values: UnsafeRawPointer, _ history: ColumnHistory, to output: UnsafeMutableRawPointer
  ) -> Int? {
    var end = output
    var isOutOfRange: UInt32 = 0
    withUnsafeTemporaryAllocation(
      byteCount: 2 * ColumnHistory.blockValues * 4, alignment: 64
    ) { scratch in
      guard let padded = scratch.baseAddress else { return }
      let residuals = (padded + ColumnHistory.blockValues * 4)
        .assumingMemoryBound(to: UInt16.self)
      var first = 0
      while first < history.count {
        let count = min(history.count - first, ColumnHistory.blockValues)
        var from = values + first * source.valueBytes
        if count < ColumnHistory.blockValues {
          padded.initializeMemory(
            as: UInt8.self, repeating: 0, count: ColumnHistory.blockValues * 4)
          padded.copyMemory(from: from, byteCount: count * source.valueBytes)
          from = UnsafeRawPointer(padded)
        }
        let found = residual(from, history, first: first, to: residuals)
        isOutOfRange |= found.is_out_of_range
        if count < ColumnHistory.blockValues {
          end = Self.storeShort(residuals, used: found.used_bits, count: count, to: end)
        } else {
          end = store(residuals, used: found.used_bits, to: end)
        }
        first += count
      }
    }
    history.advance()
    return isOutOfRange == 0 ? end - output : nil
  }

  /// What a block's predictions are wrong by.
  private func residual(
    _ values: UnsafeRawPointer, _ history: ColumnHistory, first: Int, to residuals: Scratch
  ) -> delta_residuals {
    let last = history.last.assumingMemoryBound(to: UInt16.self) + first
    let before = history.before.assumingMemoryBound(to: UInt16.self) + first
    return switch source {
    case .multiples: delta_from_multiples(isa, values, last, before, residuals)
    case .rounded(let units): delta_from_rounded(isa, values, units, last, before, residuals)
    }
  }

  /// Stores a block of 128 residuals.
  private mutating func store(
    _ residuals: Scratch, used: UInt32, to output: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let full = UInt32.bitWidth - used.leadingZeroBitCount
    let best = full > width + 1 ? bestWidth(residuals, full: full) : full
    width = best
    let head = UInt8(truncatingIfNeeded: best)
    guard best < full else {
      output.storeBytes(of: head, as: UInt8.self)
      delta_pack_16(residuals, UInt32(best), output + 1)
      return output + 1 + 16 * best
    }
    output.storeBytes(of: head | PackedBlock.hasExceptions, as: UInt8.self)
    delta_pack_16(residuals, UInt32(best), output + 2)
    let end = output + 2 + 16 * best
    let exceptions = delta_store_exceptions_16(residuals, UInt32(best), end)
    output.storeBytes(of: UInt8(exceptions), toByteOffset: 1, as: UInt8.self)
    return end + Int(exceptions) * (1 + ColumnHistory.valueBytes)
  }

  /// The width for a block whose largest residual needs `full` bits, many more than those of the last block.
  ///
  /// Mostly a few values jumped: then the width of the last block serves, and one pass of vectors finds that out. All
  /// widths are tried otherwise.
  private func bestWidth(_ residuals: Scratch, full: Int) -> Int {
    let limit = UInt16(1) << UInt16(width) - 1
    if width > 0, delta_count_above_16(isa, residuals, limit) <= Self.fewExceptions { return width }
    return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 17) { counts in
      guard let counts = counts.baseAddress else { return full }
      delta_count_widths_16(residuals, counts)
      return PackedBlock.bestWidth(counts, full: full)
    }
  }

  /// So few exceptions take less room than one more bit of every value.
  private static let fewExceptions = 2

  /// Stores a last block of fewer than 128 residuals.
  private static func storeShort(
    _ residuals: Scratch, used: UInt32, count: Int, to output: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let bytes = (UInt32.bitWidth - used.leadingZeroBitCount + 7) / 8
    output.storeBytes(of: UInt8(bytes) | PackedBlock.isShort, as: UInt8.self)
    var end = output + 1
    for index in 0..<count {
      end.copyMemory(from: residuals + index, byteCount: bytes)
      end += bytes
    }
    return end
  }
}
