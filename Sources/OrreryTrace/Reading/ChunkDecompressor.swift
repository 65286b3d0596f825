// SPDX-License-Identifier: Apache-2.0

import CCompression

/// Decompresses the records of one chunk after another, into memory that it keeps.
///
/// The memory has the size that the chunk declares, which the caller has limited. Decompression
/// stops at that size, and a chunk that holds more is refused.
struct ChunkDecompressor: ~Copyable {
  private var store = ByteStore(capacity: 0)
  private var lz4Context: OpaquePointer?

  deinit { LZ4F_freeDecompressionContext(lz4Context) }

  /// Decompresses the records of the chunk at `offset`, which should have as many bytes as it declares.
  ///
  /// - Returns: The records; valid until the next call.
  /// - Throws: `decompression` if `stored` is not exactly that many bytes in its compression.
  mutating func records(
    _ stored: UnsafeRawBufferPointer, of chunk: ChunkHead, offset: UInt64
  ) throws(TraceError) -> UnsafeRawBufferPointer {
    if chunk.compression == .none {
      try chunk.checkIsStored(at: offset)
      return stored
    }
    store.truncate(to: 0)
    // A large chunk does not keep its memory for ever.
    if store.capacity > Self.keptBytes, chunk.recordBytes <= Self.keptBytes {
      store = ByteStore(capacity: 0)
    }
    prepare(chunk.compression)
    try Self.decompress(stored, of: chunk, offset: offset, lz4Context, into: &store)
    return store.bytes
  }

  /// Makes what a compression needs, when it is first met.
  private mutating func prepare(_ compression: TraceCompression) {
    guard compression == .lz4, lz4Context == nil else { return }
    let result = LZ4F_createDecompressionContext(&lz4Context, UInt32(LZ4F_VERSION))
    if LZ4F_isError(result) != 0 { lz4Context = nil }
  }

  /// Decompresses records into empty memory of the caller's.
  ///
  /// - Throws: As `records`.
  mutating func decompress(
    _ stored: UnsafeRawBufferPointer, of chunk: ChunkHead, offset: UInt64,
    into store: inout ByteStore
  ) throws(TraceError) {
    prepare(chunk.compression)
    try Self.decompress(stored, of: chunk, offset: offset, lz4Context, into: &store)
  }

  /// The first `count` bytes of records, of which no more are decompressed than that.
  ///
  /// - Returns: The bytes; valid until the next call.
  /// - Throws: `decompression` if there are fewer.
  mutating func first(
    _ count: Int, of stored: UnsafeRawBufferPointer, _ compression: TraceCompression,
    offset: UInt64
  ) throws(TraceError) -> UnsafeRawBufferPointer {
    prepare(compression)
    store.truncate(to: 0)
    let room = store.room(for: count)
    let written: Int
    switch compression {
    case .none:
      written = min(count, stored.count)
      room.copyMemory(from: UnsafeRawBufferPointer(rebasing: stored[..<written]))
    case .lz4: written = Self.firstOfLZ4(lz4Context, stored, into: room)
    case .zstd: written = Self.firstOfZstandard(stored, into: room)
    }
    guard written == count else {
      throw .decompression(offset: offset, declared: UInt64(count), produced: UInt64(written))
    }
    store.commit(written)
    return store.bytes
  }

  /// Memory that is kept between chunks, in bytes.
  private static let keptBytes = 64 << 20

  private static func decompress(
    _ stored: UnsafeRawBufferPointer, of chunk: ChunkHead, offset: UInt64,
    _ lz4Context: OpaquePointer?, into store: inout ByteStore
  ) throws(TraceError) {
    let room = store.room(for: Int(chunk.recordBytes))
    let produced: Int?
    switch chunk.compression {
    case .none:
      produced = stored.count
      if stored.count == room.count { room.copyMemory(from: stored) }
    case .lz4: produced = lz4(lz4Context, stored, into: room)
    case .zstd:
      let result = ZSTD_decompress(room.baseAddress, room.count, stored.baseAddress, stored.count)
      produced = ZSTD_isError(result) == 0 ? result : nil
    }
    guard let produced, produced == room.count else {
      throw .decompression(
        offset: offset, declared: chunk.recordBytes, produced: produced.map { UInt64($0) })
    }
    store.commit(produced)
  }

  /// Fills the room as far as the data goes, and returns the count of bytes.
  private static func firstOfLZ4(
    _ context: OpaquePointer?, _ stored: UnsafeRawBufferPointer,
    into room: UnsafeMutableRawBufferPointer
  ) -> Int {
    guard let context, let input = stored.baseAddress, let output = room.baseAddress else {
      return 0
    }
    LZ4F_resetDecompressionContext(context)
    var (read, written) = (0, 0)
    while written < room.count {
      var (readNow, writtenNow) = (stored.count - read, room.count - written)
      let hint = LZ4F_decompress(
        context, output + written, &writtenNow, input + read, &readNow, nil)
      if LZ4F_isError(hint) != 0 { return written }
      read += readNow
      written += writtenNow
      if hint == 0 || (readNow == 0 && writtenNow == 0) { return written }
    }
    return written
  }

  /// Fills the room as far as the data goes, and returns the count of bytes.
  private static func firstOfZstandard(
    _ stored: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) -> Int {
    guard let stream = ZSTD_createDStream() else { return 0 }
    defer { ZSTD_freeDStream(stream) }
    var input = ZSTD_inBuffer(src: stored.baseAddress, size: stored.count, pos: 0)
    var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
    while output.pos < output.size {
      let before = (input.pos, output.pos)
      let hint = ZSTD_decompressStream(stream, &output, &input)
      if ZSTD_isError(hint) != 0 || hint == 0 { break }
      if before == (input.pos, output.pos) { break }
    }
    return output.pos
  }

  /// Bytes written, or nil if `stored` is not one whole frame that fits.
  private static func lz4(
    _ lz4Context: OpaquePointer?, _ stored: UnsafeRawBufferPointer,
    into room: UnsafeMutableRawBufferPointer
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
