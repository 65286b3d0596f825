// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Glibc
import OrreryBase
import OrreryFrame
import TestSupport
import Testing

/// Goal: the sim's waits for its subscribers end when they should, and leave nobody waited for.
///
/// Method: subscribers that report when a test tells them to.
@Suite(.serialized) struct JoinWaitTests {
  @Test func waitThatIsInterruptedIsGivenUp() throws {
    let ring = try ServedRing(delivery: .lockstep, stallLimitNs: 100_000_000)
    let client = try ring.join()
    ring.writer.publishNext()
    let isInterrupted = Flag()
    let subscribers = ring.subscribers
    let waiting = try TestThread("an interrupted wait") {
      #expect(!subscribers.waitForProgress(1, orUntil: { isInterrupted.isSet }))
    }
    isInterrupted.set()
    subscribers.interruptWaiting()
    try waiting.join()
    // Nobody is waited for any more, so nobody stalls, for three times the limit.
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 300_000_000)
    #expect(!client.isLeaseOver)
  }

  @Test func waitForReportsEndsWithTheLastReport() throws {
    let ring = try ServedRing()
    let client = try ring.join()
    let other = try ring.join("other")
    ring.writer.publishNext()
    let subscribers = ring.subscribers
    let reporting = try TestThread("the last report") {
      subscribers.waitForReports(through: 1, timeoutNs: endlessNs)
    }
    client.report(sequence: 1, missed: 0)
    try waitUntil("progress 1") { ring.report("subscriber")?.progress == 1 }
    #expect(!reporting.isOver)
    other.report(sequence: 1, missed: 1)
    try reporting.join()
    #expect(ring.report("other")?.missed == 1)
  }

  @Test func waitForReportsEndsAfterItsTimeAndDropsNobody() throws {
    let ring = try ServedRing(stallLimitNs: 100_000_000)
    let client = try ring.join()
    ring.writer.publishNext()
    let beganNs = Clock.monotonicNs()
    // Longer than a run in lockstep would wait.
    ring.subscribers.waitForReports(through: 1, timeoutNs: 400_000_000)
    #expect(Clock.monotonicNs() - beganNs >= 400_000_000)
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 300_000_000)
    #expect(!client.isLeaseOver)
    #expect(ring.report("subscriber")?.isConnected == true)
  }

  @Test func waitForReportsOfNobodyEndsAtOnce() throws {
    let ring = try ServedRing()
    ring.writer.publishNext()
    let subscribers = ring.subscribers
    try within("the reports") { subscribers.waitForReports(through: 1, timeoutNs: endlessNs) }
  }

  /// The run idles for four times the limit, and then publishes: who answers stays.
  @Test func subscriberOfARunThatIdledIsNotStalled() throws {
    let ring = try ServedRing(slots: 64, delivery: .lockstep, stallLimitNs: 100_000_000)
    let client = try ring.join()
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 400_000_000)
    ring.writer.publishNext()
    let subscribers = ring.subscribers
    let waiting = try TestThread("progress 1") { #expect(subscribers.waitForProgress(1)) }
    // The server's thread looks every 25 ms.
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 60_000_000)
    client.report(sequence: 1, missed: 0)
    try waiting.join()
    #expect(ring.report("subscriber")?.departure == nil)
    #expect(!client.isLeaseOver)
  }

  // MARK: - Departures

  @Test func whoBreaksTheProtocolIsToldSo() throws {
    let ring = try ServedRing()
    let client = try ring.join()
    client.report(sequence: 1, missed: 0)
    try waitUntil("the end of the lease") { client.isLeaseOver }
    #expect(client.takeNotice() == .brokeProtocol)
    #expect(ring.report("subscriber")?.departure == .brokeProtocol)
  }

  @Test func whoIsThereAtTheEndStayedUnlessItSaidGoodbye() throws {
    let ring = try ServedRing()
    let clients = try ["stays", "leaves"].map { try ring.join($0) }
    ring.writer.publishNext()
    clients[1].report(sequence: 1, missed: 0, isLast: true)
    try waitUntil("progress 1") { ring.report("leaves")?.progress == 1 }
    ring.server.stop()
    #expect(ring.report("stays")?.departure == .stayed)
    #expect(ring.report("leaves")?.departure == .left)
    // An end is no notice.
    #expect(clients[0].takeNotice() == nil)
  }

  @Test func reasonsAreNamed() {
    #expect(
      DropReason.stalled.description
        == "the run waited for this subscriber for longer than the sim's --stall-limit")
    #expect(
      DropReason.brokeProtocol.description
        == "the sim could not make sense of what this subscriber said")
    #expect(DropReason.remote("why").description == "why")
    #expect(DropReason.other(9).description == "reason 9")
  }

  /// A subscriber of a sim that is none, and the sim's end of its connection.
  private static func join() throws -> (client: JoinClient, accepted: CInt) {
    let base = try TemporaryBase()
    let lock = try RunLock(base.run())
    let writer = try FrameWriter()
    let listener = FileDescriptor(owning: linux_listen(lock.directory.joinPath, 4))
    let connection = try JoinConnection(lock.directory)
    let accepted = linux_accept(listener.number)
    var reply = join_reply()
    (reply.magic, reply.layout_version) = (JOIN_MAGIC, UInt32(FRAME_LAYOUT_VERSION))
    (reply.generation, reply.segment_bytes) = (writer.generation, writer.segmentBytes)
    reply.layout_hash = writer.layout.layoutHash
    linux_send(accepted, &reply, 64, writer.descriptor.number)
    return (try JoinClient(connection, name: "x"), accepted)
  }

  /// What the sim has not read when it hangs up comes as an error before the reason does.
  @Test func reasonIsHeardBehindWhatWasNotRead() throws {
    let (client, accepted) = try Self.join()
    client.report(sequence: 0, missed: 0)
    var notice = join_notice()
    (notice.magic, notice.reason) = (JOIN_MAGIC, UInt32(NOTICE_STALLED))
    linux_send(accepted, &notice, MemoryLayout<join_notice>.size, -1)
    close(accepted)
    #expect(client.isLeaseOver)
    #expect(client.takeNotice() == .stalled)
  }

  /// A sim of a later version may have other reasons; what is no notice is none.
  @Test(
    arguments: [
      (JOIN_MAGIC, 1, 24, .stalled), (JOIN_MAGIC, 2, 24, .brokeProtocol),
      (JOIN_MAGIC, 77, 24, .other(77)), (JOIN_MAGIC ^ 1, 1, 24, nil), (JOIN_MAGIC, 1, 23, nil),
    ] as [(UInt64, UInt32, Int, DropReason?)])
  func noticeIsReadAsItIsWritten(magic: UInt64, reason: UInt32, bytes: Int, read: DropReason?)
    throws
  {
    let (client, accepted) = try Self.join()
    defer { close(accepted) }
    #expect(client.takeNotice() == nil)
    var notice = join_notice()
    (notice.magic, notice.reason) = (magic, reason)
    linux_send(accepted, &notice, bytes, -1)
    #expect(client.takeNotice() == read)
  }
}

// MARK: - Sleeping

extension JoinWaitTests {
  /// Lets 400 ms pass, of which nobody may work half.
  private static func expectSleep(_ what: String) {
    let workedNs = processorNs(whileAsleepForNs: 400_000_000)
    #expect(workedNs < 200_000_000, "\(what): \(workedNs) ns of work")
  }

  @Test func whoWaitsSleeps() async {
    await #expect(processExitsWith: .success) {
      let ring = try ServedRing(delivery: .lockstep, stallLimitNs: endlessNs)
      let client = try ring.join()
      let subscribers = ring.subscribers
      // The second wait begins with nothing left of what woke the first.
      for sequence in 1...2 as ClosedRange<UInt64> {
        ring.writer.publishNext()
        let waiting = try TestThread("progress \(sequence)") {
          #expect(subscribers.waitForProgress(sequence))
        }
        Self.expectSleep("waiting for progress \(sequence)")
        client.report(sequence: sequence, missed: 0)
        try waiting.join()
      }
      ring.writer.publishNext()
      let reporting = try TestThread("the reports") {
        subscribers.waitForReports(through: 3, timeoutNs: endlessNs)
      }
      Self.expectSleep("reporting")
      client.report(sequence: 3, missed: 0)
      try reporting.join()
    }
  }

  @Test func serverThatIsShortOfDescriptorsPauses() async {
    await #expect(processExitsWith: .success) {
      let ring = try ServedRing()
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = min(limit.rlim_cur, 256)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      var taken: [CInt] = []
      while true {
        let number = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { break }
        taken.append(number)
      }
      // One is left, for this side of the connection.
      close(taken.removeLast())
      let connection = try JoinConnection(ring.directory)
      Self.expectSleep("a connection that cannot be accepted")
      for number in taken { close(number) }
      let client = try JoinClient(connection, name: "x")
      #expect(ring.subscribers.joinedCount == 1)
      withExtendedLifetime(client) {}
    }
  }
}

// MARK: - Stop signals

extension JoinWaitTests {
  /// The first signal ends a wait, and leaves time for the last reports; the second one ends that too.
  @Test func stopSignalEndsAWaitAndTwoEndTheWaitForReports() async {
    await #expect(processExitsWith: .success) {
      StopSignals.installHandlers()
      let ring = try ServedRing(delivery: .lockstep, stallLimitNs: endlessNs)
      let client = try ring.join()
      let subscribers = ring.subscribers
      ring.writer.publishNext()
      let waiting = try TestThread("a wait that a signal ends") {
        #expect(!subscribers.waitForProgress(1))
      }
      // Time to fall asleep; if it takes longer it does not sleep, which is right as well.
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 50_000_000)
      #expect(!waiting.isOver)
      kill(getpid(), SIGTERM)
      try waiting.join()
      #expect(StopSignals.count == 1)
      let reporting = try TestThread("the last report") {
        subscribers.waitForReports(through: 1, timeoutNs: endlessNs)
      }
      Self.expectSleep("reporting after a signal")
      #expect(!reporting.isOver)
      client.report(sequence: 1, missed: 0)
      try reporting.join()
      #expect(ring.report("subscriber")?.progress == 1)
      ring.writer.publishNext()
      kill(getpid(), SIGINT)
      try waitUntil("the second signal") { StopSignals.count == 2 }
      try within("reports 2") { subscribers.waitForReports(through: 2, timeoutNs: endlessNs) }
      #expect(ring.report("subscriber")?.progress == 1)
      #expect(!client.isLeaseOver)
    }
  }
}
