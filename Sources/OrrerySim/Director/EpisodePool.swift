// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orrery

/// Episodes by index; the memory of ended ones is used again.
///
/// An episode never moves, so its address is valid as long as the pool lives.
struct EpisodePool: ~Copyable {
  typealias Index = Int32

  /// No episode.
  static let none: Index = -1

  private var chunks: [UnsafeMutablePointer<Episode>] = []

  /// The takeovers of the episodes of each chunk; nil before the first one.
  private var takeoverChunks: [UnsafeMutablePointer<SpringTakeover>?] = []

  /// Largest number of episodes at the same time so far, and the number of present ones.
  private var count = 0
  var liveCount: Int { count - free.count }

  /// Those of ended episodes.
  private var free = FreeIndexes()

  /// 1024 episodes: 64 KiB, below the size for which the C library asks the kernel each time.
  private static let chunkBits = 10

  init() {}

  deinit {
    for chunk in chunks { chunk.deallocate() }
    for chunk in takeoverChunks { chunk?.deallocate() }
  }

  /// An episode's address.
  subscript(index: Index) -> UnsafeMutablePointer<Episode> {
    chunks[Int(index) >> Self.chunkBits] + Int(index) & (1 << Self.chunkBits - 1)
  }

  /// The state of an episode that `hasTakenOver`.
  func takeover(_ index: Index) -> SpringTakeover {
    guard let chunk = takeoverChunks[Int(index) >> Self.chunkBits] else {
      preconditionFailure("episode \(index) has taken nothing over")
    }
    return chunk[Int(index) & (1 << Self.chunkBits - 1)]
  }

  /// Sets the state of an episode that takes over.
  mutating func setTakeover(_ index: Index, _ takeover: SpringTakeover) {
    let chunkIndex = Int(index) >> Self.chunkBits
    if takeoverChunks[chunkIndex] == nil {
      takeoverChunks[chunkIndex] = .allocate(capacity: 1 << Self.chunkBits)
    }
    guard let chunk = takeoverChunks[chunkIndex] else { return }
    (chunk + Int(index) & (1 << Self.chunkBits - 1)).initialize(to: takeover)
  }

  /// Brings an episode's memory into the cache, if the pool has such an index.
  func prefetch(_ index: UInt32) {
    guard index < count else { return }
    OrrerySim.prefetch(self[Index(index)])
    if let chunk = takeoverChunks[Int(index) >> Self.chunkBits] {
      OrrerySim.prefetch(chunk + Int(index) & (1 << Self.chunkBits - 1))
    }
  }

  /// Adds an episode.
  mutating func begin(_ episode: Episode) -> Index {
    let index = reserve()
    self[index].initialize(to: episode)
    return index
  }

  /// Adds an episode whose memory is to be initialized next.
  @inline(__always)
  mutating func reserve() -> Index { free.pop() ?? addIndex() }

  private mutating func addIndex() -> Index {
    if count == chunks.count << Self.chunkBits {
      chunks.append(.allocate(capacity: 1 << Self.chunkBits))
      takeoverChunks.append(nil)
    }
    count += 1
    return Index(count - 1)
  }

  /// Ends an episode; its memory is free for another one.
  @inline(__always)
  mutating func end(_ index: Index) {
    self[index].pointee.change = 0
    release(index)
  }

  /// Frees the memory of an episode whose change is 0 already.
  @inline(__always)
  mutating func release(_ index: Index) { free.push(index) }
}
