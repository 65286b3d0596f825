// SPDX-License-Identifier: Apache-2.0

import OrreryBase

extension RunDifference.Report {
  /// The document's kind and version: docs/schemas/trace-diff.schema.json.
  package static let schema = "orrery.trace-diff.v1"

  /// For people.
  ///
  /// - Parameters:
  ///   - a: Name of the first trace.
  ///   - b: Name of the second one.
  /// - Returns: Lines, each with its end.
  package func text(_ a: String, _ b: String) -> String {
    var report = ReportText()
    report.addWhole(
      "compared",
      "\(counted(ticks, "tick")), by \(compared)"
        + (tolerance > 0 ? ", with a tolerance of \(tolerance)" : ""))
    if let renamed {
      let names = [renamed.a, renamed.b].map { $0 ?? "without a name" }
      report.addWhole(
        "other scene",
        "entity \(renamed.entity) is \(names[0]) in A and \(names[1]) in B; entities are"
          + " compared by number")
    }
    for (count, label) in [(onlyEntitiesA, "only in A"), (onlyEntitiesB, "only in B")] {
      guard let count else { continue }
      report.addWhole(label, "\(count) \(count == 1 ? "entity" : "entities")")
    }
    if let count = repeatedTicks {
      report.addWhole(
        "repeated",
        "\(counted(count, "tick")): a run was sent back, and each of its frames is compared")
    }
    if onlyA > 0 { report.addWhole("only in A", "\(counted(onlyA, "frame")) (\(a))") }
    if onlyB > 0 { report.addWhole("only in B", "\(counted(onlyB, "frame")) (\(b))") }
    for column in unshared { report.addWhole("not compared", column) }
    guard let first else {
      report.addLine("equal")
      return report.text + "\n"
    }
    report.addWhole("different", counted(differentTicks, "tick"))
    var place = "tick \(first.tick)"
    if let entity = first.entity {
      place += ", entity \(entity)" + (first.name.map { " (\($0))" } ?? "")
    }
    report.addWhole("first", place)
    if let column = first.column, let one = first.a, let two = first.b {
      report.addWhole(
        "", "\(column) of \(first.kind ?? ""): \(one) and \(two), apart \(abs(one - two))"
      )
    } else {
      report.addWhole("", "hash \(first.hashA) and \(first.hashB)")
    }
    for part in parts where part.different > 0 {
      report.addLine(
        "\(part.kind) \(part.column): \(part.different) of \(part.compared) values differ, from tick"
          + " \(part.firstTick ?? 0); most by \(part.largest)"
          + (part.largestTick.map { " (tick \($0), entity \(part.largestEntity ?? 0))" } ?? ""))
    }
    return report.text + "\n"
  }
}
