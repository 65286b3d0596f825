// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// The results of a machine over commits: a line of CSV for each row of each study, added and never edited.
///
///     bench/results/MACHINE/rows.csv
///     date,commit,row,unit,better,entities,rounds,min,median,p99,spread,hash
package struct ResultHistory {
  /// A line.
  package struct Entry: Equatable, Sendable {
    /// When it was measured.
    package let date: String
    /// The commit.
    package let commit: String
    /// Name of the row.
    package let row: String
    /// Its unit.
    package let unit: String
    /// The median of its rounds.
    package let median: Double
    /// From quartile to quartile, as a part of the median.
    package let spread: Double
  }

  /// The first line.
  package static let heading =
    "date,commit,row,unit,better,entities,rounds,min,median,p99,spread,hash\n"

  /// The entries, in the file's order.
  package let entries: [Entry]

  /// The path of a machine's file.
  package static func path(in folder: String, machine: String) -> String {
    "\(folder)/\(machine)/rows.csv"
  }

  /// The lines of a result.
  ///
  /// - Throws: `Failure` for a result that cannot be measured again: partial, of changed files, or without a
  ///   commit.
  package static func lines(of result: StudyResult) throws(Failure) -> String {
    guard !result.isPartial else { throw Failure(.usage, "\(result.title) is partial: not saved") }
    guard let commit = result.context.commit else {
      throw Failure(
        .usage,
        "\(result.title): the program that measured it knows no commit, as tools/build gives it one:"
          + " not saved")
    }
    guard !result.context.isDirty else {
      throw Failure(
        .usage,
        "\(result.title): measured by a build of changed files of \(commit): commit, build and"
          + " measure again")
    }
    return result.rows.compactMap { row in
      guard let summary = row.summary else { return nil }
      let cells = [
        result.context.date, commit, row.name, row.unit, row.better.rawValue,
        row.entities.map(String.init) ?? "", "\(summary.count)", "\(summary.min)",
        "\(summary.median)", row.durations.map { "\($0.p99)" } ?? "", "\(summary.spread)",
        row.hash ?? "",
      ]
      return cells.map(CSVText.cell).joined(separator: ",") + "\n"
    }.joined()
  }

  /// Adds a result to its machine's file, in one write.
  ///
  /// - Returns: The file's path.
  /// - Throws: `Failure` if it is not to be saved, is there already, or cannot be written.
  package static func save(_ result: StudyResult, in folder: String) throws(Failure) -> String {
    let lines = try lines(of: result)
    guard !lines.isEmpty else { throw Failure(.usage, "\(result.title) has no row: not saved") }
    let path = path(in: folder, machine: result.context.machineName)
    do {
      try FileManager.default.createDirectory(
        atPath: folder + "/" + result.context.machineName, withIntermediateDirectories: true)
    } catch {
      throw Failure(.inputOutput, "\(folder): cannot be made: \(error.localizedDescription)")
    }
    let old = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    if let first = lines.split(separator: "\n").first, old?.contains(first) == true {
      throw Failure(.usage, "\(path): has this result already")
    }
    try AtomicFile.write((old ?? heading) + lines, to: path)
    return path
  }

  /// Parses a file.
  ///
  /// - Throws: `Failure` for the first line with a wrong form.
  package init(_ text: String, file: String) throws(Failure) {
    var entries: [Entry] = []
    guard text.hasPrefix(Self.heading) else {
      throw Failure(.badData, "\(file), line 1: not '\(Self.heading.dropLast())'")
    }
    for (index, line) in text.split(separator: "\n").enumerated().dropFirst() {
      let cells = Self.cells(line)
      guard cells.count == 12, let median = Double(cells[8]), let spread = Double(cells[10]),
        median.isFinite, spread.isFinite
      else { throw Failure(.badData, "\(file), line \(index + 1): not a line of results") }
      entries.append(
        Entry(
          date: cells[0], commit: cells[1], row: cells[2], unit: cells[3], median: median,
          spread: spread))
    }
    self.entries = entries
  }

  /// The cells of a line, without their quotation marks.
  private static func cells(_ line: Substring) -> [String] {
    var (cells, isQuoted, last) = ([""], false, Character(" "))
    for character in line {
      if character == "\"" {
        if isQuoted == false, last == "\"" { cells[cells.count - 1].append("\"") }
        isQuoted.toggle()
      } else if character == ",", !isQuoted {
        cells.append("")
      } else {
        cells[cells.count - 1].append(character)
      }
      last = character
    }
    return cells
  }
}
