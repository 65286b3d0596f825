// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Glibc
import OrreryBase

/// A connection to a sim before joining: the sim does not yet wait for this subscriber.
package final class JoinConnection: Sendable {
  fileprivate let socket: FileDescriptor
  fileprivate let path: String

  /// Connects to a run's sim.
  ///
  /// - Throws: `FrameError`: `system` with ENOENT or ECONNREFUSED when there is no sim,
  ///   `foreignUser` when it belongs to another user.
  package init(_ directory: RunDirectory) throws(FrameError) {
    path = directory.joinPath
    do throws(SystemCallError) {
      socket = try Self.connect(directory.joinPath)
    } catch {
      throw .system(error)
    }
    var user = uid_t()
    guard linux_peer_user(socket.number, &user) == 0, user == geteuid() else {
      throw .foreignUser(found: user, expected: geteuid())
    }
  }

  private static func connect(_ path: String) throws(SystemCallError) -> FileDescriptor {
    let socket = FileDescriptor(
      owning: try systemCall("connect", path) { linux_connect(path) })
    // A sim that does not answer within ten seconds is stopped or stuck.
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    try systemCall("setsockopt", path) {
      setsockopt(
        socket.number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    return socket
  }
}

/// A subscriber that has a run's ring and prepares; the sim neither counts it nor waits for it yet.
package final class JoinGuest: Sendable {
  /// The ring, mapped for reading.
  package let reader: FrameReader

  fileprivate let connection: JoinConnection
  fileprivate let name: String

  /// Asks for the ring.
  ///
  /// - Parameters:
  ///   - connection: To the run's sim.
  ///   - name: Name in reports; only its first 31 bytes are used.
  /// - Throws: `FrameError`.
  package init(_ connection: JoinConnection, name: String) throws(FrameError) {
    self.connection = connection
    self.name = name
    let request = JoinClient.request(
      name: name, waiting: Waiting.spin.rawValue, reading: UInt32(READ_NOTHING), from: 0)
    reader = try JoinClient.join(connection, request).reader
  }
}

/// A subscriber's membership in a run: its lease on the ring, and the connection for its reports.
package final class JoinClient: Sendable {
  /// The ring, mapped for reading.
  package let reader: FrameReader

  /// Sequence before the first wanted frame.
  package let joinedAfter: UInt64

  /// The connection, for polling: it becomes readable when the sim closes it or dies.
  package var connection: CInt { lease.socket.number }

  private let lease: JoinConnection

  /// Joins the run.
  ///
  /// - Parameters:
  ///   - connection: To the run's sim.
  ///   - name: Name in reports; only its first 31 bytes are used.
  ///   - waiting: How this subscriber learns of frames.
  ///   - reading: Which frames it wants.
  ///   - from: The first wanted frame; 0 for the next one. Frames older than the ring count as
  ///     missed.
  /// - Throws: `FrameError`.
  package init(
    _ connection: JoinConnection, name: String, waiting: Waiting = .announcement,
    reading: Reading = .every, from: UInt64 = 0
  ) throws(FrameError) {
    precondition(from <= FrameReader.sequenceMax, "from frame \(from)")
    let request = Self.request(
      name: name, waiting: waiting.rawValue, reading: reading.rawValue, from: from)
    let joined = try Self.join(connection, request)
    reader = joined.reader
    joinedAfter = from == 0 ? joined.sequence : from - 1
    lease = connection
  }

  /// Joins the run whose ring a guest has: it is counted from the next frame on.
  ///
  /// - Parameters:
  ///   - guest: Ready for frames.
  ///   - waiting: How this subscriber learns of frames.
  ///   - reading: Which frames it wants.
  ///   - from: The first wanted frame; 0 for the next one.
  /// - Throws: `FrameError`: `hungUp` if the run has ended meanwhile.
  package init(
    _ guest: JoinGuest, waiting: Waiting = .announcement, reading: Reading = .every,
    from: UInt64 = 0
  ) throws(FrameError) {
    precondition(from <= FrameReader.sequenceMax, "from frame \(from)")
    let request = Self.request(
      name: guest.name, waiting: waiting.rawValue, reading: reading.rawValue, from: from)
    let sequence = try Self.accepted(guest.connection, request).reply.sequence
    guard sequence <= guest.reader.published else {
      throw .badJoinMessage(bytes: MemoryLayout<join_reply>.size)
    }
    reader = guest.reader
    joinedAfter = from == 0 ? sequence : from - 1
    lease = guest.connection
  }

  /// Reports this subscriber's progress to the sim; without effect if the sim is gone.
  ///
  /// - Parameters:
  ///   - sequence: Every frame up to this one was read or given up.
  ///   - missed: Count of the frames given up.
  ///   - isLast: Whether this subscriber hangs up now.
  package func report(sequence: UInt64, missed: UInt64, isLast: Bool = false) {
    var report = progress_report(
      sequence: sequence, missed: missed, leaving: isLast ? 1 : 0, reserved: 0)
    _ = linux_send(lease.socket.number, &report, MemoryLayout<progress_report>.size, -1)
  }

  /// Whether the sim has closed the connection or died.
  package var isLeaseOver: Bool {
    var polled = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  /// Why the sim hung up, if it sent a reason.
  ///
  /// Call it once, after the lease is over.
  package func takeNotice() -> DropReason? {
    var notice = join_notice()
    // Data from this side that the sim did not read causes one error before the notice.
    for _ in 0..<2 {
      let size = MemoryLayout<join_notice>.size
      let count = recv(connection, &notice, size, Int32(MSG_DONTWAIT))
      if count == size, notice.magic == JOIN_MAGIC { return DropReason(notice.reason) }
      guard count < 0, errno == ECONNRESET else { return nil }
    }
    return nil
  }
}

extension JoinClient {
  /// Sends a request, and maps the ring that comes with the reply.
  fileprivate static func join(
    _ connection: JoinConnection, _ request: join_request
  ) throws(FrameError) -> (reader: FrameReader, sequence: UInt64) {
    let accepted = try accepted(connection, request)
    let reply = accepted.reply
    let reader = try FrameReader(
      descriptor: accepted.segment, segmentBytes: reply.segment_bytes,
      isSealed: reply.carrier != UInt32(CARRIER_NAMED))
    guard reply.generation == reader.generation, reply.sequence <= reader.published,
      reply.layout_hash == reader.layout.layoutHash, reply.delivery == reader.delivery.rawValue
    else { throw .badJoinMessage(bytes: MemoryLayout<join_reply>.size) }
    return (reader, reply.sequence)
  }

  /// Sends a request, and checks that it was accepted.
  fileprivate static func accepted(
    _ connection: JoinConnection, _ request: join_request
  ) throws(FrameError) -> Accepted {
    let (reply, attached, count) = try ask(connection, request)
    let segment = attached >= 0 ? FileDescriptor(owning: attached) : nil
    guard count > 0 else { throw .hungUp }
    guard count == MemoryLayout<join_reply>.size, reply.magic == JOIN_MAGIC else {
      throw .badJoinMessage(bytes: count)
    }
    guard reply.layout_version == UInt32(FRAME_LAYOUT_VERSION) else {
      throw .layoutVersion(found: reply.layout_version, expected: UInt32(FRAME_LAYOUT_VERSION))
    }
    guard reply.status == UInt32(JOIN_ACCEPTED) else { throw .refused(status: reply.status) }
    guard let segment else { throw .badJoinMessage(bytes: count) }
    return Accepted(reply: reply, segment: segment)
  }

  /// A reply, and the ring's descriptor.
  fileprivate struct Accepted: ~Copyable {
    let reply: join_reply
    let segment: FileDescriptor
  }

  /// Sends the request and receives the reply with its attached descriptor, -1 for none.
  private static func ask(
    _ connection: JoinConnection, _ request: join_request
  ) throws(FrameError) -> (reply: join_reply, attached: CInt, count: Int) {
    var request = request
    var reply = join_reply()
    var attached: CInt = -1
    // A full sim refuses and hangs up without waiting for the request. Its reply is still there,
    // after the errors that hanging up causes: EPIPE here, ECONNRESET below.
    let sent = linux_send(
      connection.socket.number, &request, MemoryLayout<join_request>.size, -1)
    if sent < 0, errno != EPIPE {
      throw .system(SystemCallError(call: "send", path: connection.path, errno: errno))
    }
    var hasBeenReset = false
    do throws(SystemCallError) {
      let count = try systemCall("receive", connection.path) {
        let received = linux_receive(
          connection.socket.number, &reply, MemoryLayout<join_reply>.size, &attached)
        guard received < 0, errno == ECONNRESET, !hasBeenReset else { return received }
        hasBeenReset = true
        return linux_receive(
          connection.socket.number, &reply, MemoryLayout<join_reply>.size, &attached)
      }
      return (reply, attached, count)
    } catch {
      throw .system(error)
    }
  }

  fileprivate static func request(
    name: String, waiting: UInt32, reading: UInt32, from: UInt64
  ) -> join_request {
    var request = join_request()
    request.magic = JOIN_MAGIC
    request.layout_version = UInt32(FRAME_LAYOUT_VERSION)
    request.process_id = UInt32(getpid())
    withUnsafeMutableBytes(of: &request.name) { bytes in
      bytes.copyBytes(from: name.utf8.prefix(bytes.count - 1))
    }
    request.waiting = waiting
    request.reading = reading
    request.from = from
    return request
  }
}
