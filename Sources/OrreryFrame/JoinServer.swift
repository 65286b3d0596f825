// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Glibc
import Logging
import OrreryBase

/// What a sim knows of one subscriber.
package struct SubscriberReport: Equatable, Sendable {
  /// As the subscriber calls itself.
  package let name: String
  package let processID: UInt32
  /// Newest frame when it joined.
  package let joinedAfter: UInt64
  /// Every frame up to this one was read or given up.
  package var progress: UInt64
  /// How many were given up.
  package var missed: UInt64
  /// Whether its connection is open.
  package var isConnected: Bool
}

/// Hands a ring to subscribers and keeps account of them, on a thread of its own.
///
/// A subscriber connects to the join socket, says who it is, and gets the ring's descriptor. Its open
/// connection is its lease: the kernel closes it when either side dies. What it reports (how far it
/// has read) comes over the same connection; nothing that a reader writes is in shared memory.
package final class JoinServer: Sendable {
  private let writer: FrameWriter
  private let listener: FileDescriptor
  private let wake: FileDescriptor
  private let progressed: FileDescriptor
  private let log = Logger(label: "join")
  private let state = Monitor(State())
  private let thread = Monitor<BackgroundThread?>(nil)

  private struct State {
    var connections: [Connection] = []
    var departed: [SubscriberReport] = []
    var joinedCount: UInt64 = 0
    var isStopping = false
  }

  private struct Connection {
    let socket: CInt
    /// Nil until it has said who it is.
    var report: SubscriberReport?
  }

  /// Connections at one time; more are refused.
  private static let connectionLimit = 256

  /// Starts to listen.
  ///
  /// - Throws: `FrameError.system`.
  package init(writer: FrameWriter, directory: RunDirectory) throws(FrameError) {
    self.writer = writer
    do throws(SystemCallError) {
      listener = FileDescriptor(
        owning: try systemCall("bind", directory.joinPath) {
          linux_listen(directory.joinPath, 64)
        })
      wake = try Self.wakeDescriptor(directory)
      progressed = try Self.wakeDescriptor(directory)
      let started = try BackgroundThread { [self] in serve() }
      thread.change { $0 = started }
    } catch {
      throw .system(error)
    }
  }

  private static func wakeDescriptor(
    _ directory: RunDirectory
  ) throws(SystemCallError) -> FileDescriptor {
    FileDescriptor(
      owning: try systemCall("eventfd", directory.joinPath) { linux_wake_descriptor() })
  }

  /// Closes every connection and ends the thread.
  package func stop() {
    state.change { $0.isStopping = true }
    Self.signal(wake)
    thread.change { slot in
      slot?.join()
      slot = nil
    }
  }

  /// Subscribers that have joined so far, whether they are still there or not.
  package var joinedCount: UInt64 { state.read { $0.joinedCount } }

  /// Everybody who joined.
  package var reports: [SubscriberReport] {
    state.read { $0.departed + $0.connections.compactMap(\.report) }
  }

  /// Waits until every connected subscriber is done with all frames up to this one.
  ///
  /// - Returns: False if a stop signal came first.
  package func waitForProgress(_ sequence: UInt64) -> Bool {
    while true {
      let slowest = state.read { state in
        state.connections.compactMap { $0.report?.progress }.min()
      }
      guard let slowest, slowest < sequence else { return true }
      if StopSignals.count > 0 { return false }
      var polled = pollfd(fd: progressed.number, events: Int16(POLLIN), revents: 0)
      if poll(&polled, 1, 100) > 0 { Self.drain(progressed) }
    }
  }
}

// MARK: - The thread

extension JoinServer {
  private func serve() {
    while true {
      let (sockets, isStopping) = state.read { ($0.connections.map(\.socket), $0.isStopping) }
      if isStopping { break }
      var polled = [pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)]
      polled.append(pollfd(fd: wake.number, events: Int16(POLLIN), revents: 0))
      polled += sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
      if polled[1].revents != 0 { Self.drain(wake) }
      for (index, socket) in sockets.enumerated() where polled[index + 2].revents != 0 {
        serve(socket)
      }
      if polled[0].revents != 0 { acceptOne() }
    }
    let (unjoined, joined) = state.change { state -> ([CInt], [CInt]) in
      let unjoined = state.connections.filter { $0.report == nil }.map(\.socket)
      let joined = state.connections.filter { $0.report != nil }.map(\.socket)
      state.departed += state.connections.compactMap(\.report)
      state.connections = []
      return (unjoined, joined)
    }
    for socket in joined { close(socket) }
    for socket in unjoined { refuse(socket, status: JOIN_REFUSED_ENDED) }
    // The socket may stay open for a while: who connects from now on must not wait for an answer.
    shutdown(listener.number, CInt(SHUT_RDWR))
    while true {
      let socket = linux_accept(listener.number)
      guard socket >= 0 else { break }
      refuse(socket, status: JOIN_REFUSED_ENDED)
    }
  }

  /// Tells a subscriber of this user why, and hangs up.
  private func refuse(_ socket: CInt, status: CInt) {
    if Self.isOurs(socket) { reply(to: socket, status: status, sequence: 0) }
    close(socket)
  }

  private static func isOurs(_ socket: CInt) -> Bool {
    var user = uid_t()
    return linux_peer_user(socket, &user) == 0 && (user == geteuid() || user == 0)
  }

  private func acceptOne() {
    let socket = linux_accept(listener.number)
    guard socket >= 0 else { return }
    let isOurs = Self.isOurs(socket)
    let isAccepted = state.change { state in
      guard isOurs, state.connections.count < Self.connectionLimit else { return false }
      state.connections.append(Connection(socket: socket, report: nil))
      return true
    }
    if !isAccepted { refuse(socket, status: JOIN_REFUSED_FULL) }
  }

  /// Reads what one subscriber has sent; a subscriber that breaks the protocol is dropped.
  private func serve(_ socket: CInt) {
    var bytes = [UInt8](repeating: 0, count: MemoryLayout<join_request>.size + 1)
    var attached: CInt = -1
    let count = bytes.withUnsafeMutableBytes { buffer -> Int in
      guard let base = buffer.baseAddress else { return -1 }
      return linux_receive(socket, base, buffer.count, &attached)
    }
    if attached >= 0 { close(attached) }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    let hasJoined = state.read { state in
      state.connections.contains { $0.socket == socket && $0.report != nil }
    }
    let isServed: Bool
    switch (count, hasJoined) {
    case (MemoryLayout<join_request>.size, false):
      isServed = admit(socket, bytes.withUnsafeBytes { $0.load(as: join_request.self) })
    case (MemoryLayout<progress_report>.size, true):
      isServed = note(socket, bytes.withUnsafeBytes { $0.load(as: progress_report.self) })
    default:
      isServed = false
    }
    if !isServed { drop(socket) }
    Self.signal(progressed)
  }

  private func admit(_ socket: CInt, _ request: join_request) -> Bool {
    guard request.magic == JOIN_MAGIC else { return false }
    guard request.layout_version == UInt32(FRAME_LAYOUT_VERSION) else {
      reply(to: socket, status: JOIN_REFUSED_VERSION, sequence: 0)
      return false
    }
    let name = withUnsafeBytes(of: request.name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    // Registered before the reply, under the lock that lockstep delivery asks for progress with: from
    // here on no frame after `sequence` can be overwritten unread.
    let sequence = state.change { state -> UInt64 in
      let sequence = writer.sequence
      for index in state.connections.indices where state.connections[index].socket == socket {
        state.connections[index].report = SubscriberReport(
          name: name, processID: request.process_id, joinedAfter: sequence, progress: sequence,
          missed: 0, isConnected: true)
      }
      state.joinedCount += 1
      return sequence
    }
    log.info("\(name) (pid \(request.process_id)) joined after frame \(sequence)")
    return reply(to: socket, status: JOIN_ACCEPTED, sequence: sequence)
  }

  @discardableResult
  private func reply(to socket: CInt, status: CInt, sequence: UInt64) -> Bool {
    var reply = join_reply()
    reply.magic = JOIN_MAGIC
    reply.layout_version = UInt32(FRAME_LAYOUT_VERSION)
    reply.status = UInt32(status)
    reply.generation = writer.generation
    reply.segment_bytes = writer.segmentBytes
    reply.sequence = sequence
    let attached = status == JOIN_ACCEPTED ? writer.descriptor.number : -1
    let size = MemoryLayout<join_reply>.size
    return linux_send(socket, &reply, size, attached) == size
  }

  private func note(_ socket: CInt, _ progress: progress_report) -> Bool {
    state.change { state in
      for index in state.connections.indices where state.connections[index].socket == socket {
        guard var report = state.connections[index].report else { return false }
        // Only forward, and never beyond what was published.
        guard progress.sequence >= report.progress, progress.sequence <= writer.sequence else {
          return false
        }
        report.progress = progress.sequence
        report.missed = progress.missed
        state.connections[index].report = report
        return true
      }
      return false
    }
  }

  private func drop(_ socket: CInt) {
    state.change { state in
      state.connections.removeAll { connection in
        guard connection.socket == socket else { return false }
        if var report = connection.report {
          report.isConnected = false
          log.info("\(report.name) left after frame \(report.progress), missed \(report.missed)")
          state.departed.append(report)
        }
        return true
      }
    }
    close(socket)
  }

  private static func signal(_ event: borrowing FileDescriptor) {
    var one: UInt64 = 1
    _ = write(event.number, &one, 8)
  }

  private static func drain(_ event: borrowing FileDescriptor) {
    var count: UInt64 = 0
    _ = read(event.number, &count, 8)
  }
}
