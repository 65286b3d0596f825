// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: whatever clients send, the sim goes on, its memory stays bounded, and honest subscribers get every
/// frame.
///
/// Method: attacks over raw TCP, while a subscriber follows a run that a thread publishes.
@Suite struct HostileClientTests {
  /// Memory that an attack may cost.
  private static let bytesMost: UInt64 = 64 << 20

  /// Memory of this process now.
  private static func residentBytes() -> UInt64 {
    let fields = (SmallFile.read("/proc/self/statm") ?? "").split(separator: " ")
    return (fields.count > 1 ? UInt64(fields[1]) ?? 0 : 0) * UInt64(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Runs an attack while an honest subscriber follows.
  private static func underAttack(_ attack: (UInt16, ServedRun) throws -> Void) throws {
    // Two seconds of frames: a busy machine does not make the reader miss one.
    let run = try ServedRun(slots: 1024, spares: 64)
    let port = try WireEndpoint(#require(run.server.endpoint)).port
    let subscription = try run.join()
    let before = residentBytes()
    let isOver = Flag()
    defer { isOver.set() }
    let publishing = try TestThread("the run's end") {
      while !isOver.isSet {
        run.publish()
        usleep(2000)
      }
      run.end()
    }
    let handed = Handed(subscription)
    let end = Monitor<SubscriptionEvent>(.idle)
    let reading = try TestThread("the honest subscriber's end") {
      let event = handed.value.readToEnd()
      end.change { $0 = event }
    }
    // The threads are ended also when the attack fails.
    let outcome = Result { try attack(port, run) }
    let after = residentBytes()
    // An attack can be over before the first frame has come.
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 200_000_000)
    isOver.set()
    try publishing.join()
    try reading.join()
    try outcome.get()
    let losses = subscription.losses
    #expect(end.read { $0 } == .ended)
    #expect(subscription.isExact)
    #expect(losses.receivedCount > 0, "\(losses)")
    #expect(losses.missedCount == 0, "\(losses)")
    #expect(isSanitized || after < before + bytesMost, "\(before) bytes grew to \(after)")
  }

  /// A value that is used by one thread at a time.
  private struct Handed<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  @Test func fault14GarbageIsHungUpOn() throws {
    try Self.underAttack { port, run in
      var random = SeededRandom(seed: 14)
      for round in 0..<100 * testEffort {
        let peer = RawPeer(port: port)
        if round % 8 < 4 { #expect(peer.shakeHands()) }
        var bytes = round % 2 == 0 ? RawPeer.greeting : []
        if round % 4 == 0 {
          bytes = Array(bytes.prefix(.random(in: 0...bytes.count, using: &random)))
        }
        for _ in 0..<Int.random(in: 1...600, using: &random) {
          bytes.append(.random(in: .min ... .max, using: &random))
        }
        peer.send(bytes)
      }
      try waitUntil("a refused connection") { run.server.counts.refusedConnections > 0 }
    }
  }

  @Test func fault14LengthsThatCannotBeAreHungUpOn() throws {
    try Self.underAttack { port, _ in
      for length in [1 << 40, UInt64(Int64.max), .max, 65_537, 1 << 31] {
        let peer = RawPeer(port: port)
        #expect(peer.shakeHands())
        #expect(peer.send(RawPeer.head(bytes: length, hasMore: false)))
        #expect(peer.isHungUpOn, "\(length)")
      }
    }
  }

  @Test func fault14SlowGreetingIsHungUpOn() throws {
    try Self.underAttack { port, _ in
      let peers = (0..<20).map { _ in RawPeer(port: port) }
      for byte in RawPeer.greeting.prefix(10) {
        for peer in peers { peer.send([byte]) }
        usleep(50_000)
      }
      for peer in peers { #expect(peer.isHungUpOn) }
    }
  }

  @Test func fault14MessageThatNeverEndsIsHungUpOn() throws {
    try Self.underAttack { port, _ in
      let peer = RawPeer(port: port)
      let part = RawPeer.head(bytes: 60_000, hasMore: true) + [UInt8](repeating: 7, count: 60_000)
      #expect(peer.shakeHands())
      var sentBytes = 0
      // Four gigabytes, if they were taken.
      while sentBytes < 4 << 30, peer.send(part) { sentBytes += part.count }
      #expect(sentBytes < 4 << 30)
    }
  }

  @Test func fault14FloodOfRequestsDelaysNobody() throws {
    try Self.underAttack { port, run in
      let request = Array(#"{"do":"join","id":1,"frames":"none"}"#.utf8)
      let message = [0, UInt8(request.count)] + request
      let flood = Array([[UInt8]](repeating: message, count: 1000).joined())
      let peers = (0..<4).map { _ in RawPeer(port: port) }
      for peer in peers { #expect(peer.shakeHands()) }
      for _ in 0..<20 * testEffort { for peer in peers { peer.send(flood) } }
      try waitUntil("an ignored request") { run.server.counts.ignoredRequests > 0 }
    }
  }

  /// A heartbeat that ZeroMQ has read of a broken connection aborts the process, if a full queue made it stop reading.
  @Test func fault14FloodThatBreaksOffHarmsNobody() throws {
    try Self.underAttack { port, _ in
      let request = Array(#"{"do":"join","id":1,"frames":"none"}"#.utf8)
      let message = [0, UInt8(request.count)] + request
      let flood = Array([[UInt8]](repeating: message, count: 150).joined()) + RawPeer.ping
      for _ in 0..<50 * testEffort {
        let peers = (0..<4).map { _ in RawPeer(port: port) }
        for peer in peers where peer.shakeHands() { peer.breakOffAtEnd() }
        for peer in peers { peer.send(flood + flood + flood) }
        usleep(2000)
      }
    }
  }

  @Test func fault14FloodOfConnectionsIsBounded() throws {
    try Self.underAttack { port, _ in
      for _ in 0..<3 * testEffort {
        let peers = (0..<300).map { _ in RawPeer(port: port) }
        for peer in peers { peer.send(RawPeer.greeting) }
        usleep(100_000)
        withExtendedLifetime(peers) {}
      }
    }
  }

  @Test func connectionsOverTheLimitAreHungUpOn() throws {
    let run = try ServedRun()
    let port = try WireEndpoint(#require(run.server.endpoint)).port
    // One after the other: who does not say hello within a second is refused for that.
    var strangers: UInt64 = 0
    let peers = (0..<300).map { _ in
      let peer = RawPeer(port: port)
      strangers += peer.shakeHands() ? 0 : 1
      return peer
    }
    let over = UInt64(peers.count - ConnectionGuard.connectionMax)
    #expect(strangers <= over, "as many as the limit have shaken hands")
    try waitUntil("\(over) connections to be refused") {
      run.server.counts.refusedConnections >= over
    }
    withExtendedLifetime(peers) {}
  }

  @Test func fault14SubscribersAreCounted() throws {
    try Self.underAttack { _, run in
      let clients = try (0..<70).map { _ in try ControlClient(run.address()) }
      var refusedCount = 0
      for client in clients {
        do throws(WireError) {
          _ = try client.ask(.join, ["frames": .string("none")])
        } catch {
          #expect(error == .refused(reason: "64 subscribers are there"))
          refusedCount += 1
        }
      }
      #expect(refusedCount == 7)
    }
  }
}
