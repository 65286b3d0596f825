// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryConsole
import TestSupport
import Testing

/// Goal: a file holds what was written and nothing else.
///
/// Method: files in a folder of their own; a pipe whose reader is slow and interrupts the writer with signals, which
/// takes a process of its own.
@Suite struct NewFileTests {
  @Test func fileHoldsWhatWasWritten() throws {
    let base = try TemporaryBase()
    let path = base.path + "/a"
    try NewFile.write([1, 2, 3, 4, 5], to: path)
    #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3, 4, 5]))
    try NewFile.write([9, 8], to: path)
    #expect(FileManager.default.contents(atPath: path) == Data([9, 8]))
    try NewFile.write([], to: path)
    #expect(FileManager.default.contents(atPath: path) == Data())
  }

  @Test func everybodyMayReadAFileThatTheUserLetsThem() throws {
    let base = try TemporaryBase()
    let path = base.path + "/a"
    try NewFile.write([1], to: path)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o666 & ~processMask())
  }

  @Test func causeOfAFailureIsNamed() throws {
    let path = "/nonexistent/a"
    #expect(throws: SystemCallError(call: "open", path: path, errno: ENOENT)) {
      try NewFile.write([1], to: path)
    }
    #expect(throws: SystemCallError(call: "write", path: "/dev/full", errno: ENOSPC)) {
      try NewFile.write([1], to: "/dev/full")
    }
  }

  @Test func writingGoesOnWhereItWasInterrupted() async {
    await #expect(processExitsWith: .success) {
      let base = try TemporaryBase()
      let path = base.path + "/pipe"
      precondition(mkfifo(path, 0o600) == 0)
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in }
      precondition(sigaction(SIGUSR1, &action, nil) == 0)
      let received = Monitor<[UInt8]>([])
      let writer = pthread_self()
      let reader = try BackgroundThread {
        let number = open(path, O_RDONLY)
        var bytes = [UInt8](repeating: 0, count: 30_000)
        while true {
          usleep(5_000)
          // It waits for room by now.
          pthread_kill(writer, SIGUSR1)
          let count = read(number, &bytes, bytes.count)
          guard count > 0 else { break }
          let part = Array(bytes[..<count])
          received.change { $0 += part }
        }
        close(number)
      }
      let bytes = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      try NewFile.write(bytes, to: path)
      signal(SIGUSR1, SIG_IGN)
      reader.join()
      precondition(received.read { $0 } == bytes, "what was read is not what was written")
    }
  }
}
