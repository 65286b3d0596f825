// SPDX-License-Identifier: Apache-2.0

import CCompression

/// Compresses the records of one chunk after another.
struct ChunkCompressor: ~Copyable {
  let compression: TraceCompression
  private let zstdContext: OpaquePointer?
  private let zstdLevel: CInt

  init(_ compression: TraceCompression, zstdLevel: CInt) {
    self.compression = compression
    self.zstdLevel = zstdLevel
    zstdContext = compression == .zstd ? ZSTD_createCCtx() : nil
  }

  deinit { ZSTD_freeCCtx(zstdContext) }

  /// Memory of a compressor while it compresses, at most, in bytes; LZ4 needs a few hundred kilobytes.
  static func byteCount(_ compression: TraceCompression, zstdLevel: CInt) -> Int {
    compression == .zstd ? ZSTD_estimateCCtxSize(zstdLevel) : 1 << 20
  }

  /// Appends `records`, compressed, to `store`.
  ///
  /// - Returns: Whether it did; false, with `store` unchanged, if compression would not make them
  ///   smaller, or so much smaller that readers take it for a trap (`TraceLimits.largeChunkExpansion`).
  borrowing func compress(_ records: UnsafeRawBufferPointer, into store: inout ByteStore) -> Bool {
    let written: Int?
    switch compression {
    case .none: written = nil
    case .lz4: written = Self.lz4(records, into: &store)
    case .zstd: written = zstd(records, into: &store)
    }
    guard let written, written < records.count else { return false }
    let limits = TraceLimits()
    if records.count > limits.largeChunkBytes {
      guard written >= records.count / limits.largeChunkExpansion + 1 else { return false }
    }
    store.commit(written)
    return true
  }

  private static func lz4(_ records: UnsafeRawBufferPointer, into store: inout ByteStore) -> Int? {
    var preferences = LZ4F_preferences_t()
    preferences.frameInfo.blockSizeID = LZ4F_max4MB
    preferences.frameInfo.contentSize = UInt64(records.count)
    let room = store.room(for: LZ4F_compressFrameBound(records.count, &preferences))
    let written = LZ4F_compressFrame(
      room.baseAddress, room.count, records.baseAddress, records.count, &preferences)
    return LZ4F_isError(written) == 0 ? written : nil
  }

  private func zstd(_ records: UnsafeRawBufferPointer, into store: inout ByteStore) -> Int? {
    let room = store.room(for: ZSTD_compressBound(records.count))
    let written = ZSTD_compressCCtx(
      zstdContext, room.baseAddress, room.count, records.baseAddress, records.count, zstdLevel)
    return ZSTD_isError(written) == 0 ? written : nil
  }
}
