// SPDX-License-Identifier: Apache-2.0

import Testing

import OrreryEval

/// An answer, taken apart.
struct Answer {
  let value: JSONValue

  init(_ request: String, _ evaluator: Evaluator = Evaluator()) throws {
    let line = try #require(evaluator.answer(request))
    #expect(!line.contains("\n"))
    value = try JSONParser.parse(Array(line.utf8))
  }

  private init(value: JSONValue) { self.value = value }

  subscript(key: String) -> Answer {
    guard case .object(let members) = value else { return Answer(value: .null) }
    return Answer(value: members.first { $0.key == key }?.value ?? .null)
  }

  var number: Double? {
    if case .number(let number) = value { number } else { nil }
  }

  var string: String? {
    if case .string(let string) = value { string } else { nil }
  }

  var elements: [Answer] {
    guard case .array(let values) = value else { return [] }
    return values.map { Answer(value: $0) }
  }

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
