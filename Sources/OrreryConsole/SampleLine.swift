// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrrerySim

/// One entity's values at one time.
package struct SampleLine {
  package let time: Double
  package let tick: UInt64
  package let entity: Int
  package let x: Float
  package let y: Float
  package let opacity: Float
  package let scale: Float
  package let rotation: Float
  package let blur: Float

  /// Creates a line from known values.
  package init(
    time: Double, tick: UInt64, entity: Int, x: Float, y: Float, opacity: Float, scale: Float,
    rotation: Float, blur: Float
  ) {
    (self.time, self.tick, self.entity) = (time, tick, entity)
    (self.x, self.y, self.opacity) = (x, y, opacity)
    (self.scale, self.rotation, self.blur) = (scale, rotation, blur)
  }

  /// Creates a line from the values of one entity at a tick.
  package init(time: Double, tick: UInt64, entity: Int, values: borrowing Values) {
    self.init(
      time: time, tick: tick, entity: entity, x: values.value(.x, entity: entity),
      y: values.value(.y, entity: entity), opacity: values.value(.opacity, entity: entity),
      scale: values.value(.scale, entity: entity),
      rotation: values.value(.rotation, entity: entity), blur: values.value(.blur, entity: entity))
  }

  /// As a JSON object.
  ///
  /// Each float is written so that reading it back gives the same bits.
  package var json: String {
    "{\"time\":\(time),\"tick\":\(tick),\"entity\":\(entity),\"x\":\(x),\"y\":\(y),"
      + "\"opacity\":\(opacity),\"scale\":\(scale),\"rotation\":\(rotation),\"blur\":\(blur)}"
  }

  /// The heading of the table.
  ///
  /// Blur is in the JSON only: a line of text has 80 characters.
  package static let heading = columns([
    "time", "tick", "entity", "x", "y", "opacity", "scale", "rotation",
  ])

  /// As a row of a table under `heading`.
  package var text: String {
    Self.columns([
      decimal(time, places: 3), "\(tick)", "\(entity)", "\(x)", "\(y)", "\(opacity)", "\(scale)",
      "\(rotation)",
    ])
  }

  /// Eight right-aligned columns in 79 characters; wider numbers widen the line.
  private static func columns(_ cells: [String]) -> String {
    zip(cells, [9, 8, 8, 12, 12, 10, 10, 10]).map { cell, width in
      String(repeating: " ", count: max(width - cell.count, 1)) + cell
    }.joined()
  }
}
