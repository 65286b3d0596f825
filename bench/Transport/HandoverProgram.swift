// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// A program that measures rounds on request: a peer, a limit, or `bench transport-part`.
package final class HandoverProgram {
  /// A program to start.
  package struct Launch {
    /// Path of the program.
    package let path: String
    /// Arguments.
    package let arguments: [String]
    /// Folder for its temporary files; nil: the default.
    package var folder: String?

    /// Creates a launch of a program with arguments.
    package init(path: String, arguments: [String], folder: String? = nil) {
      (self.path, self.arguments, self.folder) = (path, arguments, folder)
    }
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread: [UInt8] = []

  private let answerTimeoutNs: UInt64

  /// Starts it.
  ///
  /// - Parameters:
  ///   - launch: The program to start.
  ///   - answerTimeoutNs: A program that does not answer for this long counts as hung. A round takes seconds at most,
  ///     beside forty others that want the processors a minute.
  /// - Throws: `Failure` if it cannot be started.
  package init(_ launch: Launch, answerTimeoutNs: UInt64 = 120_000_000_000) throws(Failure) {
    self.answerTimeoutNs = answerTimeoutNs
    process.executableURL = URL(fileURLWithPath: launch.path)
    process.arguments = launch.arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    for pipe in [input, output] {
      // A program that is started later must not inherit these pipes: this program's input would then stay
      // open, and the program would never read its end.
      for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
        _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
    }
    if let folder = launch.folder {
      process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder]) { $1 }
    }
    do {
      try process.run()
    } catch {
      throw Failure(.unavailable, "\(launch.path): \(error)")
    }
  }

  deinit { stop() }

  /// Requests a round and waits for the answer.
  package func ask(_ request: HandoverRequest) -> HandoverAnswer {
    guard let line = ask(line: request.text) else {
      return HandoverAnswer(error: "it ended or hangs")
    }
    guard let answer = JSONLine.read(line, as: HandoverAnswer.self) else {
      return HandoverAnswer(error: String(decoding: line, as: UTF8.self))
    }
    return answer
  }

  /// Writes a line, whose end is in the text, and waits for a line; nil if it ends or takes too long.
  package func ask(line: String) -> [UInt8]? {
    let written = Array(line.utf8).withUnsafeBytes {
      write(input.fileHandleForWriting.fileDescriptor, $0.baseAddress, $0.count)
    }
    return written > 0 ? readLine() : nil
  }

  /// The next line of its output; nil if it ends or takes too long.
  package func readLine() -> [UInt8]? {
    let deadline = Clock.monotonicNs() + answerTimeoutNs
    let descriptor = output.fileHandleForReading.fileDescriptor
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeFirst(end + 1) }
        return Array(unread[..<end])
      }
      let now = Clock.monotonicNs()
      guard now < deadline else { return nil }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, CInt((deadline - now) / 1_000_000) + 1) >= 0 || errno == EINTR else {
        return nil
      }
      guard polled.revents != 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return nil }
      unread += bytes[..<count]
    }
  }

  /// Ends the program: closes its input, then sends SIGTERM, then SIGKILL.
  ///
  /// - Parameter graceNs: Time to wait for its end after each of these steps.
  package func stop(graceNs: UInt64 = 1_000_000_000) {
    guard process.isRunning else { return }
    try? input.fileHandleForWriting.close()
    for signal in [0, SIGTERM, SIGKILL] {
      if signal != 0 { kill(process.processIdentifier, signal) }
      let deadline = Clock.monotonicNs() + graceNs
      while process.isRunning, Clock.monotonicNs() < deadline { usleep(2000) }
      if !process.isRunning { return }
    }
  }
}
