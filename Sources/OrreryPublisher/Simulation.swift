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
///
/// Commands wait on `desk` and are done between two ticks. The state that a frame shows is a function of the
/// scene, its seed, the frame's tick and the changes that were applied so far, each at its tick: going back
/// plays them again, and the same changes at the same ticks give the same hashes.
package final class Simulation {
  private let plan: ScenePlan
  private let options: SimOptions
  private let world: World
  private let writer: FrameWriter
  private let lock: RunLock
  private let joinServer: JoinServer
  private let announcer: FrameAnnouncer
  private var memory: MemoryReport
  private let wire: WireServer
  private let eventSender: EventSender

  /// Where requests to this run wait for its loop.
  package let desk: CommandQueue

  /// Whether the world stores past the caches.
  private let streams: Bool

  /// Where the newest frame lies.
  private var lastPlace: Int?

  private var playback = Playback()
  private var clock: TickClock
  private var newest = FrameStamp(tick: 0, simTimeNs: 0, publishTimeNs: 0, stateHash: 0)
  private var isAskedToEnd = false

  /// Who waits until a frame is there, by its sequence.
  private var awaited: [(sequence: UInt64, answer: CommandQueue.Answer)] = []

  /// Changes that were applied.
  private var changeCount = 0

  private var tickTimes = Histogram()
  private var publishTimes = Histogram()

  /// Builds the world and the ring, takes the run's directory, and opens its sockets.
  ///
  /// - Throws: `Failure` with the exit status that its cause has.
  package init(_ plan: ScenePlan, options: SimOptions) throws(Failure) {
    self.plan = plan
    self.options = options
    // Threads keep what they serve alive: where something else cannot be had they are ended, so that nothing is
    // left behind.
    var stops: [() -> Void] = []
    defer { for stop in stops.reversed() { stop() } }
    do {
      // The name first: a second sim must hear that it is taken, not that memory is.
      lock = try RunLock(RunDirectory(name: options.run))
      let need = MemoryNeed(plan, options: options)
      try need.check()
      memory = MemoryReport(
        estimatedBytes: need.bytes + (Memory.residentBytes() ?? 0), residentBytesMost: 0)
      world = try World(
        plan, instructionSet: options.instructionSet, threadCount: options.threadCount,
        records: options.events, output: options.output)
      let layout = try FrameLayout(columns: world.columns.map(ColumnDescription.init))
      let generation = UInt64.random(in: .min ... .max)
      let offsetNs = Int64(Clock.wallNs()) - Int64(Clock.monotonicNs())
      let staticPart = try Self.staticPart(
        plan, world, layout, generation, offsetNs: offsetNs, options)
      let slotCount =
        options.slotCount ?? SimOptions.defaultSlotCount(frameBytes: layout.frameBytes)
      let writer = try FrameWriter(
        layout: layout, slotCount: slotCount,
        spareCount: options.spareCount(frameBytes: layout.frameBytes), staticPart: staticPart,
        generation: generation, delivery: options.delivery, clockOffsetNs: offsetNs,
        lookAhead: options.lookAhead(slotCount: slotCount), carrier: options.carrier)
      self.writer = writer
      streams = options.streams(
        ringBytes: writer.segmentBytes, cacheBytes: Memory.lastLevelCacheBytes())
      world.keepDestinations(writer.placeCount, streams: streams) { place, column in
        writer.place(at: place) + Int(layout.columns[column].valuesOffset)
      }
      let announcer = try FrameAnnouncer(writer: writer, directory: lock.directory)
      self.announcer = announcer
      stops.append { announcer.stop() }
      let joinServer = try JoinServer(
        writer: writer, directory: lock.directory,
        stallLimitNs: UInt64(options.stallLimitSeconds * 1e9)
      ) { announcer.listen(for: $0) }
      self.joinServer = joinServer
      stops.append { joinServer.stop() }
      let eventSender = try EventSender(
        plan, generation: generation, announcer: EventAnnouncer(directory: lock.directory))
      self.eventSender = eventSender
      stops.append { eventSender.finish() }
      let desk = CommandQueue(
        reader: OrderReader(names: plan.liveNames, rate: plan.rate, isPaced: options.isPaced)
      ) { Snapshot.take(writer) }
      self.desk = desk
      let wire = try WireServer(
        writer: writer,
        run: WireRun(
          name: options.run, rate: (plan.rate.numerator, plan.rate.denominator),
          delivery: options.delivery, staticPart: staticPart,
          descriptorSet: MessageSchema.descriptorSet),
        directory: lock.directory, options: options.wire, handler: desk)
      self.wire = wire
      if options.listen != nil { announcer.setListener { wire.frameIsThere() } }
      desk.setInterrupt {
        joinServer.interruptWaiting()
        wire.interruptWaiting()
      }
      eventSender.setListener { wire.send(events: $0) }
      clock = TickClock(rate: plan.rate, startNs: 0)
      stops = []
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
    desk.close()
    eventSender.finish()
    joinServer.stop()
    wire.stop()
    announcer.stop()
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
    let (startNs, speed) = (Clock.monotonicNs(), clock.speed)
    clock = TickClock(rate: plan.rate, startNs: startNs)
    // It may have been asked for while subscribers were waited for.
    clock.continues(at: speed, nowNs: startNs)
    while true {
      if desk.isWaiting { serveCommands() }
      if isAskedToEnd || StopSignals.count > 0 || isComplete { break }
      if let waitNs = nsToNextTick() {
        desk.wait(ns: waitNs)
      } else if let ahead = claimableTicks() {
        publish(ahead: ahead)
        progress(newest.tick, clock.lateTicks)
      }
    }
    var report = report(seconds: Double(Clock.monotonicNs() - startNs) / 1e9)
    finish()
    report.subscribers =
      joinServer.reports.map(SubscriberAccount.init) + wire.reports.map(SubscriberAccount.init)
    return report
  }

  /// Whether as many frames were published as were asked for.
  private var isComplete: Bool { options.tickCount.map { writer.sequence >= $0 } ?? false }
}

// MARK: - One tick

extension Simulation {
  /// How long a paused loop sleeps when nothing happens: a stop signal that came just before it fell asleep
  /// is seen then.
  private static let pausedNs: UInt64 = 1_000_000_000

  /// How long nothing is to be published; nil if a tick is due.
  private func nsToNextTick() -> UInt64? {
    guard playback.wantsFrame else { return Self.pausedNs }
    guard options.isPaced else { return nil }
    let now = Clock.monotonicNs()
    if let due = clock.wake(atNs: now) { return due - now }
    return nil
  }

  /// Waits, in lockstep delivery, until the slots of the next tick are free.
  ///
  /// - Returns: Ticks after it that may be computed with it; nil if something else has to be done first.
  private func claimableTicks() -> UInt64? {
    let left = options.tickCount.map { $0 - writer.sequence - 1 } ?? .max
    let ahead = min(writer.lookAhead, left)
    return options.delivery == .lockstep && !waitForReaders(ahead: ahead) ? nil : ahead
  }

  /// Computes a tick into the next slot, and parts of the ticks ahead into the slots after it, makes
  /// the tick visible and announces it.
  private func publish(ahead: UInt64) {
    let tick = playback.nextTick
    let beginNs = Clock.monotonicNs()
    if options.isPaced { clock.begin(writer.sequence + 1, atNs: beginNs) }
    writer.claim(ahead: Int(ahead))
    var places = DestinationRun(writer.claimedPlace())
    places.before = lastPlace
    for next in 0..<ahead { places.append(writer.claimedPlace(ahead: next + 1)) }
    let hash = world.evaluate(tick: tick, destinations: places)
    writer.prepareToPublish()
    lastPlace = writer.claimedPlace()
    let computedNs = Clock.monotonicNs()
    newest = FrameStamp(
      tick: tick, simTimeNs: plan.rate.timeNs(tick: tick),
      publishTimeNs: max(
        UInt64(bitPattern: Int64(computedNs) + writer.clockOffsetNs), newest.publishTimeNs),
      stateHash: hash)
    let sequence = writer.publish(newest)
    announcer.announce(sequence: sequence, newest)
    tickTimes.record(max(computedNs, beginNs) - beginNs)
    publishTimes.record(max(Clock.monotonicNs(), computedNs) - computedNs)
    playback.advance()
    if options.events != .none { eventSender.send(world, tick: tick) }
    if !awaited.isEmpty { answerAwaited() }
  }
}

// MARK: - Commands

extension Simulation {
  /// Does everything that waits on the desk.
  private func serveCommands() {
    for entry in desk.takeAll() {
      let hadFrame = playback.wantsFrame
      perform(entry)
      // Time that passed while nothing was to be published is not to be caught up with.
      if !hadFrame, playback.wantsFrame {
        clock.continues(at: clock.speed, nowNs: Clock.monotonicNs())
      }
    }
  }

  private func perform(_ entry: CommandQueue.Entry) {
    switch entry.order {
    case .pause:
      playback.pause()
      refuseAwaited("the run was paused first")
    case .resume: playback.resume()
    case .speed(let factor): clock.continues(at: factor, nowNs: Clock.monotonicNs())
    case .stats:
      entry.answer(.done(stats.merging(position) { first, _ in first }))
      return
    case .quit: isAskedToEnd = true
    case .step(let count):
      guard hasRoomToWait(entry.answer) else { return }
      playback.step(count)
      answer(entry.answer, afterFrames: playback.owedCount)
      return
    case .seek(let tick):
      guard hasRoomToWait(entry.answer) else { return }
      playback.seek(tick)
      world.replayEvents(from: tick)
      answer(entry.answer, afterFrames: 1)
      return
    case .change(let command, let text):
      entry.answer(apply(command, text))
      return
    }
    entry.answer(.done(position))
  }

  /// Changes views from the next tick on.
  private func apply(_ command: LiveNames.LiveCommand, _ text: String) -> ControlReply {
    guard changeCount < Self.changesMax else {
      return .refused("\(Self.changesMax) changes were applied; a run keeps no more")
    }
    var transaction = command.transaction
    if let name = command.completion {
      transaction.completion = eventSender.index(ofCompletion: name)
    }
    let tick = playback.nextTick
    guard let batch = plan.viewsBatch, world.apply(transaction, at: tick, batch: batch) else {
      return .refused(
        "frames have no column for that, since nothing in the scene changes it;"
          + " run the sim with --columns")
    }
    changeCount += 1
    if options.events != .none {
      eventSender.send(command: text, tick: tick, seconds: plan.rate.seconds(tick: tick))
    }
    return .done(position.merging(["applies_at": .count(tick)]) { first, _ in first })
  }

  /// Changes that a run keeps, to play them again.
  private static let changesMax = 100_000

  /// Whether one more can wait for frames; who cannot is refused, and what was asked for is not done.
  private func hasRoomToWait(_ answer: CommandQueue.Answer) -> Bool {
    if awaited.count < CommandQueue.capacity { return true }
    answer(.refused("\(CommandQueue.capacity) requests wait for frames already; try again"))
    return false
  }

  /// Answers once so many more frames are there.
  private func answer(_ answer: @escaping CommandQueue.Answer, afterFrames count: UInt64) {
    awaited.append((writer.sequence + count, answer))
  }

  private func answerAwaited() {
    let sequence = writer.sequence
    for waiting in awaited where waiting.sequence <= sequence { waiting.answer(.done(position)) }
    awaited.removeAll { $0.sequence <= sequence }
  }

  private func refuseAwaited(_ reason: String) {
    for waiting in awaited { waiting.answer(.refused(reason)) }
    awaited = []
  }

  /// Where the run is.
  private var position: [String: ControlValue] {
    [
      "tick": .count(newest.tick), "sequence": .count(writer.sequence),
      "state_hash": .word(newest.stateHash), "next_tick": .count(playback.nextTick),
      "paused": .bool(playback.isPaused), "speed": .number(clock.speed),
    ]
  }

  private var stats: [String: ControlValue] {
    var stats: [String: ControlValue] = [
      "run": .string(options.run), "scene": .string(plan.name),
      "generation": .word(writer.generation), "seed": .word(plan.seed),
      "entities": .integer(Int64(world.entityCount)),
      "isa": .string(world.instructionSet.rawValue),
      "threads": .integer(Int64(options.threadCount)),
      "delivery": .string("\(options.delivery)"), "paced": .bool(options.isPaced),
      "ticks_per_second": .number(plan.rate.ticksPerSecond),
      "seconds": .number(plan.rate.seconds(tick: newest.tick)),
      "slots": .count(writer.slotCount), "frame_bytes": .count(writer.layout.frameBytes),
      "look_ahead": .count(writer.lookAhead), "output": .string(options.output.rawValue),
      "subscribers": .count(joinedCount),
      "changes": .integer(Int64(changeCount)), "late_ticks": .count(clock.lateTicks),
      "schedule_shifts": .count(clock.scheduleShifts), "events": .string(options.events.rawValue),
    ]
    stats.merge(eventSender.stats) { first, _ in first }
    for (name, times) in [("tick", tickTimes), ("publish", publishTimes)] {
      let report = DurationReport(times)
      stats[name + "_p50_ns"] = .count(report.p50Ns)
      stats[name + "_p99_ns"] = .count(report.p99Ns)
      stats[name + "_max_ns"] = .count(report.maxNs)
    }
    return stats
  }
}

// MARK: - Waiting

extension Simulation {
  /// Subscribers that have joined so far, here and on other machines.
  private var joinedCount: UInt64 { joinServer.joinedCount + wire.joinedCount }

  private func waitForSubscribers() throws(Failure) {
    let deadline = Clock.monotonicNs() + UInt64(options.waitSeconds * 1e9)
    while joinedCount < options.waitFor, StopSignals.count == 0, !isAskedToEnd {
      if desk.isWaiting { serveCommands() }
      let now = Clock.monotonicNs()
      guard now < deadline else {
        throw Failure(
          .unavailable,
          "\(joinedCount) of \(options.waitFor) subscribers joined run"
            + " '\(options.run)' within \(options.waitSeconds) s")
      }
      desk.wait(ns: 2_000_000)
    }
  }

  /// Waits until every reader is done with the frames whose slots are claimed next.
  ///
  /// The newest of them is older than the newest that was published: every reader can get that far,
  /// and one that keeps a frame until it sees the next one as well.
  ///
  /// - Returns: False if a stop signal or a request came first.
  private func waitForReaders(ahead: UInt64) -> Bool {
    let last = writer.sequence + 1 + ahead
    guard last > writer.slotCount else { return true }
    let freed = last - writer.slotCount
    let isInterrupted = { [desk] in desk.isWaiting }
    return joinServer.waitForProgress(freed, orUntil: isInterrupted)
      && wire.waitForProgress(freed, orUntil: isInterrupted)
  }

  /// How long a run that has ended waits for the last words of its subscribers, for its report.
  private static let settleNs: UInt64 = 200_000_000

  /// Ends the run in order: subscribers learn that nothing follows.
  private func finish() {
    desk.close()
    refuseAwaited(CommandQueue.endedReason)
    eventSender.finish()
    writer.end()
    announcer.announceEnd()
    if options.delivery == .lockstep {
      _ = joinServer.waitForProgress(writer.sequence) && wire.waitForProgress(writer.sequence)
    } else {
      joinServer.settle(writer.sequence, timeoutNs: Self.settleNs)
    }
    joinServer.stop()
    wire.stop()
    announcer.stop()
  }
}

// MARK: - Descriptions

extension Simulation {
  private static func staticPart(
    _ plan: ScenePlan, _ world: World, _ layout: FrameLayout, _ generation: UInt64,
    offsetNs: Int64, _ options: SimOptions
  ) throws -> [UInt8] {
    var message = plan.layout
    message.run = options.run
    message.generation = generation
    message.layoutHash = layout.layoutHash
    message.entityCount = UInt64(world.entityCount)
    message.isa = world.instructionSet.rawValue
    message.delivery = "\(options.delivery)"
    message.clockOffsetNs = offsetNs
    for (index, batch) in world.batches.enumerated() {
      message.batches[index].fields = batch.fields.compactMap {
        Orrery_Field(rawValue: Int($0.rawValue))
      }
    }
    return try message.serializedBytes()
  }

  private func report(seconds: Double) -> SimReport {
    memory.residentBytesMost = Memory.residentBytesMost() ?? 0
    return SimReport(
      scene: plan.name, run: options.run, entities: UInt64(world.entityCount),
      isa: world.instructionSet.rawValue, threads: options.threadCount,
      delivery: "\(options.delivery)", slots: writer.slotCount,
      frameBytes: writer.layout.frameBytes, lookAhead: writer.lookAhead,
      output: options.output.rawValue,
      stores: (streams ? SimOptions.Stores.streaming : .cached).rawValue,
      ticksPerSecond: plan.rate.ticksPerSecond,
      frames: writer.sequence, stateHash: hexadecimal(newest.stateHash), seconds: seconds,
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

  /// What the wire knows.
  fileprivate init(_ report: RemoteReport) {
    self.init(
      name: report.name, processID: 0, waiting: "message", reading: report.frames,
      joinedAfter: report.joinedAfter,
      received: report.progress - report.joinedAfter - report.missed, missed: report.missed,
      departure: report.left ?? Departure.stayed.rawValue)
  }
}

extension ScenePlan {
  /// Index of the batch that commands change.
  var viewsBatch: Int? {
    batches.firstIndex { if case .views = $0 { true } else { false } }
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
