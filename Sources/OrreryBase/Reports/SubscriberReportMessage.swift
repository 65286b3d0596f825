// SPDX-License-Identifier: Apache-2.0

/// Final report of a renderer or a logger: docs/schemas/subscriber.schema.json.
package struct SubscriberReportMessage: Codable, Equatable, Sendable {
  /// The document's kind and version.
  package static let schema = "orrery.subscriber.v2"

  /// Why a subscriber stopped reading.
  package enum End: String, Codable, Sendable {
    /// The run ended in order.
    case runEnded = "run_ended"
    /// The sim died, or was not heard any more.
    case simDied = "sim_died"
    /// A signal asked this program to end.
    case stopped
    /// The sim dropped this subscriber.
    case dropped
    /// It could not go on, as where a file cannot be written.
    case failed
  }

  /// Name of the program.
  package var program: String
  /// The run's name.
  package var run: String
  /// live or lockstep.
  package var delivery: String
  /// How it learned of frames: spin, futex, announcement or remote.
  package var waiting: String
  /// Which frames it wanted: every or newest.
  package var reading: String
  /// Number of the frame before its first; from there on, published == received + missed.
  package var joinedAfter: UInt64
  /// Frames that the run published from then on.
  package var published: UInt64
  /// Frames that it read.
  package var received: UInt64
  /// Frames that it did not read.
  package var missed: UInt64
  /// When the first of them was found, by the machine's monotonic clock; nil if there was none.
  package var firstReadClockNs: UInt64?
  /// When it had been drawn or recorded, by that clock.
  package var firstDoneClockNs: UInt64?
  /// The first gaps, each "first-last".
  package var gaps: [String]
  /// In live delivery: time from publishing a frame to the start of its use, of frames published since it joined.
  package var latency: DurationReport?
  /// In lockstep delivery: the same time.
  ///
  /// The sim runs ahead of its subscribers by the length of the ring, so a frame's age is the time
  /// in which it stood in the queue.
  package var queued: DurationReport?
  /// Time from the end of a frame's use until the next frame was found.
  package var waitingTime: DurationReport
  /// Time to use one frame: to draw or to record it.
  package var working: DurationReport
  /// Why it stopped reading.
  package var ended: End
  /// Files written.
  package var files: [String]

  /// What it received of each shard; nil for a run of one sim.
  package var shards: [ShardAccount]?

  package init(
    program: String, run: String, delivery: String = "live", waiting: String = "announcement",
    reading: String = "every", joinedAfter: UInt64, published: UInt64, received: UInt64,
    missed: UInt64, gaps: [String], age: DurationReport, waitingTime: DurationReport,
    working: DurationReport, ended: End, files: [String]
  ) {
    self.program = program
    self.run = run
    self.delivery = delivery
    self.waiting = waiting
    self.reading = reading
    self.joinedAfter = joinedAfter
    self.published = published
    self.received = received
    self.missed = missed
    self.gaps = gaps
    // `age` is the time from publishing to the start of use.
    (latency, queued) = delivery == "lockstep" ? (nil, age) : (age, nil)
    self.waitingTime = waitingTime
    self.working = working
    self.ended = ended
    self.files = files
  }

  /// Whether the run ended in order.
  package var simEnded: Bool { ended == .runEnded }
}

/// What a subscriber received and missed of one shard.
package struct ShardAccount: Codable, Equatable, Sendable {
  /// As `--shard` takes it.
  package let shard: String
  /// Frames with this shard's part.
  package var received: UInt64 = 0
  /// Frames without it, though other shards' parts came.
  package var missed: UInt64 = 0

  /// An account of nothing yet.
  package init(_ shard: Shard) { self.shard = shard.description }
}
