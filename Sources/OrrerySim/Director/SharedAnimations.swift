// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// The animations of a director, each with the values that its motions share.
final class SharedAnimations {
  /// Names an animation.
  typealias Index = Int32

  private var all: [SharedAnimation] = []
  private var known: [Animation: SharedAnimation] = [:]

  subscript(index: Index) -> SharedAnimation { all[Int(index)] }

  /// The shared values of an animation; nil for none, or if it has no closed form: then values jump.
  func shared(_ animation: Animation?) -> SharedAnimation? {
    guard let animation else { return nil }
    if let shared = known[animation] { return shared }
    guard let course = animation.course() else { return nil }
    let shared = SharedAnimation(animation, course, index: Index(all.count))
    all.append(shared)
    known[animation] = shared
    return shared
  }
}

/// An animation, and the values that its motions share if they begin at the same time in channels at rest.
final class SharedAnimation {
  let animation: Animation
  let course: AnimationCourse

  /// Its index in `SharedAnimations`.
  let index: SharedAnimations.Index

  /// The start time of the motions to which the values below belong, in seconds.
  private(set) var time = Double.nan

  /// When the motions end, and when they are logically complete, in seconds.
  private(set) var end = 0.0
  private(set) var logicalEnd = 0.0

  /// Their start in lanes, with velocities in intervals per second; nil if they need histories.
  private(set) var laneStart: LaneStart?

  /// The options of their episodes.
  private(set) var options: Episode.Options = []

  /// How it takes over; nil if only a history knows.
  let takingSpring: TakingSpring?

  /// Whether its motions move on after their end.
  let movesAtEnd: Bool

  /// Legs shorter than this are not recorded, in seconds.
  static let legMin = 1e-4

  init(_ animation: Animation, _ course: AnimationCourse, index: SharedAnimations.Index) {
    self.animation = animation
    self.course = course
    self.index = index
    takingSpring = TakingSpring(animation, course)
    movesAtEnd = course.movesAtEnd
  }

  /// Computes the shared values of motions that begin at a time.
  func setStart(_ time: Double, _ segments: LaneSegments, recordsEvents: Bool) {
    if self.time == time { return }
    self.time = time
    (end, logicalEnd) = (time + course.end, time + course.logicalEnd)
    laneStart = nil
    // Several legs are recorded one by one, with a history. A motion that ends at once shows nothing.
    guard end > time, !recordsEvents || course.legCount == 1 else { return }
    let segment = segments.segment(of: course, from: time)
    guard segment.end == .infinity else { return }
    laneStart = LaneStart(segment.motion, rate: segments.rate)
    options = logicalEnd == end ? .completesAtEnd : []
    if movesAtEnd { options.insert(.movesAtEnd) }
    if recordsEvents, end < .infinity, end - time >= Self.legMin { options.insert(.recordsLeg) }
  }
}
