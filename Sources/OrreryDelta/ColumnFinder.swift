// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// Finds the columns of a frame whose bytes lie in pieces: one after another, in the order of their places.
final class ColumnFinder {
  private var pieces: [UnsafeRawBufferPointer] = []

  /// The piece that the last column began in, and the place in the frame where this piece begins.
  private var (piece, pieceStart) = (0, 0)

  /// Columns that lie in several pieces are put together here.
  private var staging = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit { staging.deallocate() }

  /// Begins with another frame.
  ///
  /// - Parameter pieces: Its bytes; never none.
  func begin(_ pieces: [UnsafeRawBufferPointer]) {
    self.pieces = pieces
    (piece, pieceStart) = (0, 0)
  }

  /// A column's values in one piece.
  ///
  /// - Parameter column: It lies behind the columns that were asked for since `begin`.
  /// - Returns: Valid until the next call, and as long as the frame.
  func values(of column: FrameLayout.Column) -> UnsafeRawPointer {
    let (first, count) = (Int(column.valuesOffset), Int(column.valuesBytes))
    while piece < pieces.count - 1, first >= pieceStart + pieces[piece].count {
      pieceStart += pieces[piece].count
      piece += 1
    }
    guard count > 0 else { return Self.nowhere }
    let skipped = first - pieceStart
    if skipped + count <= pieces[piece].count, let start = pieces[piece].baseAddress {
      return UnsafeRawPointer(start + skipped)
    }
    return stage(from: skipped, count: count)
  }

  /// An address for columns without values.
  private static var nowhere: UnsafeRawPointer {
    guard let address = UnsafeRawPointer(bitPattern: 64) else {
      preconditionFailure("64 is an address")
    }
    return address
  }

  /// Puts a column together from several pieces.
  private func stage(from skipped: Int, count: Int) -> UnsafeRawPointer {
    if staging.count < count {
      staging.deallocate()
      staging = .allocate(byteCount: count, alignment: 64)
    }
    var (done, skipped) = (0, skipped)
    for piece in pieces[piece...] where done < count {
      let bytes = min(count - done, piece.count - skipped)
      UnsafeMutableRawBufferPointer(rebasing: staging[done...]).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: piece[skipped..<skipped + bytes]))
      done += bytes
      skipped = 0
    }
    guard done == count, let start = staging.baseAddress else {
      preconditionFailure("\(done) bytes of a column of \(count)")
    }
    return UnsafeRawPointer(start)
  }
}
