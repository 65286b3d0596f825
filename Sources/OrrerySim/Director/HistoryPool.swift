// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Histories by index; the memory of ended ones is used again.
///
/// A history never moves, so its address is valid as long as the pool lives.
struct HistoryPool: ~Copyable {
  typealias Index = Int32

  /// No history.
  static let none: Index = -1

  private var chunks: [UnsafeMutablePointer<EpisodeHistory>] = []
  private var count = 0
  private var free: [Index] = []

  private static let chunkBits = 8

  init() {}

  deinit {
    for (index, chunk) in chunks.enumerated() {
      chunk.deinitialize(count: min(count - index << Self.chunkBits, 1 << Self.chunkBits))
      chunk.deallocate()
    }
  }

  /// A history's address.
  subscript(index: Index) -> UnsafeMutablePointer<EpisodeHistory> {
    chunks[Int(index) >> Self.chunkBits] + Int(index) & (1 << Self.chunkBits - 1)
  }

  /// Begins a history with the library's state of its channel.
  mutating func begin(_ track: AnimationTrack<Double>) -> Index {
    if let index = free.popLast() {
      self[index].pointee.track = track
      return index
    }
    if count == chunks.count << Self.chunkBits {
      chunks.append(.allocate(capacity: 1 << Self.chunkBits))
    }
    let index = Index(count)
    count += 1
    self[index].initialize(to: EpisodeHistory(track: track))
    return index
  }

  /// Ends a history; its memory is free for another one.
  mutating func end(_ index: Index) {
    let history = self[index]
    history.pointee.motions.removeAll(keepingCapacity: true)
    history.pointee.account.removeAll()
    history.pointee.takenOver.removeAll()
    history.pointee.tweenLayers.removeAll()
    history.pointee.springLayers.removeAll()
    free.append(index)
  }
}
