// SPDX-License-Identifier: Apache-2.0

/// What a director's event queue holds: something that is due at a time.
struct Cue: BitwiseCopyable {
  let kind: Kind

  /// Index of the command or reaction in the plan, or of the motion's episode.
  let index: UInt32

  /// How often the command was played before, or the number of the motion's change.
  ///
  /// A change's number is never used again: if it is gone, it is not found, and the cue passes.
  let number: UInt64

  /// Of a motion: its episode.
  var episode: EpisodePool.Index { EpisodePool.Index(truncatingIfNeeded: index) }

  /// What is due; of one motion at one time, the lower number comes first.
  enum Kind: UInt8, BitwiseCopyable {
    case command = 0
    case reaction = 1
    /// Lanes have to be told how a motion goes on.
    case piece = 2
    case leg = 3
    case logicalEnd = 4
    case end = 5
    /// What was shown at exactly the end gives way to the target.
    case afterEnd = 6
  }
}
