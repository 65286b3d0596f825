// SPDX-License-Identifier: Apache-2.0

import Orrery

/// The details of an episode that one motion from rest cannot describe: it has several motions at a
/// time, or one that lanes show in several segments.
struct EpisodeHistory {
  /// The library's own state of the channel, which is authoritative.
  var track: AnimationTrack<Double>

  /// Motions that the lane shows, in the order in which they began.
  var motions: [RunningMotion] = []

  /// Changes with events that may still be recorded, or with a waiting group, in the order of their
  /// numbers.
  var changes: [PendingChange] = []

  /// Index in `motions` of a change's motion; nil if it is over, or part of another one.
  func motionIndex(of change: UInt64) -> Int? {
    for index in motions.indices where motions[index].change == change { return index }
    return nil
  }

  /// Index of a change in `changes`; nil if it is not there.
  func changeIndex(of change: UInt64) -> Int? {
    for index in changes.indices where changes[index].change == change { return index }
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

  /// Whether it has ended, and only its value at exactly the end is still shown.
  var isOver = false
}

/// An animated change with events that may still be recorded, or with a waiting group.
struct PendingChange {
  /// Its number.
  let change: UInt64

  /// The completion group that still waits for it, and whether it waits for its removal.
  var group: CompletionGroups.Index
  let awaitsRemoval: Bool

  /// Whether its logical completion was recorded.
  var isComplete = false

  /// The next leg to record; nil if there is none.
  var leg: Int?
}
