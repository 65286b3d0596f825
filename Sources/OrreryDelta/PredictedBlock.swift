// SPDX-License-Identifier: Apache-2.0

import CDelta

/// The bytes of one block of a column of floats: what up to 128 predictions were wrong by, zigzag-coded.
///
///     | head | predictor | count | packed: ⌈width · values / 8⌉ bytes | index, bits | …
///
/// `head` has the width in its low six bits. If bit 6 is set, the block's predictor follows, for this frame and the next
/// ones. If bit 7 is set, `count` follows, and after the packed bits an exception for each residual that needs more than
/// `width` bits: its index and a byte of the bits above, or, with bit 7 of the index set, all its bits in four bytes.
enum PredictedBlock {
  static let namesPredictor: UInt8 = 0x40
  static let hasExceptions: UInt8 = 0x80
  static let widthMask: UInt8 = 0x3f

  /// With an exception's index: it has all bits of the residual.
  static let isLong = UInt8(DELTA_LONG)

  /// Bits above the width that an exception has otherwise.
  static let shortBits = 8

  /// The most bytes in front of the packed ones that are not saved elsewhere.
  static let headBytesMax = 2

  /// Bytes of the packed residuals of a block.
  static func packedBytes(width: Int, count: Int) -> Int { (width * count + 7) / 8 }

  /// How a block's residuals are divided into packed bits and exceptions.
  struct Packing {
    /// Bits of the packed residuals.
    private(set) var width: Int

    /// Residuals that need more.
    private(set) var exceptions = 0

    /// Bytes of both.
    private(set) var byteCount = 0

    /// Finds the width at which both together are short.
    ///
    /// It goes from a width at which few residuals are exceptions into the direction in which bytes are saved, as long as
    /// they are: counting exceptions is a pass of vectors.
    ///
    /// - Parameters:
    ///   - residuals: 128, with zeros behind the block's.
    ///   - used: All of them, combined by or.
    ///   - count: Of the block.
    ///   - near: The width to begin with.
    ///   - isRival: Whether another packing has the width `near`: nil if this one has many exceptions there.
    ///   - isa: For the counting.
    init?(
      _ residuals: UnsafePointer<UInt32>, used: UInt32, count: Int, near: Int, isRival: Bool,
      isa: delta_isa
    ) {
      let full = UInt32.bitWidth - used.leadingZeroBitCount
      func above(_ width: Int) -> Int {
        guard width < full else { return 0 }
        return Int(delta_count_above_32(isa, residuals, UInt32(1) << UInt32(width) - 1))
      }
      func bytes(_ width: Int, _ exceptions: Int) -> Int {
        let packed = PredictedBlock.packedBytes(width: width, count: count)
        guard exceptions > 0 else { return packed }
        // Two bytes of each, five of a long one.
        return packed + 1 + 2 * exceptions + 3 * above(width + PredictedBlock.shortBits)
      }
      width = min(near, full)
      exceptions = above(width)
      if exceptions > count / 8 {
        if isRival { return nil }
        var tooNarrow = width
        width = full
        while width - tooNarrow > 1 {
          let middle = (tooNarrow + width) / 2
          if above(middle) > count / 8 { tooNarrow = middle } else { width = middle }
        }
        exceptions = above(width)
      }
      byteCount = bytes(width, exceptions)
      for step in [-1, 1] {
        let start = width
        while (0...full).contains(width + step) {
          let found = above(width + step)
          let needed = bytes(width + step, found)
          guard needed < byteCount else { break }
          (width, exceptions, byteCount) = (width + step, found, needed)
        }
        if width != start { break }
      }
      // Exceptions must save bytes.
      let packed = bytes(full, 0)
      if packed <= byteCount { (width, exceptions, byteCount) = (full, 0, packed) }
    }
  }

  /// Writes a block.
  ///
  /// - Returns: Its end.
  static func write(
    _ residuals: UnsafePointer<UInt32>, _ packing: Packing, count: Int, predictor: UInt8,
    isNamed: Bool, isa: delta_isa, to output: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var end = output + 1
    var head = UInt8(packing.width)
    if isNamed {
      head |= namesPredictor
      end.storeBytes(of: predictor, as: UInt8.self)
      end += 1
    }
    if packing.exceptions > 0 {
      head |= hasExceptions
      end.storeBytes(of: UInt8(packing.exceptions), as: UInt8.self)
      end += 1
    }
    output.storeBytes(of: head, as: UInt8.self)
    if count < ColumnHistory.blockValues {
      delta_pack_few(residuals, UInt32(count), UInt32(packing.width), end)
    } else {
      delta_pack_32(residuals, UInt32(packing.width), end)
    }
    end += packedBytes(width: packing.width, count: count)
    if packing.exceptions > 0 {
      end += Int(delta_store_exceptions_32(isa, residuals, UInt32(packing.width), end))
    }
    return end
  }
}
