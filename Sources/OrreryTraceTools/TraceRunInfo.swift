// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// What `orrery trace info` says of a run, or of one shard of it, that files have a recording of.
package struct TraceRunInfo: Encodable, Equatable {
  /// One end of the recording.
  package struct End: Encodable, Equatable {
    /// Number of the frame.
    package var sequence: UInt64
    /// Its tick.
    package var tick: UInt64
    /// Scene time in seconds.
    package var sceneSeconds: Double
    /// The hash of the state, in hexadecimal.
    package var stateHash: String

    package init(sequence: UInt64, tick: UInt64, sceneSeconds: Double, stateHash: String) {
      (self.sequence, self.tick, self.sceneSeconds) = (sequence, tick, sceneSeconds)
      self.stateHash = stateHash
    }
  }

  /// Which part of a scene the run has.
  package struct Shard: Encodable, Equatable {
    /// From 0.
    package var index: UInt32
    /// Shards of the scene.
    package var count: UInt32

    package init(index: UInt32, count: UInt32) { (self.index, self.count) = (index, count) }
  }

  /// Frames that did not come.
  package struct Gap: Encodable, Equatable {
    /// The first frame.
    package var first: UInt64
    /// The last frame.
    package var last: UInt64
    /// The shard whose part is missing; nil: the recorder missed whole frames.
    package var shard: UInt32?

    package init(first: UInt64, last: UInt64, shard: UInt32?) {
      (self.first, self.last, self.shard) = (first, last, shard)
    }
  }

  /// Frames that are not there, and who lost them.
  package struct Losses: Encodable, Equatable {
    /// Frames that the recorder missed: by its account, or else by the gaps that were read.
    package var missedByRecorder: UInt64 = 0
    /// Frames without the part of each of these shards, of the gaps that were read.
    package var missedByShard: [String: UInt64] = [:]
    /// Gaps in all.
    package var gapCount: UInt64 = 0
    /// The first of them.
    package var gaps: [Gap] = []

    package init() {}
  }

  /// A change that was made to the run.
  package struct Change: Encodable, Equatable {
    /// The first tick that shows it.
    package var tick: UInt64
    /// The request, as JSON.
    package var command: String

    package init(tick: UInt64, command: String) { (self.tick, self.command) = (tick, command) }
  }

  /// The scene's name.
  package var scene = ""
  /// Hash of the scene's text, in hexadecimal; nil if the trace has none.
  package var sceneHash: String?
  /// The run's name.
  package var run = ""
  /// The scene's seed.
  package var seed: UInt64 = 0
  /// Ticks per second, such as 60 or 30000/1001.
  package var rate = ""
  /// Entities of a frame.
  package var entities: UInt64 = 0
  /// Nil: the whole scene.
  package var shard: Shard?
  /// What of the frames is there: full, delta or digest.
  package var frames = ""
  /// The first frame; nil: there are none.
  package var first: End?
  /// The last frame.
  package var last: End?
  /// The least and the greatest tick that a frame shows: of a run that was sent back, not those of its ends.
  package var leastTick: UInt64?
  package var greatestTick: UInt64?
  /// Scene time from the first to the last frame, in seconds.
  package var sceneSeconds: Double = 0
  /// Frames that are not there.
  package var losses = Losses()
  /// Changes to the run, those that were read.
  package var changes: [Change] = []
  /// Whether all gaps and changes were read: of many, the first are.
  package var isCounted = true
  /// The machine that recorded, if it was to be named.
  package var host: String?
  /// The recorder's version.
  package var version: String?
  /// The commit that the recorder was built of.
  package var commit: String?
  /// The recorder's command line.
  package var commandLine: String?

  package init() {}

  /// Adds a line for each fact, for people.
  func add(to report: inout ReportText) {
    report.addWhole(
      "run",
      "\(run), scene \(scene)" + (sceneHash.map { ", text \($0)" } ?? "") + ", seed \(seed)"
        + (shard.map { ", shard \($0.index) of \($0.count)" } ?? ""))
    report.addWhole("frames", "\(frames), \(entities) entities, \(rate) ticks a second")
    if let first, let last {
      report.addWhole(
        "ticks",
        "\(leastTick ?? first.tick) to \(greatestTick ?? last.tick), frames \(first.sequence) to"
          + " \(last.sequence)"
          + (isInOrder
            ? "" : "; some ticks were skipped or repeated, the last frame shows tick \(last.tick)"))
      let times = [first.sceneSeconds, last.sceneSeconds, sceneSeconds].map {
        decimal($0, places: 3)
      }
      report.addWhole(
        "scene time",
        isInOrder
          ? "\(times[0]) to \(times[1]) s, \(times[2]) s"
          : "\(times[0]) s in the first frame, \(times[1]) s in the last")
      report.addWhole("state hash", "\(first.stateHash) to \(last.stateHash)")
    }
    let shards = losses.missedByShard.sorted { $0.key < $1.key }
    report.addWhole(
      "lost",
      "\(losses.missedByRecorder) frames missed by the recorder"
        + shards.map { ", \($0.value) without shard \($0.key)" }.joined()
        + (losses.gapCount > 0 ? ", \(losses.gapCount) gaps" : ""))
    for gap in losses.gaps.prefix(Self.linesMax) {
      report.addWhole(
        "gap",
        "frames \(gap.first) to \(gap.last)"
          + (gap.shard.map { ", shard \($0)" } ?? ""))
    }
    let shown = UInt64(min(losses.gaps.count, Self.linesMax))
    if losses.gapCount > shown { report.addWhole("gap", "\(losses.gapCount - shown) more") }
    for change in changes.prefix(Self.linesMax) {
      report.addWhole("change", "tick \(change.tick): \(change.command)")
    }
    if changes.count > Self.linesMax {
      report.addWhole("change", "\(changes.count - Self.linesMax) more")
    }
    if !isCounted { report.addWhole("", "more gaps or changes are there than were read") }
    if let version {
      report.addWhole("recorder", version + (commit.map { ", commit \($0)" } ?? ""))
    }
    if let host { report.addWhole("host", host) }
    if let commandLine { report.addWhole("command", commandLine) }
  }

  /// Whether the last tick is as far from the first as its frame is: a seek adds no frames.
  private var isInOrder: Bool {
    guard let first, let last else { return true }
    return last.tick &- first.tick == last.sequence &- first.sequence
  }

  /// Gaps and changes that are printed for people.
  private static let linesMax = 10
}
