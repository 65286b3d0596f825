// SPDX-License-Identifier: Apache-2.0

/// Which tick a run publishes next, and whether it does.
///
/// Frames are numbered as they are published; which tick each one shows is told here.
struct Playback {
  /// The tick of the next frame.
  private(set) var nextTick: UInt64 = 1

  /// Whether no more frames are published than are owed.
  private(set) var isPaused = false

  /// Frames to publish although the run is paused.
  private(set) var owedCount: UInt64 = 0

  /// Whether there is a frame to publish.
  var wantsFrame: Bool { !isPaused || owedCount > 0 }

  /// Publishes nothing from now on.
  mutating func pause() { (isPaused, owedCount) = (true, 0) }

  /// Publishes every tick from now on.
  mutating func resume() { (isPaused, owedCount) = (false, 0) }

  /// Publishes so many more frames and no further ones.
  mutating func step(_ count: UInt64) { (isPaused, owedCount) = (true, owedCount &+ count) }

  /// Goes to a tick; a paused run shows it.
  mutating func seek(_ tick: UInt64) {
    nextTick = tick
    if isPaused, owedCount == 0 { owedCount = 1 }
  }

  /// A frame was published.
  mutating func advance() {
    nextTick += 1
    if owedCount > 0 { owedCount -= 1 }
  }
}
