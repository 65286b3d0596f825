// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Two results side by side: a ratio with its interval for each row, and a verdict where one is allowed.
package struct Comparison {
  /// A row that both results have.
  package struct Row {
    /// Its name.
    package let name: String
    /// Its entities, as "10,000", or "old, now new" where they differ; nil: it has none.
    package let entities: String?
    /// The unit in which it is read.
    package let unit: String
    /// The median of the old rounds.
    package let old: Double
    /// The median of the new rounds.
    package let new: Double
    /// Above 1: the new one is worse, whether small or large figures are good.
    package let slowdown: Interval
    /// Undecided where the results cannot be judged.
    package let verdict: Verdict
  }

  /// Rows of other scenes that are compared all the same.
  package enum OtherScenes: Sendable {
    /// None: a slower scene is no slower program.
    case none
    /// A scene file with itself before it was edited.
    case edited
    /// Whatever the baseline has; see `StudyResult.alone`.
    case any
  }

  /// The rows of both, in the order of the new result.
  package private(set) var rows: [Row] = []
  /// The rows of the old result that are not compared.
  package let notCompared: [String]
  /// Reasons why rows are not compared or not judged.
  package private(set) var notes: [String] = []
  /// The smallest difference worth reporting.
  package let threshold: Double

  /// Compares two results.
  ///
  /// Between two runs the machine itself may have become slower; work that never changes shows by how much.
  /// The interval of a row includes its ratio with and without that change. The intervals hold together: each
  /// has the confidence that makes all of them true in 99 of 100 comparisons, so many rows raise no more
  /// false alarms than one.
  ///
  /// - Parameters:
  ///   - old: The baseline.
  ///   - new: The result to judge.
  ///   - threshold: The smallest difference worth reporting, as a fraction.
  ///   - isPaired: Whether rounds of equal index were measured side by side, on one machine.
  ///   - scenes: Which rows of other scenes are compared: is that scene slower?
  package init(
    _ old: StudyResult, _ new: StudyResult, threshold: Double = Verdict.threshold,
    isPaired: Bool = false, scenes: OtherScenes = .none
  ) {
    self.threshold = threshold
    let isSameMachine = isPaired || old.context.machineName == new.context.machineName
    if !isSameMachine {
      notes.append(
        "the baseline is of another machine, \(old.context.machineName) and not"
          + " \(new.context.machineName): ratios without verdicts")
    }
    if old.isPartial { notes.append("the baseline is partial: it was interrupted") }
    if new.isPartial { notes.append("the new result is partial: it was interrupted") }
    if Self.settings(old) != Self.settings(new) {
      notes.append("other settings: \(old.command), now \(new.command)")
    }
    let drifts = isPaired ? [] : Self.drifts(old, new)
    for (name, drift) in drifts where abs(drift - 1) > threshold {
      notes.append("the machine: \(name) took \(decimal(drift, places: 3)) times as long")
    }
    var pairs: [(old: StudyRow, new: StudyRow, before: Double, after: Double)] = []
    for row in new.rows where row.isJudged {
      let another = old.row(row.name) == nil ? Self.another(row, in: old, scenes) : nil
      guard let other = old.row(row.name) ?? (scenes == .none ? nil : another),
        let before = other.summary, let after = row.summary
      else {
        if let another {
          notes.append("\(row.name): \(Self.editedText(row, another))")
        } else {
          notes.append("\(row.name): the baseline does not have it")
        }
        continue
      }
      if another != nil { notes.append("\(row.name): another scene than \(other.name)") }
      guard another != nil || other.entities == row.entities, other.unit == row.unit else {
        notes.append(
          "\(row.name): not compared, \(other.entities ?? 0) entities against \(row.entities ?? 0)")
        continue
      }
      if another == nil, let hash = row.hash, let before = other.hash, hash != before,
        row.hashTick == other.hashTick
      {
        notes.append("\(row.name): another state hash: it does not do the same work")
      }
      pairs.append((other, row, before.median, after.median))
    }
    let confidence = 1 - Self.doubt / Double(max(pairs.count, 1))
    let compared = Set(pairs.map(\.old.name))
    notCompared = old.rows.filter { $0.isJudged && !compared.contains($0.name) }.map(\.name)
    var short: [String] = []
    for pair in pairs {
      var slowdown = Self.slowdown(pair.old, pair.new, isPaired: isPaired, confidence)
      for (_, drift) in drifts {
        slowdown = slowdown.joined(
          Interval(
            value: slowdown.value, lower: slowdown.lower / drift, upper: slowdown.upper / drift))
      }
      // Neither its interval nor unchanging work shows what such a round would have been.
      let waited =
        isPaired
        ? []
        : [("old", pair.old), ("new", pair.new)].compactMap { name, row in
          row.waitedText.map { "\(pair.new.name): undecided, in the \(name) result \($0)" }
        }
      notes += waited
      let verdict =
        isSameMachine && waited.isEmpty
        ? Verdict(slowdown, threshold: threshold) : .undecided(downTo: nil)
      if case .undecided(let part) = verdict, isSameMachine, waited.isEmpty {
        if let part, part > 1 {
          notes.append("\(pair.new.name): undecided, its rounds differ too much")
        } else if let part {
          let shown = decimal(part * 100, places: 0)
          notes.append(
            "\(pair.new.name): undecided, a difference under \(shown) % cannot be seen")
        } else {
          short.append(pair.new.name)
        }
      }
      let reading = pair.new.reading
      rows.append(
        Row(
          name: pair.new.name, entities: Self.entities(pair.old, pair.new), unit: reading.unit,
          old: reading.value(pair.before),
          new: reading.value(pair.after), slowdown: slowdown, verdict: verdict))
    }
    if !short.isEmpty {
      let names = short.count > 3 ? counted(short.count, "row") : short.joined(separator: ", ")
      notes.append("\(names): undecided, there are too few rounds")
    }
    for row in old.rows
    where row.isJudged && new.row(row.name) == nil && Self.another(row, in: new, scenes) == nil {
      notes.append("\(row.name): the new result does not have it")
    }
  }

  /// The options of a result's command that change what is measured.
  private static func settings(_ result: StudyResult) -> [Substring] {
    let words = result.command.split(separator: " ")
    let others: [Substring] = ["-o", "--out", "--json", "--progress"]
    let own = words.indices.filter { words[$0].hasPrefix("-") && !others.contains(words[$0]) }
    return own.flatMap { words[$0...].prefix(2) }
  }

  /// The probability that an interval of a comparison does not hold.
  private static let doubt = 0.01

  /// The row of another scene that stands for this one in another result; nil if there is none.
  ///
  /// That is the same scene file with other bytes: its row ends with a hash of them, `tick board@0123abcd`.
  private static func another(
    _ row: StudyRow, in other: StudyResult, _ scenes: OtherScenes
  ) -> StudyRow? {
    if scenes == .any { return other.rows.first(where: \.isJudged) }
    guard let name = row.name.split(separator: "@").first, name.count < row.name.count else {
      return nil
    }
    return other.rows.first { $0.name != row.name && $0.name.hasPrefix(name + "@") }
  }

  /// Both figures without a verdict: a slower scene is no slower program.
  private static func editedText(_ new: StudyRow, _ old: StudyRow) -> String {
    let figures = [old, new].map { row in
      row.summary.map { "\(StudyText.figure(row.reading.value($0.median))) \(row.reading.unit)" }
        ?? "nothing"
    }
    return
      "not compared, the scene file was another, \(old.name): \(figures[0]), now \(figures[1]);"
      + " --edited compares them"
  }

  /// The entities of a row.
  private static func entities(_ old: StudyRow, _ new: StudyRow) -> String? {
    let both = [old.entities, new.entities].compactMap { $0.map { TextTable.grouped($0) } }
    return Set(both).count > 1 ? both.joined(separator: ", now ") : both.last
  }

  /// How much longer unchanging work took in the new run.
  private static func drifts(_ old: StudyResult, _ new: StudyResult) -> [(String, Double)] {
    Steadiness.names.compactMap { name in
      guard let before = old.row(name)?.summary, let after = new.row(name)?.summary,
        before.median > 0, after.median > 0
      else { return nil }
      return (name, after.median / before.median)
    }
  }

  private static func slowdown(
    _ old: StudyRow, _ new: StudyRow, isPaired: Bool, _ confidence: Double
  ) -> Interval {
    let (first, second) = new.better == .smaller ? (new, old) : (old, new)
    return Confidence.ratio(
      first.samples, to: second.samples, isPaired: isPaired, confidence: confidence)
  }

  /// Rows that are slower.
  package var slower: [Row] { rows.filter { $0.verdict == .slower } }

  /// Whether every row of the old result is decided, and there is one.
  package var isDecided: Bool {
    !rows.isEmpty && notCompared.isEmpty && rows.allSatisfy(\.verdict.isDecided)
  }

  /// How many rows there are of each verdict, in words.
  package var counts: String {
    let parts = rows.compactMap { row in
      if case .same(let part) = row.verdict { part } else { nil }
    }
    let faster = rows.count { $0.verdict == .faster }
    let undecided = rows.count { !$0.verdict.isDecided }
    let same = parts.max().map { "\(parts.count) same to \(decimal($0 * 100, places: 1)) %" }
    return "\(slower.count) slower, \(faster) faster, \(same ?? "0 same"),"
      + " \(undecided) undecided, \(notCompared.count) not compared"
  }
}

/// A comparison as a table, at most 80 columns wide.
package enum ComparisonText {
  private static let columns = TextTable([
    .left(19), .right(9), .right(9), .right(6), .right(8), .right(14),
  ])

  /// The whole text.
  package static func text(
    _ comparison: Comparison, old: StudyResult, new: StudyResult
  ) -> String {
    let heads = [old, new].map(StudyText.head)
    var text = heads[0] == heads[1] ? heads[0] : "old " + heads[0] + "new " + heads[1]
    text += "\n"
    if !comparison.rows.isEmpty {
      text += columns.line(["", "old", "new", "", "slowdown", "interval"])
    }
    for row in comparison.rows {
      text += columns.line(
        named: row.name,
        [
          StudyText.figure(row.old), StudyText.figure(row.new), row.unit,
          decimal(row.slowdown.value, places: 3), interval(row), "  " + row.verdict.text,
        ])
    }
    let entities = comparison.rows.compactMap { row in row.entities.map { "\(row.name) \($0)" } }
    if !entities.isEmpty {
      text += "\n" + TextTable.wrapped("entities: " + entities.joined(separator: "; "))
    }
    text += (comparison.rows.isEmpty ? "" : "\n")
    text += comparison.notes.map { TextTable.wrapped($0) }.joined()
    return text + verdict(comparison)
  }

  private static func verdict(_ comparison: Comparison) -> String {
    TextTable.wrapped(
      comparison.counts + "; differences under"
        + " \(decimal(comparison.threshold * 100, places: 1)) % are not reported; the intervals of"
        + " all rows hold together with 99 %")
  }

  /// The same as Markdown, as for a comment on a change: the counts, a table, and what is not compared.
  package static func markdown(_ comparison: Comparison) -> String {
    var text =
      "**\(comparison.counts)**\n\n| | entities | old | new | | slowdown | interval | verdict |\n"
    text += "|---|---|---|---|---|---|---|---|\n"
    for row in comparison.rows {
      let cells = [
        row.name, row.entities ?? "", StudyText.figure(row.old), StudyText.figure(row.new),
        row.unit,
        decimal(row.slowdown.value, places: 3), interval(row), row.verdict.text,
      ]
      text += "| " + cells.joined(separator: " | ") + " |\n"
    }
    return text + (comparison.notes.isEmpty ? "" : "\n")
      + comparison.notes.map { "- \($0)\n" }.joined()
  }

  private static func interval(_ row: Comparison.Row) -> String {
    guard row.slowdown.upper.isFinite else { return "-" }
    let lower = decimal(row.slowdown.lower, places: 3)
    return row.slowdown.upper < 100
      ? "\(lower)-\(decimal(row.slowdown.upper, places: 3))" : "over \(lower)"
  }
}
