// SPDX-License-Identifier: Apache-2.0

/// The chunk buffers of one trace: made on demand, reused, and limited.
///
/// The buffer used last is taken first: its memory is in the cache, and a writer that keeps up
/// never uses more than two.
struct ChunkPool {
  /// Largest number of buffers.
  ///
  /// Eight: a disk that stalls for 100 ms causes no wait at 60 chunks a second.
  static let bufferCountMax = 8

  /// Largest size of all buffers together if there are more than two, in bytes.
  ///
  /// 128 MiB: eight buffers of 16 MiB. Frames that are too large for three buffers still get two,
  /// so that one frame can be copied while the one before it is written.
  static let bufferBytesMax = 128 << 20

  private var spare: [ChunkBuffer] = []

  /// Count of all buffers, free or in use.
  private(set) var bufferCount = 0

  /// Size of all buffers together, each as large as it was when last counted.
  private(set) var bufferBytes = 0

  /// A new buffer.
  mutating func make(byteCount: Int) -> ChunkBuffer {
    let buffer = ChunkBuffer(byteCount: byteCount)
    bufferCount += 1
    account(for: buffer)
    return buffer
  }

  /// An empty buffer, if need be a new one of `byteCount` bytes; nil while the limits allow none.
  mutating func take(byteCount: Int) -> ChunkBuffer? {
    if let buffer = spare.popLast() { return buffer }
    let hasRoom =
      bufferCount < Self.bufferCountMax && bufferBytes + byteCount <= Self.bufferBytesMax
    return hasRoom || bufferCount < 2 ? make(byteCount: byteCount) : nil
  }

  /// Counts the growth of a buffer that was filled or sealed; the caller holds the buffer.
  mutating func account(for buffer: ChunkBuffer) {
    bufferBytes += buffer.chunk.capacity - buffer.accountedBytes
    buffer.accountedBytes = buffer.chunk.capacity
  }

  /// Takes back an empty buffer, or frees it if all buffers together are too large.
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

/// A chunk's memory, passed from thread to thread; only its holder accesses it.
final class ChunkBuffer: @unchecked Sendable {
  var chunk: ChunkBuilder

  /// Its size as its pool counted it.
  fileprivate var accountedBytes = 0

  init(byteCount: Int) { chunk = ChunkBuilder(byteCount: byteCount) }
}
