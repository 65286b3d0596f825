// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySceneBuilder

/// The views of one block that are in a transition, side by side for the kernel.
///
/// A change only writes which half of its transition a view is in. Columns are filled when the block is evaluated next,
/// each in the order of memory, and only where a view has other polynomials than the one that had its place before.
///
/// Memory grows with the largest number of views that were in a transition at the same time: 108 bytes
/// each, and four for each view of the block.
final class TransitionLanes: @unchecked Sendable {
  /// By lane: the half of its transition, as in `TransitionTable`, from 1; 0 for none.
  private let halves: Column<UInt32>

  /// Number of lanes that are in a transition.
  private(set) var count = 0

  /// Whether `halves` has changed since `lanes` was filled.
  private var hasChanged = false

  /// Lanes that are in a transition; their indexes here are those in the columns below.
  private var lanes: [Int] = []

  /// Twenty columns of coefficients, `capacity` floats each.
  private var coefficients: Column<Float>

  /// The half whose coefficients each index has, as in `halves`.
  private var filled: Column<UInt32>

  /// How far away each view is, then its own values by `PackedPolynomials.fields`: six columns.
  private var values: Column<Float>

  private var capacity: Int

  init(laneCount: Int) {
    halves = Column(count: laneCount, zero: 0)
    capacity = Blocks.laneCount
    coefficients = Column(count: Self.coefficientCount * capacity, zero: 0)
    filled = Column(count: capacity, zero: 0)
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

  /// Takes up the changes since the last call.
  private func fill(_ table: borrowing TransitionTable) {
    guard hasChanged else { return }
    hasChanged = false
    lanes.removeAll(keepingCapacity: true)
    while capacity < count { grow() }
    for lane in 0..<halves.count where halves.values[lane] > 0 { lanes.append(lane) }
    var first = 0
    while first < count {
      let half = halves.values[lanes[first]]
      if filled.values[first] == half {
        first += 1
        continue
      }
      // A run of places that get the same polynomials.
      var end = first
      while end < count, halves.values[lanes[end]] == half, filled.values[end] != half {
        filled.values[end] = half
        end += 1
      }
      for (index, value) in table[half - 1].coefficients.enumerated() {
        (coefficients.values + index * capacity + first).update(
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
  ///   - away: How far away each view of the block is, by lane.
  ///   - columns: The block's values of each of `PackedPolynomials.fields`, by lane; nil without a
  ///     column.
  func evaluate(
    kernels: borrowing kernel_table, table: borrowing TransitionTable, away: UnsafePointer<Float>,
    columns: (ViewProperty) -> UnsafeMutablePointer<Float>?
  ) {
    fill(table)
    for (laneIndex, lane) in lanes.enumerated() { values.values[laneIndex] = away[lane] }
    for (index, field) in PackedPolynomials.fields.enumerated() {
      let own = values.values + (index + 1) * capacity
      if let column = columns(field) {
        for (laneIndex, lane) in lanes.enumerated() { own[laneIndex] = column[lane] }
      } else {
        own.update(repeating: Float(field.defaultValue), count: lanes.count)
      }
    }
    let own = kernel_view_columns(
      x: values.values + capacity, y: values.values + 2 * capacity,
      opacity: values.values + 3 * capacity, scale: values.values + 4 * capacity,
      blur: values.values + 5 * capacity)
    kernels.transition(
      UInt32(lanes.count), values.values, coefficients.values, UInt32(capacity), own, own)
    for (index, field) in PackedPolynomials.fields.enumerated() {
      guard let column = columns(field) else { continue }
      let result = values.values + (index + 1) * capacity
      // As in the library, a scale that passes through 0 can be inverted.
      if field == .scale { Self.makeInvertible(result, count: lanes.count) }
      for (laneIndex, lane) in lanes.enumerated() { column[lane] = result[laneIndex] }
    }
  }

  private static func makeInvertible(_ scales: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count {
      scales[index] = Float(ScaleEffect.invertible(Double(scales[index])))
    }
  }

  private static let coefficientCount = 20
  private static var valueCount: Int { PackedPolynomials.fields.count + 1 }

  private func grow() {
    capacity *= 2
    coefficients = Column(count: Self.coefficientCount * capacity, zero: 0)
    filled = Column(count: capacity, zero: 0)
    values = Column(count: Self.valueCount * capacity, zero: 0)
  }
}
