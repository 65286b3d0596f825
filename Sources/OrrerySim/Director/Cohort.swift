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

/// Cohorts by index.
struct CohortPool: ~Copyable {
  typealias Index = Int32

  /// Names no cohort.
  static let none: Index = -1

  private var cohorts = IndexedPool<Cohort>(capacity: 16)

  init() {}

  /// Number of cohorts.
  var liveCount: Int { cohorts.liveCount }

  /// A cohort's address; valid until the next `reserve`.
  subscript(index: Index) -> UnsafeMutablePointer<Cohort> { cohorts[index] }

  /// Adds a cohort whose memory is to be initialized next.
  mutating func reserve() -> Index { cohorts.reserve() }

  /// Ends a cohort; its memory is free for another one.
  mutating func end(_ index: Index) {
    cohorts[index].pointee.change = 0
    cohorts.release(index)
  }

  /// What a channel of a view has in place of an episode's index if its episode is one of a cohort's.
  static func mark(_ index: Index) -> EpisodePool.Index { EpisodePool.none - 1 - index }

  /// The cohort of such a mark; nil for an episode's index, and at rest.
  static func index(of mark: EpisodePool.Index) -> Index? {
    mark < EpisodePool.none ? EpisodePool.none - 1 - mark : nil
  }
}
