// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryEval
import Testing

/// An answer, taken apart.
struct Answer {
  let value: DocumentValue

  init(_ request: String, _ evaluator: Evaluator = Evaluator()) throws {
    let line = try #require(evaluator.answer(request))
    #expect(!line.contains("\n"))
    value = try JSONParser.parse(Array(line.utf8))
  }

  private init(value: DocumentValue) { self.value = value }

  subscript(key: String) -> Answer {
    Answer(value: value.table?[key] ?? .null)
  }

  var number: Double? { value.number }

  var string: String? { value.string }

  var elements: [Answer] { (value.array ?? []).map { Answer(value: $0) } }

  /// The numbers of a list; NaN stands for what is none.
  var numbers: [Double] { elements.map { $0.number ?? .nan } }

  /// The message of a request that was refused.
  var error: String { self["error"].string ?? "no error in \(value.shown)" }
}

/// Whether two lists are equal but for a tolerance.
func areClose(_ first: [Double], _ second: [Double], within tolerance: Double) -> Bool {
  first.count == second.count
    && zip(first, second).allSatisfy { $0 == $1 || abs($0 - $1) <= tolerance }
}
