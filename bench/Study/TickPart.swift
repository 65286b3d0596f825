// SPDX-License-Identifier: Apache-2.0

/// A part of the time from one frame to the next.
struct TickPart {
  /// wait, compute or publish.
  let name: String
  /// The median of its rounds.
  let ns: Double
  /// Its part of all three.
  let part: Double

  /// The parts of a result's frames; empty if it has none.
  static func all(of result: StudyResult) -> [TickPart] {
    guard let split = result.row("frame computed")?.split else { return [] }
    let all = [
      ("wait", split.waitNs), ("compute", split.computeNs), ("publish", split.publishNs),
    ].map { ($0, SampleSummary.median($1)) }
    let sum = all.reduce(0) { $0 + $1.1 }
    return sum > 0 ? all.map { TickPart(name: $0, ns: $1, part: $1 / sum) } : []
  }
}
