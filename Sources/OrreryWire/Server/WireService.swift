// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CZeroMQ
import Glibc
import Logging
import OrreryBase
import OrreryFrame

/// The wire's thread: takes requests, sends frames, and keeps account of who is there.
///
/// Frames come first: between two rounds of frames a bounded number of requests is served.
final class WireService: @unchecked Sendable {
  let sockets: WireSockets
  let writer: FrameWriter
  let run: WireRun
  let options: WireOptions
  let handler: any ControlHandler
  let log = Logger(label: "wire")
  unowned let server: WireServer

  var peers: [[UInt8]: Peer] = [:]
  var departed: [RemoteReport] = []
  var counts = WireCounts()
  var joinedCount: UInt64 = 0
  var nowNs: UInt64 = Clock.monotonicNs()

  /// Replies that have not left the process.
  let replies: OutFlow

  /// What every reply to `join` carries, sent from the same memory each time.
  let attachments: [Ticket]

  private(set) var isStopping = false
  private var nextSecondNs: UInt64 = 0
  private var nextLookNs: UInt64 = 0

  /// Requests served between two rounds of frames.
  private static let requestsPerRound = 32

  /// Subscribers kept in the report after they have left.
  static let departedMax = 256

  init(
    sockets: WireSockets, writer: FrameWriter, run: WireRun, options: WireOptions,
    handler: any ControlHandler, server: WireServer
  ) {
    self.sockets = sockets
    self.writer = writer
    self.run = run
    self.options = options
    self.handler = handler
    self.server = server
    replies = OutFlow(windowBytes: 1 << 20, messageBytes: 0, waker: server.sleeper)
    attachments = [run.staticPart, writer.layout.columnTable, run.descriptorSet].map {
      Ticket($0)
    }
  }

  /// Serves until the server is stopped.
  func serve() {
    while true {
      server.sleeper.endSleep(isSignalled: isSignalled)
      isSignalled = false
      nowNs = Clock.monotonicNs()
      // Asked before events are taken: those that were told before a frame was published go out before it.
      let newest = writer.sequence
      let hasMoreRequests = takeRequests()
      deliver()
      let hasMoreFrames = sendFrames(through: newest)
      keepTime()
      if isStopping, isFinished() { break }
      if hasMoreRequests || hasMoreFrames || !gone.isEmpty { continue }
      // Sending may have taken notice of what has come: the descriptor is silent about it then.
      if sockets.router.hasInput || sockets.gate?.socket.hasInput == true {
        hasInput = true
        continue
      }
      if server.sleeper.beginSleep() { sleep() }
    }
    for (id, _) in peers { remove(id, Departure.stayed.rawValue) }
    reportToServer()
    let deadline = Clock.monotonicNs() + Self.flushNs
    while replies.bytes > 0, Clock.monotonicNs() < deadline {
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 1_000_000)
    }
  }

  /// Time that the last replies get to leave.
  private static let flushNs: UInt64 = 500_000_000

  /// Sleeps until somebody wakes this thread, or a socket may have something.
  ///
  /// Sockets are asked only then: each question to ZeroMQ is a system call or two, and at a hundred thousand
  /// frames a second they would be most of the work.
  private func sleep() {
    poll(&polled, nfds_t(polled.count), sleepMs)
    isSignalled = polled[0].revents != 0
    hasInput = polled[1].revents != 0 || polled[3].revents != 0
    hasNews = polled[2].revents != 0
  }

  private var sleepMs: Int32 {
    if isStarved || isStopping { return 1 }
    let until = sockets.connections.isWatching ? min(nextLookNs, nextSecondNs) : nextSecondNs
    return until > nowNs ? Int32((until - nowNs) / 1_000_000) + 1 : 0
  }

  /// The waker, the router, the monitor of connections, and the gate where there is one.
  private lazy var polled: [pollfd] = [
    server.sleeper.descriptor, sockets.router.descriptor, sockets.connections.monitor.descriptor,
    sockets.gate?.socket.descriptor ?? -1,
  ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }

  /// Whether somebody has woken this thread from its last sleep.
  private var isSignalled = false

  /// Whether requests, or clients before the gate, may be waiting.
  private var hasInput = true

  /// Whether the monitor may have something to tell.
  private var hasNews = true

  /// Whether a frame could not be pinned because too many are under way.
  private var isStarved = false

  /// Peers whose connection was found closed, until every request that waits is read.
  private var gone: [[UInt8]] = []
}

// MARK: - Requests

extension WireService {
  /// - Returns: Whether there may be more.
  private func takeRequests() -> Bool {
    defer { if !hasInput { removeGone() } }
    if hasNews { hasNews = sockets.connections.hear(nowNs: nowNs) }
    guard hasInput else { return hasNews }
    if let gate = sockets.gate {
      var answered = 0
      while answered < Self.requestsPerRound, gate.answerOne() { answered += 1 }
    }
    for _ in 0..<Self.requestsPerRound {
      guard let request = sockets.router.receiveRequest() else {
        hasInput = false
        return hasNews
      }
      sockets.connections.deliver(request.bytes.count + 64, over: request.descriptor)
      take(request)
    }
    return true
  }

  /// Sends answers and events that other threads have left.
  private func deliver() {
    let (answers, events, isStopping) = server.take()
    self.isStopping = isStopping
    for answer in answers {
      peers[answer.peer]?.openCount -= 1
      reply(answer.reply, id: answer.id, to: answer.peer)
    }
    for bytes in events {
      for (id, peer) in peers {
        guard let subscriber = peer.subscriber, subscriber.wantsEvents else { continue }
        guard subscriber.hasRoomForEvents,
          send(
            [Ticket(Array("events".utf8)), Ticket(bytes, flow: subscriber.flow)], to: id
          )
        else {
          subscriber.droppedEvents += 1
          continue
        }
      }
    }
  }

  /// Sends a reply; where it cannot be sent the peer does not take its replies, or is gone.
  func reply(
    _ reply: ControlReply, id: Int64?, details: [String: ControlValue] = [:], to peer: [UInt8],
    with more: [Ticket] = []
  ) {
    var parts: [Ticket] = [Ticket(Array("reply".utf8))]
    parts.append(Ticket(reply.json(id: id, details: details), flow: replies))
    if case .done(_, let attachments) = reply {
      parts += attachments.map { Ticket($0, flow: replies) }
    }
    if case .refused = reply { counts.refusedRequests += 1 }
    _ = send(parts + more, to: peer)
  }

  private static let lost = "hung up, or was silent for three seconds"

  /// Sends to a peer.
  @discardableResult
  func send(_ parts: [Ticket], to peer: [UInt8]) -> Bool {
    switch sockets.router.send(parts, to: peer) {
    case .sent: return true
    case .full: return false
    case .gone:
      noteGone(peer)
      return false
    }
  }

  /// A peer that closed its connection may have said before that it leaves: that is read first.
  private func noteGone(_ peer: [UInt8]) {
    gone.append(peer)
    hasInput = true
  }

  /// Forgets peers that went without a word.
  private func removeGone() {
    for id in gone { remove(id, Self.lost) }
    gone.removeAll()
  }
}

// MARK: - Frames

extension WireService {
  /// Frames sent to one subscriber before it is another's turn.
  private static let framesPerTurn = 64

  /// - Returns: Whether there is more to send at once.
  private func sendFrames(through newest: UInt64) -> Bool {
    isStarved = false
    var hasMore = false
    for (id, peer) in peers {
      guard let subscriber = peer.subscriber, subscriber.frames != .none else { continue }
      subscriber.flow.stopWaiting()
      hasMore = sendFrames(through: newest, to: subscriber, id) || hasMore
    }
    return hasMore
  }

  private func sendFrames(
    through newest: UInt64, to subscriber: RemoteSubscriber, _ id: [UInt8]
  ) -> Bool {
    var sentCount = 0
    while sentCount < Self.framesPerTurn {
      switch subscriber.next(newest: newest) {
      case .wait:
        return false
      case .waitForRoom:
        return !subscriber.flow.wait()
      case .skip(let sequence):
        subscriber.skip(through: sequence)
      case .send(let sequence):
        guard let frame = writer.pin(sequence) else {
          // Overwritten, or as many are under way as there are places to spare.
          guard sequence < oldestSequence else {
            isStarved = true
            return false
          }
          subscriber.skip(through: oldestSequence - 1)
          continue
        }
        let parcel: Parcel
        if subscriber.isCompressed {
          let encoded = FrameCompression.encode(frame.bytes, flow: subscriber.flow)
          writer.unpin(place: frame.place)
          guard let encoded else { return false }
          parcel = encoded.parcel
          // Encoding takes as long as sending many frames.
          sentCount += Self.framesPerTurn
        } else {
          parcel = subscriber.outlet.parcel(frame)
        }
        switch sockets.router.send(parcel, to: id) {
        case .sent: break
        case .full:
          isStarved = true
          return false
        case .gone:
          noteGone(id)
          return false
        }
        subscriber.sent(sequence)
        sentCount += 1
      }
    }
    return true
  }
}

extension WireService {
  /// Sequence of the oldest frame that the writer will not overwrite next.
  private var oldestSequence: UInt64 {
    let end = writer.sequence + 2 + writer.lookAhead
    return end > writer.slotCount + 1 ? end - writer.slotCount : 1
  }
}

// MARK: - Time

extension WireService {
  private func keepTime() {
    if nowNs >= nextLookNs {
      nextLookNs = nowNs + ConnectionGuard.intervalNs
      sockets.connections.look(nowNs: nowNs)
    }
    // When the run has ended there is another limit.
    guard nowNs >= nextSecondNs, !isStopping else { return }
    nextSecondNs = nowNs + 1_000_000_000
    // Others may ask so much that there is always a request that waits.
    removeGone()
    let alive: [String: ControlValue] = ["sequence": .count(writer.sequence)]
    let json = alive.json
    for (id, peer) in peers {
      guard let subscriber = peer.subscriber else {
        if peer.isIdle(nowNs: nowNs) { peers[id] = nil }
        continue
      }
      if let user = peer.user, !isAllowed(user) {
        end(id, reason: "its key was removed")
      } else if subscriber.isStalled(
        nowNs: nowNs, limitNs: UInt64(options.stallLimitSeconds * 1e9),
        isLockstep: run.delivery == .lockstep, newest: writer.sequence)
      {
        end(id, reason: "it took nothing for \(options.stallLimitSeconds) s (--stall-limit)")
      } else {
        send([Ticket(Array("alive".utf8)), Ticket(json)], to: id)
      }
    }
    reportToServer()
  }

  private func isAllowed(_ user: String) -> Bool {
    guard case .server(_, let clients) = options.keys else { return true }
    return clients.hasClient(user)
  }

  /// Whether everybody has got everything, or does not go on taking it.
  private func isFinished() -> Bool {
    var isWaiting = false
    for (id, peer) in peers {
      guard let subscriber = peer.subscriber else { continue }
      if subscriber.frames == .every, subscriber.cursor < writer.sequence {
        isWaiting = isWaiting || !subscriber.isStuck(nowNs: nowNs, limitNs: Self.patienceNs)
        continue
      }
      if !subscriber.wasTold {
        subscriber.wasTold = true
        let newest = writer.sequence
        if subscriber.cursor < newest { subscriber.skip(through: newest) }
        sendEnd(id, reason: nil)
      }
      // It leaves when it has read the end.
      isWaiting = isWaiting || !subscriber.isStuck(nowNs: nowNs, limitNs: Self.patienceNs)
    }
    return !isWaiting
  }

  /// How long a subscriber may take nothing when the run has ended.
  private static let patienceNs: UInt64 = 2_000_000_000

  /// Drops a subscriber and tells it why.
  private func end(_ id: [UInt8], reason: String) {
    sendEnd(id, reason: reason)
    let descriptor = peers[id]?.descriptor
    remove(id, reason)
    // What it does not take must not keep its places for ever.
    if let descriptor { sockets.connections.dismiss(descriptor, nowNs: nowNs) }
  }

  private func sendEnd(_ id: [UInt8], reason: String?) {
    var said: [String: ControlValue] = ["sequence": .count(writer.sequence)]
    if let reason { said["reason"] = .string(reason) }
    send([Ticket(Array("end".utf8)), Ticket(said.json, flow: replies)], to: id)
  }
}

// MARK: - Account

extension WireService {
  /// Forgets a peer; what it was sent stays in the report.
  func remove(_ id: [UInt8], _ left: String) {
    guard let peer = peers.removeValue(forKey: id), let subscriber = peer.subscriber else { return }
    depart(subscriber, left)
  }

  /// Ends a subscription.
  func depart(_ subscriber: RemoteSubscriber, _ left: String) {
    log.info("\(subscriber.name) left after frame \(subscriber.cursor): \(left)")
    if departed.count < Self.departedMax { departed.append(subscriber.report(left: left)) }
    countSubscribers()
  }

  func countSubscribers() {
    server.setSubscriberCount(peers.values.count { $0.subscriber != nil })
    noteProgress()
  }

  /// Tells the sim how far the slowest reader is, where it waits for readers.
  func noteProgress() {
    guard run.delivery == .lockstep else { return }
    let waited = peers.values.compactMap(\.subscriber).filter { $0.frames != .none }
    server.setSlowest(waited.map(\.reported).min() ?? .max)
  }

  /// Leaves the account where others read it.
  func reportToServer() {
    counts.refusedConnections = sockets.connections.refusedCount
    let present = peers.values.compactMap { $0.subscriber?.report(left: nil) }
    server.publish(departed + present, counts, joinedCount: joinedCount)
  }
}
