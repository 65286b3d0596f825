// SPDX-License-Identifier: Apache-2.0

import OrreryTrace
import Testing

/// Goal: the buffers of a trace take no more memory than it may have, also while they are compressed.
@Suite struct ChunkPoolTests {
  private static let size = 1 << 20

  /// A page is for what is not compressed.
  private static let bufferBytes = size + 4096

  /// Buffers that a pool of memory for eight gives, each filled and none given back.
  private static func count(packs: Bool) -> Int {
    var pool = ChunkPool(bufferBytesMax: 8 * bufferBytes, copiesPastCaches: false, packs: packs)
    var buffers: [ChunkBuffer] = []
    while let buffer = pool.take(byteCount: size) { buffers.append(buffer) }
    return buffers.count
  }

  /// A slow write needs many buffers; when it is over, those that nobody uses are freed, and two stay.
  @Test func buffersThatNobodyUsesAreFreed() {
    var pool = ChunkPool(bufferBytesMax: 64 * Self.size, copiesPastCaches: false, packs: false)
    var nowNs: UInt64 = 1
    /// So many buffers are filled before the first of them is written.
    func write(_ count: Int) {
      let buffers = (0..<count).compactMap { _ in pool.take(byteCount: Self.size) }
      #expect(buffers.count == count)
      for buffer in buffers { pool.giveBack(buffer, nowNs: nowNs) }
    }
    write(10)
    #expect(pool.bufferCount == 10 && pool.bufferBytes == 10 * Self.bufferBytes)
    nowNs += ChunkPool.idleNs - 1
    write(3)
    #expect(pool.bufferCount == 10)
    // Ten were used since the look before.
    nowNs += 1
    write(3)
    #expect(pool.bufferCount == 10)
    nowNs += ChunkPool.idleNs
    write(4)
    #expect(pool.bufferCount == 4 && pool.bufferBytes == 4 * Self.bufferBytes)
    for _ in 0..<3 {
      nowNs += ChunkPool.idleNs
      write(1)
    }
    #expect(pool.bufferCount == 2 && pool.bufferBytes == 2 * Self.bufferBytes)
    write(10)
    #expect(pool.bufferCount == 10)
  }

  @Test func aCompressedChunkCountsTwice() {
    #expect(Self.count(packs: false) == 8)
    #expect(Self.count(packs: true) == 4)
  }
}
