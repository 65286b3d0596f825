// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Glibc
import OrreryBase

/// A connection to a sim that has not joined yet: the sim is there, and does not count on it so far.
package final class JoinConnection: Sendable {
  fileprivate let socket: FileDescriptor
  fileprivate let path: String

  /// Connects to a run's sim.
  ///
  /// - Throws: `FrameError`: `system` with ENOENT or ECONNREFUSED when no sim is there, `foreignUser`
  ///   when it is somebody else's.
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

/// A subscriber's place in a run: its lease on the ring, and its way to report.
package final class JoinClient: Sendable {
  /// The ring, mapped for reading.
  package let reader: FrameReader

  /// Newest frame when the sim registered this subscriber: the first one to read is the next.
  package let joinedAfter: UInt64

  /// The connection, for polling: it becomes readable when the sim closes it or dies.
  package var connection: CInt { lease.socket.number }

  private let lease: JoinConnection

  /// Joins the run.
  ///
  /// - Parameters:
  ///   - connection: To the run's sim.
  ///   - name: What to be called in reports, at most 31 bytes of it.
  /// - Throws: `FrameError`.
  package init(_ connection: JoinConnection, name: String) throws(FrameError) {
    let path = connection.path
    var reply = join_reply()
    var attached: CInt = -1
    let count: Int
    do throws(SystemCallError) {
      var request = Self.request(name: name)
      // A sim that is full refuses without waiting for the request and hangs up. Its reply is there
      // all the same, behind the errors that hanging up leaves: EPIPE here, ECONNRESET below.
      let sent = linux_send(
        connection.socket.number, &request, MemoryLayout<join_request>.size, -1)
      if sent < 0, errno != EPIPE {
        throw SystemCallError(call: "send", path: path, errno: errno)
      }
      var hasBeenReset = false
      count = try systemCall("receive", path) {
        let received = linux_receive(
          connection.socket.number, &reply, MemoryLayout<join_reply>.size, &attached)
        guard received < 0, errno == ECONNRESET, !hasBeenReset else { return received }
        hasBeenReset = true
        return linux_receive(
          connection.socket.number, &reply, MemoryLayout<join_reply>.size, &attached)
      }
    } catch {
      throw .system(error)
    }
    let segment = attached >= 0 ? FileDescriptor(owning: attached) : nil
    guard count == MemoryLayout<join_reply>.size, reply.magic == JOIN_MAGIC else {
      throw .badJoinMessage(bytes: count)
    }
    guard reply.layout_version == UInt32(FRAME_LAYOUT_VERSION) else {
      throw .layoutVersion(found: reply.layout_version, expected: UInt32(FRAME_LAYOUT_VERSION))
    }
    guard reply.status == UInt32(JOIN_ACCEPTED) else { throw .refused(status: reply.status) }
    guard let segment else { throw .badJoinMessage(bytes: count) }
    reader = try FrameReader(descriptor: segment, segmentBytes: reply.segment_bytes)
    guard reply.generation == reader.generation, reply.sequence <= reader.published else {
      throw .badJoinMessage(bytes: count)
    }
    joinedAfter = reply.sequence
    lease = connection
  }

  /// Tells the sim how far this subscriber has come; a sim that is gone does not matter here.
  package func report(sequence: UInt64, missed: UInt64) {
    var report = progress_report(sequence: sequence, missed: missed)
    _ = linux_send(lease.socket.number, &report, MemoryLayout<progress_report>.size, -1)
  }

  /// Whether the sim has closed the connection or died.
  package var isLeaseOver: Bool {
    var polled = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  private static func request(name: String) -> join_request {
    var request = join_request()
    request.magic = JOIN_MAGIC
    request.layout_version = UInt32(FRAME_LAYOUT_VERSION)
    request.process_id = UInt32(getpid())
    withUnsafeMutableBytes(of: &request.name) { bytes in
      bytes.copyBytes(from: name.utf8.prefix(bytes.count - 1))
    }
    return request
  }
}
