// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Glibc
import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// A run whose sim is a child that does nothing: its lock is held here, and names the child.
final class FalseRun {
  let base: TemporaryBase
  let directory: RunDirectory
  let child: ChildProcess
  private var lock: FileDescriptor?

  init() throws {
    base = try TemporaryBase()
    directory = try RunDirectory(name: "test", base: base.path)
    child = try ChildProcess("/bin/sleep", ["600"])
    mkdir(directory.path, 0o700)
    let file = FileDescriptor(
      owning: try systemCall("open", directory.lockPath) {
        open(directory.lockPath, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
      })
    let text = "pid \(child.processID)\nuser \(geteuid())\n"
    #expect(text.withCString { write(file.number, $0, strlen($0)) } == text.utf8.count)
    #expect(flock(file.number, LOCK_EX | LOCK_NB) == 0)
    lock = consume file
  }

  deinit { child.kill() }

  var address: WireAddress { .run(directory) }

  /// Whoever holds the lock is gone.
  func release() { lock = nil }

  /// The run ended in order: its lock is gone, too.
  func end() {
    unlink(directory.lockPath)
    release()
  }

  /// Hears a request as its sim, ends, and then answers, or hangs up without an answer.
  func endAndAnswer(_ fields: [String: DocumentValue]?) throws {
    // What is sent last goes out before the socket ends, however busy the machine is.
    let router = try BareRouter([(ZMQ_RCVTIMEO, 10_000), (ZMQ_LINGER, 10_000)], of: directory)
    defer { router.close() }
    var peer = [UInt8](repeating: 0, count: 255)
    let count = Int(zmq_recv(router.socket, &peer, peer.count, 0))
    try #require(count > 0)
    end()
    // More than a poll of the client.
    usleep(300_000)
    guard let fields else { return }
    let body = fields.json
    zmq_send(router.socket, peer, count, ZMQ_SNDMORE)
    zmq_send(router.socket, "reply", 5, ZMQ_SNDMORE)
    zmq_send(router.socket, body, body.count, 0)
  }
}
