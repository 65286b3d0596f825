// SPDX-License-Identifier: Apache-2.0

import CLinux
import CZeroMQ
import Glibc
import OrreryBase
import OrreryDocument
import OrreryFrame

/// A message that a sim sends over a `WireConnection`.
enum WireMessage {
  case reply([String: DocumentValue], attachments: [ReceivedPart])
  /// One frame as it was sent, plain or LZ4.
  case frame(ReceivedPart)
  case events(ReceivedPart)
  /// The sim's sign of life, sent every second, with its newest frame.
  case alive(sequence: UInt64)
  /// The end: the sim's newest frame, and the reason if the sim dropped this subscriber; the reason
  /// is empty if the run has ended.
  case end(sequence: UInt64, reason: String)
}

/// One part of a message, in the memory into which ZeroMQ received it.
final class ReceivedPart {
  private let message: UnsafeMutablePointer<zmq_msg_t>

  init() {
    message = .allocate(capacity: 1)
    zmq_msg_init(message)
  }

  deinit {
    zmq_msg_close(message)
    message.deallocate()
  }

  /// The part's bytes, valid while the part lives.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: zmq_msg_data(message), count: zmq_msg_size(message))
  }

  var hasMore: Bool { zmq_msg_more(message) != 0 }

  /// Receives the next part into this memory, in place of the last; false if there was none.
  func receive(from socket: Socket, flags: CInt) -> Bool {
    zmq_msg_recv(message, socket.handle, flags) >= 0
  }
}

/// A connection to a sim's ROUTER, from the first attempt to connect until it breaks.
///
/// ZeroMQ would reconnect by itself, but the sim would not recognize the subscriber. So a broken
/// connection is given up, and its owner makes a new one.
package final class WireConnection {
  /// The connection's state.
  enum State: Equatable {
    /// ZeroMQ keeps trying to connect.
    case connecting
    case connected
    /// The connection broke.
    case broken
    /// The sim does not accept this client's key.
    case notAllowed
    /// One side uses keys and the other does not.
    case keysDiffer
    /// The sim's key is not the one that this client was given.
    case serverKeyDiffers
  }

  private(set) var state = State.connecting

  /// A ZeroMQ DEALER.
  package let socket: Socket
  private let monitor: Socket

  private let address: WireAddress

  /// How often the sim hung up during the handshake, although both sides use keys.
  private var hangUps = 0

  /// The connection's descriptor, and the kernel's ID of its socket; nil before it is there.
  private var peer: (descriptor: CInt, cookie: UInt64)?

  /// Bytes that the kernel had received when they were counted first after this time.
  private var counted: (sinceNs: UInt64, bytes: UInt64) = (0, 0)

  /// Reused for each message unless a caller has kept it.
  private var first = ReceivedPart()

  /// The current value of ZMQ_RCVTIMEO.
  private var receiveMs: CInt = -1

  /// Longest attempt to connect, and longest pause between two.
  private static let connectMs: CInt = 1000

  /// Time for the last request to be sent.
  private static let lingerMs: CInt = 1000

  /// Parts of a message that are kept.
  private static let partsMax = 16

  /// Hang-ups in a row after which the sim's key is taken to be another; a sim that ends hangs up once.
  private static let hangUpMax = 3

  /// Requests queued for sending.
  private static let sendHighWaterMark: CInt = 64

  /// Time for which a connection over which part of a message has just come is not given up.
  static let patienceNs: UInt64 = 2_500_000_000

  /// Time without a message after which bytes are counted.
  private static let quietNs: UInt64 = 300_000_000

  /// Bytes that are part of a message: heartbeats, of which one comes each second, have fewer.
  private static let partBytesMin: UInt64 = 1024

  /// Limits of the receive queue: bytes, once the frame size is known, and messages.
  ///
  /// The queue starts at its longest, because it can be shortened but not lengthened while it is
  /// full. ZeroMQ stops reading from a connection whose queue is full until half of the queue was
  /// taken, and by the longer length half is never reached.
  private static let waitingBytes: UInt64 = 32 << 20
  private static let waitingMax: UInt64 = 1000

  /// Begins to connect.
  ///
  /// - Throws: `WireError.zeroMQ`.
  init(_ address: WireAddress) throws(WireError) {
    self.address = address
    let socket = try Socket(
      type: ZMQ_DEALER, endpoint: address.endpoint,
      messageBytesMax: Int64(FrameLayout.frameBytesMax))
    try socket.set(ZMQ_RCVHWM, CInt(Self.waitingMax))
    try socket.set(ZMQ_SNDHWM, Self.sendHighWaterMark)
    // No heartbeats: see `Socket.limitSilence`. The sim sends `alive` each second.
    try socket.limitHandshake()
    // After a network failure, a new attempt must begin soon, not after an old one times out.
    try socket.set(ZMQ_CONNECT_TIMEOUT, Self.connectMs)
    try socket.set(ZMQ_RECONNECT_IVL_MAX, Self.connectMs)
    if case .client(let pair, let serverKey) = address.keys {
      try socket.set(ZMQ_CURVE_SERVERKEY, serverKey)
      try socket.set(ZMQ_CURVE_PUBLICKEY, pair.publicKey)
      try socket.set(ZMQ_CURVE_SECRETKEY, pair.secretKey)
    }
    monitor = try socket.monitor(
      ZMQ_EVENT_CONNECTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED
        | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
        | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL,
      at: "inproc://orrery.connection")
    try socket.connect()
    self.socket = socket
  }

  /// Shortens the receive queue for messages of this size.
  package func expect(messageBytes: UInt64) {
    linux_keep_freed_memory()
    let count = min(max(Self.waitingBytes / max(messageBytes, 1), 2), Self.waitingMax)
    try? socket.set(ZMQ_RCVHWM, CInt(count))
  }

  /// Sends a request.
  ///
  /// - Returns: False if it cannot be sent at once, and was dropped.
  @discardableResult
  func send(_ request: ControlRequest) -> Bool {
    let bytes = request.json
    return zmq_send(socket.handle, bytes, bytes.count, ZMQ_DONTWAIT) >= 0
  }

  /// Makes the final close wait until everything was sent, at most a second.
  ///
  /// A connection that is not connected closes at once: its messages have no receiver.
  package func finish() {
    guard state == .connected else { return }
    try? socket.set(ZMQ_LINGER, Self.lingerMs)
  }

  /// What shows a message or a change of state.
  var polled: [zmq_pollitem_t] {
    [socket, monitor].map {
      zmq_pollitem_t(socket: $0.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
    }
  }

  /// Waits for a message or a change of state, at most `ns` nanoseconds.
  func wait(ns: UInt64) {
    var items = polled
    _ = zmq_poll(&items, CInt(items.count), Int(max(ns / 1_000_000, 1)))
  }

  /// Reads the monitor's events and updates `state`.
  func readMonitor() {
    for _ in 0..<16 {
      guard let parts = monitor.receiveParts(limit: 2) else { return }
      guard let head = parts.first, head.count == 6 else { continue }
      let value = head[2...].reversed().reduce(CInt(0)) { $0 << 8 | CInt($1) }
      switch CInt(head[0]) | CInt(head[1]) << 8 {
      case ZMQ_EVENT_CONNECTED: peer = (value, linux_socket_cookie(value))
      case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: state = .connected
      case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: state = .notAllowed
      case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL:
        // Another breach of the protocol looks like a sim that never answers.
        if value == ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH { state = .keysDiffer }
      case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL:
        if value == EPIPE || value == ECONNRESET { askWhyItHungUp() }
      default:
        // A connection that breaks before the handshake is tried again.
        if state == .connected { state = .broken }
      }
    }
  }

  /// Finds out whether a message is on its way that is not whole yet: over a slow network, a large one takes seconds.
  ///
  /// Call it again and again while nothing comes; it compares what the kernel has received. If it is true, send
  /// something: the sim's heartbeats wait behind that message, and a sim that hears nothing for three seconds hangs up.
  ///
  /// - Parameters:
  ///   - heardNs: When something was received last, or this was true.
  ///   - nowNs: The time.
  /// - Returns: Whether part of a message has come since then.
  func receivesPart(since heardNs: UInt64, nowNs: UInt64) -> Bool {
    guard nowNs > heardNs + Self.quietNs, let peer,
      linux_socket_cookie(peer.descriptor) == peer.cookie
    else { return false }
    let bytes = linux_tcp_received(peer.descriptor)
    guard counted.sinceNs == heardNs else {
      // A program that had no processor does not know what came before: it waits once more.
      let isLate = nowNs > heardNs + Self.patienceNs / 2
      counted = (isLate ? nowNs : heardNs, bytes)
      return isLate
    }
    return bytes >= counted.bytes + Self.partBytesMin
  }

  /// While part of an answer comes, waits longer for it, and says that this side is there.
  ///
  /// - Parameters:
  ///   - deadlineNs: When the answer is given up.
  ///   - heardNs: When something was received last.
  ///   - nowNs: The time.
  func extend(_ deadlineNs: inout UInt64, since heardNs: inout UInt64, nowNs: UInt64) {
    guard receivesPart(since: heardNs, nowNs: nowNs) else { return }
    heardNs = nowNs
    deadlineNs = max(deadlineNs, nowNs + Self.patienceNs)
    // It has no other effect.
    send(ControlRequest(verb: .progress, id: 0, fields: ["sequence": .count(0)]))
  }

  /// Finds out whether keys are why the sim hung up before it was connected.
  private func askWhyItHungUp() {
    guard state == .connecting, case .tcp(let endpoint, let keys) = address,
      let usesKeys = PeerGreeting.usesKeys(at: endpoint)
    else { return }
    if usesKeys != (keys != nil) {
      state = .keysDiffer
    } else if usesKeys {
      hangUps += 1
      if hangUps >= Self.hangUpMax { state = .serverKeyDiffers }
    }
  }

  /// The error of a connection whose keys the sim refuses, whatever is tried again; nil otherwise.
  var refusal: WireError? {
    switch state {
    case .notAllowed: .notAllowed(endpoint: address.endpoint)
    case .keysDiffer: .keysDiffer(endpoint: address.endpoint, hasKeys: address.keys != nil)
    case .serverKeyDiffers: .serverKeyDiffers(endpoint: address.endpoint)
    case .connecting, .connected, .broken: nil
    }
  }

  /// Receives the next message.
  ///
  /// Waiting here is cheaper than `wait`, but does not notice changes of state.
  ///
  /// - Parameter waitNs: How long to wait for a message.
  /// - Returns: The message; nil if there was none in time.
  /// - Throws: `WireError.badMessage` for a message that is not part of the protocol.
  func receive(waitNs: UInt64 = 0) throws(WireError) -> WireMessage? {
    if !isKnownUniquelyReferenced(&first) { first = ReceivedPart() }
    let first = self.first
    if waitNs == 0 {
      guard first.receive(from: socket, flags: ZMQ_DONTWAIT) else { return nil }
    } else {
      let milliseconds = CInt(clamping: max(waitNs / 1_000_000, 1))
      if milliseconds != receiveMs {
        try socket.set(ZMQ_RCVTIMEO, milliseconds)
        receiveMs = milliseconds
      }
      guard first.receive(from: socket, flags: 0) else { return nil }
    }
    guard first.hasMore else { return .frame(first) }
    var parts: [ReceivedPart] = []
    var hasMore = true
    while hasMore {
      let part = ReceivedPart()
      guard part.receive(from: socket, flags: ZMQ_DONTWAIT) else { break }
      hasMore = part.hasMore
      if parts.count < Self.partsMax { parts.append(part) }
    }
    guard let body = parts.first else { throw .badMessage("a message without a second part") }
    switch String(decoding: first.bytes.prefix(16), as: UTF8.self) {
    case "reply":
      return .reply(try Self.fields(body), attachments: Array(parts.dropFirst()))
    case "events":
      return .events(body)
    case "alive":
      return .alive(sequence: try WireReply.count(Self.fields(body), "sequence"))
    case "end":
      let fields = try Self.fields(body)
      var reason = ""
      if case .string(let said) = fields["reason"] {
        reason = String(said.prefix(WireReply.reasonMax))
      }
      return .end(sequence: try WireReply.count(fields, "sequence"), reason: reason)
    case let name:
      throw .badMessage("a message named '\(name)'")
    }
  }

  private static func fields(_ part: ReceivedPart) throws(WireError) -> [String: DocumentValue] {
    do throws(ControlRefusal) {
      return try [String: DocumentValue](json: part.bytes)
    } catch {
      throw .badMessage(error.description)
    }
  }
}
