// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import Glibc
import OrreryBase
import OrreryFrame
import TestSupport
import Testing

/// Goal: the join socket hands out the ring, keeps account, and drops whoever breaks the protocol
/// without anybody else noticing.
@Suite(.serialized) struct JoinTests {
  @Test func subscriberGetsTheRingAndIsKnown() throws {
    let ring = try ServedRing()
    for _ in 0..<3 { ring.writer.publishNext() }
    let client = try ring.join("renderer")
    #expect(client.joinedAfter == 3)
    #expect(client.reader.generation == ring.writer.generation)
    #expect(client.reader.acquire(3).view?.holdsTestValues(client.reader.layout) == true)
    #expect(!client.isLeaseOver)
    #expect(ring.subscribers.joinedCount == 1)
    #expect(ring.subscribers.reports.count == 1)
    let report = try #require(ring.report("renderer"))
    #expect(report.processID == UInt32(getpid()))
    #expect(report.joinedAfter == 3)
    #expect(report.progress == 3)
    #expect(report.missed == 0)
    #expect(report.isConnected)
  }

  /// A socket that its own user may not write to is one that they cannot connect to.
  @Test func socketIsForItsUserWhateverTheUmask() async {
    await #expect(processExitsWith: .success) {
      for mask in [0o000, 0o177, 0o777] as [mode_t] {
        let base = try TemporaryBase()
        let lock = try RunLock(base.run())
        umask(mask)
        let server = try JoinServer(
          writer: FrameWriter(slots: 4, delivery: .live), directory: lock.directory,
          subscribers: Subscribers(lock.directory))
        umask(0o022)
        var status = stat()
        #expect(stat(lock.directory.joinPath, &status) == 0)
        #expect(status.st_mode == S_IFSOCK | 0o600, "umask \(String(mask, radix: 8))")
        server.stop()
        withExtendedLifetime(base) {}
      }
    }
  }

  @Test func nameIsCutAt31Bytes() throws {
    let ring = try ServedRing()
    let client = try ring.join(String(repeating: "n", count: 100))
    #expect(ring.subscribers.reports.map(\.name) == [String(repeating: "n", count: 31)])
    withExtendedLifetime(client) {}
  }

  @Test func nameThatIsNotUTF8IsRepaired() throws {
    let ring = try ServedRing()
    let connection = try RawConnection(ring.directory)
    var request = joinRequest(name: "")
    request[16] = 0xff
    connection.send(request)
    let (reply, attached) = connection.receive()
    #expect(reply.count == 64)
    #expect(attached >= 0)
    close(attached)
    #expect(ring.subscribers.reports.map(\.name) == ["\u{fffd}"])
  }

  @Test func progressIsCounted() throws {
    let ring = try ServedRing()
    let client = try ring.join()
    for _ in 0..<10 { ring.writer.publishNext() }
    client.report(sequence: 4, missed: 1)
    try waitUntil("progress 4") { ring.report("subscriber")?.progress == 4 }
    #expect(ring.report("subscriber")?.missed == 1)
    // The same again is no step back.
    client.report(sequence: 4, missed: 1)
    client.report(sequence: 10, missed: 5)
    try waitUntil("progress 10") { ring.report("subscriber")?.progress == 10 }
    #expect(ring.report("subscriber")?.missed == 5)
    #expect(!client.isLeaseOver)
  }

  @Test(arguments: [("beyond", 6), ("back", 2)] as [(String, UInt64)])
  func impossibleProgressDropsTheSubscriber(what: String, sequence: UInt64) throws {
    let ring = try ServedRing()
    let other = try ring.join("other")
    let client = try ring.join()
    for _ in 0..<5 { ring.writer.publishNext() }
    client.report(sequence: 3, missed: 0)
    try waitUntil("progress 3") { ring.report("subscriber")?.progress == 3 }
    client.report(sequence: sequence, missed: 0)
    try waitUntil("the end of the lease") { client.isLeaseOver }
    #expect(ring.report("subscriber")?.isConnected == false)
    #expect(ring.report("subscriber")?.progress == 3)
    #expect(ring.report("other")?.isConnected == true)
    #expect(!other.isLeaseOver)
  }

  @Test func deathOfASubscriberIsNoticedAndItsAccountKept() throws {
    let ring = try ServedRing()
    ring.writer.publishNext()
    var client: JoinClient? = try ring.join("mortal")
    ring.writer.publishNext()
    client?.report(sequence: 2, missed: 1)
    try waitUntil("progress 2") { ring.report("mortal")?.progress == 2 }
    client = nil
    try waitUntil("the death to be noticed") { ring.report("mortal")?.isConnected == false }
    #expect(ring.report("mortal")?.progress == 2)
    #expect(ring.report("mortal")?.missed == 1)
    #expect(ring.subscribers.joinedCount == 1)
    // One of the same name can come again and is another.
    let next = try ring.join("mortal")
    #expect(ring.subscribers.joinedCount == 2)
    #expect(ring.subscribers.reports.map(\.isConnected) == [false, true])
    withExtendedLifetime(next) {}
  }

  @Test func stoppedServerEndsEveryLease() throws {
    let ring = try ServedRing()
    let clients = try [ring.join("a"), ring.join("b")]
    ring.server.stop()
    #expect(clients.allSatisfy { $0.isLeaseOver })
    #expect(ring.subscribers.reports.map(\.name) == ["a", "b"])
    // Stopping twice is stopping once.
    ring.server.stop()
    // Who comes too late learns it at once.
    let late = SystemCallError(
      call: "connect", path: ring.directory.joinPath, errno: ECONNREFUSED)
    #expect(throws: FrameError.system(late)) { _ = try ring.join("late") }
  }
}

extension JoinTests {
  @Test func connectionThatHasNotJoinedIsToldOfTheEnd() throws {
    let ring = try ServedRing()
    let connection = try JoinConnection(ring.directory)
    // One that joins behind it shows that it was accepted.
    let other = try ring.join("other")
    ring.server.stop()
    #expect(throws: FrameError.refused(status: UInt32(JOIN_REFUSED_ENDED))) {
      _ = try JoinClient(connection, name: "late")
    }
    #expect(other.isLeaseOver)
  }

  private static func connectionError(_ ring: ServedRing) -> FrameError? {
    do throws(FrameError) {
      _ = try JoinConnection(ring.directory)
      return nil
    } catch {
      return error
    }
  }

  /// The sim may still wait for the reports of those that have joined.
  @Test func runThatHasEndedIsJoinedNoMore() throws {
    let ring = try ServedRing()
    let client = try ring.join()
    let connection = try JoinConnection(ring.directory)
    ring.writer.publishNext()
    ring.server.end()
    #expect(throws: FrameError.refused(status: UInt32(JOIN_REFUSED_ENDED))) {
      _ = try JoinClient(connection, name: "late")
    }
    try waitUntil("connections to be refused") {
      guard case .system(let error) = Self.connectionError(ring) else { return false }
      return error.errno == ECONNREFUSED
    }
    client.report(sequence: 1, missed: 0)
    try waitUntil("progress 1") { ring.report("subscriber")?.progress == 1 }
    #expect(!client.isLeaseOver)
  }
}

// MARK: - Lockstep

extension JoinTests {
  @Test func waitForProgressWaitsForTheSlowest() throws {
    let ring = try ServedRing(delivery: .lockstep)
    let fast = try ring.join("fast")
    let slow = try ring.join("slow")
    for _ in 0..<3 { ring.writer.publishNext() }
    let subscribers = ring.subscribers
    let isDone = Flag()
    let waiter = try TestThread("progress 2 of both") {
      #expect(subscribers.waitForProgress(2))
      isDone.set()
    }
    fast.report(sequence: 3, missed: 0)
    try waitUntil("progress 3 of the fast one") { ring.report("fast")?.progress == 3 }
    slow.report(sequence: 1, missed: 0)
    try waitUntil("progress 1 of the slow one") { ring.report("slow")?.progress == 1 }
    // Longer than the server's own look around.
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 150_000_000)
    #expect(!isDone.isSet)
    slow.report(sequence: 2, missed: 0)
    try waiter.join()
  }

  @Test func waitForProgressIsFreedByTheDeathOfTheSlowest() throws {
    let ring = try ServedRing(delivery: .lockstep)
    let fast = try ring.join("fast")
    var slow: JoinClient? = try ring.join("slow")
    ring.writer.publishNext()
    fast.report(sequence: 1, missed: 0)
    try waitUntil("progress 1 of the fast one") { ring.report("fast")?.progress == 1 }
    let subscribers = ring.subscribers
    let isDone = Flag()
    let waiter = try TestThread("a wait that a death ends") {
      #expect(subscribers.waitForProgress(1))
      isDone.set()
    }
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 50_000_000)
    #expect(!isDone.isSet)
    #expect(slow?.isLeaseOver == false)
    slow = nil
    try waiter.join()
    #expect(isDone.isSet)
  }

  @Test func nobodyIsWaitedForWhoHasNotJoined() throws {
    let ring = try ServedRing(delivery: .lockstep)
    try ring.waitForProgress(100)
    let silent = try RawConnection(ring.directory)
    ring.writer.publishNext()
    // A subscriber that joins behind it shows that the silent one was accepted.
    let client = try ring.join()
    client.report(sequence: 1, missed: 0)
    try ring.waitForProgress(1)
    #expect(ring.subscribers.joinedCount == 1)
    withExtendedLifetime(silent.socket.number) {}
  }

  @Test func subscriberThatJoinsLateIsNotWaitedForBeforeItsFirstFrame() throws {
    let ring = try ServedRing(delivery: .lockstep)
    for _ in 0..<9 { ring.writer.publishNext() }
    let client = try ring.join()
    #expect(client.joinedAfter == 9)
    try ring.waitForProgress(9)
  }
}

// MARK: - Version 3

extension JoinTests {
  @Test func simKnowsHowItsSubscribersWaitAndRead() throws {
    let ring = try ServedRing()
    var clients: [JoinClient] = []
    for waiting in Waiting.allCases {
      for reading in Reading.allCases {
        clients.append(
          try JoinClient(
            JoinConnection(ring.directory), name: "\(waiting)", waiting: waiting, reading: reading))
      }
    }
    let reports = ring.subscribers.reports
    #expect(reports.map(\.name) == reports.map { $0.waiting.map { "\($0)" } })
    #expect(reports.map(\.reading) == [.every, .newest, .every, .newest, .every, .newest])
    withExtendedLifetime(clients) {}
  }

  @Test func audienceIsToldBeforeTheReply() throws {
    let base = try TemporaryBase()
    let lock = try RunLock(base.run())
    let told = Monitor<[Audience]>([])
    let server = try JoinServer(
      writer: FrameWriter(), directory: lock.directory, subscribers: Subscribers(lock.directory),
      audienceChanged: { audience in told.change { $0.append(audience) } })
    defer { server.stop() }
    var client: JoinClient? = try JoinClient(
      JoinConnection(lock.directory), name: "a", waiting: .futex)
    #expect(told.read { $0.last?.futexCount } == 1)
    let other = try JoinClient(JoinConnection(lock.directory), name: "b", waiting: .announcement)
    #expect(told.read { $0.last?.announcementCount } == 1)
    withExtendedLifetime(client) {}
    client = nil
    try waitUntil("the audience without the first one") { told.read { $0.last?.futexCount } == 0 }
    #expect(told.read { $0.last?.announcementCount } == 1)
    withExtendedLifetime(other) {}
  }

  @Test func subscriberMayBeginEarlierOrLater() throws {
    let ring = try ServedRing()
    for _ in 0..<5 { ring.writer.publishNext() }
    for (from, joinedAfter) in [(0, 5), (1, 0), (4, 3), (6, 5), (9, 8)] as [(UInt64, UInt64)] {
      let client = try JoinClient(JoinConnection(ring.directory), name: "x", from: from)
      #expect(client.joinedAfter == joinedAfter)
      #expect(ring.subscribers.reports.last?.joinedAfter == joinedAfter)
      // Nothing was read, and saying so is no offence even before the first frame has come.
      client.report(sequence: joinedAfter, missed: 0)
      _ = try ring.join()
      #expect(!client.isLeaseOver)
    }
  }

  @Test func subscriberThatSaysGoodbyeIsToldApartFromOneThatDies() throws {
    let ring = try ServedRing()
    ring.writer.publishNext()
    for (name, says) in [("polite", true), ("dead", false)] {
      let client = try JoinClient(JoinConnection(ring.directory), name: name, from: 1)
      if says { client.report(sequence: 1, missed: 0, isLast: true) }
    }
    try waitUntil("all to have left") { ring.subscribers.reports.allSatisfy { !$0.isConnected } }
    #expect(ring.report("polite")?.departure == .left)
    #expect(ring.report("polite")?.received == 1)
    #expect(ring.report("dead")?.departure == .died)
  }

  @Test func stalledSubscriberIsDroppedAndToldAndTheRunGoesOn() throws {
    let ring = try ServedRing(delivery: .lockstep, stallLimitNs: 100_000_000)
    let stalled = try ring.join("stalled")
    let quick = try ring.join("quick")
    ring.writer.publishNext()
    quick.report(sequence: 1, missed: 0)
    try ring.waitForProgress(1)
    #expect(ring.report("stalled")?.departure == .stalled)
    #expect(stalled.isLeaseOver)
    #expect(stalled.takeNotice() == .stalled)
    #expect(stalled.takeNotice() == nil)
    #expect(!quick.isLeaseOver)
  }

  /// Whoever gets on is waited for, however slowly.
  @Test func slowSubscriberIsNotDropped() throws {
    let ring = try ServedRing(delivery: .lockstep, stallLimitNs: 400_000_000)
    let slow = try ring.join("slow")
    for _ in 0..<4 { ring.writer.publishNext() }
    let thread = try TestThread("four reports") {
      for sequence in 1...4 as ClosedRange<UInt64> {
        Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 200_000_000)
        slow.report(sequence: sequence, missed: 0)
      }
    }
    try ring.waitForProgress(4)
    #expect(ring.report("slow")?.isConnected == true)
    try thread.join()
  }

  @Test func departedReportsAreBounded() throws {
    let ring = try ServedRing()
    for index in 0..<300 { _ = try ring.join("\(index)") }
    try waitUntil("all to have left") { ring.subscribers.reports.allSatisfy { !$0.isConnected } }
    #expect(ring.subscribers.joinedCount == 300)
    #expect(ring.subscribers.reports.count == 256)
    #expect(ring.subscribers.reports.last?.name == "299")
  }

  @Test func nameCannotDisturbATerminal() throws {
    let ring = try ServedRing()
    let client = try ring.join("a\u{1b}[2J\n\u{202e}b")
    #expect(ring.subscribers.reports.map(\.name) == ["a\u{fffd}[2J\u{fffd}\u{fffd}b"])
    withExtendedLifetime(client) {}
  }
}
