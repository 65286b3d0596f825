// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame

/// What a subscriber asks for when it joins by message.
package struct RemoteWishes: Sendable {
  /// What to be called in reports.
  package var name: String
  package var reading = Reading.every
  /// Whether frames are to come as LZ4, for links that are slower than that.
  package var isCompressed = false
  /// Whether `orrery.Events` messages are wanted.
  package var wantsEvents = false
  /// The first frame that is wanted; 0 for the next one.
  package var from: UInt64 = 0

  package init(name: String) { self.name = name }

  func request(id: Int64, from: UInt64) -> ControlRequest {
    var fields: [String: ControlValue] = [
      "name": .string(name), "frames": .string(reading == .every ? "every" : "latest"),
      "compression": .string(isCompressed ? "lz4" : "none"), "events": .bool(wantsEvents),
    ]
    if from > 0 { fields["from"] = .count(from) }
    return ControlRequest(verb: .join, id: id, fields: fields)
  }
}

/// A subscriber's end of a run on another machine: joins, takes frames as messages, and keeps account of
/// what it missed.
///
/// When the connection breaks or nothing is heard for two and a half seconds it joins again. What was published
/// meanwhile and is still in the ring comes late, the rest is missed, and both are counted. A sim of
/// another generation is another run: this one is over then.
package final class RemoteSubscription: RunSubscription {
  package var source: any FrameSource { run }
  package private(set) var losses: Losses
  package private(set) var latency = Histogram()
  package private(set) var failure: WireError?
  package var reading: Reading { wishes.reading }
  package var localWaiting: Waiting? { nil }

  /// Called with each `orrery.Events` message, if they were wished for.
  package var whenEvents: ((UnsafeRawBufferPointer) -> Void)?

  /// Times that it had to join again.
  package private(set) var rejoinCount: UInt64 = 0

  private let address: WireAddress
  private let wishes: RemoteWishes
  private let waitNs: UInt64
  private let run: RemoteSource
  private var connection: WireConnection
  private var phase = Phase.following

  /// A frame that was received and not used: the gap before it is told first.
  private var pending: (part: ReceivedPart, view: FrameView)?

  /// The newest frame that the sim is known to have published.
  private var known: UInt64
  private var heardNs: UInt64
  private var lastID: Int64
  private var reported: UInt64
  private var reportedNs: UInt64 = 0

  private enum Phase {
    case following
    case joining(deadlineNs: UInt64)
    case over(SubscriptionEvent)
  }

  /// How long a sim may say nothing: it says every second that it is there, and whoever cannot hear it is to
  /// know within three.
  private static let silenceNs: UInt64 = 2_500_000_000

  /// Waits for a sim to answer.
  ///
  /// - Parameters:
  ///   - address: Where it listens.
  ///   - waitSeconds: How long to wait.
  ///   - isCancelled: Asked while waiting.
  /// - Returns: A connection over which nothing has been said.
  /// - Throws: `WireError`.
  package static func connect(
    to address: WireAddress, waitSeconds: Double, isCancelled: () -> Bool = { false }
  ) throws(WireError) -> WireConnection {
    try address.check()
    let connection = try WireConnection(endpoint: address.endpoint, keys: address.keys)
    let deadline = Clock.monotonicNs() + UInt64(waitSeconds * 1e9)
    while connection.state == .connecting {
      guard Clock.monotonicNs() < deadline, !isCancelled() else {
        throw .noAnswer(endpoint: address.endpoint, waitedSeconds: waitSeconds)
      }
      connection.wait(ns: Self.pollNs)
      connection.look()
    }
    if connection.state == .notAllowed { throw .notAllowed(endpoint: address.endpoint) }
    return connection
  }

  /// Joins a run.
  ///
  /// - Parameters:
  ///   - connection: From `connect`; one that has broken meanwhile is replaced.
  ///   - address: Where the run's sim listens.
  ///   - wishes: What is wanted.
  ///   - waitSeconds: How long to wait for the sim, now and whenever it cannot be heard.
  ///   - isCancelled: Asked while waiting.
  /// - Throws: `WireError`.
  package init(
    _ connection: WireConnection, _ address: WireAddress, _ wishes: RemoteWishes,
    waitSeconds: Double, isCancelled: () -> Bool = { false }
  ) throws(WireError) {
    self.address = address
    self.wishes = wishes
    waitNs = UInt64(waitSeconds * 1e9)
    let deadline = Clock.monotonicNs() + waitNs
    var connection = connection
    var id: Int64 = 1
    connection.send(wishes.request(id: id, from: wishes.from))
    while true {
      // A run that has ended is not the one that is waited for: its sim goes, and the next one may come.
      if case .joined(let joined) = try Self.takeWelcome(connection, id: id) {
        run = joined
        break
      }
      guard Clock.monotonicNs() < deadline, !isCancelled() else {
        throw .noAnswer(endpoint: address.endpoint, waitedSeconds: waitSeconds)
      }
      connection.wait(ns: Self.pollNs)
      connection.look()
      switch connection.state {
      case .notAllowed: throw .notAllowed(endpoint: address.endpoint)
      case .broken:
        connection = try WireConnection(endpoint: address.endpoint, keys: address.keys)
        id += 1
        connection.send(wishes.request(id: id, from: wishes.from))
      case .connecting, .connected: break
      }
    }
    connection.expect(messageBytes: run.layout.frameBytes)
    self.connection = connection
    lastID = id
    losses = Losses(joinedAfter: run.joinedAfter)
    reported = run.joinedAfter
    known = run.joinedAfter
    heardNs = Clock.monotonicNs()
  }

  deinit { leave() }

  /// Tells the sim the whole account, and that this was all.
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
  private static let momentNs: UInt64 = 1_000_000

  /// The reply to `join`.
  private enum Welcome {
    case joined(RemoteSource)
    /// No frame will follow the newest of this run.
    case ended(generation: UInt64, newest: UInt64)
  }

  /// Takes messages up to the reply to `join`.
  private static func takeWelcome(
    _ connection: WireConnection, id: Int64
  ) throws(WireError) -> Welcome? {
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

  /// Waits for what happens next.
  ///
  /// - Parameter timeoutNs: How long.
  /// - Returns: A frame that is to be read and settled, and cannot be overwritten meanwhile, or what else happened.
  package func find(timeoutNs: UInt64) -> Finding {
    var deadline: UInt64?
    var hasWaited = timeoutNs < Self.momentNs
    while true {
      if let finding = look() { return finding }
      // What is unreported is reported when nothing has come for a moment, and not whenever this subscriber is
      // the faster one; a run in lockstep must not wait for a sleeper.
      let owes = run.delivery == .lockstep && losses.last > reported
      var waitNs = owes && !hasWaited ? Self.momentNs : Self.pollNs
      if let deadline {
        if owes, hasWaited { flush() }
        let now = Clock.monotonicNs()
        guard now < deadline else { return .event(.idle) }
        waitNs = min(waitNs, deadline - now)
      } else {
        waitNs = min(waitNs, timeoutNs)
      }
      // Most often something has come already, and the time is of no interest.
      if case .following = phase {
        if takeMessage(waitNs: waitNs) { continue }
        noticeSilence()
      } else {
        connection.wait(ns: waitNs)
      }
      hasWaited = true
      if deadline == nil {
        deadline = Clock.monotonicNs() + (timeoutNs > waitNs ? timeoutNs - waitNs : 0)
      }
    }
  }

  /// What has happened; nil if nothing has.
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

  /// When the frame that is pending was found, by the wall clock: it is another machine's.
  private var foundNs: UInt64 = 0

  /// Counts a frame that was found; until then it is found again.
  ///
  /// - Parameters:
  ///   - view: The frame.
  ///   - isWhole: Whether it could be used.
  /// - Returns: `.frame` or `.missed`.
  package func settle(_ view: FrameView, isWhole: Bool) -> SubscriptionEvent {
    defer { pending = nil }
    guard isWhole else { return miss(through: view.sequence) }
    let publishedNs = view.stamp().publishTimeNs
    latency.record(foundNs > publishedNs ? foundNs - publishedNs : 0)
    losses.receive(view.sequence)
    return .frame(sequence: view.sequence)
  }

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
        let view = try run.frame(part)
        // What came twice, because it was under way when this subscriber joined again, is known.
        if view.sequence > losses.last { pending = (part, view) }
        known = max(known, view.sequence)
      case .alive(let sequence):
        known = max(known, sequence)
      case .events(let part):
        whenEvents?(part.bytes)
      case .end(let sequence, let reason):
        known = max(known, sequence)
        phase = .over(reason.isEmpty ? .ended : .dropped(.said(reason)))
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
    phase = .over(.dropped(.said(error.description)))
  }

  /// Joins again if none comes any more.
  private func noticeSilence() {
    connection.look()
    let now = Clock.monotonicNs()
    guard connection.state == .broken || now > heardNs + Self.silenceNs else { return }
    rejoinCount += 1
    phase = .joining(deadlineNs: now + waitNs)
    connect()
  }

  /// Makes a new connection; what may still come over the old one is not waited for.
  private func connect() {
    do throws(WireError) {
      connection = try WireConnection(endpoint: address.endpoint, keys: address.keys)
      connection.expect(messageBytes: run.layout.frameBytes)
      lastID += 1
      connection.send(wishes.request(id: lastID, from: losses.last + 1))
    } catch {
      fail(error)
    }
  }

  /// - Returns: False if there is nothing to do but wait.
  private func joinAgain(deadlineNs: UInt64) -> Bool {
    do throws(WireError) {
      // What another run says must not be taken for what this one does.
      switch try Self.takeWelcome(connection, id: lastID) {
      case .joined(let found):
        heardNs = Clock.monotonicNs()
        let isSame = found.generation == run.generation && found.layout == run.layout
        phase = isSame ? .following : .over(.simDied)
        reported = min(reported, losses.last)
        return true
      case .ended(let generation, let newest):
        let isSame = generation == run.generation
        if isSame { known = max(known, newest) }
        phase = .over(isSame ? .ended : .simDied)
        return true
      case nil:
        break
      }
    } catch .refused {
      // It has not published so much: it is another run.
      phase = .over(.simDied)
      return true
    } catch {
      fail(error)
      return true
    }
    connection.look()
    guard Clock.monotonicNs() < deadlineNs else {
      phase = .over(.simDied)
      return true
    }
    switch connection.state {
    case .connecting, .connected: return false
    case .broken: connect()
    case .notAllowed: fail(.notAllowed(endpoint: address.endpoint))
    }
    return true
  }
}

// MARK: - Reports

extension RemoteSubscription {
  /// Time between two reports in live delivery of every frame.
  private static let reportNs: UInt64 = 100_000_000

  /// Tells the sim how far this subscriber is; to be called after each frame.
  ///
  /// In lockstep delivery the sim may then overwrite those frames: it hears of them a quarter of the ring at a
  /// time, or when there is nothing more to read. One that wants the newest gets the next for it.
  package func report() {
    if run.delivery == .lockstep {
      if losses.last - reported >= max(run.slotCount / 4, 1) { flush() }
      return
    }
    let now = Clock.monotonicNs()
    guard wishes.reading == .newest || now >= reportedNs + Self.reportNs else { return }
    reportedNs = now
    flush()
  }

  /// Reports what was not reported yet.
  private func flush() {
    guard losses.last > reported else { return }
    if case .joining = phase { return }
    lastID += 1
    let isSent = connection.send(
      ControlRequest(
        verb: .progress, id: lastID,
        fields: ["sequence": .count(losses.last), "missed": .count(losses.missedCount)]))
    // What could not be said now is said later.
    if isSent { reported = losses.last }
  }
}
