// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The standard streams: every text is written at once and in full.
package enum Standard {
  /// Writes to standard output.
  ///
  /// Lost output must not look like success: a failed write ends the program with the status of an
  /// I/O error. A reader that closes the pipe, as in `… | head -1`, is not a failure, nor is a
  /// terminal that has closed.
  ///
  /// - Returns: False if there is no reader any more.
  @discardableResult
  package static func output(_ text: String) -> Bool { output(Array(text.utf8)) }

  /// Writes bytes to standard output; see the other `output`.
  @discardableResult
  package static func output(_ bytes: [UInt8]) -> Bool {
    let failure = write(bytes, to: STDOUT_FILENO)
    if failure == 0 || failure == EPIPE || failure == EIO && isClosedTerminal(STDOUT_FILENO) {
      return failure == 0
    }
    Failure(.inputOutput, SystemCallError(call: "write", path: "standard output", errno: failure))
      .exit(program: "orrery")
  }

  /// Writes to standard error; a failure is ignored, since it cannot be reported anywhere.
  package static func error(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

  /// Writes a message to standard error.
  ///
  /// - Parameters:
  ///   - text: The message.
  ///   - program: Who says it.
  ///   - isJSON: Whether it stands among lines of JSON; else it is as the log is.
  package static func note(_ text: String, by program: String, isJSON: Bool) {
    if isJSON {
      error(NoteReport(text: "\(program): \(text)").line + "\n")
    } else {
      StandardErrorLog.say(text, by: program, .notice)
    }
  }

  /// Says which files an output is about to replace.
  ///
  /// - Parameters:
  ///   - paths: Where output goes; those that are not there yet are left out.
  ///   - program: Who says it.
  ///   - isJSON: Whether it stands among lines of JSON.
  package static func sayReplaced(
    _ paths: [String], by program: String, isJSON: Bool = false
  ) {
    let replaced = paths.filter { access($0, F_OK) == 0 }
    if !replaced.isEmpty {
      note("replaces \(replaced.joined(separator: ", "))", by: program, isJSON: isJSON)
    }
  }

  /// Whether a descriptor was a terminal: after its end every question to it fails with EIO.
  private static func isClosedTerminal(_ descriptor: CInt) -> Bool {
    var attributes = termios()
    return tcgetattr(descriptor, &attributes) != 0 && errno == EIO
  }

  /// - Returns: 0, or the error number of the call that failed.
  private static func write(_ bytes: [UInt8], to descriptor: CInt) -> CInt {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
      if count < 0, errno != EINTR { return errno }
      written += max(count, 0)
    }
    return 0
  }
}
