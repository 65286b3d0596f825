// SPDX-License-Identifier: Apache-2.0

import OrreryDocument

/// What is wrong with a request, and where.
struct EvalError: Error, Equatable, CustomStringConvertible {
  /// The path to the value, such as `spring.mass` or `at[3]`; empty for the request itself.
  let path: DocumentPath

  /// What is wrong, and what is allowed.
  let reason: String

  var description: String { path.elements.isEmpty ? reason : "\(path.text): \(reason)" }

  /// The error that a number is out of range.
  static func outOfRange(_ path: DocumentPath, _ found: Double, _ allowed: String) -> EvalError {
    let shown = JSONWriter.number(found, .answer)
    return EvalError(path: path, reason: "\(shown) is out of range; allowed: \(allowed)")
  }
}
