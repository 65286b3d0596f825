// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Why a scene cannot be used.
package enum SceneError: Error, Equatable, Sendable {
  /// Its first `problemsMax` problems, in the order of the file; `total` counts all of them.
  case invalid([SceneProblem], total: Int)
  /// The file cannot be read.
  case unreadable(SystemCallError)
  /// The file is larger than the limit.
  case tooLarge(file: String, limitBytes: Int)
  /// The file is not UTF-8 at this line and column.
  case notUTF8(file: String, line: Int, column: Int)
  /// No built-in scene has this name; `known` are the names of all.
  case unknownScene(name: String, nearest: String?, known: [String])
  /// Its layout alone needs more memory than is available.
  case notEnoughMemory(entities: Int, needed: UInt64, available: UInt64)

  /// Problems shown by one error.
  package static let problemsMax = 20
}

extension SceneError: CustomStringConvertible {
  /// One line for each problem.
  package var description: String {
    switch self {
    case .invalid(let problems, let total):
      let lines = problems.map(\.description)
      let rest = total - problems.count
      return (lines + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "\n")
    case .unreadable(let error): return "\(error)"
    case .tooLarge(let file, let limit): return "\(file): larger than \(limit) bytes"
    case .notUTF8(let file, let line, let column): return "\(file):\(line):\(column): not UTF-8"
    case .unknownScene(let name, let nearest, let known):
      let hint = nearest.map { "did you mean \($0)? " } ?? ""
      return "no built-in scene \(name); \(hint)there are \(known.joined(separator: ", "))"
        + "; a file's name has a slash or ends in .toml"
    case .notEnoughMemory(let entities, let needed, let available):
      return "laying out \(entities) entities needs \(needed) bytes of memory,"
        + " \(available) are available"
    }
  }
}
