// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orrery
import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryScene
import OrrerySim
import OrreryWire

/// Runs a world and publishes its frames: tick clock → world → ring → announcement; a trace that is played takes the
/// world's place.
///
/// The loop has one thread, which has each tick computed straight into its slot. The threads of the
/// join server, the wire server and ZeroMQ serve subscribers; in live delivery no subscriber can
/// delay the loop.
///
/// Commands are queued in `commands` and performed between two ticks. A frame's state is a function
/// of the scene, its seed, the frame's tick and the changes applied so far, each at its tick.
/// Seeking back replays the changes; the same changes at the same ticks give the same hashes.
package final class Simulation {
  let plan: ScenePlan
  let options: SimOptions

  /// This sim among the shards of its scene; nil if it runs the whole scene.
  let sharding: Sharding?

  /// What fills the frames.
  private let maker: any FrameMaker

  /// The same if it computes them; nil if the run is a played trace.
  let world: World?
  let publication: Publication
  private var memory: MemoryReport

  /// The publication's ring.
  let writer: FrameWriter

  /// Commands to this run that its loop has not performed yet; the publication's.
  package let commands: CommandQueue

  /// When this was made, by the monotonic clock.
  private let madeNs = Clock.monotonicNs()

  /// Whether the world's stores bypass the caches.
  private let streams: Bool

  /// Place of the newest frame in the ring; nil before the first.
  private var lastPlace: Int?

  /// The first frame's slots if it was computed before the clock started, and the time that it took.
  private var earlyFrame: (claim: Claim, ns: UInt64)?

  var playback: Playback
  var clock: TickClock
  private var newest = FrameStamp(tick: 0, simTimeNs: 0, publishTimeNs: 0, stateHash: 0)
  private var isAskedToEnd = false

  private var awaited: [Awaited] = []

  /// A reply that is sent once the frame of this sequence is published; of a step, with its count of frames.
  private struct Awaited {
    let sequence: UInt64
    let steps: UInt64?
    let answer: CommandQueue.Answer
  }

  /// Changes applied so far.
  var changeCount = 0

  /// When the last frame was published; nil before the first.
  private var lastPublishedNs: UInt64?

  /// When the first frame was published.
  private(set) var firstFrameNs: UInt64?

  /// Where the times of each frame are written; nil: nowhere.
  private var frameTimes: FrameTimesFile<SimFrameTimes>?

  private var tickTimes = Histogram()
  private var publishTimes = Histogram()
  var pace = PaceAccount(startNs: 0)

  /// Takes the run's directory, builds the world and the ring, and opens the run's sockets.
  ///
  /// - Throws: `Failure` with the exit status of its cause.
  package convenience init(_ plan: ScenePlan, options: SimOptions) throws(Failure) {
    try self.init(
      RunLock(run: options.run, carrier: options.carrier), plan, options: options)
  }

  /// Builds the world and the ring of a run whose directory is taken, and opens its sockets.
  ///
  /// - Throws: `Failure` with the exit status of its cause.
  package convenience init(
    _ lock: RunLock, _ plan: ScenePlan, options: SimOptions
  ) throws(Failure) {
    try self.init(lock, plan, maker: nil, options: options)
  }

  /// Builds the ring of a run whose directory is taken, and opens its sockets.
  ///
  /// - Parameters:
  ///   - lock: The run's directory.
  ///   - plan: The scene; of a played trace its name, seed, rate and layout are enough.
  ///   - maker: What fills the frames; nil: a world that is built from the plan.
  ///   - options: How the run is published.
  /// - Throws: `Failure` with the exit status of its cause.
  package init(
    _ lock: RunLock, _ plan: ScenePlan, maker: (any FrameMaker)?, options: SimOptions
  ) throws(Failure) {
    self.plan = plan
    self.options = options
    do {
      let (freeBytes, limit) = Memory.available()
      let need = try Self.need(plan, maker, options, freeBytes: freeBytes)
      try need.check(available: freeBytes, limit: limit)
      memory = MemoryReport(
        estimatedBytes: need.bytes + (Memory.residentBytes() ?? 0), residentMaxBytes: 0)
      // After the plan, which takes long: nobody should wait for a shard whose scene has a fault.
      let sharding = try maker == nil ? Sharding(plan, options) : nil
      self.sharding = sharding
      let maker: any FrameMaker =
        try maker
        ?? World(
          plan, instructionSet: options.instructionSet, threadCount: options.threadCount,
          choosesThreads: true, records: options.events, output: options.output,
          hashMode: options.hashMode)
      self.maker = maker
      world = maker as? World
      try sharding?.findRun(plan, options)
      publication = try Publication(
        lock, plan, maker, options, freeBytes: freeBytes, after: sharding?.skippedCount ?? 0)
    } catch let failure as Failure {
      throw failure
    } catch let error as SystemCallError {
      throw Failure(error.exitStatus, error)
    } catch let error as FrameError {
      throw Failure(error)
    } catch let error as WireError {
      throw Failure(error)
    } catch let error as RendezvousError {
      throw Failure(error)
    } catch {
      throw Failure(.unavailable, error)
    }
    playback = sharding?.timeline?.playback ?? Playback()
    if let maker { playback.begin(at: maker.frames.lowerBound) }
    if options.isPausedFirst { playback.pause() }
    writer = publication.writer
    commands = publication.commands
    streams = options.streams(
      ringBytes: writer.segmentBytes, cacheBytes: Memory.lastLevelCacheBytes())
    clock = TickClock(rate: plan.rate, startNs: 0)
    if options.speed != 1 { clock.continues(at: options.speed, nowNs: 0) }
    self.maker.keepPlaces(writer.placeCount, streams: streams) { [writer] place, column in
      writer.place(at: place) + Int(writer.layout.columns[column].valuesOffset)
    }
    try applyPastChanges()
  }

  /// Runs all ticks, or until a stop signal.
  ///
  /// - Parameters:
  ///   - frameTimes: Gets the times of each frame; the caller finishes it.
  ///   - progress: Called after each tick with its number, and the frames and the late ticks so far;
  ///     it decides how often to print.
  /// - Returns: The run's report.
  /// - Throws: `Failure` when the required subscribers or the other shards did not come in time.
  package func run(
    frameTimes: FrameTimesFile<SimFrameTimes>? = nil,
    progress: (_ tick: UInt64, _ frames: UInt64, _ lateTicks: UInt64) -> Void = { _, _, _ in }
  ) throws(Failure) -> SimReport {
    self.frameTimes = frameTimes
    do throws(Failure) {
      try waitForSubscribers()
    } catch {
      finish()
      throw error
    }
    // Touches the world's pages and the phases of all blocks before the first tick is timed.
    if !computeFirstFrame(), let world { _ = Values(of: world, tick: 0) }
    do throws(Failure) {
      try begin()
    } catch {
      finish()
      throw error
    }
    do throws(Failure) {
      try publishFrames(progress)
    } catch {
      finish()
      throw error
    }
    var report = report(nowNs: Clock.monotonicNs())
    finish()
    report.subscribers = publication.accounts
    return report
  }

  /// Publishes frames until the run ends.
  ///
  /// - Throws: `Failure` if this is a shard and the others have changed the run without it.
  private func publishFrames(
    _ progress: (_ tick: UInt64, _ frames: UInt64, _ lateTicks: UInt64) -> Void
  ) throws(Failure) {
    while true {
      if commands.isWaiting {
        serveCommands()
        try takeProposals()
      }
      if isAskedToEnd || StopSignals.count > 0 || isComplete { return }
      if try meetNextChange() { continue }
      if let waitNs = nsToNextTick() {
        commands.wait(ns: waitNs)
      } else if let ahead = claimableTicks() {
        try publish(ahead: ahead)
        progress(newest.tick, writer.sequence, clock.lateTicks)
      }
    }
  }

  /// Whether the last frame of a played trace is shown.
  private var isAtEnd: Bool { playback.nextTick >= maker.frames.upperBound }

  /// Whether all requested frames were published.
  private var isComplete: Bool {
    isAtEnd && !playback.isPaused
      || options.tickCount.map { writer.sequence >= $0 } ?? false
  }
}

// MARK: - Beginning

extension Simulation {
  /// Begins the schedule: now, or when all shards begin.
  private func begin() throws(Failure) {
    let speed = clock.speed
    guard let sharding else {
      let startNs = Clock.monotonicNs()
      clock = TickClock(rate: plan.rate, startNs: startNs)
      // A command may have set the speed while the run waited for subscribers.
      clock.continues(at: speed, nowNs: startNs)
      pace = PaceAccount(startNs: startNs, isPaused: !playback.wantsFrame)
      return
    }
    do throws(RendezvousError) {
      let start = try sharding.begin(
        plan, waitSeconds: options.waitSeconds, waking: commands
      ) {
        if commands.isWaiting { serveCommands() }
        return StopSignals.count > 0 || isAskedToEnd
      }
      let startNs = start.startNs
      clock = start.clock
      pace = PaceAccount(
        startNs: max(startNs, Clock.monotonicNs()), isPaused: !playback.wantsFrame)
      // Without ticks that are due, nothing else would wait for the start.
      while !options.isPaced, !isAskedToEnd, StopSignals.count == 0 {
        let nowNs = Clock.monotonicNs()
        guard nowNs < startNs else { break }
        commands.wait(ns: startNs - nowNs)
        if commands.isWaiting { serveCommands() }
      }
    } catch .cancelled {
      // The run ends before it has begun.
    } catch {
      throw Failure(error)
    }
  }
}

// MARK: - One tick

extension Simulation {
  /// Longest sleep of a paused loop: a stop signal that arrives just before the sleep is seen after
  /// it.
  static let pausedNs: UInt64 = 1_000_000_000

  /// Time until the next tick is due; nil if it is due now.
  private func nsToNextTick() -> UInt64? {
    guard playback.wantsFrame else { return Self.pausedNs }
    guard options.isPaced else { return nil }
    let now = Clock.monotonicNs()
    if let due = clock.wake(atNs: now) { return due - now }
    return nil
  }

  /// In lockstep delivery, waits until the slots of the next tick are free.
  ///
  /// - Returns: Further ticks that may be computed ahead with it; nil if a command or a stop signal
  ///   comes first.
  private func claimableTicks() -> UInt64? {
    let left = options.tickCount.map { $0 - writer.sequence - 1 } ?? .max
    let ahead = min(writer.lookAhead, left)
    guard options.delivery == .lockstep else { return ahead }
    let beginNs = Clock.monotonicNs()
    let areReady = publication.waitForReaders(ahead: ahead)
    pace.waited(fromNs: beginNs, toNs: Clock.monotonicNs())
    return areReady ? ahead : nil
  }

  /// Computes a tick into the next slot, and parts of the ticks ahead into the slots after it;
  /// publishes the tick and announces it.
  private func publish(ahead: UInt64) throws(Failure) {
    let tick = maker.tick(at: playback.nextTick)
    let beginNs = Clock.monotonicNs()
    let dueNs = options.isPaced ? clock.begin(writer.sequence + 1, atNs: beginNs) : nil
    let early = earlyFrame
    earlyFrame = nil
    let claim = early?.claim ?? writer.claim(ahead: Int(ahead))
    let hash = try maker.make(
      playback.nextTick, place: claim.place(), places: destinations(of: claim))
    writer.prefetchForPublish()
    lastPlace = claim.place()
    let computedNs = Clock.monotonicNs()
    newest = FrameStamp(
      tick: tick, simTimeNs: plan.rate.timeNs(tick: tick),
      publishTimeNs: max(
        UInt64(bitPattern: Int64(computedNs) + writer.clockOffsetNs), newest.publishTimeNs),
      stateHash: hash)
    publication.publish(newest)
    tickTimes.record(max(computedNs, beginNs) - beginNs + (early?.ns ?? 0))
    let publishedNs = max(Clock.monotonicNs(), computedNs)
    publishTimes.record(publishedNs - computedNs)
    if firstFrameNs == nil { firstFrameNs = publishedNs }
    pace.record(
      beginNs: beginNs, publishedNs: publishedNs, tickNs: clock.tickNs, isPaced: options.isPaced)
    publication.eventSender.timings.add(
      FrameTiming(
        waitNs: lastPublishedNs.map { beginNs - min($0, beginNs) } ?? 0,
        computeNs: max(computedNs, beginNs) - beginNs + (early?.ns ?? 0),
        publishNs: publishedNs - computedNs),
      sequence: writer.sequence, nowNs: publishedNs, lateTicks: clock.lateTicks)
    lastPublishedNs = publishedNs
    frameTimes?.write(
      SimFrameTimes(
        sequence: writer.sequence, tick: tick, dueNs: dueNs, begunNs: beginNs,
        computedNs: computedNs, publishedNs: publishedNs))
    playback.advance()
    playback.begin(at: try maker.next(from: playback.nextTick))
    if isAtEnd {
      if options.loops {
        playback.begin(at: maker.frames.lowerBound)
      } else if options.holds || playback.isPaused {
        // It stays there until it is resumed or sent back: no frame is owed any more.
        playback.pause()
      }
    }
    if !playback.wantsFrame { pace.frames(areWanted: false, nowNs: publishedNs) }
    if options.events != .none, let world { publication.eventSender.send(world, tick: tick) }
    if !awaited.isEmpty { answerAwaited(all: isAtEnd) }
  }

  /// Computes the first frame before it is due.
  ///
  /// All blocks begin a tile at once then, which takes up to eight times as long as a later tick. At
  /// the frame's turn nothing is left to compute, unless a command has led to another tick. A scene
  /// with views is small, and a command may change what it has at its first tick.
  ///
  /// - Returns: False if it was not computed.
  private func computeFirstFrame() -> Bool {
    guard let world, plan.viewsBatch == nil, playback.wantsFrame, !isComplete,
      let ahead = claimableTicks()
    else { return false }
    let beginNs = Clock.monotonicNs()
    let claim = writer.claim(ahead: Int(ahead))
    _ = world.evaluate(tick: playback.nextTick, destinations: destinations(of: claim))
    earlyFrame = (claim, Clock.monotonicNs() - beginNs)
    return true
  }

  /// Where the values of a frame go, and of those that may be computed with it.
  private func destinations(of claim: Claim) -> DestinationRun {
    var places = DestinationRun(claim.place())
    places.before = lastPlace
    for next in 0..<claim.ahead { places.append(claim.place(ahead: next + 1)) }
    return places
  }
}

// MARK: - Commands

extension Simulation {
  /// Performs all queued commands.
  private func serveCommands() {
    for entry in commands.takeAll() {
      if sharding != nil, entry.command.isOfTime {
        propose(entry)
        continue
      }
      let hadFrame = playback.wantsFrame
      perform(entry)
      guard hadFrame != playback.wantsFrame else { continue }
      let nowNs = Clock.monotonicNs()
      pace.frames(areWanted: playback.wantsFrame, nowNs: nowNs)
      // Time that passed while nothing was to be published is not caught up.
      if playback.wantsFrame { clock.continues(at: clock.speed, nowNs: nowNs) }
    }
  }

  /// Performs a command now; a change of time of all shards at the frame that they have agreed on.
  func perform(_ entry: CommandQueue.Entry) {
    switch entry.command {
    case .pause:
      playback.pause()
      refuseAwaited("the run was paused first")
    case .resume: playback.resume()
    case .speed(let factor):
      // The schedule of shards has changed already.
      if sharding == nil { clock.continues(at: factor, nowNs: Clock.monotonicNs()) }
    case .stats:
      entry.answer(.done(stats.merging(position) { first, _ in first }))
      return
    case .quit: isAskedToEnd = true
    case .keep:
      keep(entry.answer)
      return
    case .step(let count):
      guard sharding != nil || hasRoomToWait(entry.answer) else { return }
      guard !isAtEnd else {
        entry.answer(.done(position(afterSteps: 0)))
        return
      }
      playback.step(count)
      awaited.append(
        Awaited(
          sequence: writer.sequence + playback.owedCount, steps: count, answer: entry.answer))
      return
    case .seek(let tick):
      guard sharding != nil || hasRoomToWait(entry.answer) else { return }
      do throws(Failure) {
        playback.seek(try maker.index(ofTick: tick))
      } catch {
        entry.answer(.refused(error.description))
        return
      }
      world?.replayEvents(from: tick)
      awaited.append(Awaited(sequence: writer.sequence + 1, steps: nil, answer: entry.answer))
      return
    case .change(let command, let text):
      change(entry, command, text)
      return
    }
    entry.answer(.done(position))
  }

  /// Tells the run's loggers to keep what they have.
  private func keep(_ answer: CommandQueue.Answer) {
    let loggers = publication.loggerCount
    guard loggers > 0 else {
      return answer(.refused("no logger follows the run, so nothing is kept"))
    }
    publication.eventSender.sendKeep(
      tick: newest.tick, seconds: plan.rate.seconds(tick: newest.tick))
    answer(.done(position.merging(["loggers": .count(UInt64(loggers))]) { first, _ in first }))
  }

  /// Changes views; a shard also keeps the change for its next process.
  private func change(
    _ entry: CommandQueue.Entry, _ command: LiveNames.LiveCommand, _ text: String
  ) {
    guard sharding != nil else { return entry.answer(apply(command, text)) }
    if let refusal = reasonNotToKeep(entry.request) { return entry.answer(.refused(refusal)) }
    let tick = playback.nextTick
    let reply = apply(command, text)
    guard case .done = reply else { return entry.answer(reply) }
    keep(entry, tick: tick, reply)
  }

  /// Changes views from the next tick on.
  private func apply(_ command: LiveNames.LiveCommand, _ text: String) -> ControlReply {
    guard changeCount < Self.changesMax else {
      return .refused("\(Self.changesMax) changes were applied; a run keeps no more")
    }
    let tick = playback.nextTick
    guard let world, let batch = plan.viewsBatch,
      world.apply(transaction(command), at: tick, batch: batch)
    else {
      return .refused(
        "frames have no column for that, since nothing in the scene changes it;"
          + " run the sim with --columns")
    }
    changeCount += 1
    if options.events != .none {
      publication.eventSender.send(
        command: text, tick: tick, seconds: plan.rate.seconds(tick: tick))
    }
    return .done(position.merging(["applies_at": .count(tick)]) { first, _ in first })
  }

  /// What a command changes, with the run's index of its completion.
  func transaction(_ command: LiveNames.LiveCommand) -> TransactionPlan {
    var transaction = command.transaction
    if let name = command.completion {
      transaction.completion = publication.eventSender.index(ofCompletion: name)
    }
    return transaction
  }

  /// Changes that a run keeps for replay, at most.
  private static let changesMax = 100_000

  /// Whether one more reply can wait for frames; if not, the command is refused and not performed.
  func hasRoomToWait(_ answer: CommandQueue.Answer) -> Bool {
    if awaited.count < CommandQueue.capacity { return true }
    answer(.refused("\(CommandQueue.capacity) requests wait for frames already; try again"))
    return false
  }

  /// Sends the replies whose frames are published; with `all`, those of steps that no frame follows too.
  private func answerAwaited(all: Bool = false) {
    let sequence = writer.sequence
    for waiting in awaited where all || waiting.sequence <= sequence {
      waiting.answer(.done(stepped(waiting).map(position(afterSteps:)) ?? position))
    }
    awaited.removeAll { all || $0.sequence <= sequence }
  }

  /// The frames that a step has published so far; nil: it is none.
  private func stepped(_ waiting: Awaited) -> UInt64? {
    let left = waiting.sequence - min(writer.sequence, waiting.sequence)
    return waiting.steps.map { $0 - min(left, $0) }
  }

  private func refuseAwaited(_ reason: String) {
    for waiting in awaited {
      let done = stepped(waiting) ?? 0
      let count = done > 0 ? "; ticks stepped: \(done)" : ""
      waiting.answer(.refused(reason + count))
    }
    awaited = []
  }

  /// The run's position, for replies.
  private var position: [String: DocumentValue] {
    [
      "tick": .count(newest.tick), "sequence": .count(writer.sequence),
      "state_hash": .word(newest.stateHash), "next_tick": .count(maker.tick(at: playback.nextTick)),
      "paused": .bool(playback.isPaused), "speed": .number(clock.speed),
    ]
  }

  /// The position after a step, with the frames that it published.
  private func position(afterSteps count: UInt64) -> [String: DocumentValue] {
    position.merging(["stepped": .count(count)]) { first, _ in first }
  }

  private var stats: [String: DocumentValue] {
    var stats: [String: DocumentValue] = [
      "run": .string(options.run), "scene": .string(plan.name),
      "generation": .word(writer.generation), "seed": .word(plan.seed),
      "entities": .integer(Int64(maker.entityCount)),
      "isa": .string(maker.isa),
      "threads": .integer(Int64(maker.threadCount)), "threads_mean": .number(maker.threadsMean),
      "delivery": .string("\(options.delivery)"), "paced": .bool(options.isPaced),
      "ticks_per_second": .number(plan.rate.ticksPerSecond),
      "seconds": .number(plan.rate.seconds(tick: newest.tick)),
      "slots": .count(writer.slotCount), "frame_bytes": .count(writer.layout.frameBytes),
      "look_ahead": .count(writer.lookAhead), "output": .string(options.output.rawValue),
      "hash": .string(options.hashMode.rawValue),
      "pid": .integer(Int64(getpid())),
      "age_s": .number(Double((Clock.monotonicNs() - madeNs) / 1_000_000) / 1000),
      "changes": .integer(Int64(changeCount)), "late_ticks": .count(clock.lateTicks),
      "schedule_shifts": .count(clock.scheduleShifts), "events": .string(options.events.rawValue),
    ]
    stats.merge(publication.eventSender.stats) { first, _ in first }
    stats.merge(publication.subscriberStats) { first, _ in first }
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
  private func waitForSubscribers() throws(Failure) {
    let deadline = Clock.monotonicNs() + UInt64(options.waitSeconds * 1e9)
    while publication.joinedCount < options.waitFor, StopSignals.count == 0, !isAskedToEnd {
      if commands.isWaiting { serveCommands() }
      let now = Clock.monotonicNs()
      guard now < deadline else {
        throw Failure(
          .unavailable,
          "\(publication.joinedCount) of \(options.waitFor) subscribers joined run"
            + " '\(options.run)' within \(options.waitSeconds) s")
      }
      commands.wait(ns: 2_000_000)
    }
  }

  /// Ends the run in order: no command is performed any more, and no frame follows.
  private func finish() {
    commands.close()
    sharding?.finish()
    refuseAwaited(CommandQueue.endedReason)
    publication.finish()
  }
}

// MARK: - Descriptions

extension Simulation {
  /// The memory that a run needs: of a played trace, that of its ring.
  private static func need(
    _ plan: ScenePlan, _ maker: (any FrameMaker)?, _ options: SimOptions, freeBytes: UInt64
  ) throws -> MemoryNeed {
    guard let maker else {
      return try MemoryNeed(plan, options: options, freeBytes: freeBytes)
    }
    let layout = try FrameLayout(columns: maker.frameColumns)
    let staticBytes = try plan.layout.serializedBytes() as [UInt8]
    return try MemoryNeed(
      frameBytes: layout.frameBytes, staticBytes: UInt64(staticBytes.count),
      columnCount: layout.columns.count, rate: plan.rate, options: options, freeBytes: freeBytes)
  }

  private func report(nowNs: UInt64) -> SimReport {
    memory.residentMaxBytes = Memory.residentBytesMost() ?? 0
    let frames = writer.sequence - (sharding?.skippedCount ?? 0)
    return SimReport(
      scene: plan.name, run: options.run, entities: UInt64(maker.entityCount),
      isa: maker.isa, threads: maker.threadCount,
      threadsMean: maker.threadsMean, delivery: "\(options.delivery)", slots: writer.slotCount,
      frameBytes: writer.layout.frameBytes, lookAhead: writer.lookAhead,
      output: options.output.rawValue, hash: options.hashMode.rawValue,
      stores: (streams ? SimOptions.Stores.streaming : .cached).rawValue,
      ticksPerSecond: plan.rate.ticksPerSecond,
      frames: frames, firstFrameClockNs: firstFrameNs,
      stateHash: hexadecimal(newest.stateHash),
      pace: pace.report(
        nowNs: nowNs, frames: frames, clock: clock,
        ticksPerSecond: options.isPaced ? plan.rate.ticksPerSecond : nil),
      work: DurationReport(tickTimes), publish: DurationReport(publishTimes), memory: memory)
  }
}

extension ScenePlan {
  /// Index of the batch that commands change.
  package var viewsBatch: Int? {
    batches.firstIndex { if case .views = $0 { true } else { false } }
  }
}

extension RunLock {
  /// Takes a run's directory.
  ///
  /// Do this before anything else: a second sim of a name must report that it is taken, not that there
  /// is too little memory.
  ///
  /// - Throws: `Failure`: a living sim has the name, or the directory cannot be used.
  package convenience init(run: String, carrier: Carrier) throws(Failure) {
    do throws(RunDirectoryError) {
      try self.init(RunDirectory(name: run), segment: carrier.segment)
    } catch {
      throw Failure(error)
    }
  }
}
