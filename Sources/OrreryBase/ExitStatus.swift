// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How programs end; the README lists these numbers, most of them from sysexits.h.
package enum ExitStatus: Int32, Sendable {
  /// Everything was done.
  case done = 0
  /// Bad arguments.
  case usage = 64
  /// A bad scene or trace.
  case badData = 65
  /// A peer or a resource is not there.
  case unavailable = 69
  /// Memory, descriptors or space in /dev/shm are short.
  case resource = 71
  /// Reading or writing failed.
  case inputOutput = 74
  /// The name is in use; try again, or use another.
  case nameTaken = 75
  /// The other side is of another version, or speaks something else.
  case mismatch = 76
  /// Something belongs to somebody else, or is open to others.
  case notPermitted = 77
}

/// A failure that ends a program: one line for the person, one number for the shell.
package struct Failure: Error, CustomStringConvertible {
  package let status: ExitStatus

  /// What failed, with which value, against which limit.
  package let description: String

  package init(_ status: ExitStatus, _ description: String) {
    self.status = status
    self.description = description
  }

  /// A failure with the words of another error.
  package init(_ status: ExitStatus, _ error: some Error) {
    self.init(status, "\(error)")
  }

  /// Ends the program with one line per line of the description on standard error.
  package func exit(program: String) -> Never {
    Standard.error("\(program): \(description)\n")
    Glibc.exit(status.rawValue)
  }
}
