// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CZeroMQ
import Glibc
import OrreryBase
import OrreryDocument
import OrreryFrame

/// One message of a peer, and ZeroMQ's information on the peer.
package struct WireRequest {
  /// ZeroMQ's address of the peer.
  package let peer: [UInt8]
  /// The part that is read.
  package let bytes: [UInt8]
  /// Whether there were parts after the one that is read.
  package let hasMore: Bool
  /// Descriptor of the connection; -1 if it is not known.
  package let descriptor: CInt
  /// The client's public key; nil if no keys are used.
  package let key: String?
  /// Whether it came over the run directory, which only this user can enter.
  package let isLocal: Bool

  /// Creates a request from a received message.
  package init(
    peer: [UInt8], bytes: [UInt8], hasMore: Bool, descriptor: CInt, key: String?, isLocal: Bool
  ) {
    (self.peer, self.bytes, self.hasMore) = (peer, bytes, hasMore)
    (self.descriptor, self.key, self.isLocal) = (descriptor, key, isLocal)
  }
}

/// A connection that has sent something.
package struct Peer {
  let descriptor: CInt
  /// Its public key; nil if it connected without.
  let key: String?
  let isLocal: Bool
  var subscriber: RemoteSubscriber?

  /// Whether its key was on the list of clients at the last look.
  var wasOnList = true

  /// Requests that the sim has not answered yet.
  package var openCount = 0

  /// Token bucket for its requests, refilled with time: no peer can keep the thread busy.
  private var allowance = Self.allowanceMax
  private var askedNs: UInt64

  private static let allowanceMax = 1000.0
  private static let allowancePerSecond = 4000.0

  /// Time after which a silent peer without a subscription is removed.
  private static let idleNs: UInt64 = 10_000_000_000

  /// Creates a peer at its first request.
  package init(_ request: WireRequest, nowNs: UInt64) {
    descriptor = request.descriptor
    key = request.key
    isLocal = request.isLocal
    askedNs = nowNs
  }

  /// Takes the price of a request from the allowance.
  ///
  /// - Returns: False if the allowance is too small; then nothing is taken.
  package mutating func pay(_ price: Double, nowNs: UInt64) -> Bool {
    let seconds = Double(nowNs - askedNs) / 1e9
    askedNs = nowNs
    allowance = min(allowance + seconds * Self.allowancePerSecond, Self.allowanceMax)
    guard allowance >= price else { return false }
    allowance -= price
    return true
  }

  /// Whether it has sent nothing for long and waits for no answer.
  package func isIdle(nowNs: UInt64) -> Bool { openCount == 0 && nowNs - askedNs > Self.idleNs }
}

extension WireRequest {
  /// Whether it may be a report of progress.
  fileprivate var mentionsProgress: Bool {
    String(decoding: bytes, as: UTF8.self).contains("\"progress\"")
  }
}

extension Socket {
  /// Receives one pending request of a ROUTER; nil if there is none.
  package func receiveRequest() -> WireRequest? {
    var address = [UInt8](repeating: 0, count: 256)
    let count = zmq_recv(handle, &address, address.count, ZMQ_DONTWAIT)
    guard count >= 0 else { return nil }
    address.removeLast(address.count - min(Int(count), address.count))
    var message = zmq_msg_t()
    zmq_msg_init(&message)
    defer { zmq_msg_close(&message) }
    guard zmq_msg_recv(&message, handle, ZMQ_DONTWAIT) >= 0 else { return nil }
    let bytes = Array(
      UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message)))
    let hasMore = zmq_msg_more(&message) != 0
    let key = zmq_msg_gets(&message, "User-Id").map { String(cString: $0) }
    // A Unix socket's address is host, user, group and process, separated by colons. A TCP address
    // has none, because IPv6 is off.
    let source = zmq_msg_gets(&message, "Peer-Address").map { String(cString: $0) } ?? ""
    let request = WireRequest(
      peer: address, bytes: bytes, hasMore: hasMore,
      descriptor: zmq_msg_get(&message, ZMQ_SRCFD), key: key, isLocal: source.contains(":"))
    if hasMore { _ = receiveParts(limit: 0) }
    return request
  }
}

extension WireService {
  private static let peersMax = 1024
  private static let subscribersMax = 64

  /// Requests of one peer that the sim has not answered yet.
  private static let openMax = 16

  /// The longest request that can be free of charge.
  private static let freeBytes = 128

  /// Serves one request.
  func take(_ request: WireRequest) {
    let id = request.peer
    if peers[id] == nil {
      guard peers.count < Self.peersMax else {
        counts.ignoredRequests += 1
        return
      }
      peers[id] = Peer(request, nowNs: nowNs)
    }
    // The price of parsing grows with the length. Progress is free: a run in lockstep waits for it.
    let isFree = request.bytes.count <= Self.freeBytes && request.mentionsProgress
    let price = isFree ? 0 : 1 + Double(request.bytes.count) / 64
    guard peers[id]?.pay(price, nowNs: nowNs) == true else {
      counts.ignoredRequests += 1
      return
    }
    var requestID: Int64?
    do throws(ControlRefusal) {
      guard !request.hasMore else { throw ControlRefusal("a request is one message part") }
      let parsed = try ControlRequest(json: request.bytes)
      requestID = parsed.id
      try serve(parsed, of: id)
    } catch {
      reply(
        .refused(error.description), id: error.id ?? requestID, details: error.details, to: id)
    }
  }

  private func serve(_ request: ControlRequest, of id: [UInt8]) throws(ControlRefusal) {
    guard let peer = peers[id] else { return }
    // What a subscriber says of itself is heard to the end.
    if request.verb != .progress, request.verb != .leave { try checkKey(of: peer) }
    switch request.verb {
    case .join:
      try join(request, id)
    case .progress:
      try record(request, id)
    case .leave:
      reply(.done(), id: request.id, to: id)
      remove(id, .left)
    case .stats:
      pass(request, of: id, peer)
    case .pause, .resume, .step, .seek, .speed, .set, .toggle, .keep, .snapshot, .quit:
      // Any user of this machine can connect to a loopback address.
      guard peer.isLocal || peer.key != nil else {
        throw ControlRefusal(
          "'\(request.verb)' over tcp needs keys (--keys); the run's directory needs none")
      }
      pass(request, of: id, peer)
    }
  }

  /// Refuses a peer whose key was removed after it connected.
  private func checkKey(of peer: Peer) throws(ControlRefusal) {
    guard peer.key != nil else { return }
    if let reason = refusal(of: peer, by: sockets.authenticator?.read()) {
      throw ControlRefusal(reason)
    }
  }

  private func pass(_ request: ControlRequest, of id: [UInt8], _ peer: Peer) {
    guard peer.openCount < Self.openMax else {
      reply(.refused("\(Self.openMax) requests are not answered yet"), id: request.id, to: id)
      return
    }
    peers[id]?.openCount += 1
    let server = server
    handler.handle(request) { [weak server] answer in
      server?.post(WireServer.Answer(peer: id, id: request.id, reply: answer))
    }
  }
}

// MARK: - Joining

extension WireService {
  /// Price of `join` in allowance: its reply carries the whole scene.
  private static let joinPrice = 100.0

  private func join(_ request: ControlRequest, _ id: [UInt8]) throws(ControlRefusal) {
    // Otherwise a subscriber with --follow would join this run again and again until it is gone.
    guard !isStopping else {
      throw ControlRefusal(
        "the run has ended", id: request.id,
        details: [
          "ended": .bool(true), "generation": .word(writer.generation),
          "newest": .count(writer.sequence),
        ])
    }
    guard peers[id]?.pay(Self.joinPrice, nowNs: nowNs) == true else {
      throw ControlRefusal("too many requests", id: request.id)
    }
    let frames =
      try choice(
        request, "frames", RemoteSubscriber.Frames.init, "every, latest or none") ?? .every
    let compression =
      try choice(
        request, "compression", Compression.init, "none or lz4") ?? .none
    let name = String((try request.string("name") ?? "remote").prefix(31))
    let from = try request.count("from")
    let wantsEvents = try request.bool("events") ?? false
    if frames != .none, writer.placeCount == Int(writer.slotCount) {
      throw ControlRefusal(
        "this sim serves no frames by messages; start it with --listen", id: request.id)
    }
    let others = peers.filter { $0.key != id }.values.count { $0.subscriber != nil }
    guard others < Self.subscribersMax else {
      throw ControlRefusal("\(Self.subscribersMax) subscribers are there", id: request.id)
    }
    if let previous = peers[id]?.subscriber {
      peers[id]?.subscriber = nil
      depart(previous, id, .rejoined)
    }
    // In lockstep every frame is sent, whatever was asked for.
    let isLockstep = run.delivery == .lockstep && frames != .none
    let sent = isLockstep ? .every : frames
    // Registered under the lock that protects progress in lockstep delivery: from here on, no frame
    // after `newest` can be overwritten unread.
    let (newest, joinedAfter) = subscribers.change { members -> (UInt64, UInt64?) in
      let newest = writer.sequence
      if let from, from < 1 || from > newest + 1 { return (newest, nil) }
      let joinedAfter =
        from.map { $0 - 1 } ?? frames.reading?.begins(after: newest) ?? newest
      let report = SubscriberReport(name: name, reading: sent.reading, joinedAfter: joinedAfter)
      _ = members.admit(.peer(id), report, nowNs: nowNs)
      return (newest, joinedAfter)
    }
    guard let joinedAfter else {
      throw request.bad("from", "is \(from ?? 0); the newest frame is \(newest)")
    }
    peers[id]?.subscriber = RemoteSubscriber(
      frames: sent, isCompressed: compression == .lz4, wantsEvents: wantsEvents,
      joinedAfter: joinedAfter, windowBytes: options.windowBytes, writer: writer,
      waker: server.serviceWaker, nowNs: nowNs)
    log.info("\(name) joined by message after frame \(joinedAfter)")
    // Before the reply: a subscriber that has joined must miss no later frame or event.
    countSubscribers()
    reply(
      .done(joinReply(joinedAfter: joinedAfter, newest: newest)), id: request.id, to: id,
      with: attachments)
    publishCounts()
  }

  private enum Compression: String {
    case none
    case lz4
  }

  private func choice<Value>(
    _ request: ControlRequest, _ field: String, _ read: (String) -> Value?, _ known: String
  ) throws(ControlRefusal) -> Value? {
    guard let text = try request.string(field) else { return nil }
    guard let value = read(text) else { throw request.bad(field, "must be \(known)") }
    return value
  }

  private func joinReply(joinedAfter: UInt64, newest: UInt64) -> [String: DocumentValue] {
    [
      "run": .string(run.name),
      "generation": .word(writer.generation),
      "layout_hash": .word(writer.layout.layoutHash),
      "layout_version": .integer(Int64(FRAME_LAYOUT_VERSION)),
      "frame_bytes": .count(writer.layout.frameBytes),
      "sequence": .count(joinedAfter),
      "newest": .count(newest),
      "slots": .count(writer.slotCount),
      "delivery": .string("\(run.delivery)"),
      "rate": .array([.count(run.rate.numerator), .count(run.rate.denominator)]),
    ]
  }

  private func record(_ request: ControlRequest, _ id: [UInt8]) throws(ControlRefusal) {
    guard let subscriber = peers[id]?.subscriber else {
      throw ControlRefusal("join first", id: request.id)
    }
    guard let sequence = try request.count("sequence") else {
      throw request.bad("sequence", "is missing")
    }
    let given = try request.count("missed")
    let (isPossible, missed) = subscribers.change { members in
      let missed = given ?? members.report(on: .peer(id))?.missed ?? 0
      let progress = progress_report(sequence: sequence, missed: missed, leaving: 0, reserved: 0)
      let isPossible = members.record(progress, of: .peer(id), nowNs: nowNs) {
        $0 <= subscriber.cursor
      }
      return (isPossible, missed)
    }
    guard isPossible else {
      throw request.bad("sequence", "cannot be \(sequence), with \(missed) missed")
    }
    subscriber.reported(through: sequence, nowNs: nowNs)
  }
}
