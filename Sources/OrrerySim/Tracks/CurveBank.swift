// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// The tables of all the curves that some batches use, in one piece of memory.
///
/// Asking for a curve that is not there yet allocates and takes up to some milliseconds: best before the
/// first tick, in any case between ticks. Lane blocks read the memory while they are placed.
package final class CurveBank: @unchecked Sendable {
  /// Rows of all tables, one after the other; the straight line's come first.
  private(set) var rows: UnsafeMutablePointer<Float>
  private var rowCount = 0
  private var capacity = 64
  private var curves: [Key: LaneCurve] = [:]

  /// Forms that were asked for lately, by where they lie in memory.
  private var latest: [(form: TweenCycle, curve: LaneCurve)?] = Array(repeating: nil, count: 16)

  /// What makes two forms equal.
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

  /// The curve of a form; the same object for equal forms.
  package func curve(_ form: TweenCycle) -> LaneCurve {
    let place = Int(bitPattern: ObjectIdentifier(form)) >> 5 & 15
    if let known = latest[place], known.form === form { return known.curve }
    let curve = curve(
      Key(curve: form.curve, autoreverses: form.autoreverses, hold: form.hold), form)
    latest[place] = (form, curve)
    return curve
  }

  /// The curve of one leg, from its start to its end.
  package func curve(_ leg: UnitCurve) -> LaneCurve {
    curve(Key(curve: leg, autoreverses: false, hold: 0), TweenCycle(curve: leg))
  }

  private func curve(_ key: Key, _ form: @autoclosure () -> TweenCycle) -> LaneCurve {
    if let known = curves[key] { return known }
    let form = form()
    let table = CurveTable(form)
    let entry = table.flatMap(add)
    let curve = LaneCurve(form: form, entry: entry, range: entry == nil ? nil : table?.range)
    curves[key] = curve
    return curve
  }

  /// Appends a table.
  ///
  /// - Returns: What kernels find it by: 16 times the number of its first row, plus its bits; nil if there
  ///   are 2^28 rows.
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
