// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import OrreryBase
import OrreryDocument
import OrreryWire

/// All open Foxglove clients, and what they are sent: the newest frame as they take it, small messages, and how the run
/// goes.
///
/// What others call may be called on any thread; everything else happens on the server's one.
package final class FoxgloveHub: @unchecked Sendable {
  /// What somebody could take now.
  package let demand = FoxgloveDemand()

  private let loop: any EventLoop
  private var clients: [ObjectIdentifier: FoxgloveClient] = [:]
  private var lastNumber = 0

  /// The run that is followed; nil before its first frame.
  private var run: FoxgloveRun?

  /// The newest message of each channel whose messages say everything.
  private var newest: [FoxgloveChannel: FoxgloveMessage] = [:]

  /// Where the run is, and how it goes.
  private var timeNs: UInt64 = 0
  private var state = PlaybackState()

  /// Asks the sim for something; nil: nothing can be asked for.
  var ask: ((ControlRequest) -> Void)?

  /// What is asked of the sim for a client.
  private struct Asked {
    let client: Int
    let request: PlaybackRequest
    let isLast: Bool
  }
  private var asked: [Int64: Asked] = [:]
  private var lastID: Int64 = 0

  init(loop: any EventLoop) { self.loop = loop }

  /// Clients that are open.
  var count: Int { clients.count }
}

// MARK: - From the run

extension FoxgloveHub {
  /// A run begins: its first frame has come.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - transform: Where points and views stand.
  package func begin(_ run: FoxgloveRun, transform: ByteBuffer) {
    loop.execute { [self] in
      self.run = run
      (timeNs, state, asked) = (run.zeroNs, PlaybackState(), [:])
      newest = [
        .transform: FoxgloveMessage(sequence: 1, timeNs: run.zeroNs, bytes: transform)
      ]
      for client in clients.values {
        client.begin(run)
        greet(client)
        client.offer(newest)
      }
      updateDemand()
    }
  }

  /// The newest frame of the run, or what was missing of it.
  ///
  /// - Parameters:
  ///   - sequence: Number of the frame.
  ///   - timeNs: Its scene time, in nanoseconds since 1970.
  ///   - messages: What was made of it.
  package func publish(
    sequence: UInt64, timeNs: UInt64, _ messages: [FoxgloveChannel: ByteBuffer]
  ) {
    loop.execute { [self] in
      sendTime(timeNs)
      // What is older is what somebody wanted once.
      newest = newest.filter { $0.key == .transform || $0.value.sequence >= sequence }
      for (channel, bytes) in messages {
        newest[channel] = FoxgloveMessage(sequence: sequence, timeNs: timeNs, bytes: bytes)
      }
      for client in clients.values { client.offer(newest) }
      updateDemand()
    }
  }

  /// A message that says something of its own; one whose socket is full does not get it.
  package func send(_ bytes: ByteBuffer, of channel: FoxgloveChannel) {
    loop.execute { [self] in
      let message = FoxgloveMessage(timeNs: timeNs, bytes: bytes)
      for client in clients.values { client.send(message, of: channel) }
    }
  }

  private func sendTime(_ timeNs: UInt64) {
    guard timeNs != self.timeNs else { return }
    self.timeNs = timeNs
    let bytes = Self.time(timeNs)
    for client in clients.values { client.send(binary: bytes) }
  }

  private static func time(_ timeNs: UInt64) -> ByteBuffer {
    var bytes = ByteBuffer()
    bytes.writeInteger(UInt8(2))
    bytes.writeInteger(timeNs, endianness: .little)
    return bytes
  }

  /// The run is over.
  func finish() {
    (ask, asked) = (nil, [:])
    state.status = .ended
    sendState()
  }

  /// Ends all connections.
  func closeAll() -> [EventLoopFuture<Void>] { clients.values.map { $0.close(.goingAway) } }

  /// Ends the connections of those who read nothing.
  func closeStalled(nowNs: UInt64) {
    for client in clients.values { _ = client.closeIfStalled(nowNs: nowNs) }
  }

  private func updateDemand() {
    demand.set(clients.values.flatMap(\.wanted), clientCount: clients.count)
  }
}

// MARK: - From clients

extension FoxgloveHub: SocketHub {
  func open(_ channel: any Channel, _ head: HTTPRequestHead) {
    guard
      let subprotocol = FoxgloveSubprotocol(offers: head.headers["sec-websocket-protocol"])
    else { return channel.close(promise: nil) }
    lastNumber += 1
    let client = FoxgloveClient(number: lastNumber, channel: channel, subprotocol)
    client.whenWritten = { [weak self, weak client] in
      guard let self, let client else { return }
      client.offer(newest)
      updateDemand()
    }
    clients[ObjectIdentifier(channel)] = client
    client.begin(run)
    client.send(text: FoxgloveChannel.advertisement, isNeeded: true)
    if run != nil { greet(client) }
    updateDemand()
  }

  /// Says where the run is, and how it goes.
  private func greet(_ client: FoxgloveClient) {
    client.send(binary: Self.time(timeNs))
    sendState(to: client)
  }

  func close(_ channel: any Channel) {
    clients[ObjectIdentifier(channel)] = nil
    // While nobody looks, frames are not made: what is kept would be old when the next one comes.
    if clients.isEmpty { newest = newest.filter { $0.key == .transform } }
    updateDemand()
  }

  func receive(_ bytes: [UInt8], isText: Bool, from channel: any Channel) -> Bool {
    guard let client = clients[ObjectIdentifier(channel)] else { return true }
    guard client.countMessage() else {
      client.close(.policyViolation)
      return true
    }
    for effect in client.receive(bytes, isText: isText) {
      switch effect {
      case .subscribed: demand.countSubscription()
      case .play(let request): play(request, for: client)
      case .refuse: break
      }
    }
    client.offer(newest)
    updateDemand()
    return true
  }
}

// MARK: - Steering

extension FoxgloveHub {
  private func play(_ request: PlaybackRequest, for client: FoxgloveClient) {
    guard let run, run.canSteer(client.subprotocol), let ask else {
      let isOver = state.status == .ended
      return client.refuse(isOver ? "the run is over" : "this run cannot be steered from here")
    }
    let verbs = Self.verbs(of: request, speed: state.speed, zeroNs: run.zeroNs)
    for (index, (verb, fields)) in verbs.enumerated() {
      lastID += 1
      asked[lastID] = Asked(
        client: client.number, request: request, isLast: index == verbs.count - 1)
      ask(ControlRequest(verb: verb, id: lastID, fields: fields))
    }
  }

  /// What a playback request is for the sim: it pauses before it seeks, and goes on after that.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - speed: The run's.
  ///   - zeroNs: Scene time 0, in nanoseconds since 1970.
  /// - Returns: Verbs and their fields, in order.
  package static func verbs(
    of request: PlaybackRequest, speed: Float, zeroNs: UInt64
  ) -> [(verb: ControlVerb, fields: [String: DocumentValue])] {
    var verbs: [(verb: ControlVerb, fields: [String: DocumentValue])] = []
    if !request.plays { verbs.append((.pause, [:])) }
    if request.speed != speed { verbs.append((.speed, ["factor": .number(Double(request.speed))])) }
    if let seekNs = request.seekNs {
      let seconds = Double(max(seekNs, zeroNs) - zeroNs) / 1e9
      verbs.append((.seek, ["seconds": .number(seconds)]))
    }
    if request.plays { verbs.append((.resume, [:])) }
    return verbs
  }

  /// The sim's answer to a request.
  func answer(_ reply: ControlReply, id: Int64) {
    guard let asked = asked.removeValue(forKey: id) else { return }
    let client = clients.values.first { $0.number == asked.client }
    switch reply {
    case .done(let fields, _):
      note(fields)
      // The answer may be here before the frame that it speaks of.
      if let seconds = fields["seconds"]?.number, let run, (0...1e9).contains(seconds) {
        sendTime(run.zeroNs &+ UInt64((seconds * 1e9).rounded()))
      }
    case .refused(let reason): client?.refuse(reason)
    }
    guard asked.isLast else { return }
    sendState(didSeek: asked.request.seekNs != nil, answers: asked)
  }

  /// The sim's answer to `stats`.
  func note(stats: [String: DocumentValue]) {
    let before = state
    note(stats)
    // Somebody else has steered the run.
    if state != before, asked.isEmpty { sendState() }
  }

  private func note(_ fields: [String: DocumentValue]) {
    guard ask != nil else { return }
    if let isPaused = fields["paused"]?.bool { state.status = isPaused ? .paused : .playing }
    if let speed = fields["speed"]?.number { state.speed = Float(speed) }
  }

  private func sendState(didSeek: Bool = false, answers asked: Asked? = nil) {
    for client in clients.values {
      let id = asked.flatMap { $0.client == client.number ? $0.request.id : nil }
      sendState(to: client, didSeek: didSeek, answers: id ?? "")
    }
  }

  private func sendState(
    to client: FoxgloveClient, didSeek: Bool = false, answers id: String = ""
  ) {
    guard run?.canSteer(client.subprotocol) == true else { return }
    client.send(binary: state.bytes(timeNs: timeNs, didSeek: didSeek, answers: id))
  }
}
