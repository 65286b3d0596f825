// SPDX-License-Identifier: Apache-2.0

/// A comparison as `orrery bench compare --json` prints it: docs/schemas/bench-compare.schema.json.
package struct ComparisonDocument: Encodable {
  /// The document's kind and version.
  package static let schema = "orrery.bench-compare.v1"

  /// A row that both results have.
  struct Row: Encodable {
    let name, unit: String
    let old, new: Double
    /// Above 1: the new one is worse; its interval is left out where there are too few rounds for one.
    let slowdown: Double
    let lower, upper: Double?
    /// `faster`, `slower`, `same` or `undecided`.
    let verdict: String
    /// A difference as large as this part would have been seen.
    let downTo: Double?
  }

  let threshold: Double
  let rows: [Row]
  let notCompared, notes: [String]
  /// Whether every row of the old result is decided.
  let isDecided: Bool

  package init(_ comparison: Comparison) {
    (threshold, isDecided) = (comparison.threshold, comparison.isDecided)
    (notCompared, notes) = (comparison.notCompared, comparison.notes)
    rows = comparison.rows.map { row in
      let (verdict, downTo): (String, Double?) =
        switch row.verdict {
        case .faster: ("faster", nil)
        case .slower: ("slower", nil)
        case .same(let part): ("same", part)
        case .undecided(let part): ("undecided", part)
        }
      let hasInterval = row.slowdown.upper.isFinite
      return Row(
        name: row.name, unit: row.unit, old: row.old, new: row.new, slowdown: row.slowdown.value,
        lower: hasInterval ? row.slowdown.lower : nil,
        upper: hasInterval ? row.slowdown.upper : nil, verdict: verdict, downTo: downTo)
    }
  }
}
