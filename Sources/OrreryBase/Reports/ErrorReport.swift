// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why a program failed, for programs: docs/schemas/error.schema.json.
package struct ErrorReport: Codable, Equatable, Sendable {
  /// The document's kind and version.
  package static let schema = "orrery.error.v1"

  /// Name of the program, as `orrery run`.
  package var program: String
  /// The number for the shell.
  package var exitCode: Int32
  /// The line that people get on standard error.
  package var error: String

  /// The report of a program's failure.
  package init(program: String, _ failure: Failure) {
    (self.program, exitCode, error) = (program, failure.status.rawValue, failure.description)
  }
}

extension Failure {
  /// Ends the program, and says why.
  ///
  /// People get a line on standard error. A program that was asked for JSON prints an object on
  /// standard output besides, where whoever asked reads.
  ///
  /// - Parameters:
  ///   - program: The program's name.
  ///   - isJSON: Whether it was asked for JSON and has not reported the failure yet.
  package func exit(program: String, isJSON: Bool) -> Never {
    report(program: program, isJSON: isJSON)
    Glibc.exit(status.rawValue)
  }

  /// The same without the end.
  package func report(program: String, isJSON: Bool) {
    if isJSON, status != .done {
      Standard.output(
        ReportLine.encode(ErrorReport(program: program, self), schema: ErrorReport.schema) + "\n")
    }
    StandardErrorLog.say(description, by: program, status == .done ? .notice : .error)
  }
}
