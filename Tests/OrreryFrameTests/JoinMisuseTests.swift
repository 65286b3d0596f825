// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Foundation
import Glibc
import OrreryBase
import OrreryFrame
import TestSupport
import Testing

/// Goal: nothing that comes over the join socket, from either side, harms the other side.
@Suite(.serialized) struct JoinMisuseTests {
  private static let badFirstPackets: [[UInt8]] = [
    [], [0], [UInt8](repeating: 0, count: 64), joinRequest(magic: JOIN_MAGIC ^ 1),
    Array(joinRequest().dropLast()), joinRequest() + [0], joinRequest() + joinRequest(),
    progressReport(1), [UInt8](repeating: 0xff, count: 60_000),
  ]

  @Test(arguments: badFirstPackets)
  func wrongFirstPacketEndsTheConnection(packet: [UInt8]) throws {
    let ring = try ServedRing()
    let other = try ring.join("other")
    let connection = try RawConnection(ring.directory)
    connection.send(packet)
    let hasEnded = connection.waitForEnd()
    #expect(hasEnded)
    #expect(ring.subscribers.joinedCount == 1)
    #expect(!other.isLeaseOver)
    _ = try ring.join("next")
  }

  @Test func secondRequestAndOddReportsEndTheConnection() throws {
    let ring = try ServedRing()
    for packet in [joinRequest(), [1, 2, 3], [], progressReport(0) + [0], progressReport(.max)] {
      let connection = try RawConnection(ring.directory)
      connection.send(joinRequest())
      let (reply, attached) = connection.receive()
      #expect(reply.count == 64)
      #expect(attached >= 0)
      close(attached)
      connection.send(packet)
      // An empty packet cannot be told from hanging up; who says anything else is told why it must go.
      if !packet.isEmpty {
        let (notice, _) = connection.receive()
        try #require(notice.count == 24, "\(packet.count) bytes")
        #expect(notice[8] == UInt8(NOTICE_BROKE_PROTOCOL))
      }
      let hasEnded = connection.waitForEnd()
      #expect(hasEnded, "\(packet.count) bytes")
    }
    #expect(ring.subscribers.reports.filter(\.isConnected).isEmpty)
  }

  @Test(arguments: [0, 1, UInt32(FRAME_LAYOUT_VERSION) - 1, UInt32(FRAME_LAYOUT_VERSION) + 1, .max])
  func anotherVersionIsRefusedWithOurs(version: UInt32) throws {
    let ring = try ServedRing()
    let connection = try RawConnection(ring.directory)
    connection.send(joinRequest(version: version))
    let (bytes, attached) = connection.receive()
    try #require(bytes.count == 64)
    #expect(attached == -1)
    let reply = bytes.withUnsafeBytes { $0.loadUnaligned(as: join_reply.self) }
    #expect(reply.magic == JOIN_MAGIC)
    #expect(reply.layout_version == UInt32(FRAME_LAYOUT_VERSION))
    #expect(reply.status == UInt32(JOIN_REFUSED_VERSION))
    let hasEnded = connection.waitForEnd()
    #expect(hasEnded)
    #expect(ring.subscribers.joinedCount == 0)
  }

  /// More than the sim serves; each is refused after a second at most.
  @Test func clientsThatNeverSpeakHoldNobodyUp() throws {
    Self.raiseDescriptorLimit()
    let ring = try ServedRing()
    let silent = try (0..<300).map { _ in try Box(RawConnection(ring.directory)) }
    let client = try ring.join()
    #expect(ring.subscribers.joinedCount == 1)
    #expect(ring.subscribers.reports.count == 1)
    for box in silent {
      let (reply, _) = box.connection.receive()
      try #require(reply.count == 64)
      #expect(reply[12] == UInt8(JOIN_REFUSED_SILENT))
      // No frame to begin after.
      #expect(reply[32..<40] == [0, 0, 0, 0, 0, 0, 0, 0])
      let hasEnded = box.connection.waitForEnd()
      #expect(hasEnded)
    }
    #expect(!client.isLeaseOver)
  }

  @Test func descriptorsThatAClientSendsAreClosed() throws {
    let ring = try ServedRing()
    let client = try RawConnection(ring.directory)
    client.send(joinRequest())
    let (_, attached) = client.receive()
    close(attached)
    let before = Self.nullDeviceCount()
    let null = FileDescriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
    for _ in 0..<50 {
      for descriptors in [[null.number], [null.number, null.number]] {
        let count = Self.send(progressReport(0), descriptors: descriptors, to: client)
        #expect(count == 24)
      }
    }
    // What was sent before this was received before it.
    ring.writer.publishNext()
    client.send(progressReport(1))
    try waitUntil("progress 1") { ring.report("raw")?.progress == 1 }
    #expect(Self.nullDeviceCount() <= before + 1)
  }

  /// Open descriptors of this process on /dev/null.
  private static func nullDeviceCount() -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.count { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/" + name)
      return target == "/dev/null"
    }
  }

  /// Sends a packet with descriptors attached, which `linux_send` does for one only.
  private static func send(
    _ bytes: [UInt8], descriptors: [CInt], to connection: borrowing RawConnection
  ) -> Int {
    var bytes = bytes
    // A control message of Linux on 64 bits: length, level, type, descriptors.
    var control: [UInt64] = [
      UInt64(16 + descriptors.count * 4), UInt64(SOL_SOCKET) | UInt64(SCM_RIGHTS) << 32, 0,
    ]
    for (index, descriptor) in descriptors.enumerated() {
      control[2] |= UInt64(UInt32(bitPattern: descriptor)) << UInt64(32 * index)
    }
    let number = connection.socket.number
    return bytes.withUnsafeMutableBytes { payload in
      control.withUnsafeMutableBytes { control in
        var vector = iovec(iov_base: payload.baseAddress, iov_len: payload.count)
        return withUnsafeMutablePointer(to: &vector) { vector in
          var message = msghdr()
          message.msg_iov = vector
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = control.count
          return sendmsg(number, &message, Int32(MSG_NOSIGNAL))
        }
      }
    }
  }

  @Test func connectionsOverTheLimitAreRefusedAndRoomIsReused() throws {
    Self.raiseDescriptorLimit()
    let ring = try ServedRing()
    var clients: [JoinClient] = []
    for _ in 0..<256 { clients.append(try ring.join()) }
    #expect(ring.subscribers.joinedCount == 256)
    for _ in 256..<300 {
      #expect(throws: FrameError.refused(status: UInt32(JOIN_REFUSED_FULL))) {
        _ = try ring.join("too many")
      }
    }
    #expect(clients.allSatisfy { !$0.isLeaseOver })
    clients.removeLast(10)
    try waitUntil("ten to have left") {
      ring.subscribers.reports.count(where: \.isConnected) == 246
    }
    for _ in 0..<10 { clients.append(try ring.join("again")) }
    #expect(ring.subscribers.joinedCount == 266)
    #expect(throws: FrameError.refused(status: UInt32(JOIN_REFUSED_FULL))) {
      _ = try ring.join("too many")
    }
  }

  /// Room is looked for again when it says who it is.
  @Test func whoWasAcceptedBeforeTheLastPlaceWasTakenIsRefused() throws {
    Self.raiseDescriptorLimit()
    let ring = try ServedRing()
    ring.writer.publishNext()
    let others = try (0..<255).map { _ in try ring.join() }
    for _ in 0..<50 {
      let late = try RawConnection(ring.directory)
      var last: JoinClient? = try ring.join("last")
      late.send(joinRequest())
      let (bytes, attached) = late.receive()
      try #require(bytes.count == 64)
      let reply = bytes.withUnsafeBytes { $0.loadUnaligned(as: join_reply.self) }
      withExtendedLifetime(last) {}
      if reply.status == UInt32(JOIN_REFUSED_SILENT) {
        // It took a second to come to its request: this machine is very busy.
        last = nil
        try waitUntil("room") { ring.subscribers.reports.count(where: \.isConnected) == 255 }
        continue
      }
      #expect(reply.status == UInt32(JOIN_REFUSED_FULL))
      #expect(reply.sequence == 0)
      #expect(attached == -1)
      let hasEnded = late.waitForEnd()
      #expect(hasEnded)
      #expect(others.allSatisfy { !$0.isLeaseOver })
      return
    }
    Issue.record("whoever came late was silent for a second, fifty times")
  }

  /// 256 connections have two ends in this process.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 4096)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  @Test func stormOfConnectionsLeavesTheServerWhole() throws {
    let ring = try ServedRing()
    let steady = try ring.join("steady")
    var random = SeededRandom(seed: 5)
    for _ in 0..<(500 * testEffort) {
      let connection = try RawConnection(ring.directory)
      let count = Int.random(in: 0...80, using: &random)
      connection.send((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
    ring.writer.publishNext()
    steady.report(sequence: 1, missed: 0)
    try waitUntil("progress 1") { ring.report("steady")?.progress == 1 }
    #expect(ring.subscribers.reports.count == 1)
    _ = try ring.join("next")
  }
}

// MARK: - The other side

extension JoinMisuseTests {
  private typealias BadReply = (
    name: String, change: @Sendable (inout join_reply) -> Void, attach: Bool
  )

  /// What a sim that is none answers; each with the ring's own descriptor attached or not.
  private static let badReplies: [BadReply] = [
    ("magic", { $0.magic ^= 1 }, true),
    ("version", { $0.layout_version = 9 }, true),
    ("status", { $0.status = 77 }, true),
    ("no descriptor", { _ in }, false),
    ("segment bytes", { $0.segment_bytes += 1 }, true),
    ("no segment bytes", { $0.segment_bytes = 0 }, true),
    ("generation", { $0.generation ^= 1 }, true),
    ("layout hash", { $0.layout_hash ^= 1 }, true),
    ("delivery", { $0.delivery ^= 1 }, true),
    ("sequence beyond published", { $0.sequence = .max }, true),
  ]

  @Test(arguments: badReplies.indices)
  func badReplyIsAnError(index: Int) throws {
    let base = try TemporaryBase()
    let lock = try RunLock(base.run())
    let writer = try FrameWriter()
    let listener = FileDescriptor(owning: linux_listen(lock.directory.joinPath, 4))
    let bad = Self.badReplies[index]
    var reply = join_reply()
    reply.magic = JOIN_MAGIC
    reply.layout_version = UInt32(FRAME_LAYOUT_VERSION)
    reply.generation = writer.generation
    reply.segment_bytes = writer.segmentBytes
    reply.layout_hash = writer.layout.layoutHash
    let good = reply
    bad.change(&reply)
    // The good reply shows that it is the change that is refused.
    for (answer, attach, isGood) in [(reply, bad.attach, false), (good, true, true)] {
      let connection = try JoinConnection(lock.directory)
      let accepted = FileDescriptor(owning: linux_accept(listener.number))
      var answer = answer
      linux_send(accepted.number, &answer, 64, attach ? writer.descriptor.number : -1)
      if isGood {
        #expect(try JoinClient(connection, name: "x").joinedAfter == 0)
      } else {
        #expect(throws: FrameError.self, "\(bad.name)") {
          _ = try JoinClient(connection, name: "x")
        }
      }
    }
  }

  @Test func shortReplyAndHangingUpAreErrors() throws {
    let base = try TemporaryBase()
    let lock = try RunLock(base.run())
    let listener = FileDescriptor(owning: linux_listen(lock.directory.joinPath, 4))
    for count in [0, 1, 63] {
      let connection = try JoinConnection(lock.directory)
      let accepted = FileDescriptor(owning: linux_accept(listener.number))
      let bytes = [UInt8](repeating: 0, count: 64)
      linux_send(accepted.number, bytes, count, -1)
      // An empty packet cannot be told from hanging up.
      #expect(throws: count == 0 ? FrameError.hungUp : .badJoinMessage(bytes: count)) {
        _ = try JoinClient(connection, name: "x")
      }
    }
    let connection = try JoinConnection(lock.directory)
    do { _ = FileDescriptor(owning: linux_accept(listener.number)) }
    #expect(throws: FrameError.hungUp) {
      _ = try JoinClient(connection, name: "x")
    }
  }

  @Test func noSimIsAnErrorThatSaysSo() throws {
    let base = try TemporaryBase()
    let directory = try base.run()
    let missing = #expect(throws: FrameError.self) { _ = try JoinConnection(directory) }
    #expect(
      missing
        == .system(SystemCallError(call: "connect", path: directory.joinPath, errno: ENOENT)))
    let lock = try RunLock(directory)
    do { _ = FileDescriptor(owning: linux_listen(directory.joinPath, 4)) }
    let dead = #expect(throws: FrameError.self) { _ = try JoinConnection(directory) }
    #expect(
      dead
        == .system(SystemCallError(call: "connect", path: directory.joinPath, errno: ECONNREFUSED)))
    withExtendedLifetime(lock) {}
  }
}

/// Puts a connection into an array.
private final class Box {
  let connection: RawConnection
  init(_ connection: consuming RawConnection) { self.connection = connection }
}
