// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import OrreryBase
import OrreryDocument
import OrreryWire

/// All open pages, and what they are sent: frames as their credit allows, and texts.
///
/// What others call may be called on any thread; everything else happens on the server's one.
package final class LiveHub: @unchecked Sendable {
  /// Which frames somebody could take now.
  package let demand = FrameDemand()

  /// Pages and Foxglove clients that may be open at a time.
  package let clientsMax: Int

  /// Foxglove clients, which count as pages do.
  package let foxglove: FoxgloveHub

  private let loop: any EventLoop
  private var clients: [ObjectIdentifier: LiveClient] = [:]
  private var lastNumber = 0

  /// The run that is followed; nil before the first.
  private(set) var scene: LiveScene?

  /// How it ended; nil while it goes on.
  private var end: RunEnd?

  /// The newest frame of each encoding.
  private var newest: [LiveFrame] = []

  /// What the subscription received and missed.
  private var losses = (received: UInt64(0), missed: UInt64(0))

  /// The sim's last answer to `stats`.
  private var stats: DocumentTable?

  /// Takes requests of pages: on the server's thread, with the page's number.
  private var requests: (ControlRequest, _ client: Int) -> Void = { _, _ in }

  /// Whom requests of Foxglove clients are answered to; pages have numbers from 1.
  private static let foxgloveNumber = 0

  /// Pages that are open, for other threads.
  private let openCount = Monitor(0)

  /// Memory that a page may need beside frames, in bytes: what waits in its connection, and what it asks for.
  private static let clientBytes = 1 << 20

  /// Frames for which a page may need memory: one that it does not read, the next one in its place, and its changes.
  private static let clientFrames = 3

  /// How often pages get figures, in milliseconds.
  private static let statusMs: Int64 = 500

  /// A hub without pages.
  package init(loop: any EventLoop, clientsMax: Int) {
    (self.loop, self.clientsMax) = (loop, clientsMax)
    foxglove = FoxgloveHub(loop: loop)
    loop.scheduleRepeatedTask(
      initialDelay: .milliseconds(Self.statusMs), delay: .milliseconds(Self.statusMs)
    ) { [weak self] task in
      guard let self else { return task.cancel() }
      sendStatus()
    }
  }
}

// MARK: - From the run

extension LiveHub {
  /// A run begins: pages get its scene.
  package func begin(
    _ scene: LiveScene, requests: @escaping @Sendable (ControlRequest, _ client: Int) -> Void
  ) {
    loop.execute { [self] in
      (self.scene, self.requests) = (scene, requests)
      (end, newest, stats, losses) = (nil, [], nil, (0, 0))
      foxglove.ask = scene.isSteered ? { requests($0, Self.foxgloveNumber) } : nil
      for client in clients.values {
        client.beginRun()
        greet(client)
      }
      updateDemand()
    }
  }

  /// A frame of the run; pages that cannot take it now get the newest one when they can.
  package func publish(_ frames: [LiveFrame]) {
    loop.execute { [self] in
      for frame in frames {
        newest.removeAll { $0.isExact == frame.isExact }
        newest.append(frame)
      }
      for client in clients.values { offerNewest(to: client) }
      updateDemand()
    }
  }

  /// What the subscription has received and missed so far.
  package func account(received: UInt64, missed: UInt64) {
    loop.execute { self.losses = (received, missed) }
  }

  /// A text for all pages; one whose socket is full does not get it.
  package func send(_ fields: [String: DocumentValue]) {
    let text = fields.json
    loop.execute { for client in self.clients.values { client.send(text: text) } }
  }

  /// The sim's answer to `stats`.
  package func send(stats: [String: DocumentValue]) {
    loop.execute {
      self.stats = DocumentTable(stats)
      self.foxglove.note(stats: stats)
    }
    send(["stats": .table(DocumentTable(stats))])
  }

  /// The answer to a page's request.
  package func answer(_ reply: ControlReply, id: Int64, to client: Int) {
    let text = reply.json(id: id)
    loop.execute {
      guard client != Self.foxgloveNumber else { return self.foxglove.answer(reply, id: id) }
      self.clients.values.first { $0.number == client }?.send(text: text, isNeeded: true)
    }
  }

  /// The run is over: each page gets its last frame, whatever its credit, unless its socket takes nothing.
  package func finish(_ end: RunEnd) {
    loop.execute { [self] in
      self.end = end
      requests = { _, _ in }
      foxglove.finish()
      for client in clients.values {
        if client.stalledSinceNs == nil, let frame = newest(for: client),
          frame.sequence > client.credit.last
        {
          client.send(frame)
        }
        client.send(text: Self.text(of: end), isNeeded: true)
      }
    }
  }

  /// Ends all connections, once what was sent last has left.
  ///
  /// - Parameter done: Called on the server's thread when all are closed.
  package func closeAll(_ done: @escaping @Sendable () -> Void) {
    loop.execute { [self] in
      let closing = clients.values.map { $0.close(.goingAway) } + foxglove.closeAll()
      EventLoopFuture.andAllComplete(closing, on: loop).whenComplete { _ in done() }
    }
  }

  /// Whether a page is open, or a Foxglove client; asked for on any thread.
  package var hasClients: Bool { foxglove.demand.hasClients || openCount.read { $0 > 0 } }
}

// MARK: - From pages

extension LiveHub: SocketHub {
  /// Why no other page may open; nil: one may.
  var refusal: String? {
    guard clients.count + foxglove.count < clientsMax else {
      return "\(clientsMax) pages are open; --clients allows more"
    }
    let frameBytes = newest.map(\.bytes.storageCapacity).max() ?? 0
    return MemoryLimit.hasRoom(for: Self.clientBytes + Self.clientFrames * frameBytes)
      ? nil : "no memory for another page" + MemoryLimit.note
  }

  /// A page has opened.
  func open(_ channel: any Channel, _ head: HTTPRequestHead) {
    lastNumber += 1
    let client = LiveClient(number: lastNumber, channel: channel)
    clients[ObjectIdentifier(channel)] = client
    client.whenWritten = { [weak self, weak client] in
      guard let self, let client else { return }
      offerNewest(to: client)
      updateDemand()
    }
    greet(client)
    offerNewest(to: client)
    updateDemand()
  }

  /// A page has closed.
  func close(_ channel: any Channel) {
    clients[ObjectIdentifier(channel)] = nil
    updateDemand()
  }

  /// A page says something.
  func receive(_ json: [UInt8], isText: Bool, from channel: any Channel) -> Bool {
    guard isText else { return false }
    if let client = clients[ObjectIdentifier(channel)] { receive(json, from: client) }
    return true
  }

  private func receive(_ json: [UInt8], from client: LiveClient) {
    guard client.countMessage() else { return refuse(client) }
    do throws(ControlRefusal) {
      receive(try PageMessage(json: json), from: client)
    } catch {
      guard let id = error.id else { return refuse(client) }
      client.send(text: ControlReply.refused(error.description).json(id: id), isNeeded: true)
    }
  }

  /// Ends the connection of a page that says what no page says.
  private func refuse(_ client: LiveClient) { client.close(.policyViolation) }

  private func receive(_ message: PageMessage, from client: LiveClient) {
    switch message {
    case .drawn(let sequence, let run):
      // What comes late from the run before says nothing of this one.
      guard run == scene?.number else { return }
      guard client.credit.acknowledge(sequence) else { return refuse(client) }
      offerNewest(to: client)
    case .clock(let time):
      client.send(
        text: ["clock": .number(time), "us": .integer(clockUs)].json, isNeeded: true)
    case .exact(let isExact):
      client.wantsExact = isExact
      offerNewest(to: client)
    case .figures(let figures): client.figures = figures
    case .request(let request):
      guard end == nil, scene?.isSteered == true else {
        let reason = end == nil ? "this run cannot be steered from here" : "the run is over"
        client.send(text: ControlReply.refused(reason).json(id: request.id), isNeeded: true)
        return
      }
      requests(request, client.number)
    }
    updateDemand()
  }

  /// The time by the clock that dates frames, in microseconds since 1970.
  private var clockUs: Int64 {
    (Int64(clamping: Clock.monotonicNs()) + (scene?.clockOffsetNs ?? 0)) / 1000
  }
}

// MARK: - To pages

extension LiveHub {
  /// What is known of the run and of the pages, as JSON.
  var report: [UInt8] {
    let pages = clients.values.sorted { $0.number < $1.number }.map { client in
      var fields = Self.fields(of: client)
      fields["page"] = .integer(Int64(client.number))
      if let figures = client.figures { fields["figures"] = .table(figures.fields) }
      return DocumentValue.table(DocumentTable(fields))
    }
    var fields: [String: DocumentValue] = [
      "pages": .array(DocumentArray(pages)), "received": .count(losses.received),
      "missed": .count(losses.missed), "foxglove": .integer(Int64(foxglove.count)),
    ]
    if let scene { fields["run"] = .string(scene.run) }
    if let stats { fields["stats"] = .table(stats) }
    if let end { fields["end"] = .string(end.rawValue) }
    return fields.json
  }

  private func greet(_ client: LiveClient) {
    guard let scene else {
      return client.send(text: ["waiting": .bool(true)].json, isNeeded: true)
    }
    client.send(
      text: [
        "scene": .integer(Int64(scene.number)), "run": .string(scene.run),
        "local": .bool(scene.isLocal), "steered": .bool(scene.isSteered),
      ].json, isNeeded: true)
    if let stats { client.send(text: ["stats": .table(stats)].json, isNeeded: true) }
    if let end { client.send(text: Self.text(of: end), isNeeded: true) }
  }

  private static func text(of end: RunEnd) -> [UInt8] { ["end": .string(end.rawValue)].json }

  private func offerNewest(to client: LiveClient) {
    guard client.isFree, let frame = newest(for: client), client.credit.takes(frame.sequence) else {
      return
    }
    client.send(frame)
  }

  private func newest(for client: LiveClient) -> LiveFrame? {
    newest.first { $0.isForAll || $0.isExact == client.wantsExact }
  }

  private func updateDemand() {
    let free = clients.values.filter(\.isFree)
    let exact = free.count(where: \.wantsExact)
    demand.set(compact: free.count - exact, exact: exact)
    openCount.change { $0 = clients.count }
  }

  private func sendStatus() {
    let nowNs = Clock.monotonicNs()
    foxglove.closeStalled(nowNs: nowNs)
    for client in clients.values {
      guard !client.closeIfStalled(nowNs: nowNs) else { continue }
      var fields = Self.fields(of: client)
      fields["received"] = .count(losses.received)
      fields["missed"] = .count(losses.missed)
      fields["pages"] = .integer(Int64(clients.count))
      client.send(text: ["status": .table(DocumentTable(fields))].json)
    }
  }

  private static func fields(of client: LiveClient) -> [String: DocumentValue] {
    [
      "bytes": .count(client.byteCount), "sent": .count(client.credit.sentCount),
      "skipped": .count(client.credit.skippedCount),
    ]
  }
}
