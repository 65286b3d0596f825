// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: what is sent is counted from when it is handed over until the last one that holds it lets go, whether it could
/// be sent or not.
///
/// Method: parts whose memory the test holds itself, then a router whose only client takes nothing.
@Suite struct MessagePartTests {
  /// A window in which a message counts as a thousand bytes at least.
  private static func window() throws -> SendWindow {
    SendWindow(windowBytes: 1_024_000, messageBytes: 0, waker: try Waker(path: "test"))
  }

  private static func sendBuffers(
    _ bytes: [UInt8], _ window: SendWindow
  ) -> (SendBuffer, SendBuffer) {
    let part = MessagePart(bytes, window: window)
    return (part.sendBuffer, part.sendBuffer)
  }

  @Test func partIsCountedWhileAnybodyHoldsIt() throws {
    let window = try Self.window()
    let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0) }
    let (first, second) = Self.sendBuffers(bytes, window)
    #expect(window.bytes == 5_000)
    let isRight = Array(first.bytes) == bytes && Array(second.bytes) == bytes
    #expect(isRight)
    first.drop()
    #expect(window.bytes == 5_000)
    #expect(window.releasedCount == 0)
    second.drop()
    #expect(window.bytes == 0)
    #expect(window.releasedCount == 1)
  }

  @Test func emptyPartCountsAsTheShortest() throws {
    let window = try Self.window()
    let (first, second) = Self.sendBuffers([], window)
    #expect(first.bytes.isEmpty)
    #expect(window.bytes == 1_000)
    first.drop()
    second.drop()
    #expect(window.bytes == 0)
  }

  @Test func memoryThatIsFilledInPartIsSentInPart() throws {
    let window = try Self.window()
    let filled = MessagePart(capacity: 4_000, window: window) { memory -> Int? in
      guard memory.count == 4_000 else { return nil }
      for index in 0..<2_500 { memory[index] = UInt8(truncatingIfNeeded: index) }
      return 2_500
    }
    guard let part = filled else {
      Issue.record("no part")
      return
    }
    let sendBuffer = part.sendBuffer
    #expect(Array(sendBuffer.bytes) == (0..<2_500).map { UInt8(truncatingIfNeeded: $0) })
    #expect(window.bytes == 2_500)
    sendBuffer.drop()
    withExtendedLifetime(part) {}
  }

  @Test func partThatCannotBeFilledIsNone() throws {
    let window = try Self.window()
    let part = MessagePart(capacity: 10, window: window) { _ -> Int? in nil }
    let isThere = part != nil
    #expect(!isThere)
    #expect(window.bytes == 0)
    #expect(window.releasedCount == 0)
  }

  // MARK: - Sending

  /// A router that no thread serves, and one client of it.
  private struct Stage {
    let base: TemporaryBase
    let lock: RunLock
    let sockets: WireSockets
    var client: RawDealer?

    var router: Socket { sockets.router }

    init() throws {
      base = try TemporaryBase()
      lock = try RunLock(RunDirectory(name: "test", base: base.path))
      sockets = try WireSockets(directory: lock.directory, options: WireOptions())
      client = try RawDealer(.run(lock.directory))
    }

    /// The client's address, once it has said something.
    func peer() throws -> [UInt8] {
      client?.send([[0]])
      var request: WireRequest?
      try waitUntil("the client's word") {
        request = router.receiveRequest()
        return request != nil
      }
      return try #require(request).peer
    }
  }

  /// Sends parts that nobody else holds.
  private static func send(
    _ parts: [[UInt8]], _ window: SendWindow, _ router: Socket, to peer: [UInt8]
  ) -> Socket.Sending {
    router.send(parts.map { MessagePart($0, window: window) }, to: peer)
  }

  /// A request without a byte is one, too: its sender is to learn what is wrong with it.
  @Test func emptyRequestIsReceived() throws {
    let stage = try Stage()
    stage.client?.send([[]])
    stage.client?.send([[5]])
    var requests: [[UInt8]] = []
    try waitUntil("the last request") {
      if let request = stage.router.receiveRequest() { requests.append(request.bytes) }
      return requests.last == [5]
    }
    #expect(requests == [[], [5]])
  }

  @Test func messageArrivesPartByPart() throws {
    let window = try Self.window()
    let stage = try Stage()
    let peer = try stage.peer()
    let messageParts = [MessagePart([1]), MessagePart([2, 3], window: window), MessagePart([])]
    let sent = stage.router.send(messageParts, to: peer)
    #expect(sent == .sent)
    #expect(stage.client?.receive() == [[1], [2, 3], []])
    let alone = stage.router.send(MessagePart([4, 5], window: window).sendBuffer, to: peer)
    #expect(alone == .sent)
    #expect(stage.client?.receive() == [[4, 5]])
    withExtendedLifetime(messageParts) {}
    // The array's part is held by this test alone from then on.
    try waitUntil("the memory to be let go") { window.releasedCount > 0 }
  }

  @Test func whatCannotBeSentIsLetGo() throws {
    let window = try Self.window()
    var stage = try Stage()
    let peer = try stage.peer()
    let nobody = [9, 9, 9] as [UInt8]
    #expect(Self.send([[1], [2]], window, stage.router, to: nobody) == .gone)
    let alone = stage.router.send(MessagePart([1], window: window).sendBuffer, to: nobody)
    #expect(alone == .gone)
    #expect(window.bytes == 0)
    #expect(window.releasedCount == 3)
    // The client takes nothing: its queue, the kernel's and the router's get full.
    let bytes = [UInt8](repeating: 7, count: 4_096)
    var (sending, count) = (Socket.Sending.sent, 0)
    while sending == .sent, count < 50_000 {
      sending = stage.router.send([MessagePart(bytes, window: window)], to: peer)
      count += 1
    }
    #expect(sending == .full, "after \(count) messages")
    #expect(count > 2_000)
    // ZeroMQ's thread may have made room meanwhile.
    let more = stage.router.send(MessagePart(bytes, window: window).sendBuffer, to: peer)
    #expect(more != .gone)
    stage.client = nil
    let router = stage.router
    try waitUntil("the client's absence to be noticed") {
      // A peer is gone when what it said has been read to its end.
      _ = router.receiveParts(limit: 1)
      return router.send([MessagePart([1], window: window)], to: peer) == .gone
    }
    try waitUntil("the memory to be let go") {
      // ZeroMQ tidies up when it is asked something.
      _ = router.receiveParts(limit: 1)
      return window.bytes == 0
    }
  }

  /// Only as many parts are kept as are asked for, and the next message begins with its first.
  @Test func partsBeyondTheLimitAreThrownAway() throws {
    let stage = try Stage()
    let peer = try stage.peer()
    #expect(stage.router.receiveParts(limit: 2) == nil)
    stage.client?.send([[1], [2], [3]])
    stage.client?.send([[4]])
    var messages: [[[UInt8]]] = []
    try waitUntil("two messages") {
      if let parts = stage.router.receiveParts(limit: 2) { messages.append(parts) }
      return messages.count == 2
    }
    // The sender's address is the first part.
    #expect(messages == [[peer, [1]], [peer, [4]]])
  }
}
