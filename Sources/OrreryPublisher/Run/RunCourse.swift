// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryFrame
import OrreryScene
import OrrerySim
import OrreryWire

/// How a run goes: what fills its frames, which one is next and when it is due, how it is made and published, and the
/// figures so far.
///
/// The loop of `Simulation` has one frame after the other published; between two frames `RunCommands` changes which one
/// is next. Both work on one thread. A tick is functions of this class alone: what another object holds would be
/// retained for each call.
final class RunCourse {
  let plan: ScenePlan
  let options: SimOptions

  /// This sim among the shards of its scene; nil if it runs the whole scene.
  let sharding: Sharding?

  /// What fills the frames.
  let maker: any FrameMaker

  /// The index after its last frame.
  private let framesEnd: UInt64
  let publication: Publication

  /// The publication's ring.
  let writer: FrameWriter

  /// Which frame is next.
  var playback: Playback

  /// When it is due.
  var clock: TickClock

  /// Not checked for overlapping accesses: each tick reads and writes it, and no function that is given it can reach
  /// it another way.
  @exclusivity(unchecked) var figures: RunFigures

  /// Where the times of each frame are written; nil: nowhere.
  var frameTimes: FrameTimesFile<SimFrameTimes>?

  /// Where it is recorded what each tick did; nil: nowhere.
  var timeline: SimTimeline?

  /// Place of the newest frame in the ring; nil before the first.
  private var lastPlace: Int?

  /// The first frame's slots if it was computed before the clock started, and the time that it took.
  private var earlyFrame: (claim: Claim, ns: UInt64)?

  /// When this was made, by the monotonic clock.
  let madeNs = Clock.monotonicNs()

  /// Whether a request has ended the run.
  var isAskedToEnd = false

  /// Builds the ring of a run whose directory is taken, and opens its sockets.
  ///
  /// - Parameters:
  ///   - lock: The run's directory.
  ///   - plan: The scene; of a played trace its name, seed, rate and layout are enough.
  ///   - maker: What fills the frames; nil: a world that is built from the plan.
  ///   - options: How the run is published.
  /// - Throws: `Failure` with the exit status of its cause.
  init(
    _ lock: RunLock, _ plan: ScenePlan, maker: (any FrameMaker)?, options: SimOptions
  ) throws(Failure) {
    self.plan = plan
    self.options = options
    let estimatedBytes: UInt64
    do {
      let (freeBytes, limit) = Memory.available()
      let need = try Self.need(plan, maker, options, freeBytes: freeBytes)
      try need.check(available: freeBytes, limit: limit)
      estimatedBytes = need.bytes + (Memory.residentBytes() ?? 0)
      // After the plan, which takes long: nobody should wait for a shard whose scene has a fault.
      let sharding = try maker == nil ? Sharding(plan, options) : nil
      self.sharding = sharding
      self.maker =
        try maker
        ?? World(
          plan, instructionSet: options.instructionSet, threadCount: options.threadCount,
          choosesThreads: true, records: options.events, output: options.output,
          hashMode: options.hashMode)
      framesEnd = self.maker.frames.upperBound
      try sharding?.findRun(plan, options)
      publication = try Publication(
        lock, plan, self.maker, options, freeBytes: freeBytes, after: sharding?.skippedCount ?? 0)
    } catch {
      throw Failure(error)
    }
    playback = sharding?.timeline?.playback ?? Playback()
    if let maker { playback.begin(at: maker.frames.lowerBound) }
    if options.isPausedFirst { playback.pause() }
    writer = publication.writer
    clock = TickClock(rate: plan.rate, startNs: 0)
    if options.speed != 1 { clock.continues(at: options.speed, nowNs: 0) }
    let streams = options.streams(
      ringBytes: writer.segmentBytes, cacheBytes: Memory.lastLevelCacheBytes())
    figures = RunFigures(estimatedBytes: estimatedBytes, streams: streams)
    self.maker.keepPlaces(writer.placeCount, streams: streams) { [writer] place, column in
      writer.place(at: place) + Int(writer.layout.columns[column].valuesOffset)
    }
  }

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
}

// MARK: - Which frame is next

extension RunCourse {
  /// Longest sleep of a loop that has no frame to publish: a stop signal that arrives just before the sleep is seen
  /// after it.
  static let pausedNs: UInt64 = 1_000_000_000

  /// Begins the schedule.
  ///
  /// - Parameters:
  ///   - clock: When frames are due.
  ///   - startNs: When the run begins, by the monotonic clock.
  func begin(_ clock: TickClock, startNs: UInt64) {
    self.clock = clock
    figures.pace = PaceFigures(startNs: startNs, isPaused: !playback.wantsFrame)
    publication.counters?.enter(.running)
    publication.counters?.notePace(of: self)
  }

  /// Whether the last frame of a played trace is shown.
  var isAtEnd: Bool { playback.nextTick >= framesEnd }

  /// Whether a request or a signal ended the run.
  var hasToEnd: Bool { isAskedToEnd || StopSignals.count > 0 }

  /// Whether all requested frames were published.
  var isComplete: Bool {
    isAtEnd && !playback.isPaused
      || options.tickCount.map { writer.sequence >= $0 } ?? false
  }

  /// Goes to the next frame after one that was published.
  ///
  /// - Throws: `Failure` if a played trace cannot be read.
  func advance(nowNs: UInt64) throws(Failure) {
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
    if !playback.wantsFrame { figures.pace.frames(areWanted: false, nowNs: nowNs) }
  }

  /// Does what may pause the run or let it go on, and counts the pause.
  ///
  /// - Returns: When frames began to be wanted again; nil if they were wanted before, or are not now.
  @discardableResult
  func countingPauses(_ change: () -> Void) -> UInt64? {
    let hadFrame = playback.wantsFrame
    change()
    guard hadFrame != playback.wantsFrame else { return nil }
    let nowNs = Clock.monotonicNs()
    figures.pace.frames(areWanted: playback.wantsFrame, nowNs: nowNs)
    return playback.wantsFrame ? nowNs : nil
  }
}

// MARK: - One tick

extension RunCourse {
  /// Computes the first frame before it is due.
  ///
  /// All blocks begin a tile at once then, which takes up to eight times as long as a later tick. At
  /// the frame's turn nothing is left to compute, unless a command has led to another tick. A scene
  /// with views is small, and a command may change what it has at its first tick.
  ///
  /// - Returns: False if it was not computed.
  /// - Throws: Never: a world computes it.
  func computeFirstFrame() throws(Failure) -> Bool {
    guard !maker.isRecorded, plan.viewsBatch == nil, playback.wantsFrame,
      !isComplete,
      let ahead = claimableTicks()
    else { return false }
    let beginNs = Clock.monotonicNs()
    let claim = writer.claim(ahead: Int(ahead))
    _ = try maker.make(
      playback.nextTick, place: claim.place(), places: destinations(of: claim))
    earlyFrame = (claim, Clock.monotonicNs() - beginNs)
    return true
  }

  /// Time until the next tick is due; nil if it is due now.
  func nsToNextTick() -> UInt64? {
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
  func claimableTicks() -> UInt64? {
    let left = options.tickCount.map { $0 - writer.sequence - 1 } ?? .max
    let ahead = min(writer.lookAhead, left)
    guard options.delivery == .lockstep else { return ahead }
    let beginNs = Clock.monotonicNs()
    let areReady = publication.waitForReaders(ahead: ahead)
    figures.pace.waited(fromNs: beginNs, toNs: Clock.monotonicNs())
    return areReady ? ahead : nil
  }

  /// Computes a tick into the next slot, and parts of the ticks ahead into the slots after it;
  /// publishes the tick and announces it.
  func publish(ahead: UInt64) throws(Failure) {
    let index = playback.nextTick
    let tick = maker.tick(at: index)
    let beginNs = Clock.monotonicNs()
    let isPaced = options.isPaced
    let dueNs = isPaced ? clock.begin(writer.sequence + 1, atNs: beginNs) : nil
    let early = earlyFrame
    earlyFrame = nil
    let claim = early?.claim ?? writer.claim(ahead: Int(ahead))
    let hash = try maker.make(index, place: claim.place(), places: destinations(of: claim))
    writer.prefetchForPublish()
    lastPlace = claim.place()
    let computedNs = Clock.monotonicNs()
    let stamp = FrameStamp(
      tick: tick, simTimeNs: plan.rate.timeNs(tick: tick),
      publishTimeNs: max(
        UInt64(bitPattern: Int64(computedNs) + writer.clockOffsetNs),
        figures.newest.publishTimeNs),
      stateHash: hash)
    figures.newest = stamp
    publication.publish(stamp)
    let publishedNs = max(Clock.monotonicNs(), computedNs)
    let timing = figures.record(
      beginNs: beginNs, earlyNs: early?.ns ?? 0, computedNs: computedNs, publishedNs: publishedNs,
      tickNs: clock.tickNs, isPaced: isPaced)
    publication.eventSender.timings.add(
      timing, sequence: writer.sequence, nowNs: publishedNs,
      lateTicks: clock.lateTicks)
    frameTimes?.write(
      SimFrameTimes(
        sequence: writer.sequence, tick: tick, dueNs: dueNs, begunNs: beginNs,
        computedNs: computedNs, publishedNs: publishedNs))
    try advance(nowNs: publishedNs)
    if options.events != .none { publication.eventSender.send(maker, tick: tick) }
    publication.counters?.count(timing, of: self)
    timeline?.record(
      self, dueNs: dueNs, beginNs: beginNs, computedNs: computedNs, publishedNs: publishedNs)
  }

  /// Where the values of a frame go, and of those that may be computed with it.
  private func destinations(of claim: Claim) -> DestinationRun {
    var places = DestinationRun(claim.place())
    places.before = lastPlace
    for next in 0..<claim.ahead { places.append(claim.place(ahead: next + 1)) }
    return places
  }
}
