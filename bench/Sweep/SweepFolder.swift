// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// The results of a sweep: a file for each case, there as a whole or not at all.
package struct SweepFolder: Sendable {
  /// The folder's path.
  package let path: String
  private let plan: SweepPlan

  /// The results of a plan in a folder.
  package init(_ path: String, _ plan: SweepPlan) { (self.path, self.plan) = (path, plan) }

  /// Makes the folder if it is missing.
  ///
  /// - Throws: `Failure` if it cannot be made.
  package func make() throws(Failure) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw Failure(.inputOutput, "\(path): cannot be made: \(AtomicFile.reason(error))")
    }
  }

  /// The cases of a sweep's folder, in their order; of another path, the path itself.
  ///
  /// - Throws: `Failure` if the folder has no case.
  package static func cases(_ path: String) throws(Failure) -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      return [path]
    }
    let cases = names.filter { $0.hasPrefix("case-") && $0.hasSuffix(".json") }.sorted()
    guard !cases.isEmpty else {
      throw Failure(.unavailable, "\(path): a folder without a case of a sweep")
    }
    return cases.map { path + "/" + $0 }
  }

  /// The path of a case's result.
  package func path(of one: SweepCase) -> String { path + "/" + one.file }

  /// The result of a case; nil if there is none, or only a part of one.
  ///
  /// - Throws: `Failure` if its file is damaged, or has the result of another case because another plan was
  ///   run here.
  package func result(of one: SweepCase) throws(Failure) -> StudyResult? {
    guard FileManager.default.fileExists(atPath: path(of: one)) else { return nil }
    let result = try StudyResult.read(path(of: one))
    guard result.title == one.title(of: plan) else {
      throw Failure(
        .usage,
        "\(path(of: one)): has '\(result.title)', and not '\(one.title(of: plan))':"
          + " the folder has results of another plan")
    }
    if result.isPartial { return nil }
    guard result.caseHash == one.hash else {
      throw Failure(
        .usage,
        "\(path(of: one)): was measured with other settings under [run], or of another"
          + " \(one.settings.scene); another --out begins anew")
    }
    return result
  }

  /// The cases without a whole result, in their order.
  package func missing() throws(Failure) -> [SweepCase] {
    var missing: [SweepCase] = []
    for one in plan.cases where try result(of: one) == nil { missing.append(one) }
    return missing
  }

  /// All figures so far as a table: a line for each figure of each case.
  ///
  /// - Returns: CSV with a first line of names; the varied keys are columns.
  package func table() throws(Failure) -> String {
    let keys = plan.varied.map(\.rawValue)
    var lines = [
      (["case"] + keys + [
        "figure", "unit", "better", "figure_entities", "figure_rounds", "min", "median", "p99",
        "spread", "of_limit", "state_hash", "machine", "commit", "date", "doubts",
      ]).joined(separator: ",")
    ]
    for one in plan.cases {
      guard let result = try result(of: one) else { continue }
      let own = one.words.map { word in
        word.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
      }
      for row in result.rows {
        guard let summary = row.summary else { continue }
        let cells =
          ["\(one.number)"] + own + [
            row.name, row.unit, row.better.rawValue, row.entities.map(String.init) ?? "",
            "\(summary.count)", "\(summary.min)", "\(summary.median)",
            row.durations.map { "\($0.p99)" } ?? "", "\(summary.spread)",
            row.ofBound.map { "\($0)" } ?? "", row.hash ?? "",
            result.context.machineName,
            (result.context.commit ?? "") + (result.context.isDirty ? "+" : ""),
            result.context.date, (row.doubts + result.notes).joined(separator: "; "),
          ]
        lines.append(cells.map(CSVText.cell).joined(separator: ","))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
