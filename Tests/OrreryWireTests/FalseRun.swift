// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
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
}
