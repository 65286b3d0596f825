// SPDX-License-Identifier: Apache-2.0

/// Final report of a sim: docs/schemas/sim.schema.json.
package struct SimReport: Codable, Equatable, Sendable {
  /// The document's kind and version.
  package static let schema = "orrery.sim.v2"

  /// Name of the program.
  package var program = "sim"
  /// The scene's name.
  package var scene: String
  /// The run's name.
  package var run: String
  /// Entities of the scene.
  package var entities: UInt64
  /// Instruction set of the kernels: sse2, avx2 or avx512.
  package var isa: String
  /// Threads that may share a tick's work.
  package var threads: Int
  /// Threads that shared it, on average over the work; 1 … `threads`.
  package var threadsMean: Double
  /// live or lockstep.
  package var delivery: String
  /// Frames that the ring holds.
  package var slots: UInt64
  /// Bytes of a frame.
  package var frameBytes: UInt64
  /// Ticks that may be computed early.
  package var lookAhead: UInt64
  /// Requested format: float32 or fixed16.
  package var output: String
  /// Values that the state hash covers: full, rolling or off.
  package var hash: String
  /// cached or streaming.
  package var stores: String
  /// The scene's ticks per second.
  package var ticksPerSecond: Double
  /// Frames published: one for each tick.
  package var frames: UInt64
  /// When the first one was about to be published, by the machine's monotonic clock; nil without frames.
  package var firstFrameClockNs: UInt64?
  /// Hash of the last frame, sixteen hexadecimal digits.
  package var stateHash: String
  /// Schedule, interruptions and rate.
  package var pace: PaceReport
  /// Time to compute a frame, hash included, and parts of later ones with look-ahead.
  ///
  /// Its mean is the cost of a tick. With look-ahead its percentiles are those of turns, of which
  /// some compute for eight ticks and others find their frame computed.
  package var work: DurationReport
  /// Time to make a computed frame visible and announce it.
  package var publish: DurationReport
  /// Estimated and used memory.
  package var memory: MemoryReport
  /// The last 256 subscribers that left, in that order, and those that stayed.
  package var subscribers: [SubscriberAccount]

  package init(
    scene: String, run: String, entities: UInt64, isa: String, threads: Int,
    threadsMean: Double = 1, delivery: String, slots: UInt64, frameBytes: UInt64, lookAhead: UInt64,
    output: String, hash: String = "full", stores: String,
    ticksPerSecond: Double, frames: UInt64, firstFrameClockNs: UInt64? = nil, stateHash: String,
    pace: PaceReport,
    work: DurationReport, publish: DurationReport, memory: MemoryReport,
    subscribers: [SubscriberAccount] = []
  ) {
    self.scene = scene
    self.run = run
    self.entities = entities
    self.isa = isa
    self.threads = threads
    self.threadsMean = threadsMean
    self.delivery = delivery
    self.slots = slots
    self.frameBytes = frameBytes
    self.lookAhead = lookAhead
    self.output = output
    self.hash = hash
    self.stores = stores
    self.ticksPerSecond = ticksPerSecond
    self.frames = frames
    self.firstFrameClockNs = firstFrameClockNs
    self.stateHash = stateHash
    self.pace = pace
    self.work = work
    self.publish = publish
    self.memory = memory
    self.subscribers = subscribers
  }
}

/// When a run's frames came: its rate, and what was late.
package struct PaceReport: Codable, Equatable, Sendable {
  /// From the first tick to the last, pauses included.
  package var elapsedSeconds: Double
  /// Of `elapsedSeconds`, the time in which the run was paused.
  package var pausedSeconds: Double
  /// Of `elapsedSeconds`, the time in which a run in lockstep waited for its subscribers.
  package var waitedSeconds: Double
  /// Ticks that were due in a second, their mean if the speed was changed; nil: each as soon as it
  /// can be.
  package var askedHz: Double?
  /// Frames published in a second, pauses excluded; 0 without frames.
  package var reachedHz: Double
  /// Time from one tick to the next, at the run's last speed.
  package var tickNs: UInt64
  /// Ticks that began after the next one was due.
  package var lateTicks: UInt64
  /// The longest time from a tick's due time to its start; 0 if ticks had no due time.
  package var latenessMaxNs: UInt64
  /// Frames that took longer to compute and publish than a tick.
  package var overBudgetFrames: UInt64
  /// The longest time between two frames; of a tick that had a due time, the part beyond a tick.
  package var stallMaxNs: UInt64
  /// Times that the schedule was moved because the sim had been stopped for several ticks.
  package var scheduleShifts: UInt64

  package init(
    elapsedSeconds: Double, pausedSeconds: Double = 0, waitedSeconds: Double = 0, askedHz: Double?,
    reachedHz: Double, tickNs: UInt64, lateTicks: UInt64 = 0, latenessMaxNs: UInt64 = 0,
    overBudgetFrames: UInt64 = 0, stallMaxNs: UInt64 = 0, scheduleShifts: UInt64 = 0
  ) {
    self.elapsedSeconds = elapsedSeconds
    self.pausedSeconds = pausedSeconds
    self.waitedSeconds = waitedSeconds
    self.askedHz = askedHz
    self.reachedHz = reachedHz
    self.tickNs = tickNs
    self.lateTicks = lateTicks
    self.latenessMaxNs = latenessMaxNs
    self.overBudgetFrames = overBudgetFrames
    self.stallMaxNs = stallMaxNs
    self.scheduleShifts = scheduleShifts
  }
}
