// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySceneBuilder

/// The views of one block that are in a transition, side by side for the kernel.
///
/// Memory grows with the largest number of views that were in a transition at the same time: 104 bytes
/// each.
final class TransitionLanes: @unchecked Sendable {
  /// Lanes of the block that are in a transition; their indexes here are those in the columns below.
  private(set) var lanes: [Int] = []

  /// Twenty columns of coefficients, `capacity` floats each.
  private var coefficients: Column<Float>

  /// How far away each view is, then its own values by `PackedPolynomials.fields`: six columns.
  private var values: Column<Float>

  private var capacity: Int

  init() {
    capacity = Blocks.laneCount
    coefficients = Column(count: Self.coefficientCount * capacity, zero: 0)
    values = Column(count: Self.valueCount * capacity, zero: 0)
  }

  /// Adds a lane.
  ///
  /// - Returns: Its index.
  func insert(_ lane: Int, _ polynomials: PackedPolynomials) -> Int {
    if lanes.count == capacity { grow() }
    let laneIndex = lanes.count
    lanes.append(lane)
    for (index, value) in polynomials.coefficients.enumerated() {
      coefficients.values[index * capacity + laneIndex] = value
    }
    return laneIndex
  }

  /// Removes the lane at an index; the last lane gets this index.
  func remove(at laneIndex: Int) {
    let last = lanes.count - 1
    lanes.swapAt(laneIndex, last)
    lanes.removeLast()
    for index in 0..<Self.coefficientCount {
      let column = coefficients.values + index * capacity
      column[laneIndex] = column[last]
    }
  }

  /// Combines views' own values with their transitions.
  ///
  /// - Parameters:
  ///   - kernels: Those of the instruction set in use.
  ///   - away: How far away each view of the block is, by lane.
  ///   - columns: The block's values of each of `PackedPolynomials.fields`, by lane; nil without a
  ///     column.
  func evaluate(
    kernels: borrowing kernel_table, away: UnsafePointer<Float>,
    columns: (ViewProperty) -> UnsafeMutablePointer<Float>?
  ) {
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
    let grown = Column<Float>(count: 2 * Self.coefficientCount * capacity, zero: 0)
    for index in 0..<Self.coefficientCount {
      (grown.values + 2 * index * capacity)
        .update(from: coefficients.values + index * capacity, count: capacity)
    }
    capacity *= 2
    coefficients = grown
    values = Column(count: Self.valueCount * capacity, zero: 0)
  }
}
