// SPDX-License-Identifier: Apache-2.0

import Orrery

/// The details of an episode that one motion from rest cannot describe: it has several motions at a
/// time, or one that lanes show in several segments.
struct EpisodeHistory {
  /// The library's own state of the channel, which is authoritative.
  var track: AnimationTrack<Double>

  /// Motions that the lane shows, in the order in which they began.
  var motions: [RunningMotion] = []

  /// Completions that are due, and the groups that wait.
  var account = EpisodeAccount<CompletionGroups.Index>()

  /// Index in `motions` of a change's motion; nil if it is over, or part of another one.
  func motionIndex(of change: UInt64) -> Int? {
    for index in motions.indices where motions[index].change == change { return index }
    return nil
  }

  /// The library's motion of a change.
  func motion(of change: UInt64) -> AnimationMotion<Double>? {
    track.motions.first { $0.id == change }
  }

  /// Whether any motion is not over.
  var isRunning: Bool {
    for motion in motions where !motion.isOver { return true }
    return false
  }
}

/// A motion and its contributions to a lane.
struct RunningMotion {
  /// Number of the change that began it.
  let change: UInt64

  /// The time for which its segment was computed; nil if it is not shown.
  var shownTime: Double?

  /// Its contributions to its lane: the segment's motion, and what the segment holds.
  var handle: ViewLanes.Handle?
  var heldHandle: ViewLanes.Handle?

  /// Its next leg to record; nil if there is none.
  var leg: Int?

  /// Whether it has ended, and only its value at exactly the end is still shown.
  var isOver = false
}
