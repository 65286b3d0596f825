// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import Glibc
import OrreryBase
import OrreryFrame
import TestSupport
import Testing

/// Goal: a subscriber that prepares has the ring and costs nobody anything; it is counted from the frame after it is ready.
///
/// Method: rings that are served; guests that join, leave, and break the rules.
@Suite struct JoinGuestTests {
  private static func guest(_ ring: ServedRing, _ name: String = "guest") throws -> JoinGuest {
    try JoinGuest(JoinConnection(ring.directory), name: name)
  }

  @Test func guestIsNotCounted() throws {
    let ring = try ServedRing()
    ring.writer.publishNext()
    let guest = try Self.guest(ring)
    #expect(guest.reader.published == 1)
    #expect(guest.reader.generation == ring.writer.generation)
    #expect(ring.subscribers.joinedCount == 0)
    #expect(ring.subscribers.read { $0.audience } == Audience())
    let report = try #require(ring.report("guest"))
    #expect(report.isPreparing && report.reading == nil && report.waiting == nil)
    #expect(!report.isFinal(newest: 1), "its last account is still to come")
  }

  @Test func subscriberIsCountedOnceItIsReady() throws {
    let ring = try ServedRing()
    ring.writer.publishNext()
    let guest = try Self.guest(ring)
    for _ in 0..<10 { ring.writer.publishNext() }
    let client = try JoinClient(guest, waiting: .futex, reading: .newest)
    #expect(client.joinedAfter == 10, "what was published before the newest was not missed")
    #expect(client.reader === guest.reader)
    #expect(ring.subscribers.joinedCount == 1)
    #expect(ring.subscribers.read { $0.audience.futexCount } == 1)
    let report = try #require(ring.report("guest"))
    #expect(!report.isPreparing && report.reading == .newest && report.waiting == .futex)
    #expect(report.joinedAfter == 10 && report.received == 0)
    #expect(report.processID == UInt32(getpid()))
    // From here on it is a subscriber as any other.
    ring.writer.publishNext()
    client.report(sequence: 12, missed: 0, isLast: true)
    try waitUntil("its account") { ring.report("guest")?.received == 2 }
    #expect(!client.isLeaseOver)
  }

  @Test func subscriberThatHasPreparedMayBeginEarlier() throws {
    let ring = try ServedRing()
    for _ in 0..<5 { ring.writer.publishNext() }
    let client = try JoinClient(Self.guest(ring), from: 3)
    #expect(client.joinedAfter == 2)
    #expect(ring.report("guest")?.joinedAfter == 2)
  }

  /// A run in lockstep goes on while somebody prepares, and waits from then on.
  @Test func lockstepDoesNotWaitForAGuest() throws {
    let ring = try ServedRing(delivery: .lockstep)
    let guest = try Self.guest(ring)
    for _ in 0..<10 { ring.writer.publishNext() }
    try ring.waitForProgress(10)
    let client = try JoinClient(guest)
    #expect(client.joinedAfter == 10)
    #expect(ring.subscribers.read { $0.slowest } == 10)
  }

  /// A guest that goes has missed nothing, and nobody who reads reports wants to hear of it.
  @Test func guestThatGoesLeavesNoReport() throws {
    let ring = try ServedRing()
    do { _ = try Self.guest(ring) }
    try waitUntil("the guest to be gone") { ring.subscribers.reports.isEmpty }
    #expect(ring.subscribers.joinedCount == 0)
  }

  /// The last frames of a run that ends meanwhile are still in its ring.
  @Test func guestOfARunThatEndsGetsItsLastFrames() throws {
    let ring = try ServedRing()
    ring.writer.publishNext()
    let guest = try Self.guest(ring)
    for _ in 0..<3 { ring.writer.publishNext() }
    ring.writer.end()
    ring.server.end()
    let client = try JoinClient(guest)
    #expect(client.joinedAfter == 1)
    for sequence in UInt64(2)...4 {
      guard case .frame = client.reader.acquire(sequence) else {
        Issue.record("frame \(sequence) is not there")
        continue
      }
    }
    #expect(client.reader.hasEnded)
  }

  /// Its account is still to come.
  @Test func runThatEndsWaitsForItsGuests() throws {
    let ring = try ServedRing()
    ring.writer.publishNext()
    let guest = try Self.guest(ring)
    let subscribers = ring.subscribers
    let waiting = try TestThread("the end of the wait for reports") {
      subscribers.waitForReports(through: 1, timeoutNs: endlessNs)
    }
    usleep(50_000)
    #expect(!waiting.isOver)
    let client = try JoinClient(guest, from: 1)
    usleep(50_000)
    #expect(!waiting.isOver)
    client.report(sequence: 1, missed: 0, isLast: true)
    try waiting.join()
    #expect(ring.report("guest")?.received == 1)
  }

  @Test func simThatGoesIsNoticedByItsGuest() throws {
    let ring = try ServedRing()
    let guest = try Self.guest(ring)
    ring.server.stop()
    #expect(throws: FrameError.hungUp) { _ = try JoinClient(guest) }
  }

  /// Whoever has joined cannot join again, and a guest is a guest once.
  @Test func requestOutOfTurnBreaksTheProtocol() throws {
    let ring = try ServedRing()
    var request = join_request()
    request.magic = JOIN_MAGIC
    request.layout_version = UInt32(FRAME_LAYOUT_VERSION)
    let every = withUnsafeBytes(of: request) { Array($0) }
    request.reading = UInt32(READ_NOTHING)
    let nothing = withUnsafeBytes(of: request) { Array($0) }
    request.magic = 1
    let foreign = withUnsafeBytes(of: request) { Array($0) }
    for requests in [
      [every, every], [nothing, nothing], [nothing, foreign], [nothing, every, every],
    ] {
      let connection = try RawConnection(ring.directory)
      for (index, bytes) in requests.enumerated() {
        connection.send(bytes)
        let reply = connection.receive()
        if reply.attached >= 0 { close(reply.attached) }
        let isLast = index == requests.count - 1
        #expect(
          (reply.bytes.count == MemoryLayout<join_reply>.size) == !isLast, "\(index): \(reply)")
      }
    }
  }

  @Test func guestsTakePlacesToo() throws {
    let ring = try ServedRing()
    var guests: [JoinGuest] = []
    for _ in 0..<Membership.joinedMax { guests.append(try Self.guest(ring)) }
    #expect(throws: FrameError.refused(status: UInt32(JOIN_REFUSED_FULL))) {
      _ = try Self.guest(ring)
    }
    // Each of them can still join.
    #expect(try JoinClient(guests[0]).joinedAfter == 0)
  }
}
