// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// A program that answers rounds: a peer, a limit, or this one as `bench transport-part`.
package final class HandoverProgram {
  /// What to start.
  package struct Launch {
    /// Where it is.
    package let path: String
    /// Its arguments.
    package let arguments: [String]
    /// Where it is to put its files.
    package var folder: String?

    /// A program and its arguments.
    package init(path: String, arguments: [String], folder: String? = nil) {
      (self.path, self.arguments, self.folder) = (path, arguments, folder)
    }
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var rest: [UInt8] = []

  private let patienceNs: UInt64

  /// Starts it.
  ///
  /// - Parameters:
  ///   - launch: What to start.
  ///   - patienceNs: A round takes seconds at most; after so long the program is taken to hang.
  /// - Throws: `Failure` when it cannot be started.
  package init(_ launch: Launch, patienceNs: UInt64 = 20_000_000_000) throws(Failure) {
    self.patienceNs = patienceNs
    process.executableURL = URL(fileURLWithPath: launch.path)
    process.arguments = launch.arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    for pipe in [input, output] {
      // A program that is started later must not keep this one's input open: it would never see the end.
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

  /// Asks for a round and waits for its answer.
  package func ask(_ request: HandoverRequest) -> HandoverAnswer {
    let written = Array(request.text.utf8).withUnsafeBytes {
      write(input.fileHandleForWriting.fileDescriptor, $0.baseAddress, $0.count)
    }
    guard written > 0, let line = readLine() else {
      return HandoverAnswer(error: "it ended or hangs")
    }
    guard let answer = try? JSONDecoder().decode(HandoverAnswer.self, from: Data(line)) else {
      return HandoverAnswer(error: String(decoding: line, as: UTF8.self))
    }
    return answer
  }

  /// The next line of its output; nil when it ends or takes too long.
  package func readLine() -> [UInt8]? {
    let deadline = Clock.monotonicNs() + patienceNs
    let descriptor = output.fileHandleForReading.fileDescriptor
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest.removeFirst(end + 1) }
        return Array(rest[..<end])
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
      rest += bytes[..<count]
    }
  }

  /// Ends it, since nobody asks any more.
  ///
  /// One that does not listen is killed.
  ///
  /// - Parameter graceNs: What it has for ending by itself, and again after it was told to.
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
