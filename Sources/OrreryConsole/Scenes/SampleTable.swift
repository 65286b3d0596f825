// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrrerySceneBuilder

/// The lines of `orrery sample` as a table for people.
///
/// The first lines are kept until the widths of the columns are known; so the table is aligned, and
/// a long one takes little memory. A later line whose number is wider is a little longer.
package struct SampleTable {
  /// A column of the table, in the order in which they are shown.
  fileprivate enum Column {
    case time, tick, entity, name
    case value(ViewProperty)
  }

  private let columns: [Column]
  private let write: (String) -> Void

  /// Cells of the heading and of the first lines; empty once they are written.
  private var kept: [[String]]

  /// Characters of each column, once the first lines are written.
  private var widths: [Int] = []

  /// Lines that are kept.
  private static let keptMax = 1_000

  /// Begins a table.
  ///
  /// - Parameters:
  ///   - properties: The values that are shown.
  ///   - hasNames: Whether names of entities are shown.
  ///   - write: Takes a line.
  package init(
    _ properties: Set<ViewProperty>, hasNames: Bool, _ write: @escaping (String) -> Void
  ) {
    let shown = ViewProperty.allCases.filter { properties.contains($0) }
    columns = [.time, .tick, .entity] + (hasNames ? [.name] : []) + shown.map { .value($0) }
    self.write = write
    kept = [columns.map(\.heading)]
  }

  /// Adds a line.
  package mutating func add(_ line: SampleLine) {
    let cells = columns.map { $0.cell(of: line) }
    guard widths.isEmpty else { return write(text(cells)) }
    kept.append(cells)
    if kept.count > Self.keptMax { finish() }
  }

  /// Writes the lines that were kept.
  package mutating func finish() {
    guard widths.isEmpty else { return }
    widths = columns.indices.map { column in kept.reduce(0) { max($0, $1[column].count) } }
    for cells in kept { write(text(cells)) }
    kept = []
  }

  /// Names are aligned at their left, numbers at their right.
  private func text(_ cells: [String]) -> String {
    cells.indices.map { index in
      if case .name = columns[index] { return cells[index].alignedLeft(widths[index]) }
      return cells[index].alignedRight(widths[index])
    }.joined(separator: "  ")
  }
}

extension SampleTable.Column {
  /// The column's name and, where it has one, its unit.
  fileprivate var heading: String {
    switch self {
    case .time: "time(s)"
    case .tick: "tick"
    case .entity: "entity"
    case .name: "name"
    case .value(let property):
      switch property {
      case .x, .y, .blur: "\(property)(pt)"
      case .rotation: "\(property)(rad)"
      case .opacity, .scale: "\(property)"
      }
    }
  }

  /// What stands in the column in one line.
  fileprivate func cell(of line: SampleLine) -> String {
    switch self {
    case .time: decimal(line.time, places: 3)
    case .tick: "\(line.tick)"
    case .entity: "\(line.entity)"
    case .name: line.name ?? "-"
    case .value(.x): "\(line.x)"
    case .value(.y): "\(line.y)"
    case .value(.opacity): "\(line.opacity)"
    case .value(.scale): "\(line.scale)"
    case .value(.rotation): "\(line.rotation)"
    case .value(.blur): "\(line.blur)"
    }
  }
}
