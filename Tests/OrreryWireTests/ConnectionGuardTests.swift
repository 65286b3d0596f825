// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: a connection is ended when far more has come over it than its messages, or when it was dismissed, and no
/// sooner: to the byte and to the nanosecond.
///
/// Method: bound sockets that no thread serves, raw connections to them, and times that are made up.
@Suite struct ConnectionGuardTests {
  private static let second: UInt64 = 1_000_000_000

  /// When connections are noticed.
  private static let openedNs = 5 * second

  /// What may have come at the beginning of the third second and be no message: 8 MiB, and a heartbeat a second.
  private static let limitBytes = 8 << 20 + 3 * 256

  private struct Stage {
    let base: TemporaryBase
    let lock: RunLock
    let sockets: WireSockets
    let port: UInt16
    var connections: ConnectionGuard { sockets.connections }

    init() throws {
      base = try TemporaryBase()
      lock = try RunLock(RunDirectory(name: "test", base: base.path))
      var options = WireOptions()
      options.listen = try WireEndpoint("tcp://127.0.0.1:0")
      sockets = try WireSockets(directory: lock.directory, options: options)
      port = try WireEndpoint(#require(sockets.endpoint)).port
    }

    /// A connection that has shaken hands and is noticed.
    func peer() throws -> RawPeer {
      let peer = RawPeer(port: port)
      try #require(peer.shakeHands())
      try waitUntil("the connection to be noticed") {
        _ = connections.readEvents(nowNs: ConnectionGuardTests.openedNs)
        return connections.isWatching
      }
      return peer
    }

    /// Takes one request that a peer sends.
    func request(of peer: RawPeer) throws -> WireRequest {
      peer.send([0, 3] + [1, 2, 3])
      var request: WireRequest?
      try waitUntil("a request") {
        request = sockets.router.receiveRequest()
        return request != nil
      }
      return try #require(request)
    }
  }

  /// So many bytes of a message that does not end.
  private static func endless(_ count: Int) -> [UInt8] {
    let part = RawPeer.head(bytes: 60_000, hasMore: true) + [UInt8](repeating: 7, count: 60_000)
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += part }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  @Test func whoSendsMoreThanArrivesIsHungUpOn() throws {
    let stage = try Stage()
    let helloBytes = RawPeer.greeting.count + RawPeer.ready.count
    let nowNs = Self.openedNs + 2 * Self.second
    // One at the limit, one whose messages have arrived and count twice, and one that is a byte over it.
    let quiet = try stage.peer()
    let served = try stage.peer()
    let loud = try stage.peer()
    let request = try stage.request(of: served)
    #expect(request.bytes == [1, 2, 3])
    #expect(!request.isLocal)
    #expect(request.key == nil)
    stage.connections.deliver(1_000, over: request.descriptor)
    #expect(quiet.send(Self.endless(Self.limitBytes - helloBytes)))
    #expect(served.send(Self.endless(Self.limitBytes + 2_000 - helloBytes - 5)))
    #expect(loud.send(Self.endless(Self.limitBytes + 1 - helloBytes)))
    try waitUntil("the loud one to be hung up on") {
      stage.connections.enforceLimits(nowNs: nowNs)
      return stage.connections.refusedCount > 0
    }
    #expect(loud.isHungUpOn)
    for _ in 0..<20 {
      stage.connections.enforceLimits(nowNs: nowNs)
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 1_000_000)
    }
    #expect(stage.connections.refusedCount == 1)
    // A byte more.
    served.send([0])
    try waitUntil("the served one to be hung up on") {
      stage.connections.enforceLimits(nowNs: nowNs)
      return stage.connections.refusedCount == 2
    }
    #expect(served.isHungUpOn)
    // A nanosecond earlier it was a heartbeat too many.
    try waitUntil("the quiet one to be hung up on") {
      stage.connections.enforceLimits(nowNs: nowNs - 1)
      return stage.connections.refusedCount == 3
    }
    #expect(quiet.isHungUpOn)
    #expect(!stage.connections.isWatching)
  }

  @Test func whoIsDismissedHasASecond() throws {
    let stage = try Stage()
    let peer = try stage.peer()
    let other = try stage.peer()
    let descriptor = try stage.request(of: peer).descriptor
    stage.connections.dismiss(descriptor, nowNs: Self.openedNs)
    stage.connections.enforceLimits(nowNs: Self.openedNs + Self.second - 1)
    #expect(stage.connections.refusedCount == 0)
    stage.connections.enforceLimits(nowNs: Self.openedNs + Self.second)
    #expect(stage.connections.refusedCount == 1)
    #expect(peer.isHungUpOn)
    // The other one stays.
    #expect(stage.connections.isWatching)
    // Nobody has this descriptor; nothing happens.
    stage.connections.dismiss(-1, nowNs: 0)
    stage.connections.deliver(1, over: -1)
    stage.connections.enforceLimits(nowNs: Self.openedNs + Self.second)
    #expect(stage.connections.refusedCount == 1)
    withExtendedLifetime(other) {}
  }

  /// A connection that has ended by itself is forgotten, and is no refusal.
  @Test(arguments: [false, true])
  func whoHangsUpIsForgotten(isHeardOf: Bool) throws {
    let stage = try Stage()
    _ = try stage.peer()
    try waitUntil("the connection to be forgotten") {
      if isHeardOf {
        _ = stage.connections.readEvents(nowNs: Self.openedNs)
      } else {
        // Its descriptor is closed, or another's by now.
        stage.connections.enforceLimits(nowNs: Self.openedNs)
      }
      return !stage.connections.isWatching
    }
    #expect(stage.connections.refusedCount == 0)
  }

  @Test func whoDoesNotShakeHandsIsRefused() throws {
    let stage = try Stage()
    let peer = RawPeer(port: stage.port)
    // A mechanism that nobody knows.
    var greeting = RawPeer.greeting
    greeting.replaceSubrange(12..<16, with: Array("NONE".utf8))
    peer.send(greeting)
    try waitUntil("the refusal") {
      _ = stage.connections.readEvents(nowNs: Self.openedNs)
      return stage.connections.refusedCount == 1 && !stage.connections.isWatching
    }
    #expect(peer.isHungUpOn)
    #expect(!stage.connections.readEvents(nowNs: Self.openedNs))
  }

  // MARK: - Requests

  @Test func requestByTheRunDirectoryIsLocal() throws {
    let stage = try Stage()
    let dealer = try RawDealer(.run(stage.lock.directory))
    dealer.send([[1, 2], [3], [4]])
    dealer.send([[5]])
    var requests: [WireRequest] = []
    try waitUntil("two requests") {
      if let request = stage.sockets.router.receiveRequest() { requests.append(request) }
      return requests.count == 2
    }
    // What is read is one part; the others are gone, and the next request is whole.
    #expect(requests.map(\.bytes) == [[1, 2], [5]])
    #expect(requests.map(\.hasMore) == [true, false])
    #expect(requests.map(\.isLocal) == [true, true])
    #expect(requests.map(\.key) == [nil, nil])
    #expect(requests[0].peer == requests[1].peer)
    #expect(requests[0].descriptor >= 0)
    #expect(requests[0].descriptor == requests[1].descriptor)
    let isMore = stage.sockets.router.receiveRequest() != nil
    #expect(!isMore)
  }
}
