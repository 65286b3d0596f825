// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryDocument
import OrreryEval
import TestSupport
import Testing

/// Goal: the examples of `docs/reference/eval.md` are answered as the page says.
///
/// Method: ask each request of its list, of the kernels where the page's answer comes from them. Numbers may
/// differ in their last digits, and widths of labels with the installed fonts.
@Suite struct EvalExampleTests {
  private func examples() throws -> [(request: String, answer: String)] {
    let page = try Repository.text("docs/reference/eval.md")
    let parts = page.split(separator: "```jsonl\n", omittingEmptySubsequences: false)
    let lines = try #require(parts.last).prefix { $0 != "`" }.split(separator: "\n").map(
      String.init)
    #expect(lines.count.isMultiple(of: 2))
    return stride(from: 0, to: lines.count - 1, by: 2).map { (lines[$0], lines[$0 + 1]) }
  }

  @Test func examplesAreAnsweredAsWritten() throws {
    let examples = try examples()
    #expect(examples.count >= 20)
    for (request, written) in examples {
      let isKernel = written.contains("\"path\":\"kernel\"")
      let evaluator = isKernel ? KernelPathTests.kernel : Evaluator()
      let line = try #require(evaluator.answer(request))
      let (found, expected) = (
        try JSONParser.parse(Array(line.utf8)), try JSONParser.parse(Array(written.utf8))
      )
      let tolerance = request.contains("\"label\"") ? 5.0 : 1e-9
      #expect(isClose(found, expected, tolerance), "\(request)\n\(line)\n\(written)")
    }
  }

  /// Each kind of request, and each variant, has an example.
  @Test func everyKindHasAnExample() throws {
    let requests = try examples().map(\.request)
    let keys = [
      "curve", "spring", "animation", "script", "schedule", "cadence", "phases", "transition",
      "keyframes", "tracker", "vector", "label", "orbit", "marquee", "ticker", "flow", "detector",
    ]
    for key in keys { #expect(requests.contains { $0.hasPrefix("{\"\(key)\":") }, "\(key)") }
    for part in ["delta", "naive", "written", "formula", "implicit", "trigger", "replace"] {
      #expect(requests.contains { $0.contains("\"\(part)\"") }, "\(part)")
    }
  }

  private func isClose(
    _ found: DocumentValue, _ expected: DocumentValue, _ tolerance: Double
  ) -> Bool {
    if let a = found.number, let b = expected.number { return abs(a - b) <= tolerance }
    if let a = found.array, let b = expected.array {
      return a.count == b.count && zip(a, b).allSatisfy { isClose($0, $1, tolerance) }
    }
    if let a = found.table, let b = expected.table {
      return a.members.map(\.key) == b.members.map(\.key)
        && zip(a.members, b.members).allSatisfy { isClose($0.value, $1.value, tolerance) }
    }
    return found == expected
  }
}
