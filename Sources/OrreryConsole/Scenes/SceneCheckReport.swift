// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrreryScene

/// What `orrery scene check` prints: the verdict on each file.
package struct SceneCheckReport {
  /// The kind and version of the document that `json` prints.
  package static let schema = "orrery.scene-check.v1"

  private let verdicts: [SceneVerdict]

  /// Takes the verdicts in the order of the arguments.
  package init(_ verdicts: [SceneVerdict]) { self.verdicts = verdicts }

  /// That of a bad scene if there is one, else that of the first file that cannot be read.
  package var status: ExitStatus {
    let failed = verdicts.map(\.status).filter { $0 != .done }
    return failed.contains(.badData) ? .badData : failed.first ?? .done
  }

  /// A line for each good file and for each problem of the others.
  package var text: String {
    verdicts.map { Self.lines($0).map { $0 + "\n" }.joined() }.joined()
  }

  /// One line of JSON.
  package var json: String {
    let report: DocumentTable = [
      "schema": .string(Self.schema),
      "files": .array(DocumentArray(verdicts.map { .table(Self.fields($0)) })),
    ]
    return JSONWriter.text(.table(report), .answer) + "\n"
  }

  private static func lines(_ verdict: SceneVerdict) -> [String] {
    switch verdict.outcome {
    case .success(let facts):
      let entities = facts.entities == 1 ? "1 entity" : "\(facts.entities) entities"
      let leftOut = facts.leftOut.map { "; left out: \($0)" } ?? ""
      return ["\(verdict.file): ok, \(entities), \(facts.rate) Hz\(leftOut)"]
    case .failure(.invalid(let problems, let total)):
      let rest = total - problems.count
      return problems.map(\.description)
        + (rest > 0 ? ["\(verdict.file): and \(rest) more"] : [])
    case .failure(let error): return ["\(error)"]
    }
  }

  private static func fields(_ verdict: SceneVerdict) -> DocumentTable {
    var fields: DocumentTable = ["file": .string(verdict.file)]
    switch verdict.outcome {
    case .success(let facts):
      fields.append("ok", .bool(true))
      fields.append("entities", .integer(Int64(facts.entities)))
      fields.append("rate", .string("\(facts.rate)"))
      fields.append("ticks_per_second", .number(facts.rate.ticksPerSecond))
      if let leftOut = facts.leftOut { fields.append("left_out", .string(leftOut)) }
    case .failure(let error):
      fields.append("ok", .bool(false))
      fields.append("exit_code", .integer(Int64(verdict.status.rawValue)))
      let (problems, total) = Self.problems(error)
      fields.append("problem_count", .integer(Int64(total)))
      fields.append("problems", .array(DocumentArray(problems.map { .table($0) })))
    }
    return fields
  }

  /// The problems with their places, and how many there are.
  private static func problems(_ error: SceneError) -> ([DocumentTable], total: Int) {
    guard case .invalid(let problems, let total) = error else {
      return ([["message": .string("\(error)")]], 1)
    }
    let tables = problems.map { problem in
      var fields = DocumentTable()
      if case .file(_, let line, let column) = problem.location {
        fields.append("line", .integer(Int64(line)))
        fields.append("column", .integer(Int64(column)))
      }
      if !problem.key.isEmpty { fields.append("key", .string(problem.key)) }
      fields.append("message", .string("\(problem.fault)"))
      return fields
    }
    return (tables, total)
  }
}
