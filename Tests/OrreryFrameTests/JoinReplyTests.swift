// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Glibc
import OrreryBase
import OrreryFrame
import TestSupport
import Testing

/// Goal: every number that the two sides of the join socket tell each other is right, also where one of them hangs up
/// first.
///
/// Method: packets read as bytes, a sim that is none, and a server that a test holds up.
@Suite(.serialized) struct JoinReplyTests {
  /// The reply that comes next, and whether a descriptor is attached to it.
  private static func reply(
    _ connection: borrowing RawConnection
  ) throws -> (reply: join_reply, isAttached: Bool) {
    let (bytes, attached) = connection.receive()
    try #require(bytes.count == 64)
    if attached >= 0 { close(attached) }
    return (bytes.withUnsafeBytes { $0.loadUnaligned(as: join_reply.self) }, attached >= 0)
  }

  @Test(arguments: [false, true])
  func replySaysEverythingOfTheRing(isNamed: Bool) throws {
    let base = try TemporaryBase()
    let lock = try RunLock(base.run())
    let name = "orrery-test-\(getpid())-reply"
    let carrier = try isNamed ? Carrier(name: name) : Carrier.memory
    let writer = try FrameWriter(
      layout: FrameLayout(counts: [8]), slotCount: 4, staticPart: [1], generation: 77,
      delivery: .lockstep, carrier: carrier)
    for _ in 0..<3 { writer.publishNext() }
    let server = try JoinServer(
      writer: writer, directory: lock.directory, subscribers: Subscribers(lock.directory))
    defer { stop("the join server", server.stop) }
    let connection = try RawConnection(lock.directory)
    connection.send(joinRequest())
    let (reply, isAttached) = try Self.reply(connection)
    #expect(isAttached)
    #expect(reply.magic == JOIN_MAGIC)
    #expect(reply.layout_version == UInt32(FRAME_LAYOUT_VERSION))
    #expect(reply.status == UInt32(JOIN_ACCEPTED))
    #expect(reply.generation == 77)
    #expect(reply.segment_bytes == writer.segmentBytes)
    #expect(reply.sequence == 3)
    #expect(reply.layout_hash == writer.layout.layoutHash)
    #expect(reply.delivery == UInt32(DELIVERY_LOCKSTEP))
    #expect(reply.carrier == UInt32(isNamed ? CARRIER_NAMED : CARRIER_MEMORY))
    let client = try JoinClient(JoinConnection(lock.directory), name: "x")
    #expect(client.joinedAfter == 3)
    #expect(client.reader.acquire(3).view?.holdsTestValues(client.reader.layout) == true)
  }

  /// Nothing of the ring is handed to whoever is refused.
  @Test func refusalSaysWhyAndNoFrame() throws {
    let ring = try ServedRing()
    for _ in 0..<3 { ring.writer.publishNext() }
    let old = try RawConnection(ring.directory)
    old.send(joinRequest(version: UInt32(FRAME_LAYOUT_VERSION) + 1))
    let silent = try RawConnection(ring.directory)
    // One that joins behind them shows that they were accepted.
    _ = try ring.join()
    ring.server.stop()
    let (version, hasVersionRing) = try Self.reply(old)
    #expect(version.status == UInt32(JOIN_REFUSED_VERSION))
    #expect(version.sequence == 0)
    #expect(!hasVersionRing)
    let (ended, hasEndedRing) = try Self.reply(silent)
    #expect(ended.status == UInt32(JOIN_REFUSED_ENDED))
    #expect(ended.sequence == 0)
    #expect(!hasEndedRing)
    #expect(ring.subscribers.joinedCount == 1)
  }

  /// Ways to wait and to read that there are not, and a frame that no run gets to.
  @Test(
    arguments: [(3, 0, 0), (-1, 0, 0), (0, 3, 0), (0, -1, 0), (0, 0, 1 << 62 + 1), (0, 0, .max)]
      as [(CInt, CInt, UInt64)])
  func requestOutsideTheProtocolEndsTheConnection(
    waiting: CInt, reading: CInt, from: UInt64
  ) throws {
    var request = joinRequest(from: from)
    withUnsafeBytes(of: (waiting, reading)) { words in
      request.replaceSubrange(48..<56, with: words)
    }
    let ring = try ServedRing()
    let connection = try RawConnection(ring.directory)
    connection.send(request)
    let hasEnded = connection.waitForEnd()
    #expect(hasEnded)
    #expect(ring.subscribers.joinedCount == 0)
  }

  @Test func lastFrameThatCanBeWantedIsWaitedFor() async throws {
    let ring = try ServedRing()
    let last: UInt64 = 1 << 62
    let client = try JoinClient(JoinConnection(ring.directory), name: "last", from: last)
    #expect(client.joinedAfter == last - 1)
    #expect(ring.report("last")?.joinedAfter == last - 1)
    client.report(sequence: last - 1, missed: 0)
    // One that joins behind it shows that the report was heard.
    _ = try ring.join()
    #expect(!client.isLeaseOver)
    #expect(ring.report("last")?.received == 0)
    await #expect(processExitsWith: .failure) {
      let ring = try ServedRing()
      let connection = try JoinConnection(ring.directory)
      _ = try? JoinClient(connection, name: "x", from: 1 << 62 + 1)
    }
  }

  @Test func reportIsNoGoodbye() throws {
    let ring = try ServedRing()
    ring.writer.publishNext()
    var client: JoinClient? = try JoinClient(JoinConnection(ring.directory), name: "x", from: 1)
    client?.report(sequence: 1, missed: 0)
    try waitUntil("progress 1") { ring.report("x")?.progress == 1 }
    client = nil
    try waitUntil("the end of the lease") { ring.report("x")?.isConnected == false }
    #expect(ring.report("x")?.departure == .died)
    #expect(ring.report("x")?.received == 1)
  }

  @Test func noticeSaysHowFarTheSubscriberWas() throws {
    let ring = try ServedRing()
    for _ in 0..<3 { ring.writer.publishNext() }
    let connection = try RawConnection(ring.directory)
    connection.send(joinRequest())
    _ = try Self.reply(connection)
    for _ in 0..<2 { ring.writer.publishNext() }
    connection.send(progressReport(5, missed: 1))
    connection.send(progressReport(4, missed: 1))
    let (bytes, attached) = connection.receive()
    try #require(bytes.count == 24)
    #expect(attached == -1)
    let notice = bytes.withUnsafeBytes { $0.loadUnaligned(as: join_notice.self) }
    #expect(notice.magic == JOIN_MAGIC)
    #expect(notice.reason == UInt32(NOTICE_BROKE_PROTOCOL))
    #expect(notice.reserved == 0)
    #expect(notice.sequence == 5)
    let hasEnded = connection.waitForEnd()
    #expect(hasEnded)
  }

  @Test func limitsAreThoseOfThePages() throws {
    #expect(JoinServer.defaultStallLimitNs == 10_000_000_000)
    #expect(Membership.joinedMax == 256)
    #expect(Handshakes.countMax == 64)
    #expect(Membership.departedMax == 256)
    #expect(Handshakes.silenceNs == 1_000_000_000)
    // A sim that does not answer is waited for.
    let ring = try ServedRing()
    let client = try ring.join()
    var patience = timeval()
    var size = socklen_t(MemoryLayout<timeval>.size)
    #expect(getsockopt(client.connection, SOL_SOCKET, SO_RCVTIMEO, &patience, &size) == 0)
    #expect(patience.tv_sec == 10)
    #expect(patience.tv_usec == 0)
  }

  /// A server that paused after each would need 80 s.
  @Test func subscribersAreAcceptedOneAfterTheOther() throws {
    let ring = try ServedRing()
    let directory = ring.directory
    try within("800 subscribers to come and go") {
      for _ in 0..<800 { _ = try JoinClient(JoinConnection(directory), name: "x") }
    }
    #expect(ring.subscribers.joinedCount == 800)
  }
}

// MARK: - A sim that hangs up

extension JoinReplyTests {
  /// Says that there is no room.
  private static func refuse(_ socket: CInt) {
    var reply = join_reply()
    reply.magic = JOIN_MAGIC
    reply.layout_version = UInt32(FRAME_LAYOUT_VERSION)
    reply.status = UInt32(JOIN_REFUSED_FULL)
    linux_send(socket, &reply, MemoryLayout<join_reply>.size, -1)
  }

  private static let full = FrameError.refused(status: UInt32(JOIN_REFUSED_FULL))

  @Test func refusalOfASimThatHasHungUpIsHeard() throws {
    let base = try TemporaryBase()
    let lock = try RunLock(base.run())
    let listener = FileDescriptor(owning: linux_listen(lock.directory.joinPath, 4))
    let connection = try JoinConnection(lock.directory)
    let accepted = linux_accept(listener.number)
    Self.refuse(accepted)
    close(accepted)
    #expect(throws: Self.full) { _ = try JoinClient(connection, name: "x") }
  }

  /// A request that was never read comes back as an error before the refusal does.
  @Test func refusalOfASimThatDidNotListenIsHeard() throws {
    let base = try TemporaryBase()
    let lock = try RunLock(base.run())
    let listener = FileDescriptor(owning: linux_listen(lock.directory.joinPath, 4))
    for round in 0..<20 {
      let connection = try JoinConnection(lock.directory)
      let accepted = linux_accept(listener.number)
      let sim = try TestThread("a refusal") {
        var polled = pollfd(fd: accepted, events: Int16(POLLIN), revents: 0)
        #expect(poll(&polled, 1, 30_000) == 1)
        Self.refuse(accepted)
        close(accepted)
      }
      let error = #expect(throws: FrameError.self) { _ = try JoinClient(connection, name: "x") }
      try sim.join()
      try #require(error == Self.full, "round \(round)")
    }
  }
}

// MARK: - A server that is held up

/// A server that stands still, from when its first subscriber joins until it is let go on.
private final class HeldServer {
  private let base: TemporaryBase
  private let lock: RunLock
  private let first: RawConnection
  private let mayGoOn: Flag
  let server: JoinServer

  var directory: RunDirectory { lock.directory }

  init() throws {
    let (isHeld, mayGoOn) = (Flag(), Flag())
    self.mayGoOn = mayGoOn
    base = try TemporaryBase()
    lock = try RunLock(base.run())
    server = try JoinServer(
      writer: FrameWriter(), directory: lock.directory, subscribers: Subscribers(lock.directory),
      audienceChanged: { _ in
        isHeld.set()
        do {
          try waitUntil("the server to be let go on") { mayGoOn.isSet }
        } catch {
          Issue.record("\(error)")
        }
      })
    first = try RawConnection(lock.directory)
    first.send(joinRequest())
    try waitUntil("the server to stand still") { isHeld.isSet }
  }

  deinit {
    mayGoOn.set()
    stop("the join server", server.stop)
  }

  func letGo() { mayGoOn.set() }
}

extension JoinReplyTests {
  @Test func whoWasNotAcceptedBeforeTheEndIsToldOfIt() throws {
    let held = try HeldServer()
    let waiting = try JoinConnection(held.directory)
    let server = held.server
    let stopping = try TestThread("the server's end") { server.stop() }
    // Time for the end to be asked for; if that takes longer, the same is said on another way.
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 50_000_000)
    held.letGo()
    #expect(throws: FrameError.refused(status: UInt32(JOIN_REFUSED_ENDED))) {
      _ = try JoinClient(waiting, name: "late")
    }
    try stopping.join()
  }

  /// A program may be started without standard input: descriptor 0 is one like any other.
  @Test func connectionThatIsDescriptorZeroIsServed() async {
    await #expect(processExitsWith: .success) {
      let held = try HeldServer()
      let connection = try JoinConnection(held.directory)
      close(STDIN_FILENO)
      held.letGo()
      // The server's end of the connection is what comes next.
      let client = try JoinClient(connection, name: "x")
      #expect(fcntl(STDIN_FILENO, F_GETFD) >= 0)
      #expect(!client.isLeaseOver)
    }
  }

  @Test func ringThatComesAsDescriptorZeroIsRead() async {
    await #expect(processExitsWith: .success) {
      let ring = try ServedRing()
      let connection = try JoinConnection(ring.directory)
      // One that joins behind it shows that it was accepted.
      let other = try ring.join("other")
      close(STDIN_FILENO)
      let client = try JoinClient(connection, name: "x")
      #expect(client.reader.generation == ring.writer.generation)
      withExtendedLifetime(other) {}
    }
  }

  @Test func descriptorZeroThatASubscriberSendsIsClosed() async {
    await #expect(processExitsWith: .success) {
      let ring = try ServedRing()
      let connection = try RawConnection(ring.directory)
      connection.send(joinRequest())
      _ = try Self.reply(connection)
      ring.writer.publishNext()
      let null = FileDescriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
      close(STDIN_FILENO)
      let report = progressReport(1)
      #expect(linux_send(connection.socket.number, report, report.count, null.number) == 24)
      try waitUntil("progress 1") { ring.report("raw")?.progress == 1 }
      #expect(fcntl(STDIN_FILENO, F_GETFD) == -1)
    }
  }
}
