// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySceneBuilder

/// The views of one block that are in a transition, side by side for the kernel.
///
/// A change only writes which half of its transition a view is in. The rest is found when the block is evaluated next:
///
///     lanes side by side    the kernel works in the block's own columns; else its values are gathered and put back
///     all in one half       one group of coefficients is for all; else each view has its own, filled in the order of
///                           memory, and only where a view has another half than the one that had its place before
///
/// Memory grows with the largest number of views that were in a transition at the same time: four bytes for each view of
/// the block, 24 for each in a transition where they did not lie side by side, and 84 where they were in different halves.
final class TransitionLanes: @unchecked Sendable {
  /// By lane: the half of its transition, as in `TransitionTable`, from 1; 0 for none.
  private let halves: Column<UInt32>

  /// Number of lanes that are in a transition.
  private(set) var count = 0

  /// Whether `halves` has changed since the rest was filled.
  private var hasChanged = false

  /// Whether the lanes lie side by side, from the first of a lane group on, and the first.
  private var isDense = false
  private var firstLane = 0

  /// The lanes if they do not; their indexes here are those in the columns below.
  private var lanes: [Int] = []

  /// A lane by its index in the columns below.
  private func lane(_ index: Int) -> Int { isDense ? firstLane + index : lanes[index] }

  /// The half that all lanes are in, as in `halves`; 0 if they are in different ones.
  private var commonHalf: UInt32 = 0

  /// Twenty lane groups of that half's coefficients, and the half.
  private let common = Column<Float>(
    count: TransitionLanes.coefficientCount * Blocks.laneCount, zero: 0)
  private var filledCommon: UInt32 = 0

  /// Twenty columns of each lane's coefficients.
  private var coefficients = Column<Float>(count: 0, zero: 0)

  /// The half whose coefficients each index has, as in `halves`.
  private var filled = Column<UInt32>(count: 0, zero: 0)

  /// How far away each view is, then its own values by `PackedPolynomials.fields`: six columns.
  private var values: Column<Float>

  /// Floats in each of `values`, and in each of `coefficients`.
  private var (capacity, coefficientCapacity): (Int, Int)

  init(laneCount: Int) {
    halves = Column(count: laneCount, zero: 0)
    (capacity, coefficientCapacity) = (Blocks.laneCount, 0)
    values = Column(count: Self.valueCount * capacity, zero: 0)
  }

  /// Whether a lane is in a transition.
  @inline(__always)
  func contains(_ lane: Int) -> Bool { halves.values[lane] > 0 }

  /// Sets the half of a lane's transition; nil for none.
  @inline(__always)
  func set(_ lane: Int, _ half: TransitionTable.Index?) {
    let new = half.map { $0 + 1 } ?? 0
    let old = halves.values[lane]
    guard new != old else { return }
    halves.values[lane] = new
    count += (new > 0 ? 1 : 0) - (old > 0 ? 1 : 0)
    hasChanged = true
  }

  /// As `set`, of successive lanes.
  ///
  /// - Parameters:
  ///   - lanes: Which.
  ///   - indexes: As `TransitionTable.indexes`; nil for no half.
  func set(_ lanes: Range<Int>, _ indexes: UnsafePointer<TransitionTable.Index>?) {
    let halves = halves.values + lanes.lowerBound
    var (old, new, difference): (Int32, Int32, UInt32) = (0, 0, 0)
    if let indexes {
      for lane in 0..<lanes.count {
        let half = indexes[2 * lane] &+ 1
        old += halves[lane] > 0 ? 1 : 0
        new += half > 0 ? 1 : 0
        difference |= half ^ halves[lane]
        halves[lane] = half
      }
    } else {
      for lane in 0..<lanes.count {
        old += halves[lane] > 0 ? 1 : 0
        halves[lane] = 0
      }
    }
    count += Int(new - old)
    hasChanged = hasChanged || difference > 0 || old != new
  }

  /// Takes up the changes since the last call.
  private func fill(_ table: borrowing TransitionTable) {
    guard hasChanged else { return }
    hasChanged = false
    let inTransition = { self.halves.values[$0] > 0 }
    guard let first = (0..<halves.count).first(where: inTransition),
      let last = (0..<halves.count).last(where: inTransition)
    else { return }
    firstLane = first
    isDense = last - first + 1 == count && first % Blocks.laneCount == 0
    lanes.removeAll(keepingCapacity: true)
    if !isDense { lanes += (first...last).lazy.filter(inTransition) }
    if !isDense, capacity < count {
      while capacity < count { capacity *= 2 }
      values = Column(count: Self.valueCount * capacity, zero: 0)
    }
    let half = halves.values[first]
    let isCommon =
      isDense
      ? areEqual(halves.values + first, count: count) { $0 }
      : lanes.allSatisfy { halves.values[$0] == half }
    commonHalf = isCommon ? half : 0
    if commonHalf == 0 {
      fillEach(table)
    } else if commonHalf != filledCommon {
      filledCommon = commonHalf
      for (index, value) in table[half - 1].coefficients.enumerated() {
        (common.values + index * Blocks.laneCount).update(
          repeating: value, count: Blocks.laneCount)
      }
    }
  }

  /// Fills the coefficients of each lane.
  private func fillEach(_ table: borrowing TransitionTable) {
    if coefficientCapacity < count {
      coefficientCapacity = max(coefficientCapacity, Blocks.laneCount)
      while coefficientCapacity < count { coefficientCapacity *= 2 }
      coefficients = Column(count: Self.coefficientCount * coefficientCapacity, zero: 0)
      filled = Column(count: coefficientCapacity, zero: 0)
    }
    var first = 0
    while first < count {
      let half = halves.values[lane(first)]
      if filled.values[first] == half {
        first += 1
        continue
      }
      // A run of places that get the same polynomials.
      var end = first
      while end < count, halves.values[lane(end)] == half, filled.values[end] != half {
        filled.values[end] = half
        end += 1
      }
      for (index, value) in table[half - 1].coefficients.enumerated() {
        (coefficients.values + index * coefficientCapacity + first).update(
          repeating: value, count: end - first)
      }
      first = end
    }
  }

  /// Combines views' own values with their transitions.
  ///
  /// - Parameters:
  ///   - kernels: Those of the instruction set in use.
  ///   - table: The halves that were given to `set`.
  ///   - away: How far away each view of the block is, by lane; it may be overwritten.
  ///   - columns: The block's values of each of `PackedPolynomials.fields`, by lane; nil without a
  ///     column.
  func evaluate(
    kernels: borrowing kernel_table, table: borrowing TransitionTable,
    away: UnsafeMutablePointer<Float>,
    columns: (ViewProperty) -> UnsafeMutablePointer<Float>?
  ) {
    fill(table)
    guard count > 0 else { return }
    /// Where the kernel finds the values of a field, and writes them; nil for one without a column.
    func operand(_ index: Int) -> UnsafeMutablePointer<Float>? {
      guard let column = columns(PackedPolynomials.fields[index]) else { return nil }
      if isDense { return column + firstLane }
      let own = values.values + (index + 1) * capacity
      gather(column, own)
      return own
    }
    let (x, y, opacity, scale, blur) = (
      operand(0), operand(1), operand(2), operand(3), operand(4)
    )
    if !isDense { gather(away, values.values) }
    let away = isDense ? away + firstLane : values.values
    func operands(_ other: UnsafeMutablePointer<Float>) -> kernel_view_columns {
      kernel_view_columns(
        x: x ?? other, y: y ?? other, opacity: opacity ?? other, scale: scale ?? other,
        blur: blur ?? other)
    }
    let isCommon = commonHalf > 0
    // No other field depends on the values of one without a column: such are written over what has just been read.
    kernels.transition(
      UInt32(count), away, isCommon ? common.values : coefficients.values,
      UInt32(isCommon ? Blocks.laneCount : coefficientCapacity),
      operands(Self.zeros.values), operands(away))
    // As in the library, a scale that passes through 0 can be inverted.
    if let scale { Self.makeInvertible(scale, count: count) }
    if isDense { return }
    for (index, field) in PackedPolynomials.fields.enumerated() {
      guard let column = columns(field) else { continue }
      let result = values.values + (index + 1) * capacity
      for (laneIndex, lane) in lanes.enumerated() { column[lane] = result[laneIndex] }
    }
  }

  /// Copies the values of lanes that do not lie side by side.
  private func gather(_ column: UnsafePointer<Float>, _ values: UnsafeMutablePointer<Float>) {
    for (laneIndex, lane) in lanes.enumerated() { values[laneIndex] = column[lane] }
  }

  private static func makeInvertible(_ scales: UnsafeMutablePointer<Float>, count: Int) {
    let least = Float(ScaleEffect.scaleMin)
    for index in 0..<count {
      let scale = scales[index]
      scales[index] = abs(scale) < least ? (scale < 0 ? -least : least) : scale
    }
  }

  /// Read in place of a field that has no column.
  private static let zeros = Column<Float>(count: Blocks.entityCount, zero: 0)

  private static let coefficientCount = 20
  private static var valueCount: Int { PackedPolynomials.fields.count + 1 }
}
