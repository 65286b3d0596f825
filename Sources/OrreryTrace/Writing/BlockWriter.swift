// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Writes runs of whole blocks, several at the same time, and says which are in the file.
///
///     run       | piece | piece | piece |     a chunk's blocks, written in pieces of 4 MiB
///     runs      run 7 ── run 8 ── run 9       finished in the order in which they were begun
///
/// Pieces of different runs never share a block, so the order in which they end does not matter.
final class BlockWriter {
  private struct Piece {
    var bytes: UnsafeRawBufferPointer
    var offset: Int
    let run: Int
    var attempts = 0
  }

  private struct Run {
    var piecesLeft: Int
    let memory: AnyObject?
  }

  /// A write that failed.
  struct WriteError {
    let errno: CInt
    let offset: Int
    let byteCount: Int
  }

  /// Writes under way at the same time.
  static let depth = 8

  /// Bytes of a write.
  ///
  /// 4 MiB: eight of these reached 0.44 and 0.91 GB/s where eight, sixteen and thirty-two of 1 MiB reached 0.27,
  /// 0.28 to 0.29 and 0.33 to 0.42 (a virtual machine's ext4, other programs running).
  static let pieceBytes = 4 << 20

  /// How often a piece is begun again, after short or interrupted writes.
  private static let attemptsMax = 1000

  private let queue: any TraceWriteQueue
  private var pieces: [Piece?] = Array(repeating: nil, count: depth)
  private var underWay = 0

  /// Runs that are not known to be finished, oldest first; the first one's number.
  private var runs: [Run] = []
  private var firstRun = 0

  /// The failure of the oldest run that failed; nothing can then be begun.
  private(set) var failure: WriteError?
  private var failedRun = Int.max

  init(_ queue: any TraceWriteQueue) { self.queue = queue }

  /// Whether something is under way.
  var isBusy: Bool { underWay > 0 }

  /// Begins a run; waits while too many writes are under way.
  ///
  /// - Parameters:
  ///   - bytes: Whole blocks, or none: then the run is finished when those before it are.
  ///   - offset: A multiple of a block.
  ///   - memory: What keeps the bytes where they are.
  func begin(_ bytes: UnsafeRawBufferPointer, at offset: Int, holding memory: AnyObject?) {
    let run = firstRun + runs.count
    runs.append(
      Run(piecesLeft: (bytes.count + Self.pieceBytes - 1) / Self.pieceBytes, memory: memory))
    var done = 0
    while done < bytes.count {
      let end = min(done + Self.pieceBytes, bytes.count)
      let part = UnsafeRawBufferPointer(rebasing: bytes[done..<end])
      while underWay == Self.depth { finishOne() }
      begin(Piece(bytes: part, offset: offset + done, run: run))
      done = end
    }
  }

  /// Waits for one write; there must be one under way.
  func finishOne() {
    let (tag, result) = queue.wait()
    let slot = Int(tag)
    guard var piece = pieces[slot] else { preconditionFailure("write \(tag) is not under way") }
    pieces[slot] = nil
    underWay -= 1
    if result == piece.bytes.count { return finished(piece) }
    piece.attempts += 1
    guard result > 0 || result == -Int(EINTR) || result == -Int(EAGAIN),
      piece.attempts < Self.attemptsMax
    else { return failed(piece, errno: result < 0 ? CInt(-result) : EIO) }
    // What was written of a block is written again with its rest.
    let whole = AlignedBytes.roundedDown(max(result, 0))
    piece.bytes = UnsafeRawBufferPointer(rebasing: piece.bytes[whole...])
    piece.offset += whole
    begin(piece)
  }

  /// Waits until nothing is under way.
  func drain() { while isBusy { finishOne() } }

  /// Count of runs, from the oldest on, that are in the file since this was last called.
  func takeFinished() -> Int {
    var count = 0
    while count < runs.count, firstRun + count < failedRun, runs[count].piecesLeft == 0 {
      count += 1
    }
    runs.removeFirst(count)
    firstRun += count
    return count
  }

  private func begin(_ piece: Piece) {
    guard failure == nil else { return failed(piece, errno: ECANCELED) }
    guard let slot = pieces.firstIndex(where: { $0 == nil }) else {
      preconditionFailure("no room for a write")
    }
    let failure = queue.begin(piece.bytes, at: piece.offset, tag: UInt64(slot))
    if failure == EAGAIN || failure == EBUSY, underWay > 0 {
      finishOne()
      return begin(piece)
    }
    guard failure == 0 else { return failed(piece, errno: failure) }
    pieces[slot] = piece
    underWay += 1
  }

  private func finished(_ piece: Piece) { runs[piece.run - firstRun].piecesLeft -= 1 }

  private func failed(_ piece: Piece, errno: CInt) {
    guard piece.run < failedRun else { return }
    failedRun = piece.run
    // A write that was not begun because of a failure has none of its own.
    if let failure, errno == ECANCELED {
      self.failure = failure
    } else {
      failure = WriteError(errno: errno, offset: piece.offset, byteCount: piece.bytes.count)
    }
  }
}
