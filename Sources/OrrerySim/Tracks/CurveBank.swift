// SPDX-License-Identifier: Apache-2.0

import CKernelTable
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

  private var tracks: [ObjectIdentifier: LaneTrack] = [:]

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

  /// The table of a course of keyframes; nil if it has none.
  func track(_ course: KeyframeCourse) -> LaneTrack? {
    if let known = tracks[ObjectIdentifier(course)] { return known }
    var track: LaneTrack?
    if let table = KeyframeTable(course) {
      let count = table.rows.count
      let first = add(table.rows, at: count > 64 ? 16 : 1, rowMax: 1 << 25)
      track = first.map {
        LaneTrack(course, table, entry: kernel_grid_entry(UInt32($0), UInt32(count)))
      }
    }
    tracks[ObjectIdentifier(course)] = track
    return track
  }

  private func curve(_ key: Key, _ makeCycle: @autoclosure () -> TweenCycle) -> LaneCurve {
    if let known = curves[key] { return known }
    let cycle = makeCycle()
    let table = CurveTable(cycle)
    let entry = table.flatMap { table in
      add(table.rows, rowMax: 1 << 28).map { UInt32($0) << 4 | table.bits }
    }
    let curve = LaneCurve(cycle: cycle, entry: entry, range: entry == nil ? nil : table?.range)
    curves[key] = curve
    return curve
  }

  /// Appends a table.
  ///
  /// - Parameters:
  ///   - table: Its rows.
  ///   - multiple: The index of its first row is a multiple of this.
  ///   - rowMax: Rows that the kernels can tell apart.
  /// - Returns: The index of its first row; nil if there would be more than `rowMax` rows.
  private func add(_ table: [CurveTable.Row], at multiple: Int = 1, rowMax: Int) -> Int? {
    let first = (rowCount + multiple - 1) / multiple * multiple
    let needed = first + table.count
    guard needed <= rowMax else { return nil }
    if needed > capacity {
      let grown = Self.allocate(max(needed, 2 * capacity))
      grown.update(from: rows, count: rowCount * 4)
      rows.deallocate()
      rows = grown
      capacity = max(needed, 2 * capacity)
    }
    for (index, row) in table.enumerated() {
      for column in 0..<4 { rows[(first + index) * 4 + column] = row[column] }
    }
    rowCount = needed
    return first
  }

  private static func allocate(_ rowCount: Int) -> UnsafeMutablePointer<Float> {
    let storage = UnsafeMutableRawPointer.allocate(byteCount: rowCount * 16, alignment: 64)
      .bindMemory(to: Float.self, capacity: rowCount * 4)
    storage.initialize(repeating: 0, count: rowCount * 4)
    return storage
  }
}
