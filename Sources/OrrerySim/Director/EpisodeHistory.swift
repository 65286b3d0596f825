// SPDX-License-Identifier: Apache-2.0

import Orrery

/// What happens in an episode that one motion from rest does not tell: several motions at a time, and such
/// as lanes show piece by piece.
struct EpisodeHistory {
  /// The library's account of it, which has the last word.
  var track: AnimationTrack<Double>

  /// Motions that lanes show, in order of creation.
  var motions: [RunningMotion] = []

  /// Changes of which something is still to be told, in order of creation.
  var changes: [UntoldChange] = []

  /// Where a motion is in `motions`; nil if it is over, or part of another one.
  func place(of change: UInt64) -> Int? {
    for place in motions.indices where motions[place].change == change { return place }
    return nil
  }

  /// Where a change is in `changes`; nil if nothing of it is to be told.
  func untold(_ change: UInt64) -> Int? {
    for index in changes.indices where changes[index].change == change { return index }
    return nil
  }

  /// The library's account of a motion.
  func motion(of change: UInt64) -> AnimationMotion<Double>? {
    track.motions.first { $0.id == change }
  }

  /// Whether a motion is left that is not over.
  var isRunning: Bool {
    for motion in motions where !motion.isOver { return true }
    return false
  }
}

/// A motion and its part of a lane.
struct RunningMotion {
  /// Number of the change that began it.
  let change: UInt64

  /// The time for which lanes were told last how it moves; nil if it is not shown.
  var shownTime: Double?

  /// What it contributes to its lane.
  var handle: ViewLanes.Handle?
  var heldHandle: ViewLanes.Handle?

  /// Whether its end has come, and only the value at exactly the end is still shown.
  var isOver = false
}

/// An animated change of which something is still to be told.
struct UntoldChange {
  /// Its number.
  let change: UInt64

  /// Who still waits for it, and whether for its removal.
  var group: CompletionGroups.Index
  let awaitsRemoval: Bool

  /// Whether its logical completion was told.
  var isComplete = false

  /// The next leg to be told; nil if none is.
  var leg: Int?
}
