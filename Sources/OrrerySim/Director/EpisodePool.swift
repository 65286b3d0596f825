// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Episodes by number; those that are over lend their memory to later ones.
///
/// An episode stays where it is, so that its address is good for as long as the pool lives.
struct EpisodePool: ~Copyable {
  typealias Index = Int32

  private var chunks: [UnsafeMutablePointer<Episode>] = []
  private var count = 0
  private var free: [Index] = []

  private static let chunkBits = 8

  init() {}

  deinit {
    for (number, chunk) in chunks.enumerated() {
      chunk.deinitialize(count: min(count - number << Self.chunkBits, 1 << Self.chunkBits))
      chunk.deallocate()
    }
  }

  /// An episode's address.
  subscript(index: Index) -> UnsafeMutablePointer<Episode> {
    chunks[Int(index) >> Self.chunkBits] + Int(index) & (1 << Self.chunkBits - 1)
  }

  /// Begins an episode of a channel at rest.
  mutating func begin(view: Int, _ channel: ViewChannel, at value: Double) -> Index {
    if let index = free.popLast() {
      let episode = self[index]
      episode.pointee.view = view
      episode.pointee.channel = channel
      episode.pointee.track = AnimationTrack(value)
      return index
    }
    if count == chunks.count << Self.chunkBits {
      chunks.append(.allocate(capacity: 1 << Self.chunkBits))
    }
    let index = Index(count)
    count += 1
    self[index].initialize(
      to: Episode(view: view, channel: channel, track: AnimationTrack(value)))
    return index
  }

  /// Ends an episode: nothing is left of it but room.
  mutating func end(_ index: Index) {
    let episode = self[index]
    episode.pointee.motions.removeAll(keepingCapacity: true)
    if !episode.pointee.changes.isEmpty { episode.pointee.changes.removeAll(keepingCapacity: true) }
    free.append(index)
  }
}
