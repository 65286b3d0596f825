// SPDX-License-Identifier: Apache-2.0

import CLinux
import OrreryBase

/// The chunk buffers of one trace: made on demand, reused, and limited.
///
/// The buffer used last is taken first: its memory is in the cache, and a writer that keeps up
/// never uses more than a few. Those that nobody used for a while are freed: a slow write may have needed many. Where
/// the process has a limit on its memory, the buffers may have what all else leaves.
package struct ChunkPool {
  /// Largest number of buffers: chunks that are small need no more to keep every thread at work.
  static let bufferCountMax = 64

  /// Largest size of all buffers together if there are more than two, in bytes.
  ///
  /// Frames that are too large for three buffers still get two, so that one frame can be copied while the
  /// one before it is written.
  let bufferBytesMax: Int

  /// Whether copies into the buffers bypass the caches.
  let copiesPastCaches: Bool

  /// Whether a chunk is compressed, and needs as much memory again for that.
  let packs: Bool

  /// The one that was used last is at the end.
  private var spare: [ChunkBuffer] = []

  /// Spare buffers that nobody used since `lookedNs`: those at the front.
  private var idleCount = 0
  private var lookedNs: UInt64 = 0

  /// Time between two looks for buffers that nobody used.
  package static let idleNs: UInt64 = 5_000_000_000

  /// The most bytes that this process was seen to use beside the buffers, where it has a limit.
  private var otherBytesSeen: UInt64 = 0

  /// A pool without buffers.
  ///
  /// - Parameters:
  ///   - bufferBytesMax: See there.
  ///   - copiesPastCaches: See there.
  ///   - packs: See there.
  ///   - compressorBytes: What the compressors will take.
  package init(
    bufferBytesMax: Int, copiesPastCaches: Bool, packs: Bool, compressorBytes: Int = 0
  ) {
    self.bufferBytesMax = bufferBytesMax
    self.copiesPastCaches = copiesPastCaches
    self.packs = packs
    otherBytesSeen = (MemoryLimit.usedBytes ?? 0) + UInt64(compressorBytes)
  }

  /// Count of all buffers, free or in use.
  package private(set) var bufferCount = 0

  /// Size of all buffers together, each as large as it was when last counted.
  package private(set) var bufferBytes = 0

  /// A new buffer.
  mutating func make(byteCount: Int) -> ChunkBuffer {
    let buffer = ChunkBuffer(byteCount: byteCount, copiesPastCaches: copiesPastCaches)
    bufferCount += 1
    account(for: buffer)
    return buffer
  }

  /// An empty buffer, if need be a new one of `byteCount` bytes; nil while the limits allow none.
  package mutating func take(byteCount: Int) -> ChunkBuffer? {
    if let buffer = spare.popLast() {
      idleCount = min(idleCount, spare.count)
      return buffer
    }
    let needed = packs ? 2 * byteCount : byteCount
    let hasRoom =
      bufferCount < 2
      || bufferCount < Self.bufferCountMax && bufferBytes + needed <= allowedBytes()
    return hasRoom ? make(byteCount: byteCount) : nil
  }

  /// Counts the growth of a buffer that was filled or sealed; the caller holds the buffer.
  mutating func account(for buffer: ChunkBuffer) {
    let byteCount = buffer.capacity(packing: packs)
    bufferBytes += byteCount - buffer.accountedBytes
    buffer.accountedBytes = byteCount
  }

  /// Bytes that all buffers may have now.
  private mutating func allowedBytes() -> Int {
    guard let other = MemoryLimit.usedBytes(beside: bufferBytes) else { return bufferBytesMax }
    otherBytesSeen = max(otherBytesSeen, other)
    return min(bufferBytesMax, Int(MemoryLimit.room(besides: otherBytesSeen) ?? .max))
  }

  /// Takes back an empty buffer, or frees it if all buffers together are too large.
  package mutating func giveBack(_ buffer: ChunkBuffer, nowNs: UInt64 = Clock.monotonicNs()) {
    account(for: buffer)
    if bufferCount > 2, bufferBytes > allowedBytes() {
      bufferCount -= 1
      bufferBytes -= buffer.accountedBytes
    } else {
      spare.append(buffer)
    }
    if nowNs >= lookedNs + Self.idleNs { freeIdle(nowNs: nowNs) }
  }

  /// Frees the buffers that nobody used since the last look, but keeps two.
  private mutating func freeIdle(nowNs: UInt64) {
    let count = max(min(idleCount, spare.count, bufferCount - 2), 0)
    bufferBytes -= spare.prefix(count).reduce(0) { $0 + $1.accountedBytes }
    bufferCount -= count
    spare.removeFirst(count)
    // Of a subscriber, malloc keeps what is freed; these may not be needed again.
    if count > 0 { linux_trim_heap() }
    (idleCount, lookedNs) = (spare.count, nowNs)
  }
}

/// A chunk's memory, passed from thread to thread; only its holder accesses it.
package final class ChunkBuffer: @unchecked Sendable {
  /// The records of a chunk, compressed.
  struct Packed {
    let compression: TraceCompression
    let byteCount: Int
    let checksum: Checksum
  }

  var chunk: ChunkBuilder

  /// Room for a chunk's head, and its records compressed.
  var packedStore = ByteStore(capacity: 0)

  /// What the packed store holds; nil if the records are stored as they are.
  private(set) var packed: Packed?

  /// Its size as its pool counted it.
  fileprivate var accountedBytes = 0

  init(byteCount: Int, copiesPastCaches: Bool = false) {
    chunk = ChunkBuilder(byteCount: byteCount, copiesPastCaches: copiesPastCaches)
  }

  /// Bytes of reserved memory, and of what compressing the chunk will reserve.
  func capacity(packing: Bool) -> Int {
    chunk.capacity + max(packedStore.capacity, packing ? chunk.capacity : 0)
  }

  /// Compresses the records, unless that would not make them smaller.
  func pack(_ compressor: borrowing ChunkCompressor) {
    let headBytes = ChunkHead.bytesBeforeData(compressor.compression)
    packedStore.truncate(to: 0)
    _ = packedStore.room(for: headBytes)
    packedStore.commit(headBytes)
    guard compressor.compress(chunk.records, into: &packedStore) else { return }
    let records = UnsafeRawBufferPointer(rebasing: packedStore.bytes[headBytes...])
    packed = Packed(
      compression: compressor.compression, byteCount: records.count, checksum: Checksum(records))
  }

  /// Empties the buffer; `lead` is where its chunk begins in a block of the file.
  func clear(lead: Int = 0) {
    packed = nil
    chunk.clear(lead: lead)
  }
}
