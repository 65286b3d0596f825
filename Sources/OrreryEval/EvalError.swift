// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a request, and where.
struct EvalError: Error, Equatable, CustomStringConvertible {
  /// The path to the value, such as `spring.mass` or `at[3]`; empty for the request itself.
  let path: String

  /// What is wrong, and what is allowed.
  let reason: String

  var description: String { path.isEmpty ? reason : "\(path): \(reason)" }

  /// The error that a number is out of range.
  static func outOfRange(_ path: String, _ found: Double, _ allowed: String) -> EvalError {
    EvalError(
      path: path, reason: "\(JSONText.number(found)) is out of range; allowed: \(allowed)")
  }
}
