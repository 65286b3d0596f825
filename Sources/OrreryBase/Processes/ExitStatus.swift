// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Exit codes of the programs, most of them from sysexits.h; docs/reference/exit-codes.md lists them.
package enum ExitStatus: Int32, Sendable {
  /// Success.
  case done = 0
  /// The program ran to its end, but what was asked for did not come, or a goal was missed.
  case unmet = 1
  /// A comparison found nothing worse, but it could not decide everything.
  case undecided = 2
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

/// An error that knows the exit code of a program that cannot go on because of it.
///
/// Its description is the line that the user sees.
package protocol ExitStatusError: Error {
  /// The number for the shell.
  var exitStatus: ExitStatus { get }
}

/// A failure that ends a program: one line for the user, one number for the shell.
package struct Failure: ExitStatusError, CustomStringConvertible {
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

  /// The failure that another error leads to: with its own exit code, or `unavailable` if it knows none.
  package init(_ error: any Error) {
    self.init((error as? any ExitStatusError)?.exitStatus ?? .unavailable, "\(error)")
  }

  /// The same as `status`.
  package var exitStatus: ExitStatus { status }

  /// Does something whose errors end the program.
  ///
  /// - Parameters:
  ///   - status: The exit code, whatever the error; nil: the error's own.
  ///   - body: What is done.
  /// - Returns: What `body` returns.
  /// - Throws: `Failure` with the description of the error.
  package static func of<Value>(
    _ status: ExitStatus? = nil, _ body: () throws -> Value
  ) throws(Failure) -> Value {
    do {
      return try body()
    } catch {
      let failure = Failure(error)
      throw Failure(status ?? failure.status, failure.description)
    }
  }

  /// Refuses inputs that are not there.
  ///
  /// - Parameter paths: Files and folders.
  /// - Throws: `Failure` that names the first.
  package static func checkExist(_ paths: [String]) throws(Failure) {
    guard let missing = paths.first(where: { access($0, F_OK) != 0 }) else { return }
    throw Failure(.unavailable, "\(missing): \(String(cString: strerror(ENOENT)))")
  }

  /// Prints the description on standard error and ends the program.
  package func exit(program: String) -> Never {
    exit(program: program, isJSON: false)
  }
}
