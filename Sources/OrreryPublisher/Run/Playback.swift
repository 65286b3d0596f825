// SPDX-License-Identifier: Apache-2.0

/// Playback state: which tick a run publishes next, and whether it is paused.
///
/// Frames are numbered as they are published; this decides which tick each frame shows.
package struct Playback {
  /// The tick of the next frame; of a played trace, the frame's index.
  package private(set) var nextTick: UInt64

  /// A run that shows this tick next, and then those that follow.
  init(nextTick: UInt64 = 1) { self.nextTick = nextTick }

  /// Whether only owed frames are published.
  package private(set) var isPaused = false

  /// Frames to publish although the run is paused.
  package private(set) var owedCount: UInt64 = 0

  /// Whether there is a frame to publish.
  package var wantsFrame: Bool { !isPaused || owedCount > 0 }

  /// Publishes no further frames.
  mutating func pause() { (isPaused, owedCount) = (true, 0) }

  /// Publishes every tick from now on.
  mutating func resume() { (isPaused, owedCount) = (false, 0) }

  /// Publishes `count` more frames, then pauses.
  mutating func step(_ count: UInt64) { (isPaused, owedCount) = (true, owedCount &+ count) }

  /// Makes a tick the next one; a paused run publishes it.
  mutating func seek(_ tick: UInt64) {
    nextTick = tick
    if isPaused, owedCount == 0 { owedCount = 1 }
  }

  /// Makes a frame the next one, and owes no frame for that.
  mutating func begin(at index: UInt64) { nextTick = index }

  /// Counts published frames.
  mutating func advance(by count: UInt64 = 1) {
    nextTick += count
    owedCount -= min(count, owedCount)
  }
}
