// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Glibc
import OrreryBase
import OrreryFrame
import TestSupport
import Testing

extension TemporaryBase {
  /// The directory of a run in it.
  func run(_ name: String = "test") throws(RunDirectoryError) -> RunDirectory {
    try RunDirectory(name: name, base: path)
  }
}

/// Ends what a test has started; an end that does not come is an issue.
func stop(_ what: String, _ body: @escaping @Sendable () -> Void) {
  do { try within("the end of \(what)", body) } catch { Issue.record("\(error)") }
}

/// A ring that is served in a run directory of its own.
final class ServedRing {
  let base: TemporaryBase
  let lock: RunLock
  let writer: FrameWriter
  let subscribers: Subscribers
  let server: JoinServer

  init(
    slots: UInt64 = 4, delivery: Delivery = .live,
    stallLimitNs: UInt64 = JoinServer.defaultStallLimitNs
  ) throws {
    base = try TemporaryBase()
    lock = try RunLock(base.run())
    writer = try FrameWriter(slots: slots, delivery: delivery)
    subscribers = try Subscribers(lock.directory)
    server = try JoinServer(
      writer: writer, directory: lock.directory, subscribers: subscribers,
      stallLimitNs: stallLimitNs)
  }

  deinit { stop("the join server", server.stop) }

  var directory: RunDirectory { lock.directory }

  func join(_ name: String = "subscriber") throws(FrameError) -> JoinClient {
    try JoinClient(JoinConnection(directory), name: name)
  }

  /// Waits until every subscriber is done with a frame.
  func waitForProgress(_ sequence: UInt64) throws {
    let isDone = try within("progress \(sequence)") { [subscribers] in
      subscribers.waitForProgress(sequence)
    }
    #expect(isDone)
  }

  func report(_ name: String) -> SubscriberReport? { subscribers.reports.first { $0.name == name } }
}

/// A raw end of the join socket, for what a subscriber of ours would never say.
struct RawConnection: ~Copyable {
  let socket: FileDescriptor

  init(_ directory: RunDirectory) throws {
    socket = FileDescriptor(
      owning: try systemCall("connect", directory.joinPath) { linux_connect(directory.joinPath) })
    // A server that neither answers nor hangs up must not hang the test.
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    #expect(setsockopt(socket.number, SOL_SOCKET, SO_RCVTIMEO, &patience, size) == 0)
  }

  /// Sends a packet; a server that has hung up is no failure here.
  func send(_ bytes: [UInt8]) { _ = linux_send(socket.number, bytes, bytes.count, -1) }

  /// Receives a packet and what is attached; an empty one is the end, or that nothing came.
  func receive() -> (bytes: [UInt8], attached: CInt) {
    var bytes = [UInt8](repeating: 0, count: 256)
    var attached: CInt = -1
    let count = linux_receive(socket.number, &bytes, bytes.count, &attached)
    return (Array(bytes.prefix(max(count, 0))), attached)
  }

  /// Waits for the server to hang up; nothing else may come.
  func waitForEnd() -> Bool {
    var byte: UInt8 = 0
    return recv(socket.number, &byte, 1, 0) == 0
  }
}

/// A join request as the bytes of docs/reference/wire.md.
func joinRequest(
  magic: UInt64 = JOIN_MAGIC, version: UInt32 = UInt32(FRAME_LAYOUT_VERSION),
  name: String = "raw", waiting: CInt = WAIT_ANNOUNCEMENT, reading: CInt = READ_EVERY,
  from: UInt64 = 0
) -> [UInt8] {
  var request = join_request()
  request.magic = magic
  request.layout_version = version
  request.process_id = 4711
  request.waiting = UInt32(waiting)
  request.reading = UInt32(reading)
  request.from = from
  withUnsafeMutableBytes(of: &request.name) { $0.copyBytes(from: name.utf8.prefix(32)) }
  return withUnsafeBytes(of: request) { Array($0) }
}

/// A progress report as bytes.
func progressReport(_ sequence: UInt64, missed: UInt64 = 0) -> [UInt8] {
  let report = progress_report(sequence: sequence, missed: missed, leaving: 0, reserved: 0)
  return withUnsafeBytes(of: report) { Array($0) }
}
