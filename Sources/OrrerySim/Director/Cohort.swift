// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Episodes of successive views that began together and are alike: what each of them is, follows from its place.
///
/// A million animations that begin in one tick take the memory of some hundred cohorts, and end without a look at any
/// episode. One that is to change gets an episode of its own first, and so do all of its cohort; see
/// `Director+Cohorts.swift`.
struct Cohort: BitwiseCopyable {
  /// Number of the first member's change, which those of the others follow; 0 once it has ended.
  var change: UInt64

  /// When they begin and end, in seconds, and the value before them.
  let start: Double
  let end: Double
  let from: Double

  /// Of the first member; the others are the next ones of its block.
  let view: UInt32
  let count: UInt32

  /// The group that waits for all of them; `none` for most.
  let group: CompletionGroups.Index

  /// The completion of the first member's own transaction, and from each to the next one's; nil without.
  let completion: (first: Int, step: Int)?
  let isRemoval: Bool

  let animation: TransactionMemory.Index
  let channel: ViewChannel
  let options: Episode.Options

  /// The members' views.
  var views: Range<Int> { Int(view)..<Int(view) + Int(count) }
}

/// Cohorts by index; the memory of ended ones is used again.
struct CohortPool: ~Copyable {
  typealias Index = Int32

  /// Names no cohort.
  static let none: Index = -1

  private var chunks: [UnsafeMutablePointer<Cohort>] = []
  private var count = 0
  private var free = FreeIndexes()

  /// Number of cohorts.
  var liveCount: Int { count - free.count }

  private static let chunkBits = 8

  init() {}

  deinit { for chunk in chunks { chunk.deallocate() } }

  /// A cohort's address.
  subscript(index: Index) -> UnsafeMutablePointer<Cohort> {
    chunks[Int(index) >> Self.chunkBits] + Int(index) & (1 << Self.chunkBits - 1)
  }

  /// Adds a cohort whose memory is to be initialized next.
  mutating func reserve() -> Index {
    if let index = free.pop() { return index }
    if count == chunks.count << Self.chunkBits {
      chunks.append(.allocate(capacity: 1 << Self.chunkBits))
    }
    count += 1
    return Index(count - 1)
  }

  /// Ends a cohort; its memory is free for another one.
  mutating func end(_ index: Index) {
    self[index].pointee.change = 0
    free.push(index)
  }

  /// What a channel of a view has in place of an episode's index if its episode is one of a cohort's.
  static func mark(_ index: Index) -> EpisodePool.Index { EpisodePool.none - 1 - index }

  /// The cohort of such a mark; nil for an episode's index, and at rest.
  static func index(of mark: EpisodePool.Index) -> Index? {
    mark < EpisodePool.none ? EpisodePool.none - 1 - mark : nil
  }
}
