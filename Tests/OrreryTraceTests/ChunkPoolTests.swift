// SPDX-License-Identifier: Apache-2.0

import OrreryTrace
import Testing

/// Goal: the buffers of a trace take no more memory than it may have, also while they are compressed.
@Suite struct ChunkPoolTests {
  private static let size = 1 << 20

  /// Buffers that a pool of memory for eight gives, each filled and none given back.
  private static func count(packs: Bool) -> Int {
    // A page is for what is not compressed.
    var pool = ChunkPool(
      bufferBytesMax: 8 * (size + 4096), copiesPastCaches: false, packs: packs)
    var buffers: [ChunkBuffer] = []
    while let buffer = pool.take(byteCount: size) { buffers.append(buffer) }
    return buffers.count
  }

  @Test func aCompressedChunkCountsTwice() {
    #expect(Self.count(packs: false) == 8)
    #expect(Self.count(packs: true) == 4)
  }
}
