// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// The animations that a director plays, each with what its motions share.
final class SharedAnimations {
  /// Names an animation.
  typealias Index = Int32

  @exclusivity(unchecked) private var plays: [SharedAnimation] = []
  @exclusivity(unchecked) private var known: [Animation: SharedAnimation] = [:]

  subscript(index: Index) -> SharedAnimation { plays[Int(index)] }

  /// What an animation comes to; nil if it has no closed form: such are not played.
  func play(_ animation: Animation?) -> SharedAnimation? {
    guard let animation else { return nil }
    if let play = known[animation] { return play }
    guard let course = animation.course() else { return nil }
    let play = SharedAnimation(animation, course, index: Index(plays.count))
    plays.append(play)
    known[animation] = play
    return play
  }
}

/// An animation, and what all the motions share that it begins at one time in channels at rest.
final class SharedAnimation {
  let animation: Animation
  let course: AnimationCourse

  /// Its place in the list.
  let index: SharedAnimations.Index

  /// The time that the rest holds for.
  @exclusivity(unchecked) private(set) var time = Double.nan

  /// When motions are over, and as good as over, in seconds.
  @exclusivity(unchecked) private(set) var end = 0.0
  @exclusivity(unchecked) private(set) var logicalEnd = 0.0

  /// What lanes are told, with velocities in intervals; nil if motions need histories.
  @exclusivity(unchecked) private(set) var laneStart: LaneStart?

  /// What there is to be told of an episode, if anybody is to be told.
  @exclusivity(unchecked) private(set) var options: Episode.Options = []

  /// Legs shorter than this are not told, in seconds.
  static let legMin = 1e-4

  init(_ animation: Animation, _ course: AnimationCourse, index: SharedAnimations.Index) {
    self.animation = animation
    self.course = course
    self.index = index
  }

  /// Makes it ready for motions that begin at a time.
  func prepare(at time: Double, _ pieces: LaneSegments, recordsEvents: Bool) {
    if self.time == time { return }
    self.time = time
    (end, logicalEnd) = (time + course.end, time + course.logicalEnd)
    laneStart = nil
    // Several legs have to be told one by one, and what is over at once shows nothing.
    guard end > time, !recordsEvents || course.legCount == 1 else { return }
    let piece = pieces.piece(of: course, from: time)
    guard piece.end == .infinity else { return }
    laneStart = LaneStart(piece.motion, rate: pieces.rate)
    options = logicalEnd == end ? .completesAtEnd : []
    if recordsEvents, end < .infinity, end - time >= Self.legMin { options.insert(.recordsLeg) }
  }
}
