// SPDX-License-Identifier: Apache-2.0

import CCompression

/// Decompresses the records of one chunk after another, into memory that it keeps.
///
/// The memory has the size that the chunk declares, which the caller has limited. Decompression
/// stops at that size, and a chunk that holds more is refused.
struct ChunkDecompressor: ~Copyable {
  private var store = ByteStore(capacity: 0)
  private var lz4Context: OpaquePointer?

  init() {
    guard LZ4F_isError(LZ4F_createDecompressionContext(&lz4Context, UInt32(LZ4F_VERSION))) == 0
    else {
      lz4Context = nil
      return
    }
  }

  deinit { LZ4F_freeDecompressionContext(lz4Context) }

  /// Decompresses the records of the chunk at `offset`, which should have `declared` bytes.
  ///
  /// - Returns: The records; valid until the next call.
  /// - Throws: `decompression` if `stored` is not exactly that many bytes in `compression`.
  mutating func records(
    _ stored: UnsafeRawBufferPointer, _ compression: TraceCompression, declared: Int, offset: UInt64
  ) throws(TraceError) -> UnsafeRawBufferPointer {
    let produced: Int?
    switch compression {
    case .none:
      produced = stored.count
    case .lz4:
      store.truncate(to: 0)
      produced = lz4(stored, into: store.room(for: declared))
    case .zstd:
      store.truncate(to: 0)
      let room = store.room(for: declared)
      let result = ZSTD_decompress(room.baseAddress, room.count, stored.baseAddress, stored.count)
      produced = ZSTD_isError(result) == 0 ? result : nil
    }
    guard let produced, produced == declared else {
      throw .decompression(
        offset: offset, declared: UInt64(declared), produced: produced.map { UInt64($0) })
    }
    if compression == .none { return stored }
    store.commit(produced)
    return store.bytes
  }

  /// Bytes written, or nil if `stored` is not one whole frame that fits.
  private func lz4(
    _ stored: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard let lz4Context, let input = stored.baseAddress, let output = room.baseAddress else {
      return nil
    }
    LZ4F_resetDecompressionContext(lz4Context)
    var (read, written) = (0, 0)
    while true {
      var (readNow, writtenNow) = (stored.count - read, room.count - written)
      let hint = LZ4F_decompress(
        lz4Context, output + written, &writtenNow, input + read, &readNow, nil)
      guard LZ4F_isError(hint) == 0 else { return nil }
      read += readNow
      written += writtenNow
      if hint == 0 { return read == stored.count ? written : nil }
      // No progress: the frame is cut off, or longer than it may be.
      if readNow == 0, writtenNow == 0 { return nil }
    }
  }
}
