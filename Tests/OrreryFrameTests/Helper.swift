// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Another process that a test starts, listens to and kills.
///
/// `Process` closes all other descriptors in it, so that it holds no lock and no ring of another test.
final class Helper {
  private let name: String
  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()

  init(_ program: String, _ arguments: [String]) throws {
    name = program
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = output
    process.standardInput = input
    try process.run()
  }

  deinit {
    do { try kill() } catch { Issue.record("\(error)") }
  }

  /// Reads the next line that it prints.
  ///
  /// - Parameter what: What the line means, for the error.
  /// - Returns: The line; empty when it has ended.
  /// - Throws: `Overdue`.
  func readLine(_ what: String) throws -> String {
    let descriptor = output.fileHandleForReading.fileDescriptor
    var bytes: [UInt8] = []
    try waitUntil("\(what) from \(name)") {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&polled, 1, 0) > 0 {
        var byte: UInt8 = 10
        guard read(descriptor, &byte, 1) == 1, byte != 10 else { return true }
        bytes.append(byte)
      }
      return false
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  var processID: pid_t { process.processIdentifier }

  /// Ends it without a chance to clean up.
  ///
  /// - Throws: `Overdue`.
  func kill() throws {
    guard process.isRunning else { return }
    Glibc.kill(process.processIdentifier, SIGKILL)
    try waitUntil("the end of \(name), which was killed") { !process.isRunning }
  }
}
