// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Another process that a test starts, listens to and kills.
final class Helper {
  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()

  init(_ program: String, _ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = output
    process.standardInput = input
    try process.run()
  }

  deinit { kill() }

  /// The next line that it prints; empty when it has ended.
  func readLine() -> String {
    var bytes: [UInt8] = []
    while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  var processID: pid_t { process.processIdentifier }

  /// Ends it without a chance to clean up.
  func kill() {
    guard process.isRunning else { return }
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
