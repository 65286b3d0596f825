// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CZeroMQ
import Glibc
import Logging
import OrreryBase
import OrreryDocument
import OrreryFrame

/// The wire's thread: serves requests, sends frames, and records what subscribers report.
///
/// Frames take precedence: between two rounds of frames it serves a bounded number of requests.
final class WireService: @unchecked Sendable {
  let sockets: WireSockets
  let writer: FrameWriter
  let run: WireRun
  let subscribers: Subscribers
  let options: WireOptions
  let handler: any ControlHandler
  let log = Logger(label: "wire")
  unowned let server: WireServer

  var peers: [[UInt8]: Peer] = [:]
  var counts = WireCounts()
  var nowNs: UInt64 = Clock.monotonicNs()

  /// Replies that have not left the process.
  let replies: SendWindow

  /// The parts that every reply to `join` carries, always sent from the same memory.
  let attachments: [MessagePart]

  private(set) var isStopping = false
  private var nextSecondNs: UInt64 = 0
  private var nextCheckNs: UInt64 = 0

  /// Requests served between two rounds of frames.
  private static let requestsPerRound = 32

  init(
    sockets: WireSockets, writer: FrameWriter, run: WireRun, subscribers: Subscribers,
    options: WireOptions, handler: any ControlHandler, server: WireServer
  ) {
    self.sockets = sockets
    self.writer = writer
    self.run = run
    self.subscribers = subscribers
    self.options = options
    self.handler = handler
    self.server = server
    replies = SendWindow(windowBytes: 1 << 20, messageBytes: 0, waker: server.serviceWaker)
    attachments = [run.staticPart, writer.layout.columnTable, run.descriptorSet].map {
      MessagePart($0)
    }
  }

  /// Serves until the server is stopped.
  func serve() {
    while true {
      server.serviceWaker.endSleep(isSignalled: isSignalled)
      isSignalled = false
      nowNs = Clock.monotonicNs()
      // Read before events are taken: events that precede a frame must be sent before it.
      let newest = writer.sequence
      let hasMoreRequests = takeRequests()
      deliver()
      let hasMoreFrames = sendFrames(through: newest)
      keepTime()
      if isStopping, isFinished() { break }
      if hasMoreRequests || hasMoreFrames || !gone.isEmpty { continue }
      // Sending may have made ZeroMQ notice new input; the descriptor does not signal that again.
      if sockets.router.hasInput || sockets.authenticator?.socket.hasInput == true {
        hasInput = true
        continue
      }
      if server.serviceWaker.beginSleep() { sleep() }
    }
    for (id, _) in peers { remove(id, .stayed) }
    publishCounts()
    _ = Clock.wait(seconds: Double(Self.patienceNs) / 1e9) { replies.bytes == 0 }
  }

  /// Sleeps until another thread wakes this one, or a socket may have input.
  ///
  /// Sockets are read only after their descriptors signal input: asking ZeroMQ takes one or two
  /// system calls, which at a hundred thousand frames a second would be most of the work.
  private func sleep() {
    poll(&polled, nfds_t(polled.count), sleepMs)
    isSignalled = polled[0].revents != 0
    hasInput = polled[1].revents != 0 || polled[3].revents != 0
    hasMonitorEvents = polled[2].revents != 0
  }

  private var sleepMs: Int32 {
    if isStarved || isStopping { return 1 }
    let until = sockets.connections.isWatching ? min(nextCheckNs, nextSecondNs) : nextSecondNs
    return until > nowNs ? Int32((until - nowNs) / 1_000_000) + 1 : 0
  }

  /// The waker, the router, the connection monitor and, if there is one, the authenticator.
  private lazy var polled: [pollfd] = [
    server.serviceWaker.descriptor, sockets.router.descriptor,
    sockets.connections.monitor.descriptor, sockets.authenticator?.socket.descriptor ?? -1,
  ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }

  /// Whether the waker's descriptor was readable after the last sleep.
  private var isSignalled = false

  /// Whether requests, or questions to the authenticator, may be pending.
  private var hasInput = true

  /// Whether the monitor may have events.
  private var hasMonitorEvents = true

  /// Whether sending stopped because too many frames are in flight, or a peer's queue is full.
  private var isStarved = false

  /// Peers whose connection was found closed, kept until every pending request is read.
  private var gone: [(id: [UInt8], foundNs: UInt64)] = []
}

// MARK: - Requests

extension WireService {
  /// Serves pending requests, up to the limit of a round.
  ///
  /// - Returns: Whether there may be more.
  private func takeRequests() -> Bool {
    defer { if !hasInput { removeGone() } }
    if hasMonitorEvents { hasMonitorEvents = sockets.connections.readEvents(nowNs: nowNs) }
    guard hasInput else { return hasMonitorEvents }
    if let authenticator = sockets.authenticator {
      var answered = 0
      while answered < Self.requestsPerRound, authenticator.answerOne() { answered += 1 }
    }
    for _ in 0..<Self.requestsPerRound {
      guard let request = sockets.router.receiveRequest() else {
        hasInput = false
        return hasMonitorEvents
      }
      sockets.connections.deliver(request.bytes.count + 64, over: request.descriptor)
      take(request)
    }
    return true
  }

  /// Sends the answers and events that other threads have queued.
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
        let window = subscriber.window
        guard subscriber.hasRoomForEvents,
          send([MessagePart(Array("events".utf8)), MessagePart(bytes, window: window)], to: id)
        else {
          subscriber.droppedEvents += 1
          continue
        }
      }
    }
  }

  /// Sends a reply; it is lost if the peer does not take its replies or is gone.
  func reply(
    _ reply: ControlReply, id: Int64?, details: [String: DocumentValue] = [:], to peer: [UInt8],
    with more: [MessagePart] = []
  ) {
    var parts: [MessagePart] = [MessagePart(Array("reply".utf8))]
    parts.append(MessagePart(reply.json(id: id, details: details), window: replies))
    if case .done(_, let attachments) = reply {
      parts += attachments.map { MessagePart($0, window: replies) }
    }
    if case .refused = reply { counts.refusedRequests += 1 }
    _ = send(parts + more, to: peer)
  }

  /// Sends a message to a peer.
  ///
  /// - Returns: False if the peer's queue is full or the peer is gone.
  @discardableResult
  func send(_ parts: [MessagePart], to peer: [UInt8]) -> Bool {
    switch sockets.router.send(parts, to: peer) {
    case .sent: return true
    case .full: return false
    case .gone:
      noteGone(peer)
      return false
    }
  }

  /// Notes a peer that closed its connection.
  ///
  /// It may have sent `leave` before, which is read first.
  private func noteGone(_ peer: [UInt8]) {
    gone.append((peer, nowNs))
    hasInput = true
  }

  /// Removes peers that closed their connection without `leave`.
  private func removeGone(through timeNs: UInt64 = .max) {
    for peer in gone where peer.foundNs <= timeNs { remove(peer.id, .lost) }
    gone.removeAll { $0.foundNs <= timeNs }
  }
}

// MARK: - Frames

extension WireService {
  /// Frames sent to one subscriber before the next one's turn.
  private static let framesPerTurn = 64

  /// Sends one turn of frames to each subscriber.
  ///
  /// - Returns: Whether there is more to send at once.
  private func sendFrames(through newest: UInt64) -> Bool {
    isStarved = false
    var hasMore = false
    for (id, peer) in peers {
      guard let subscriber = peer.subscriber, subscriber.frames != .none else { continue }
      subscriber.window.stopWaiting()
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
        return !subscriber.window.wait()
      case .skip(let sequence):
        subscriber.skip(through: sequence)
      case .send(let sequence):
        guard let frame = writer.pin(sequence) else {
          // Overwritten, or every spare place is in flight.
          guard sequence < oldestSequence else {
            isStarved = true
            return false
          }
          subscriber.skip(through: oldestSequence - 1)
          continue
        }
        let sendBuffer: SendBuffer
        if subscriber.isCompressed {
          let encoded = FrameCompression.encode(frame.bytes, window: subscriber.window)
          writer.unpin(place: frame.place)
          guard let encoded else { return false }
          sendBuffer = encoded.sendBuffer
          // Encoding takes as long as sending many frames, so the turn ends.
          sentCount += Self.framesPerTurn
        } else {
          sendBuffer = subscriber.pinnedFrames.sendBuffer(frame)
        }
        switch sockets.router.send(sendBuffer, to: id) {
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
  /// Sequence of the oldest frame that the writer's next claim will not overwrite.
  private var oldestSequence: UInt64 {
    let end = writer.sequence + 2 + writer.lookAhead
    return end > writer.slotCount + 1 ? end - writer.slotCount : 1
  }
}

// MARK: - Time

extension WireService {
  private func keepTime() {
    if nowNs >= nextCheckNs {
      nextCheckNs = nowNs + ConnectionGuard.intervalNs
      sockets.connections.enforceLimits(nowNs: nowNs)
    }
    // After the run has ended, `isFinished` applies another limit.
    guard nowNs >= nextSecondNs, !isStopping else { return }
    nextSecondNs = nowNs + 1_000_000_000
    // Other peers may keep requests pending all the time, so gone peers are removed here too.
    removeGone(through: nowNs - 1_000_000_000)
    let alive: [String: DocumentValue] = ["sequence": .count(writer.sequence)]
    let json = alive.json
    let list = sockets.authenticator?.read()
    for (id, peer) in peers {
      guard let subscriber = peer.subscriber else {
        if peer.isIdle(nowNs: nowNs) { peers[id] = nil }
        continue
      }
      if let reason = lockOut(id, by: list) {
        end(id, reason: reason)
      } else if subscriber.isStalled(
        nowNs: nowNs, limitNs: UInt64(options.stallLimitSeconds * 1e9),
        isLockstep: run.delivery == .lockstep, newest: writer.sequence)
      {
        end(id, reason: "it took nothing for \(options.stallLimitSeconds) s (--stall-limit)")
      } else {
        send([MessagePart(Array("alive".utf8)), MessagePart(json)], to: id)
      }
    }
    publishCounts()
  }

  static let keyRemoved = "its key was removed"

  /// Why the key of a connected peer opens nothing any more.
  ///
  /// - Parameters:
  ///   - peer: The peer.
  ///   - list: The list of clients, read now; nil if the run has no keys.
  /// - Returns: The reason; nil if it is on the list, or has none.
  func refusal(
    of peer: Peer, by list: Result<AllowList.Content, KeyError>?
  ) -> String? {
    guard let key = peer.key, let list else { return nil }
    switch list {
    case .success(let list):
      if list.keys.contains(key) { return nil }
      return list.skipped.isEmpty
        ? Self.keyRemoved : "a file of the sim's list of clients cannot be used, maybe its key's"
    case .failure: return "the sim cannot read its list of clients"
    }
  }

  /// Why a subscriber is dropped because of its key; nil if it is not.
  ///
  /// A key that was removed counts at once. A file that is just being copied, or a directory that is being
  /// replaced, gets until the next look. Nobody is dropped because the sim has no descriptor left.
  private func lockOut(_ id: [UInt8], by list: Result<AllowList.Content, KeyError>?) -> String? {
    guard let peer = peers[id] else { return nil }
    let reason = refusal(of: peer, by: list)
    if case .failure(let error)? = list, error.isShortage { return nil }
    defer { peers[id]?.wasOnList = reason == nil }
    return peer.wasOnList && reason != Self.keyRemoved ? nil : reason
  }

  /// Whether every subscriber has received everything and left, or has stopped taking messages.
  private func isFinished() -> Bool {
    var isWaiting = false
    for (id, peer) in peers {
      guard let subscriber = peer.subscriber else { continue }
      if subscriber.frames == .every, subscriber.cursor < writer.sequence {
        isWaiting = isWaiting || !subscriber.isStuck(nowNs: nowNs, limitNs: Self.patienceNs)
        continue
      }
      if !subscriber.wasSentEnd {
        subscriber.wasSentEnd = true
        let newest = writer.sequence
        if subscriber.cursor < newest { subscriber.skip(through: newest) }
        sendEnd(id, reason: nil)
      }
      // The subscriber leaves when it has read the end.
      isWaiting = isWaiting || !subscriber.isStuck(nowNs: nowNs, limitNs: Self.patienceNs)
    }
    return !isWaiting
  }

  /// Time without progress after which a peer of a run that has ended is given up.
  private static let patienceNs: UInt64 = 2_000_000_000

  /// Drops a subscriber and sends it the reason.
  private func end(_ id: [UInt8], reason: String) {
    sendEnd(id, reason: reason)
    let descriptor = peers[id]?.descriptor
    remove(id, .dropped(reason))
    // Closing the connection frees the places of frames that it does not take.
    if let descriptor { sockets.connections.dismiss(descriptor, nowNs: nowNs) }
  }

  private func sendEnd(_ id: [UInt8], reason: String?) {
    var fields: [String: DocumentValue] = ["sequence": .count(writer.sequence)]
    if let reason { fields["reason"] = .string(reason) }
    send([MessagePart(Array("end".utf8)), MessagePart(fields.json, window: replies)], to: id)
  }
}

// MARK: - Account

extension WireService {
  /// Removes a peer; its account stays in the report.
  func remove(_ id: [UInt8], _ why: Departure) {
    guard let subscriber = peers.removeValue(forKey: id)?.subscriber else { return }
    depart(subscriber, id, why)
  }

  /// Ends a subscriber's membership.
  func depart(_ subscriber: RemoteSubscriber, _ id: [UInt8], _ why: Departure) {
    countSubscribers()
    let report = subscribers.change { members in
      subscriber.record(in: &members, id)
      return members.remove(.peer(id), why: why)
    }
    log.info("\(report?.name ?? "") left after frame \(subscriber.cursor): \(why)")
  }

  func countSubscribers() {
    server.setSubscriberCount(peers.values.count { $0.subscriber != nil })
  }

  /// Publishes accounts and counts for other threads.
  func publishCounts() {
    counts.refusedConnections = sockets.connections.refusedCount
    server.publish(counts)
    subscribers.change { members in
      for (id, peer) in peers { peer.subscriber?.record(in: &members, id) }
    }
  }
}

extension RemoteSubscriber {
  /// Brings its account up to date.
  fileprivate func record(in members: inout Membership, _ id: [UInt8]) {
    members.record(sent: sentCount, skipped: skippedCount, to: .peer(id))
  }
}
