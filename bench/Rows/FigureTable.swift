// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The tables of an area, at most 80 columns wide: `StudyRow.Place` says where each figure stands.
///
/// A table of one figure shows its rounds, beside the machine's limit and the best peer; of several, their medians.
package enum FigureTable {
  /// Neighbouring rows of one table stand together.
  package static func text(_ rows: [StudyRow]) -> String {
    var (text, rest) = ("", rows[...])
    while let first = rest.first?.place?.table {
      let table = rest.prefix { $0.place?.table == first }
      rest = rest.dropFirst(table.count)
      text += "\n" + self.table(Array(table), first) + hashes(Array(table))
    }
    return text
  }

  private static func table(_ rows: [StudyRow], _ title: String) -> String {
    let figures = distinct(rows.compactMap { $0.place?.figure })
    let units = Set(rows.map(\.unit))
    let heading = title + (units.count == 1 ? ", \(rows[0].unit)" : "")
    var cells: [[String]]
    if figures.count == 1 {
      let columns = columns(of: rows)
      cells = [[heading] + columns.map(\.title)]
      cells += rows.map { row in ["  \(row.place?.line ?? "")"] + columns.map { $0.cell(row) } }
    } else {
      cells = [[heading] + figures]
      for line in distinct(rows.compactMap({ $0.place?.line })) {
        let places = figures.map { figure in
          rows.first { $0.place?.line == line && $0.place?.figure == figure }
        }
        cells.append(["  " + line] + places.map { $0?.summary.map { figure($0.median) } ?? "-" })
      }
    }
    var text = aligned(cells)
    for row in rows {
      for doubt in row.doubts {
        text += TextTable.wrapped("  ? \(row.place?.line ?? ""): \(doubt)")
      }
    }
    return text
  }

  private typealias Column = (title: String, cell: (StudyRow) -> String)

  /// The columns of a table of one figure; those that none of its rows has are left out.
  private static func columns(of rows: [StudyRow]) -> [Column] {
    let best = rows.allSatisfy { $0.better == .larger } ? "max" : "min"
    let all: [Column] = [
      (
        best,
        { row in figure((row.better == .larger ? row.samples.max() : row.samples.min()) ?? .nan) }
      ),
      ("median", { row in figure(row.summary?.median ?? .nan) }),
      ("spread%", { row in row.summary.map { decimal($0.spread * 100, places: 0) } ?? "-" }),
      ("bytes", { row in row.bytes.map { decimal($0, places: 1) } ?? "-" }),
      ("lim%", { row in row.ofBound.map { decimal($0 * 100, places: 0) } ?? "-" }),
      ("ratio", { row in row.ratio.map { decimal($0, places: $0 < 0.095 ? 3 : 2) } ?? "-" }),
    ]
    return all.filter { column in rows.contains { column.cell($0) != "-" } }
  }

  /// Names are cut so that the figures beside them fit.
  private static func aligned(_ lines: [[String]]) -> String {
    let count = lines.map(\.count).max() ?? 1
    let widths = (1..<max(count, 1)).map { column in
      lines.map { column < $0.count ? $0[column].count + 2 : 0 }.max() ?? 0
    }
    let names = lines.dropFirst().map { $0[0].count }.max() ?? 0
    let first = min(max(80 - widths.reduce(0, +), 12), max(names, lines[0][0].count))
    let table = TextTable([.left(first)] + widths.map { .right($0) })
    guard lines[0][0].count > first else { return lines.map { table.line($0) }.joined() }
    // A heading is never cut: it has a line of its own.
    return TextTable.wrapped(lines[0][0]) + table.line([""] + lines[0].dropFirst())
      + lines.dropFirst().map { table.line($0) }.joined()
  }

  /// Whether rows that hashed the same tick came to the same state.
  private static func hashes(_ rows: [StudyRow]) -> String {
    let hashed = rows.filter { $0.hash != nil }
    return distinct(hashed.compactMap(\.hashTick)).map { tick in
      let all = hashed.filter { $0.hashTick == tick }.compactMap(\.hash)
      let hashes = distinct(all)
      guard all.count > 1 else { return "" }
      return hashes.count == 1
        ? "  state hash at tick \(tick), the same in all \(all.count) rows: \(hashes[0])\n"
        : "  state hash at tick \(tick): DIFFERENT, \(hashes.joined(separator: " "))\n"
    }.joined()
  }

  private static func figure(_ value: Double) -> String {
    switch value {
    case _ where !value.isFinite: "-"
    case 10_000..<1e15: TextTable.grouped(Int(value.rounded()))
    case _ where value == value.rounded(): decimal(value, places: 0)
    default: StudyText.figure(value)
    }
  }

  private static func distinct<Value: Hashable>(_ values: [Value]) -> [Value] {
    var seen: Set<Value> = []
    return values.filter { seen.insert($0).inserted }
  }
}
