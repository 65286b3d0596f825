// SPDX-License-Identifier: Apache-2.0

import Orrery

/// The time in which one channel of one view is animated: from a change at rest to the end of its last
/// motion.
///
/// An episode of springs stays after that until they are at rest.
/// Most episodes have one motion, which the library can compute again from the few numbers here; the
/// others also have a history. 64 bytes: memory is the cost of beginning and ending a million of them
/// in a tick.
struct Episode: BitwiseCopyable {
  /// Number of the change that began it; 0 once it has ended.
  var change: UInt64

  /// The time of that change in seconds, and the value before it.
  var start: Double
  var from: Double

  let view: UInt32

  /// The completion group that waits for it.
  var group = CompletionGroups.none

  /// The animation of that change.
  var animation: TransactionMemory.Index

  /// The history of its motions and changes, if one motion cannot describe it; `none` for most.
  var history = HistoryPool.none

  /// Those before and after it in its channel's chain; see `Director+Chains.swift`.
  var earlier = EpisodePool.none
  var later = EpisodePool.none

  /// Its contribution to its lane; nil once its motion is over.
  var handle: ViewLanes.Handle?

  let channel: ViewChannel
  var options: Options

  /// Which events of an episode without history are recorded, and when.
  struct Options: OptionSet, BitwiseCopyable {
    let rawValue: UInt8

    /// The group waits for its removal.
    static let awaitsRemoval = Options(rawValue: 1)
    /// Its logical completion was recorded.
    static let isComplete = Options(rawValue: 2)
    /// The end of its only leg is still to be recorded; that leg ends with the episode.
    static let recordsLeg = Options(rawValue: 4)
    /// Its logical completion comes with its end, and has no event of its own in the queue.
    static let completesAtEnd = Options(rawValue: 8)
    /// Its only motion moves on after its end.
    static let movesAtEnd = Options(rawValue: 16)
    /// It is over, and so are its events; it stays until its remaining motion can no longer be seen.
    static let isOver = Options(rawValue: 32)
    /// Its only motion is a spring that has taken over others; see `EpisodePool.takeover`.
    static let hasTakenOver = Options(rawValue: 64)
    /// Other motions of its channel ran at some time of its own.
    static let hasCompany = Options(rawValue: 128)
  }

  /// Whether others of its channel are in a chain with it.
  var isChained: Bool { earlier != EpisodePool.none || later != EpisodePool.none }

  /// Whether one motion cannot describe it.
  var hasHistory: Bool { history != HistoryPool.none }

  /// Goes on as the only motion of another change, a spring that has taken over.
  mutating func takeOver(_ change: UInt64, at time: Double, _ shared: SharedAnimation.Address) {
    (self.change, start, animation) = (change, time, shared.pointee.index)
    options = shared.pointee.movesAtEnd ? [.hasTakenOver, .movesAtEnd] : .hasTakenOver
  }

  /// The view's index, as an `Int`.
  var viewIndex: Int { Int(view) }
}
