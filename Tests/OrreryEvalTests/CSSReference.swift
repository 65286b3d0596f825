// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `linear()` of CSS Easing 2, section 2.2, written from the specification's text and from nothing else here.
struct CSSReference {
  private var stops: [(input: Double, output: Double)] = []

  /// Reads `linear(0, 0.1 5%, 1)`.
  init(_ text: String) throws {
    let list = try #require(text.wholeMatch(of: /linear\((.*)\)/)).1
    var points: [(input: Double?, output: Double)] = []
    for argument in list.split(separator: ",") {
      let words = argument.split(separator: " ")
      let output = try #require(Double(words[0]))
      let inputs = try words.dropFirst().map { word in
        #expect(word.hasSuffix("%"), "\(argument)")
        return try #require(Double(word.dropLast())) / 100
      }
      points += inputs.isEmpty ? [(nil, output)] : inputs.map { ($0, output) }
    }
    try #require(points.count >= 2)
    points[0].input = points[0].input ?? 0
    points[points.count - 1].input = points[points.count - 1].input ?? 1
    var largest = -Double.infinity
    for (index, point) in points.enumerated() {
      // This package prints every input but those of the ends, in their order.
      let input = try #require(point.input)
      #expect(input >= largest, "input \(index) of \(text)")
      largest = max(largest, input)
      stops.append((largest, point.output))
    }
  }

  /// Number of points.
  var count: Int { stops.count }

  /// The output at an input, by the six steps of the specification.
  func value(at input: Double) -> Double {
    var a = stops.lastIndex { $0.input <= input } ?? 0
    if a == stops.count - 1 { a -= 1 }
    let (first, second) = (stops[a], stops[a + 1])
    if first.input == second.input { return input < first.input ? first.output : second.output }
    return first.output
      + (second.output - first.output) * (input - first.input) / (second.input - first.input)
  }
}

/// Declarations of CSS by their names.
struct CSSDeclarations {
  private var values: [String: String] = [:]

  init(_ text: String) throws {
    for line in text.split(separator: "\n") {
      let parts = try #require(line.wholeMatch(of: /([a-z-]+): (.*);/))
      values[String(parts.1)] = String(parts.2)
    }
  }

  subscript(name: String) -> String? { values[name] }

  /// The easing of a transition.
  func easing() throws -> CSSReference {
    try CSSReference(try #require(values["transition-timing-function"]))
  }

  /// The duration of a transition, s.
  func seconds() throws -> Double {
    let duration = try #require(values["transition-duration"])
    return try #require(Double(duration.dropLast()))
  }
}
