// SPDX-License-Identifier: Apache-2.0

/// The buffers of one trace: made when they are needed, used again, and bounded.
///
/// The buffer used last is taken first: its memory is in the cache, and a writer that keeps up never
/// touches more than two.
struct ChunkPool {
  /// Largest number of buffers.
  ///
  /// Eight: a disk that stalls for 100 ms delays nobody at 60 chunks a second.
  static let bufferCountMax = 8

  /// Largest sum of all buffers where there are more than two, in bytes.
  ///
  /// 128 MiB: eight buffers of 16 MiB. A frame that is too large for three still has two, so that it can
  /// be copied while the one before it is written.
  static let bufferBytesMax = 128 << 20

  private var spare: [ChunkBuffer] = []

  /// Of all buffers, wherever they are.
  private(set) var bufferCount = 0

  /// Of all buffers, as large as they were when they were last here.
  private(set) var bufferBytes = 0

  /// A new buffer.
  mutating func make(byteCount: Int) -> ChunkBuffer {
    let buffer = ChunkBuffer(byteCount: byteCount)
    bufferCount += 1
    account(for: buffer)
    return buffer
  }

  /// An empty buffer, a new one of `byteCount` bytes if need be; nil while there may be no more.
  mutating func take(byteCount: Int) -> ChunkBuffer? {
    if let buffer = spare.popLast() { return buffer }
    let hasRoom =
      bufferCount < Self.bufferCountMax && bufferBytes + byteCount <= Self.bufferBytesMax
    return hasRoom || bufferCount < 2 ? make(byteCount: byteCount) : nil
  }

  /// Takes in that a buffer grew while it was filled or sealed; the caller holds the buffer.
  mutating func account(for buffer: ChunkBuffer) {
    bufferBytes += buffer.chunk.capacity - buffer.accountedBytes
    buffer.accountedBytes = buffer.chunk.capacity
  }

  /// Takes back an empty buffer, or lets go of it if it made all together too large.
  mutating func giveBack(_ buffer: ChunkBuffer) {
    account(for: buffer)
    if bufferCount > 2, bufferBytes > Self.bufferBytesMax {
      bufferCount -= 1
      bufferBytes -= buffer.accountedBytes
    } else {
      spare.append(buffer)
    }
  }
}

/// A chunk's memory, passed from thread to thread; whoever holds it is alone with it.
final class ChunkBuffer: @unchecked Sendable {
  var chunk: ChunkBuilder

  /// Its size as its pool knows it.
  fileprivate var accountedBytes = 0

  init(byteCount: Int) { chunk = ChunkBuilder(byteCount: byteCount) }
}
