// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Exit codes of the programs, most of them from sysexits.h; the README lists them.
package enum ExitStatus: Int32, Sendable {
  /// Success.
  case done = 0
  /// The program ran to its end, but what was asked for did not come, or a goal was missed.
  case unmet = 1
  /// What was asked for was done, but something is missing in what was read.
  case incomplete = 3
  /// Bad arguments.
  case usage = 64
  /// A bad scene or trace.
  case badData = 65
  /// A peer or a resource is not available.
  case unavailable = 69
  /// Out of memory, descriptors or space in /dev/shm.
  case resource = 71
  /// Reading or writing failed.
  case inputOutput = 74
  /// The name is in use; try again, or use another.
  case nameTaken = 75
  /// The other side has another version or another protocol.
  case mismatch = 76
  /// A file or a peer belongs to another user, or other users can access it.
  case notPermitted = 77
  /// A second signal asked for the end at once: outputs may be incomplete. Shells give the same
  /// code to a program that SIGINT ended.
  case interrupted = 130
}

/// A failure that ends a program: one line for the user, one number for the shell.
package struct Failure: Error, CustomStringConvertible {
  /// The number for the shell.
  package let status: ExitStatus

  /// What failed, with which value, against which limit.
  package let description: String

  package init(_ status: ExitStatus, _ description: String) {
    self.status = status
    self.description = description
  }

  /// A failure with the description of another error.
  package init(_ status: ExitStatus, _ error: some Error) {
    self.init(status, "\(error)")
  }

  /// Does what reads or writes files.
  ///
  /// - Throws: `inputOutput` with the system call that failed.
  package static func ofFiles<Value>(
    _ body: () throws(SystemCallError) -> Value
  ) throws(Failure) -> Value {
    do throws(SystemCallError) {
      return try body()
    } catch {
      throw Failure(.inputOutput, error)
    }
  }

  /// Prints the description on standard error and ends the program.
  package func exit(program: String) -> Never {
    Standard.error("\(program): \(description)\n")
    Glibc.exit(status.rawValue)
  }
}
