// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryScene
import OrrerySim
import OrreryWire
import SwiftProtobuf

/// A world that is run and published: tick clock → world → ring → announcement.
///
/// The loop's one thread computes each tick straight into its slot. Subscribers are served by the join
/// server's thread and ZeroMQ's; in live delivery nothing that they do reaches the loop.
package final class Simulation {
  private let plan: ScenePlan
  private let options: SimOptions
  private let world: World
  private let writer: FrameWriter
  private let lock: RunLock
  private let joinServer: JoinServer
  private let herald: Herald
  private var memory: MemoryReport
  private let wire: WireServer

  /// Whether the world stores past the caches.
  private let streams: Bool

  /// Where the newest frame lies.
  private var lastPlace: Int?

  private var tickTimes = Histogram()
  private var publishTimes = Histogram()

  /// Builds the world and the ring, takes the run's directory, and opens its sockets.
  ///
  /// - Throws: `Failure` with the exit status that its cause has.
  package init(_ plan: ScenePlan, options: SimOptions) throws(Failure) {
    self.plan = plan
    self.options = options
    do {
      // The name first: a second sim must hear that it is taken, not that memory is.
      lock = try RunLock(RunDirectory(name: options.run))
      let need = MemoryNeed(plan, options: options)
      try need.check()
      memory = MemoryReport(
        estimatedBytes: need.bytes + (Memory.residentBytes() ?? 0), residentBytesMost: 0)
      world = try World(
        plan, instructionSet: options.instructionSet, threadCount: options.threadCount,
        output: options.output)
      let layout = try FrameLayout(columns: world.columns.map(ColumnDescription.init))
      let generation = UInt64.random(in: .min ... .max)
      let slotCount =
        options.slotCount ?? SimOptions.defaultSlotCount(frameBytes: layout.frameBytes)
      let staticPart = try Self.staticPart(plan, world, layout, generation, options)
      let writer = try FrameWriter(
        layout: layout, slotCount: slotCount,
        spareCount: options.spareCount(frameBytes: layout.frameBytes), staticPart: staticPart,
        generation: generation, delivery: options.delivery,
        lookAhead: options.lookAhead(slotCount: slotCount), carrier: options.carrier)
      self.writer = writer
      streams = options.streams(
        ringBytes: writer.segmentBytes, cacheBytes: Memory.lastLevelCacheBytes())
      world.keepDestinations(writer.placeCount, streams: streams) { place, column in
        writer.place(at: place) + Int(layout.columns[column].valuesOffset)
      }
      let herald = try Herald(writer: writer, directory: lock.directory)
      self.herald = herald
      joinServer = try JoinServer(
        writer: writer, directory: lock.directory,
        stallLimitNs: UInt64(options.stallLimitSeconds * 1e9)
      ) { herald.listen(for: $0) }
      let wire = try WireServer(
        writer: writer,
        run: WireRun(
          name: options.run, rate: (plan.rate.numerator, plan.rate.denominator),
          delivery: options.delivery, staticPart: staticPart,
          descriptorSet: MessageSchema.descriptorSet),
        directory: lock.directory, options: options.wire, handler: NoCommands())
      self.wire = wire
      if options.listen != nil { herald.setListener { wire.frameIsThere() } }
    } catch let failure as Failure {
      throw failure
    } catch let error as RunDirectoryError {
      throw Failure(error)
    } catch let error as SystemCallError {
      throw Failure(.unavailable, error)
    } catch let error as FrameError {
      throw Failure(error)
    } catch let error as WireError {
      throw Failure(error)
    } catch {
      throw Failure(.unavailable, error)
    }
  }

  deinit {
    joinServer.stop()
    wire.stop()
    herald.stop()
  }

  /// Runs all ticks, or until a stop signal.
  ///
  /// - Parameter progress: Called after each tick with its number and the late ticks so far; it decides
  ///   how often it says something.
  /// - Returns: What was run, and how long it took.
  /// - Throws: `Failure` when the subscribers that were waited for did not come.
  package func run(
    progress: (_ tick: UInt64, _ lateTicks: UInt64) -> Void = { _, _ in }
  ) throws(Failure) -> SimReport {
    do throws(Failure) {
      try waitForSubscribers()
    } catch {
      finish()
      throw error
    }
    // Pages of the world and phases of all blocks are touched before the first tick is timed.
    _ = Values(of: world, tick: 0)
    let startNs = Clock.monotonicNs()
    var clock = TickClock(rate: plan.rate, startNs: startNs)
    var tick: UInt64 = 0
    var hash: UInt64 = 0
    while StopSignals.count == 0, options.tickCount.map({ tick < $0 }) ?? true {
      if options.isPaced { clock.wait(for: tick + 1) }
      let ahead = ticksAhead(of: tick + 1)
      if options.delivery == .lockstep, !waitForReaders(ahead: ahead) { break }
      if StopSignals.count > 0 { break }
      tick += 1
      hash = publish(tick: tick, ahead: ahead)
      progress(tick, clock.lateTicks)
    }
    let seconds = Double(Clock.monotonicNs() - startNs) / 1e9
    var report = report(frames: tick, hash: hash, seconds: seconds, clock: clock)
    finish()
    report.subscribers = joinServer.reports.map(SubscriberAccount.init)
    return report
  }
}

// MARK: - One tick

extension Simulation {
  /// Ticks after this one that may be computed with it: none beyond the run's last.
  private func ticksAhead(of tick: UInt64) -> UInt64 {
    min(writer.lookAhead, options.tickCount.map { $0 - tick } ?? .max)
  }

  /// Computes a tick into the next slot, and parts of the ticks ahead into the slots after it, makes
  /// the tick visible and announces it.
  ///
  /// - Returns: The state hash.
  private func publish(tick: UInt64, ahead: UInt64) -> UInt64 {
    let beginNs = Clock.monotonicNs()
    writer.claim(ahead: Int(ahead))
    var places = DestinationRun(writer.claimedPlace())
    places.before = lastPlace
    for next in 0..<ahead { places.append(writer.claimedPlace(ahead: next + 1)) }
    let hash = world.place(tick: tick, destinations: places)
    lastPlace = writer.claimedPlace()
    let computedNs = Clock.monotonicNs()
    let stamp = FrameStamp(
      tick: tick, simTimeNs: plan.rate.timeNs(tick: tick), publishTimeNs: Clock.wallNs(),
      stateHash: hash)
    let sequence = writer.publish(stamp)
    herald.announce(sequence: sequence, stamp)
    tickTimes.record(computedNs - beginNs)
    publishTimes.record(Clock.monotonicNs() - computedNs)
    return hash
  }
}

// MARK: - Waiting

extension Simulation {
  /// Subscribers that have joined so far, here and on other machines.
  private var joinedCount: UInt64 { joinServer.joinedCount + wire.joinedCount }

  private func waitForSubscribers() throws(Failure) {
    let deadline = Clock.monotonicNs() + UInt64(options.waitSeconds * 1e9)
    while joinedCount < options.waitFor, StopSignals.count == 0 {
      let now = Clock.monotonicNs()
      guard now < deadline else {
        throw Failure(
          .unavailable,
          "\(joinedCount) of \(options.waitFor) subscribers joined run"
            + " '\(options.run)' within \(options.waitSeconds) s")
      }
      Clock.sleep(untilMonotonicNs: now + 2_000_000)
    }
  }

  /// Waits until every reader is done with the frames whose slots are claimed next.
  ///
  /// The newest of them is older than the newest that was published: every reader can get that far,
  /// and one that keeps a frame until it sees the next one as well.
  ///
  /// - Returns: False if a stop signal came first.
  private func waitForReaders(ahead: UInt64) -> Bool {
    let last = writer.sequence + 1 + ahead
    guard last > writer.slotCount else { return true }
    let freed = last - writer.slotCount
    return joinServer.waitForProgress(freed) && wire.waitForProgress(freed)
  }

  /// How long a run that has ended waits for the last words of its subscribers, for its report.
  private static let settleNs: UInt64 = 200_000_000

  /// Ends the run in order: subscribers learn that nothing follows.
  private func finish() {
    writer.end()
    herald.announceEnd()
    if options.delivery == .lockstep {
      _ = joinServer.waitForProgress(writer.sequence) && wire.waitForProgress(writer.sequence)
    } else {
      joinServer.settle(writer.sequence, timeoutNs: Self.settleNs)
    }
    joinServer.stop()
    wire.stop()
    herald.stop()
  }
}

// MARK: - Descriptions

extension Simulation {
  private static func staticPart(
    _ plan: ScenePlan, _ world: World, _ layout: FrameLayout, _ generation: UInt64,
    _ options: SimOptions
  ) throws -> [UInt8] {
    var message = plan.layout
    message.run = options.run
    message.generation = generation
    message.layoutHash = layout.layoutHash
    message.entityCount = UInt64(world.entityCount)
    message.isa = world.instructionSet.rawValue
    message.delivery = "\(options.delivery)"
    for (index, batch) in world.batches.enumerated() {
      message.batches[index].fields = batch.fields.compactMap {
        Orrery_Field(rawValue: Int($0.rawValue))
      }
    }
    return try message.serializedBytes()
  }

  private func report(
    frames: UInt64, hash: UInt64, seconds: Double, clock: TickClock
  ) -> SimReport {
    memory.residentBytesMost = Memory.residentBytesMost() ?? 0
    return SimReport(
      scene: plan.name, run: options.run, entities: UInt64(world.entityCount),
      isa: world.instructionSet.rawValue, threads: options.threadCount,
      delivery: "\(options.delivery)", slots: writer.slotCount,
      frameBytes: writer.layout.frameBytes, lookAhead: writer.lookAhead,
      output: options.output.rawValue,
      stores: (streams ? SimOptions.Stores.streaming : .cached).rawValue,
      ticksPerSecond: plan.rate.ticksPerSecond,
      frames: frames, stateHash: hexadecimal(hash), seconds: seconds,
      tick: DurationReport(tickTimes), publish: DurationReport(publishTimes),
      lateTicks: clock.lateTicks, scheduleShifts: clock.scheduleShifts, memory: memory)
  }
}

extension SubscriberAccount {
  /// What a join server knows.
  fileprivate init(_ report: SubscriberReport) {
    self.init(
      name: report.name, processID: report.processID, waiting: "\(report.waiting)",
      reading: "\(report.reading)", joinedAfter: report.joinedAfter, received: report.received,
      missed: report.missed, departure: (report.departure ?? .stayed).rawValue)
  }
}

extension ColumnDescription {
  /// A world's column as a frame describes it.
  fileprivate init(_ column: World.ColumnInfo) {
    self.init(
      batch: UInt32(column.batch), field: column.field.rawValue,
      firstEntity: UInt32(column.firstEntity), valueCount: UInt32(column.count),
      format: Format(column.format))
  }
}

extension ColumnDescription.Format {
  /// A world's format as a frame describes it.
  fileprivate init(_ format: ColumnFormat) {
    switch format {
    case .float32: self = .float32
    case .fixed16(let unit): self = .fixed16(unit: unit)
    }
  }
}

/// Refuses every request.
private final class NoCommands: ControlHandler {
  func handle(
    _ request: ControlRequest, answer: @escaping @Sendable (ControlReply) -> Void
  ) { answer(.refused("'\(request.verb)' is not served")) }
}
