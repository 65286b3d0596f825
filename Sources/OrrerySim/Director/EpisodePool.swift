// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Episodes by number; those that are over lend their memory to later ones.
///
/// An episode stays where it is, so that its address is good for as long as the pool lives.
struct EpisodePool: ~Copyable {
  typealias Index = Int32

  /// No episode.
  static let none: Index = -1

  private var chunks: [UnsafeMutablePointer<Episode>] = []

  /// Episodes that were ever there at one time, and those that are there.
  private var count = 0
  private var liveCount = 0

  /// The episode that ended last, which names the one before it in its `history`.
  private var free = EpisodePool.none

  /// 2048: 112 KiB, less than what the C library asks the kernel for at a time.
  private static let chunkBits = 11

  init() {}

  deinit { for chunk in chunks { chunk.deallocate() } }

  /// An episode's address.
  subscript(index: Index) -> UnsafeMutablePointer<Episode> {
    chunks[Int(index) >> Self.chunkBits] + Int(index) & (1 << Self.chunkBits - 1)
  }

  /// Has an episode's memory brought into the cache, if there is such an episode.
  func prefetch(_ index: UInt32) {
    if index < count { linux_prefetch(self[Index(index)]) }
  }

  /// Takes an episode in.
  mutating func begin(_ episode: Episode) -> Index {
    liveCount += 1
    if free != Self.none {
      let (index, place) = (free, self[free])
      free = place.pointee.history
      place.initialize(to: episode)
      return index
    }
    if count == chunks.count << Self.chunkBits {
      chunks.append(.allocate(capacity: 1 << Self.chunkBits))
    }
    let index = Index(count)
    count += 1
    self[index].initialize(to: episode)
    return index
  }

  /// Ends an episode: nothing is left of it but room.
  mutating func end(_ index: Index) {
    let place = self[index]
    place.pointee.change = 0
    place.pointee.history = free
    free = index
    liveCount -= 1
  }
}
