// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Glibc
import OrreryBase
import OrreryDocument
import OrreryFrame

/// The options that a subscriber sends when it joins by message.
package struct RemoteOptions: Sendable {
  /// The subscriber's name in reports.
  package var name: String
  /// Every frame, or the newest.
  package var reading = Reading.every
  /// Whether frames are sent as LZ4, for links that are slower than the encoder.
  package var isCompressed = false
  /// Whether `orrery.Events` messages are wanted.
  package var wantsEvents = false
  /// The first frame that is wanted; 0 for the next one.
  package var from: UInt64 = 0
  /// Whether a sim of the same layout that is started at the address is the same run: a shard's goes on with the
  /// numbers of its predecessor.
  package var followsSuccessor = false

  package init(name: String) { self.name = name }

  func request(id: Int64, from: UInt64) -> ControlRequest {
    var fields: [String: DocumentValue] = [
      "name": .string(name), "frames": .string(reading == .every ? "every" : "latest"),
      "compression": .string(isCompressed ? "lz4" : "none"), "events": .bool(wantsEvents),
    ]
    if from > 0 { fields["from"] = .count(from) }
    return ControlRequest(verb: .join, id: id, fields: fields)
  }
}

/// A subscriber's side of a run on another machine: joins, receives frames as messages, and keeps
/// account of missed frames.
///
/// When the connection breaks, or nothing arrives for two and a half seconds, it joins again.
/// Frames that were published meanwhile and are still in the ring arrive late; the others are
/// missed; both are counted. A sim of another generation is another run: then this run is over. But of a shard, it
/// is the same run, and there is no limit to the time in which it may be joined again.
package final class RemoteSubscription: RunSubscription {
  package var source: any FrameSource { run }
  /// Account of frames.
  package private(set) var losses: Losses
  package private(set) var ages: FrameAges
  /// Why it ended, if not in order.
  package private(set) var failure: WireError?
  package var reading: Reading { options.reading }
  package var localWaiting: Waiting? { nil }

  /// Called with each `orrery.Events` message, if events were asked for.
  package var whenEvents: ((UnsafeRawBufferPointer) -> Void)?

  /// How often it had to join again.
  package private(set) var rejoinCount: UInt64 = 0

  private let address: WireAddress
  private let options: RemoteOptions
  private let waitNs: UInt64
  private(set) var run: RemoteSource
  private var connection: WireConnection
  private var phase = Phase.following

  /// When the connection was lost; nil while the run is followed.
  private(set) var lostNs: UInt64?

  /// Whether the next join asks for the next frame, since the sim has fewer frames than were received.
  private var asksForNext = false

  /// A frame that was received and not yet recorded; a gap before it is reported first.
  private var pending: ReceivedFrame?

  /// The newest frame that the sim is known to have published.
  private var known: UInt64

  /// When the last message arrived, or part of one.
  private var heardNs: UInt64
  private var lastID: Int64
  private var schedule: ReportSchedule

  private enum Phase {
    case following
    case joining(deadlineNs: UInt64)
    case over(SubscriptionEvent)
  }

  /// Silence after which this subscriber joins again.
  ///
  /// A sim sends `alive` every second; a broken connection must be noticed within three seconds.
  private static let silenceNs = WireConnection.patienceNs

  /// Waits for a sim to answer.
  ///
  /// - Parameters:
  ///   - address: Where the sim listens.
  ///   - waitSeconds: How long to wait.
  ///   - deadlineNs: When that wait ends; nil: it begins now.
  ///   - isCancelled: Called while waiting; true ends the wait.
  /// - Returns: A connection over which nothing was sent yet.
  /// - Throws: `WireError`.
  package static func connect(
    to address: WireAddress, waitSeconds: Double, deadlineNs: UInt64? = nil,
    isCancelled: () -> Bool = { false }
  ) throws(WireError) -> WireConnection {
    try address.check()
    let connection = try WireConnection(address)
    let deadline = deadlineNs ?? Clock.monotonicNs() + UInt64(waitSeconds * 1e9)
    while connection.state == .connecting {
      guard Clock.monotonicNs() < deadline, !isCancelled() else {
        throw .noAnswer(endpoint: address.endpoint, waitedSeconds: waitSeconds)
      }
      connection.wait(ns: Self.pollNs)
      connection.readMonitor()
    }
    if let refusal = connection.refusal { throw refusal }
    return connection
  }

  /// Joins a run.
  ///
  /// - Parameters:
  ///   - connection: From `connect`; replaced if it has broken meanwhile.
  ///   - address: Where the run's sim listens.
  ///   - options: The options of `join`.
  ///   - waitSeconds: How long to wait for the sim, now and whenever it is silent.
  ///   - isCancelled: Called while waiting; true ends the wait.
  /// - Throws: `WireError`.
  package init(
    _ connection: WireConnection, _ address: WireAddress, _ options: RemoteOptions,
    waitSeconds: Double, isCancelled: () -> Bool = { false }
  ) throws(WireError) {
    self.address = address
    self.options = options
    waitNs = UInt64(waitSeconds * 1e9)
    var heardNs = Clock.monotonicNs()
    var deadline = heardNs + waitNs
    var connection = connection
    var id: Int64 = 1
    connection.send(options.request(id: id, from: options.from))
    while true {
      // If the run has ended, keep waiting: its sim exits, and the next one may start.
      if case .joined(let joined) = try Self.takeJoinReply(connection, id: id) {
        run = joined
        break
      }
      let nowNs = Clock.monotonicNs()
      connection.extend(&deadline, since: &heardNs, nowNs: nowNs)
      guard nowNs < deadline, !isCancelled() else {
        throw .noAnswer(endpoint: address.endpoint, waitedSeconds: waitSeconds)
      }
      connection.wait(ns: Self.pollNs)
      connection.readMonitor()
      if let refusal = connection.refusal { throw refusal }
      if connection.state == .broken {
        connection = try WireConnection(address)
        id += 1
        connection.send(options.request(id: id, from: options.from))
      }
    }
    connection.expect(messageBytes: run.layout.frameBytes)
    self.connection = connection
    lastID = id
    losses = Losses(joinedAfter: run.joinedAfter)
    ages = FrameAges(options.reading, from: options.from, newest: run.newestAtJoin)
    schedule = ReportSchedule(joinedAfter: run.joinedAfter)
    known = run.joinedAfter
    self.heardNs = Clock.monotonicNs()
  }

  deinit { leave() }

  /// Sends the final account and `leave`; once.
  private func leave() {
    guard !hasLeft else { return }
    hasLeft = true
    flush()
    lastID += 1
    connection.send(ControlRequest(verb: .leave, id: lastID))
    connection.finish()
  }

  private var hasLeft = false

  private static let pollNs: UInt64 = 100_000_000

  /// Time without a message after which a lockstep subscriber reports its progress.
  private static let momentNs: UInt64 = 1_000_000

  /// The reply to `join`.
  private enum JoinReply {
    case joined(RemoteSource)
    /// No frame will follow the newest of this run.
    case ended(generation: UInt64, newest: UInt64)
  }

  /// Takes messages up to the reply to `join`.
  private static func takeJoinReply(
    _ connection: WireConnection, id: Int64
  ) throws(WireError) -> JoinReply? {
    while let message = try connection.receive() {
      guard case .reply(let fields, let attachments) = message, fields["id"] == .integer(id)
      else { continue }
      if fields["ended"] == .bool(true) {
        return try .ended(
          generation: WireReply.word(fields, "generation"),
          newest: WireReply.count(fields, "newest"))
      }
      try WireReply.check(fields)
      return try .joined(RemoteSource(fields, attachments: attachments))
    }
    return nil
  }

  /// Waits for the next frame or event.
  ///
  /// - Parameter timeoutNs: How long to wait.
  /// - Returns: A frame, which the caller reads and then records, or an event. The frame is not
  ///   overwritten meanwhile.
  package func find(timeoutNs: UInt64) -> Finding {
    var deadline: UInt64?
    var hasWaited = timeoutNs < Self.momentNs
    while true {
      if let finding = look() { return finding }
      // In lockstep the sim waits for reports, so this subscriber reports before it sleeps. It does
      // so only after a moment without frames, not each time that it is faster than the sim.
      let owes = run.delivery == .lockstep && losses.last > schedule.reported
      var waitNs = owes && !hasWaited ? Self.momentNs : Self.pollNs
      if let deadline {
        if owes, hasWaited { flush() }
        let now = Clock.monotonicNs()
        guard now < deadline else { return .event(.idle) }
        waitNs = min(waitNs, deadline - now)
      } else {
        waitNs = min(waitNs, timeoutNs)
      }
      // Usually a message is there already, and the clock need not be read.
      if case .following = phase {
        if takeMessage(waitNs: waitNs) { continue }
        noticeSilence()
      } else if waitNs > 0 {
        connection.wait(ns: waitNs)
      }
      hasWaited = true
      if deadline == nil {
        deadline = Clock.monotonicNs() + (timeoutNs > waitNs ? timeoutNs - waitNs : 0)
      }
    }
  }

  /// Looks for a frame or an event; nil if there is none.
  private func look() -> Finding? {
    while true {
      if let frame = pending {
        let sequence = frame.view.sequence
        if sequence > losses.last + 1 { return .event(miss(through: sequence - 1)) }
        foundNs = Clock.wallNs()
        return .frame(frame.view)
      }
      switch phase {
      case .over(let event):
        if known > losses.last { return .event(miss(through: known)) }
        leave()
        return .event(event)
      case .following:
        return nil
      case .joining(let deadline):
        guard joinAgain(deadlineNs: deadline) else { return nil }
      }
    }
  }

  /// When the pending frame was found, by the wall clock, since another machine dated the frame.
  private var foundNs: UInt64 = 0

  /// Records a frame that was found as received or missed; until then `find` returns it again.
  ///
  /// - Parameters:
  ///   - view: The frame.
  ///   - isWhole: Whether the frame could be used.
  /// - Returns: `.frame` or `.missed`.
  package func record(_ view: FrameView, isWhole: Bool) -> SubscriptionEvent {
    defer { pending = nil }
    guard isWhole else { return miss(through: view.sequence) }
    ages.record(
      view.sequence, publishedNs: view.stamp().publishTimeNs, beganNs: foundNs)
    losses.receive(view.sequence)
    return .frame(sequence: view.sequence)
  }

  /// Takes the frame that `find` gave: it counts as received, and is the caller's to keep.
  ///
  /// - Precondition: `find` gave a frame.
  func take() -> ReceivedFrame {
    guard let frame = pending else { preconditionFailure("no frame was found") }
    pending = nil
    losses.receive(frame.view.sequence)
    return frame
  }

  /// The events that come with the frames, if they were asked for; call it before `find`.
  func events() -> EventInbox {
    let inbox = EventInbox()
    whenEvents = { inbox.put($0) }
    return inbox
  }

  /// What a thread that sleeps until a message comes polls.
  var polled: [zmq_pollitem_t] { connection.polled }

  private func miss(through sequence: UInt64) -> SubscriptionEvent {
    let first = losses.last + 1
    losses.miss(through: sequence)
    return .missed(first...sequence)
  }
}

// MARK: - Messages

extension RemoteSubscription {
  /// Takes one message.
  ///
  /// - Returns: False if none came.
  private func takeMessage(waitNs: UInt64 = 0) -> Bool {
    do throws(WireError) {
      guard let message = try connection.receive(waitNs: waitNs) else { return false }
      heardNs = Clock.monotonicNs()
      switch message {
      case .frame(let part):
        let frame = try run.frame(part)
        // A frame may arrive twice if it was on its way when this subscriber joined again.
        if frame.view.sequence > losses.last { pending = frame }
        known = max(known, frame.view.sequence)
      case .alive(let sequence):
        known = max(known, sequence)
      case .events(let part):
        whenEvents?(part.bytes)
      case .end(let sequence, let reason):
        known = max(known, sequence)
        phase = .over(reason.isEmpty ? .ended : .dropped(.remote(reason)))
      case .reply:
        break
      }
    } catch {
      fail(error)
    }
    return true
  }

  private func fail(_ error: WireError) {
    failure = error
    phase = .over(.dropped(.remote(error.description)))
  }

  /// Whether a run that was joined continues this one.
  private func goesOn(_ found: RemoteSource) -> Bool {
    found.layout == run.layout
      && (found.generation == run.generation
        || (options.followsSuccessor && found.delivery == run.delivery))
  }

  /// Begins to join again if the connection broke or the sim is silent.
  private func noticeSilence() {
    connection.readMonitor()
    let now = Clock.monotonicNs()
    if connection.receivesPart(since: heardNs, nowNs: now) {
      heardNs = now
      sendProgress()
    }
    guard connection.state == .broken || now > heardNs + Self.silenceNs else { return }
    rejoinCount += 1
    lostNs = now
    phase = .joining(deadlineNs: now + waitNs)
    connect()
  }

  /// Replaces the connection; messages that are still on their way over the old one are lost.
  private func connect() {
    do throws(WireError) {
      connection = try WireConnection(address)
      connection.expect(messageBytes: run.layout.frameBytes)
      lastID += 1
      connection.send(options.request(id: lastID, from: asksForNext ? 0 : losses.last + 1))
    } catch {
      fail(error)
    }
  }

  /// Continues to join again.
  ///
  /// - Returns: False if there is nothing to do but wait.
  private func joinAgain(deadlineNs: UInt64) -> Bool {
    do throws(WireError) {
      // The reply may come from another run, so its generation is compared.
      switch try Self.takeJoinReply(connection, id: lastID) {
      case .joined(let found):
        heardNs = Clock.monotonicNs()
        schedule.reported = min(schedule.reported, losses.last)
        guard goesOn(found) else {
          phase = .over(.simDied)
          return true
        }
        if found.generation != run.generation { run = found }
        (phase, lostNs, asksForNext) = (.following, nil, false)
        return true
      case .ended(let generation, let newest):
        let isSame = generation == run.generation
        if isSame { known = max(known, newest) }
        phase = .over(isSame ? .ended : .simDied)
        return true
      case nil:
        break
      }
    } catch .refused where options.followsSuccessor && !asksForNext {
      // The shard's new sim is not yet where the last one was.
      asksForNext = true
      connect()
      return true
    } catch .refused {
      // The sim has published fewer frames than this run had: it is another run.
      phase = .over(.simDied)
      return true
    } catch {
      fail(error)
      return true
    }
    connection.readMonitor()
    let now = Clock.monotonicNs()
    var deadlineNs = deadlineNs
    connection.extend(&deadlineNs, since: &heardNs, nowNs: now)
    phase = .joining(deadlineNs: deadlineNs)
    guard options.followsSuccessor || now < deadlineNs else {
      phase = .over(.simDied)
      return true
    }
    if let refusal = connection.refusal {
      fail(refusal)
    } else if connection.state == .broken {
      connect()
    } else {
      return false
    }
    return true
  }
}

// MARK: - Reports

extension RemoteSubscription {
  /// Reports this subscriber's progress to the sim; call it after each frame.
  ///
  /// In lockstep delivery the sim may then overwrite those frames. A report is sent after a quarter
  /// of the ring, or when there is nothing more to read. A subscriber of the newest frame reports
  /// each frame, because it gets the next one only after that.
  package func report() {
    let isNewest = run.delivery == .live && options.reading == .newest
    if isNewest || schedule.isDue(losses.last, run.delivery, slotCount: run.slotCount) { flush() }
  }

  /// Reports progress that was not reported yet.
  private func flush() {
    guard losses.last > schedule.reported else { return }
    if case .joining = phase { return }
    sendProgress()
  }

  private func sendProgress() {
    lastID += 1
    let isSent = connection.send(
      ControlRequest(
        verb: .progress, id: lastID,
        fields: ["sequence": .count(losses.last), "missed": .count(losses.missedCount)]))
    // If it could not be sent now, a later call sends it.
    if isSent { schedule.reported = losses.last }
  }
}
