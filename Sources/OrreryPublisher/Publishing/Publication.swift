// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryScene
import OrrerySim
import OrreryWire
import SwiftProtobuf

/// A run as its subscribers see it: the ring, and the threads that hand frames, events and replies to them.
///
/// The loop's thread writes to `writer` and calls `publish`. In live delivery it never waits for a
/// subscriber.
final class Publication {
  /// The ring's writing end.
  let writer: FrameWriter

  /// Commands to this run that its loop has not performed yet.
  let commands: CommandQueue

  /// Sends what happens to views.
  let eventSender: EventSender

  /// What others can see of the run while its loop goes on, hangs or is stopped; nil if there is no memory for it.
  let counters: SimCounters?

  private let lock: RunLock
  private let subscribers: Subscribers
  private let joinServer: JoinServer
  private let announcer: FrameAnnouncer
  private let wire: WireServer
  private let options: SimOptions

  /// Makes the ring, and opens the run's sockets.
  ///
  /// - Parameters:
  ///   - lock: The run's directory.
  ///   - plan: The scene.
  ///   - maker: What fills its frames.
  ///   - options: The run's.
  ///   - freeBytes: Bytes of memory that were free before the world was built.
  ///   - sequence: The frame before the first one that this sim publishes.
  /// - Throws: `FrameError`, `WireError`, `Failure` or `SystemCallError`; nothing is left behind then.
  init(
    _ lock: RunLock, _ plan: ScenePlan, _ maker: any FrameMaker, _ options: SimOptions,
    freeBytes: UInt64,
    after sequence: UInt64 = 0
  ) throws {
    self.lock = lock
    self.options = options
    // Threads keep the objects that they serve alive. If a later step fails, the threads are
    // stopped, so that nothing is left behind.
    var stops: [() -> Void] = []
    defer { for stop in stops.reversed() { stop() } }
    let layout = try FrameLayout(columns: maker.frameColumns)
    let generation = UInt64.random(in: .min ... .max)
    StandardErrorLog.name(run: options.run, generation: generation)
    let offsetNs = Int64(Clock.wallNs()) - Int64(Clock.monotonicNs())
    let staticPart = try Self.staticPart(
      plan, maker, layout, generation, offsetNs: offsetNs, options)
    let slotCount = try options.slotCount(
      frameBytes: layout.frameBytes, rate: plan.rate, freeBytes: freeBytes)
    let writer = try FrameWriter(
      layout: layout, slotCount: slotCount,
      spareCount: options.spareCount(frameBytes: layout.frameBytes), staticPart: staticPart,
      generation: generation, delivery: options.delivery, clockOffsetNs: offsetNs,
      lookAhead: options.lookAhead(slotCount: slotCount), carrier: options.carrier)
    writer.begin(after: sequence)
    self.writer = writer
    let announcer = try FrameAnnouncer(writer: writer, directory: lock.directory)
    self.announcer = announcer
    stops.append { announcer.stop() }
    let counters = SimCounters(
      plan, maker, options, writer, in: CounterDirectory(base: lock.directory.base))
    self.counters = counters
    let subscribers = try Subscribers(lock.directory) { counters?.setSubscribers($0) }
    self.subscribers = subscribers
    let eventSender = try EventSender(
      plan, generation: generation, announcer: EventAnnouncer(directory: lock.directory))
    self.eventSender = eventSender
    stops.append { eventSender.finish() }
    let joinServer = try JoinServer(
      writer: writer, directory: lock.directory, subscribers: subscribers,
      stallLimitNs: UInt64(options.stallLimitSeconds * 1e9),
      guestCame: { eventSender.expectSubscriber() },
      audienceChanged: { announcer.listen(for: $0) })
    self.joinServer = joinServer
    stops.append { joinServer.stop() }
    let commands = CommandQueue(
      reader: CommandReader(
        names: maker.isRecorded ? nil : plan.liveNames, rate: plan.rate, isPaced: options.isPaced)
    ) { Snapshot.take(writer) }
    self.commands = commands
    let wire = try WireServer(
      writer: writer,
      run: WireRun(
        name: options.run, rate: (plan.rate.numerator, plan.rate.denominator),
        delivery: options.delivery, staticPart: staticPart,
        descriptorSet: MessageSchema.descriptorSet),
      directory: lock.directory, subscribers: subscribers, options: options.wire, handler: commands)
    self.wire = wire
    if options.listen != nil { announcer.setListener { wire.frameWasPublished() } }
    commands.setInterrupt { subscribers.interruptWaiting() }
    eventSender.setListener { wire.send(events: $0) }
    eventSender.setAudience { subscribers.reports.contains(where: \.isConnected) }
    stops = []
  }

  deinit {
    commands.close()
    eventSender.finish()
    stopServers()
  }

  /// Publishes the frame whose slot is claimed, and announces it.
  func publish(_ stamp: FrameStamp) {
    announcer.announce(sequence: writer.publish(stamp), stamp)
  }

  /// Ends the run in order: subscribers learn that no frame will follow.
  func finish() {
    counters?.enter(.ending)
    eventSender.finish()
    writer.end()
    announcer.announceEnd()
    joinServer.end()
    if options.delivery == .lockstep { _ = subscribers.waitForProgress(writer.sequence) }
    wire.end()
    subscribers.waitForReports(through: writer.sequence, timeoutNs: Self.finalReportsNs)
    stopServers()
  }

  private func stopServers() {
    joinServer.stop()
    wire.stop()
    announcer.stop()
  }

  /// How long a run that has ended waits for its subscribers' final reports: as long as the wire
  /// waits for a subscriber that takes nothing.
  ///
  /// After 200 ms a logger that wrote its last frames to a busy disk had not reported them.
  private static let finalReportsNs: UInt64 = 2_000_000_000
}

// MARK: - Subscribers

extension Publication {
  /// Subscribers that have joined so far, here and on other machines.
  var joinedCount: UInt64 { subscribers.joinedCount }

  /// Reports on the last departed subscribers and on the connected ones.
  var reports: [SubscriberReport] { subscribers.reports }

  /// Loggers that follow the run now.
  var loggerCount: Int { reports.count { $0.isConnected && $0.name == "logger" } }

  /// The sim's account of each subscriber that was ready for frames.
  var accounts: [SubscriberAccount] {
    reports.filter { !$0.isPreparing }.map { SubscriberAccount($0, newest: writer.sequence) }
  }

  /// Waits until every reader is done with the frames whose slots are claimed next.
  ///
  /// The newest of these frames is older than the newest published frame. So every reader can get
  /// that far, even one that keeps a frame until it sees the next one.
  ///
  /// - Parameter ahead: Slots to claim besides the next one.
  /// - Returns: False if a stop signal or a command came first.
  func waitForReaders(ahead: UInt64) -> Bool {
    let last = writer.sequence + 1 + ahead
    guard last > writer.slotCount else { return true }
    let freed = last - writer.slotCount
    return subscribers.waitForProgress(freed, orUntil: { commands.isWaiting })
  }
}

// MARK: - Descriptions

extension Publication {
  private static func staticPart(
    _ plan: ScenePlan, _ maker: any FrameMaker, _ layout: FrameLayout, _ generation: UInt64,
    offsetNs: Int64, _ options: SimOptions
  ) throws -> [UInt8] {
    var message = plan.layout
    message.run = options.run
    message.generation = generation
    message.layoutHash = layout.layoutHash
    message.entityCount = UInt64(maker.entityCount)
    message.isa = maker.isa
    message.delivery = "\(options.delivery)"
    message.hash = options.hashMode.rawValue
    message.options.output = options.output.rawValue
    message.clockOffsetNs = offsetNs
    for (index, fields) in maker.batchFields.enumerated() {
      message.batches[index].fields = fields
    }
    return try message.serializedBytes()
  }
}

extension SubscriberAccount {
  /// A report on a subscriber of a run whose last frame is `newest`.
  init(_ report: SubscriberReport, newest: UInt64) {
    let reading =
      switch report.reading {
      case .every: "every"
      case .newest: report.waiting == nil ? "latest" : "newest"
      case nil: "none"
      }
    self.init(
      name: report.name, processID: report.processID,
      waiting: report.waiting.map { "\($0)" } ?? (report.isPreparing ? "preparing" : "message"),
      reading: reading,
      joinedAfter: report.joinedAfter, received: report.received, missed: report.missed,
      departure: "\(report.departure ?? .stayed)", isFinal: report.isFinal(newest: newest))
  }
}
