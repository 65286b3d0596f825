// SPDX-License-Identifier: Apache-2.0

import Orrery

/// The details of an episode that neither one motion from rest nor a spring that has taken over it describes: it has
/// several motions at a time, one that lanes show in several segments, or completions that changes wait for.
struct EpisodeHistory {
  /// The library's own state of the channel, which is authoritative.
  var track: AnimationTrack<Double>

  /// Motions that the lane shows, in the order in which they began.
  var motions: [RunningMotion] = []

  /// Layers of the lane that motions have.
  var tweenLayers = LayerSet()
  var springLayers = LayerSet()

  /// Completions that are due, and the groups that wait.
  var account = EpisodeAccount<CompletionGroups.Index>()

  /// Changes whose endless motions others took over, and when they are complete, in seconds.
  var takenOver: [(change: UInt64, logicalEnd: Double)] = []

  /// Adds a motion that its lane shows already, in one segment.
  mutating func add(
    _ motion: AnimationMotion<Double>, shownBy handle: ViewLanes.Handle, leg: Int? = nil,
    isOver: Bool = false
  ) {
    handle.tweenLayer.map { tweenLayers.take($0) }
    handle.springLayer.map { springLayers.take($0) }
    motions.append(
      RunningMotion(
        change: motion.id, tweenLayer: handle.tweenLayer, springLayer: handle.springLayer,
        handle: handle, leg: leg, isOver: isOver))
  }

  /// Index in `motions` of a change's motion; nil if it is over, or part of another one.
  func motionIndex(of change: UInt64) -> Int? {
    let index = motions.firstIndex(notBefore: change) { $0.change }
    return index < motions.count && motions[index].change == change ? index : nil
  }

  /// The library's motion of a change.
  func motion(of change: UInt64) -> AnimationMotion<Double>? {
    let index = track.motions.firstIndex(notBefore: change) { $0.id }
    return index < track.motions.count && track.motions[index].id == change
      ? track.motions[index] : nil
  }

  /// When a change is complete, in seconds; nil if its motion is over, or ends by itself and was taken over.
  func logicalEnd(of change: UInt64) -> Double? {
    motion(of: change)?.logicalEnd ?? takenOver.first { $0.change == change }?.logicalEnd
  }

  /// The layer of a motion's segments of one kind.
  mutating func layer(of motionIndex: Int, isSpring: Bool) -> Int {
    let layer = isSpring ? \RunningMotion.springLayer : \.tweenLayer
    if let layer = motions[motionIndex][keyPath: layer] { return layer }
    let taken = isSpring ? springLayers.take() : tweenLayers.take()
    motions[motionIndex][keyPath: layer] = taken
    return taken
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

  /// Its layers among the tweens and among the springs of its lane; nil if none of its segments needs one.
  var tweenLayer: Int?
  var springLayer: Int?

  /// Its contributions to its lane: the segment's motion, and what the segment holds.
  var handle: ViewLanes.Handle?
  var heldHandle: ViewLanes.Handle?

  /// Its next leg to record; nil if there is none.
  var leg: Int?

  /// Whether it has ended, and only its value at exactly the end is still shown.
  var isOver = false
}

/// Numbers of layers in one lane that are taken.
struct LayerSet {
  private var words: [UInt64] = []

  /// Takes the lowest number that is free.
  mutating func take() -> Int {
    var index = 0
    while index < words.count, words[index] == .max { index += 1 }
    if index == words.count { words.append(0) }
    let bit = (~words[index]).trailingZeroBitCount
    words[index] |= 1 << UInt64(bit)
    return index << 6 | bit
  }

  /// Takes a number that is free.
  mutating func take(_ number: Int) {
    while words.count <= number >> 6 { words.append(0) }
    words[number >> 6] |= 1 << UInt64(number & 63)
  }

  mutating func free(_ number: Int) { words[number >> 6] &= ~(1 << UInt64(number & 63)) }

  /// Frees all, and keeps the memory.
  mutating func removeAll() {
    for index in words.indices { words[index] = 0 }
  }
}
