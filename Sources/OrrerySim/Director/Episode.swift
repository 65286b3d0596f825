// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A stretch of time in which one channel of one view is animated: from a change at rest to the end of the
/// last motion.
///
/// Most are one motion, whose account the library can give from the few numbers here whenever it is asked
/// for; those that are more have a history besides. 56 bytes: to begin and to end a million of them in a
/// tick is a matter of memory.
struct Episode: BitwiseCopyable {
  /// Number of the change that began it; 0: there is no such episode.
  var change: UInt64

  /// When it began, in seconds, and the value that it went out from.
  var start: Double
  var from: Double

  let view: UInt32

  /// Who waits for it.
  var group = CompletionGroups.none

  /// The animation that it plays.
  let play: SharedAnimations.Index

  /// What tells its motions and changes if they are more than one, or else; `none` for most.
  var history = HistoryPool.none

  /// What it contributes to its lane.
  var handle: ViewLanes.Handle?

  let channel: ViewChannel
  var options: Options

  /// What is to be told of an episode that has no history.
  struct Options: OptionSet, BitwiseCopyable {
    let rawValue: UInt8

    /// The group waits for its removal.
    static let awaitsRemoval = Options(rawValue: 1)
    /// Its logical completion was told.
    static let isComplete = Options(rawValue: 2)
    /// The end of its only leg, which is its own, is still to be told.
    static let recordsLeg = Options(rawValue: 4)
    /// Its logical completion comes with its end, and has no cue of its own.
    static let completesAtEnd = Options(rawValue: 8)
  }

  /// The view, as an index.
  var viewIndex: Int { Int(view) }
}
