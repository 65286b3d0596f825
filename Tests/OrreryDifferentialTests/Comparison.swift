// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryEval
import Testing

/// Values that several paths have computed, compared one by one.
struct Comparison {
  /// What is compared, for the message: a seed, and a scene in words.
  let scene: String

  /// Values that were compared.
  private(set) var count = 0

  /// Faults beyond the first few are not reported: one fault has many values.
  private var reported = 0

  init(_ scene: String) { self.scene = scene }

  /// Compares two values.
  ///
  /// - Parameters:
  ///   - found: One path's value.
  ///   - expected: The other's.
  ///   - bound: The largest difference that is none.
  ///   - what: Names both.
  mutating func add(
    _ found: Double, _ expected: Double, within bound: Double, _ what: @autoclosure () -> String
  ) {
    count += 1
    if found == expected || abs(found - expected) <= bound { return }
    reported += 1
    if reported <= 3 {
      Issue.record("\(what()): \(found), not \(expected), is beyond \(bound); \(scene)")
    }
  }

  /// Compares two lists.
  mutating func add(
    _ found: [Double], _ expected: [Double], within bound: Double, _ what: String
  ) {
    if found.count != expected.count {
      Issue.record("\(what): \(found.count) values, not \(expected.count); \(scene)")
    }
    for (index, pair) in zip(found, expected).enumerated() {
      add(pair.0, pair.1, within: bound, "\(what), value \(index)")
    }
  }
}

/// `orrery eval`, in this process.
enum Eval {
  static let library = Evaluator()
  static let kernel = Evaluator(kernels: BatchKernels())

  /// The numbers that an answer has under a key; of a table, those of a name.
  static func numbers(
    _ request: String, _ key: String = "values", _ name: String? = nil,
    _ evaluator: Evaluator = library
  ) throws -> [Double] {
    let line = try #require(evaluator.answer(request))
    let answer = try JSONParser.parse(Array(line.utf8))
    var value = answer.table?[key] ?? .null
    if let name { value = value.table?[name] ?? .null }
    let numbers = try #require(value.array, "\(line.prefix(300)) to \(request.prefix(300))")
    return numbers.map { $0.number ?? .nan }
  }
}
