// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orrery
import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryWire

/// What a run reports of itself: `SimReport` finds each figure, and `stats` has the same ones under its own names.
extension RunCourse {
  /// The report of the run so far.
  ///
  /// - Parameters:
  ///   - nowNs: Now, by the monotonic clock.
  ///   - residentMaxBytes: The most memory that the program ever used.
  /// - Returns: The report, without subscribers.
  func report(nowNs: UInt64, residentMaxBytes: UInt64 = 0) -> SimReport {
    let frames = writer.sequence - (sharding?.skippedCount ?? 0)
    return SimReport(
      scene: plan.name, run: options.run, entities: UInt64(maker.entityCount),
      isa: maker.isa, threads: maker.threadCount,
      threadsMean: maker.threadsMean, delivery: "\(options.delivery)", slots: writer.slotCount,
      frameBytes: writer.layout.frameBytes, lookAhead: writer.lookAhead,
      output: options.output.rawValue, hash: options.hashMode.rawValue,
      stores: (figures.streams ? SimOptions.Stores.streaming : .cached).rawValue,
      ticksPerSecond: plan.rate.ticksPerSecond,
      frames: frames, firstFrameClockNs: figures.firstFrameNs,
      stateHash: hexadecimal(figures.newest.stateHash),
      pace: figures.pace.report(
        nowNs: nowNs, frames: frames, clock: clock,
        ticksPerSecond: options.isPaced ? plan.rate.ticksPerSecond : nil),
      work: DurationReport(figures.work), publish: DurationReport(figures.publish),
      memory: MemoryReport(
        estimatedBytes: figures.estimatedBytes, residentMaxBytes: residentMaxBytes))
  }

  /// The run's position, for replies.
  var position: [String: DocumentValue] {
    [
      "tick": .count(figures.newest.tick),
      "seconds": .number(plan.rate.seconds(tick: figures.newest.tick)),
      "sequence": .count(writer.sequence),
      "state_hash": .word(figures.newest.stateHash),
      "next_tick": .count(maker.tick(at: playback.nextTick)),
      "paused": .bool(playback.isPaused), "speed": .number(clock.speed),
    ]
  }

  /// The reply to `stats`: the report's figures, and what is of interest while the run goes on.
  var stats: [String: DocumentValue] {
    let nowNs = Clock.monotonicNs()
    var stats = report(nowNs: nowNs).stats
    stats.merge(position) { first, _ in first }
    stats.merge([
      "generation": .word(writer.generation), "seed": .word(plan.seed),
      "paced": .bool(options.isPaced),
      "pid": .integer(Int64(getpid())),
      "age_s": .number(Double((nowNs - madeNs) / 1_000_000) / 1000),
      "changes": .integer(Int64(figures.changeCount)), "events": .string(options.events.rawValue),
    ]) { first, _ in first }
    stats.merge(publication.eventSender.stats) { first, _ in first }
    stats.merge(publication.subscriberStats) { first, _ in first }
    return stats
  }
}

extension SimReport {
  /// The figures that `stats` has too, under its names.
  fileprivate var stats: [String: DocumentValue] {
    var stats: [String: DocumentValue] = [
      "run": .string(run), "scene": .string(scene), "entities": .count(entities),
      "isa": .string(isa), "threads": .integer(Int64(threads)),
      "threads_mean": .number(threadsMean), "delivery": .string(delivery),
      "ticks_per_second": .number(ticksPerSecond), "slots": .count(slots),
      "frame_bytes": .count(frameBytes), "look_ahead": .count(lookAhead),
      "output": .string(output), "hash": .string(hash), "late_ticks": .count(pace.lateTicks),
      "schedule_shifts": .count(pace.scheduleShifts),
    ]
    for (name, times) in [("tick", work), ("publish", publish)] {
      stats[name + "_mean_ns"] = .count(times.meanNs)
      stats[name + "_p50_ns"] = .count(times.p50Ns)
      stats[name + "_p99_ns"] = .count(times.p99Ns)
      stats[name + "_max_ns"] = .count(times.maxNs)
    }
    return stats
  }
}
