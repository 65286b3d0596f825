// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Why a scene cannot be used.
package enum SceneError: ExitStatusError, Equatable, Sendable {
  /// Its first `FaultList.keptMax` problems, in the order of the file; `total` counts all of them.
  case invalid([SceneProblem], total: Int)
  /// The file cannot be read.
  case unreadable(SystemCallError)
  /// The file is larger than the limit.
  case tooLarge(file: String, limitBytes: Int)
  /// The file is not UTF-8 at this line and column.
  case notUTF8(file: String, line: Int, column: Int)
  /// The file is a trace of a run.
  case isTrace(file: String)

  /// A file is a table in Parquet.
  case isParquet(file: String)
  /// The file is a result of `orrery bench`.
  case isResult(file: String)
  /// The file is a plan of `orrery bench sweep`.
  case isPlan(file: String)
  /// No built-in scene has this name; `known` are the names of all.
  case unknownScene(name: String, nearest: String?, known: [String])
  /// Its layout alone needs more memory than is available.
  case notEnoughMemory(entities: Int, needed: UInt64, available: UInt64)

  /// Problems that the description shows.
  package static let shownMax = 20
}

extension SceneError: CustomStringConvertible {
  /// One line for each of the first problems.
  package var description: String {
    switch self {
    case .invalid(let problems, let total):
      let lines = problems.prefix(Self.shownMax).map(\.description)
      let rest = total - lines.count
      return (lines + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "\n")
    case .unreadable(let error):
      return error.errno == EISDIR ? "\(error.path): a directory, and no scene file" : "\(error)"
    case .tooLarge(let file, let limit): return "\(file): larger than \(limit) bytes"
    case .notUTF8(let file, let line, let column): return "\(file):\(line):\(column): not UTF-8"
    case .isTrace(let file):
      return "\(file): a trace of a run, and no scene; orrery trace play \(file) plays it, orrery"
        + " scene show \(file) prints its scene"
    case .isParquet(let file):
      return
        "\(file): a table in Parquet, and no scene; orrery scene import \(file) makes a scene of it"
    case .isResult(let file):
      return "\(file): a result of orrery bench, and no scene; orrery bench report \(file) shows it"
    case .isPlan(let file):
      return
        "\(file): a plan of orrery bench sweep, and no scene; orrery bench sweep \(file) measures it"
    case .unknownScene(let name, let nearest, let known):
      // A user who has only misspelt a name need not read all names.
      let hint =
        nearest.map { "did you mean \($0)? all of them: orrery scene list" }
        ?? "there are \(known.joined(separator: ", "))"
      return "no built-in scene \(name); \(hint)"
        + "; a file's name has a slash or ends in \(SceneFile.endings.joined(separator: ", "))"
    case .notEnoughMemory(let entities, let needed, let available):
      return "laying out \(entities) entities needs \(needed) bytes of memory,"
        + " \(available) are available"
    }
  }
}

extension SceneError {
  /// Unknown scenes and options out of range are usage errors, missing fonts and files are errors of the machine, and
  /// all others are errors of the scene.
  package var exitStatus: ExitStatus {
    switch self {
    case .invalid(let problems, _):
      if problems.allSatisfy({ $0.location == .option }) {
        .usage
      } else {
        problems.allSatisfy(\.isOfMachine) ? .unavailable : .badData
      }
    case .unreadable(let error): error.errno == ENOENT ? .unavailable : .inputOutput
    case .unknownScene: .usage
    case .tooLarge, .notUTF8, .isTrace, .isParquet, .isResult, .isPlan: .badData
    case .notEnoughMemory: .resource
    }
  }
}
