// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrreryWire

/// Where a run of shards is: a function of its start, of the changes of time made since, and of the time.
///
/// A shard that enters a running run computes it once. From then on it makes each change when it comes, as
/// the others do.
package struct ShardTimeline {
  /// The newest frame.
  package private(set) var sequence: UInt64 = 0

  /// Which tick the next frame shows, and whether the run is paused.
  package private(set) var playback = Playback()

  /// When frames are due, by wall time.
  package private(set) var clock: TickClock

  /// A run that has just begun.
  ///
  /// - Parameters:
  ///   - rate: Ticks per second.
  ///   - startWallNs: When frame 0 was due.
  package init(rate: TickRate, startWallNs: UInt64) {
    clock = TickClock(rate: rate, startNs: startWallNs, moves: false)
  }

  /// Makes a change of time.
  ///
  /// - Parameters:
  ///   - command: A change of time; any other command is ignored.
  ///   - change: The frame and time of the change; not before earlier changes.
  package mutating func make(_ command: QueuedCommand, _ change: ShardChange) {
    guard change.sequence > sequence else { return }
    playback.advance(by: change.sequence - 1 - sequence)
    sequence = change.sequence - 1
    var speed = clock.speed
    switch command {
    case .pause: playback.pause()
    case .resume: playback.resume()
    case .step(let count): playback.step(count)
    case .seek(let tick): playback.seek(tick)
    case .speed(let factor): speed = factor
    case .change, .keep, .stats, .quit: return
    }
    clock.anchor(change.sequence, dueNs: change.wallNs, speed: speed)
  }

  /// Publishes the frames that are due by a time.
  package mutating func advance(toWallNs nowNs: UInt64) {
    guard playback.wantsFrame else { return }
    let due = max(clock.newestDue(atNs: nowNs), sequence)
    let count = playback.isPaused ? min(due - sequence, playback.owedCount) : due - sequence
    playback.advance(by: count)
    sequence += count
  }
}
