// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrrerySceneBuilder

/// The world's values at one tick, in separate memory: for inspection, not for publishing.
package struct Values: ~Copyable {
  private let world: World
  private let columns: [Column<Float>.Box]

  /// Hash of all values, equal to that of the tick's frame.
  package let stateHash: UInt64

  /// Ticks since the scene began.
  package let tick: UInt64

  /// Computes the values at a tick directly.
  package init(of world: World, tick: UInt64) {
    let columns = world.columns.map { Column<Float>.Box(Column(count: $0.count, zero: 0)) }
    self.world = world
    self.columns = columns
    self.tick = tick
    stateHash = world.evaluate(tick: tick) { UnsafeMutableRawPointer(columns[$0].column.values) }
    for (index, column) in world.columns.enumerated() {
      if case .fixed16(let unit) = column.format { columns[index].column.expand(unit: unit) }
    }
  }

  /// The column of one field of one batch, or nil where the batch has no such column.
  package func column(batch: Int, field: UInt32) -> UnsafeBufferPointer<Float>? {
    for (index, column) in world.columns.enumerated()
    where column.batch == batch && column.field.fieldNumber == field {
      return UnsafeBufferPointer(start: columns[index].column.values, count: column.count)
    }
    return nil
  }

  /// The value of one field of one entity, or the field's default where its batch has no such column.
  package func value(_ field: ViewProperty, entity: Int) -> Float {
    for (index, column) in world.columns.enumerated()
    where column.field == field && entity >= column.firstEntity
      && entity < column.firstEntity + column.count
    {
      return columns[index].column.values[entity - column.firstEntity]
    }
    return Float(field.defaultValue)
  }
}

extension Column<Float> {
  /// Converts the 16-bit whole numbers at the start of the column to floats, in place.
  fileprivate func expand(unit: Float) {
    let numbers = UnsafeRawPointer(values)
    // From the last one: each float overwrites only numbers that were read before.
    for index in (0..<count).reversed() {
      let number = numbers.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)
      values[index] = Float(number) * unit
    }
  }
}

extension Column {
  /// A column that can be kept in an array.
  fileprivate final class Box {
    let column: Column
    init(_ column: consuming Column) { self.column = column }
  }
}
