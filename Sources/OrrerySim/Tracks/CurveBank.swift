// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// The tables of all curves that some batches use, in one allocation.
///
/// The first request for a curve allocates and takes up to some milliseconds. Make it before the first
/// tick if possible, and never during a tick: lane blocks read the tables while they are evaluated.
package final class CurveBank: @unchecked Sendable {
  /// Rows of all tables, one after the other; those of the straight line come first.
  private(set) var rows: UnsafeMutablePointer<Float>
  private var rowCount = 0
  private var capacity = 64
  private var curves: [Key: LaneCurve] = [:]

  /// Recently requested cycles, in a table of 16 by their address in memory.
  private var recent: [(cycle: TweenCycle, curve: LaneCurve)?] = Array(repeating: nil, count: 16)

  /// Two cycles with equal keys share a curve.
  private struct Key: Hashable {
    let curve: UnitCurve
    let autoreverses: Bool
    let hold: Double
  }

  /// A bank that has the straight line.
  package init() {
    rows = Self.allocate(capacity)
    _ = curve(TweenCycle.linear)
  }

  deinit { rows.deallocate() }

  /// The curve of a cycle; the same object for equal cycles.
  package func curve(_ cycle: TweenCycle) -> LaneCurve {
    let index = Int(bitPattern: ObjectIdentifier(cycle)) >> 5 & 15
    if let known = recent[index], known.cycle === cycle { return known.curve }
    let curve = curve(
      Key(curve: cycle.curve, autoreverses: cycle.autoreverses, hold: cycle.hold), cycle)
    recent[index] = (cycle, curve)
    return curve
  }

  /// The curve of one leg, from its start to its end.
  package func curve(_ leg: UnitCurve) -> LaneCurve {
    curve(Key(curve: leg, autoreverses: false, hold: 0), TweenCycle(curve: leg))
  }

  private func curve(_ key: Key, _ makeCycle: @autoclosure () -> TweenCycle) -> LaneCurve {
    if let known = curves[key] { return known }
    let cycle = makeCycle()
    let table = CurveTable(cycle)
    let entry = table.flatMap(add)
    let curve = LaneCurve(cycle: cycle, entry: entry, range: entry == nil ? nil : table?.range)
    curves[key] = curve
    return curve
  }

  /// Appends a table.
  ///
  /// - Returns: The entry by which kernels find it: 16 times the index of its first row, plus its bits;
  ///   nil if there would be more than 2^28 rows.
  private func add(_ table: CurveTable) -> UInt32? {
    let needed = rowCount + table.rows.count
    guard needed <= 1 << 28 else { return nil }
    if needed > capacity {
      let grown = Self.allocate(max(needed, 2 * capacity))
      grown.update(from: rows, count: rowCount * 4)
      rows.deallocate()
      rows = grown
      capacity = max(needed, 2 * capacity)
    }
    for (index, row) in table.rows.enumerated() {
      for column in 0..<4 { rows[(rowCount + index) * 4 + column] = row[column] }
    }
    defer { rowCount = needed }
    return UInt32(rowCount) << 4 | table.bits
  }

  private static func allocate(_ rowCount: Int) -> UnsafeMutablePointer<Float> {
    let storage = UnsafeMutableRawPointer.allocate(byteCount: rowCount * 16, alignment: 64)
      .bindMemory(to: Float.self, capacity: rowCount * 4)
    storage.initialize(repeating: 0, count: rowCount * 4)
    return storage
  }
}
