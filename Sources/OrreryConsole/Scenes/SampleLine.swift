// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrrerySim

/// One entity's values at one time.
package struct SampleLine {
  /// Seconds since the scene began.
  package let time: Double
  /// Ticks since the scene began.
  package let tick: UInt64
  /// Number of the entity.
  package let entity: Int
  /// Name of the entity, if it has one.
  package let name: String?
  /// Whether the values are those of the picture, parents' included, and not the entity's own.
  package let isWorld: Bool
  /// Horizontal position, in points.
  package let x: Float
  /// Vertical position, in points, downward.
  package let y: Float
  /// From 0 to 1.
  package let opacity: Float
  /// Factor of the size.
  package let scale: Float
  /// Angle in radians, clockwise.
  package let rotation: Float
  /// Radius in points.
  package let blur: Float

  /// Creates a line from known values.
  package init(
    time: Double, tick: UInt64, entity: Int, name: String? = nil, isWorld: Bool = false, x: Float,
    y: Float, opacity: Float, scale: Float, rotation: Float, blur: Float
  ) {
    (self.time, self.tick, self.entity) = (time, tick, entity)
    (self.name, self.isWorld) = (name, isWorld)
    (self.x, self.y, self.opacity) = (x, y, opacity)
    (self.scale, self.rotation, self.blur) = (scale, rotation, blur)
  }

  /// Creates a line from the values of one entity at a tick.
  package init(
    time: Double, tick: UInt64, entity: Int, name: String? = nil, values: borrowing Values
  ) {
    self.init(
      time: time, tick: tick, entity: entity, name: name, x: values.value(.x, entity: entity),
      y: values.value(.y, entity: entity), opacity: values.value(.opacity, entity: entity),
      scale: values.value(.scale, entity: entity),
      rotation: values.value(.rotation, entity: entity), blur: values.value(.blur, entity: entity))
  }

  /// As a JSON object.
  ///
  /// Each float is written so that reading it back gives the same bits.
  package var json: String {
    "{\"schema\":\"orrery.sample.v2\",\"time_s\":\(time),\"tick\":\(tick),\"entity\":\(entity),"
      + "\"x\":\(x),\"y\":\(y),\"opacity\":\(opacity),\"scale\":\(scale),\"rotation\":\(rotation),"
      + "\"blur\":\(blur)" + (name.map { ",\"name\":" + JSONWriter.string($0, .answer) } ?? "")
      + (isWorld ? ",\"world\":true}" : "}")
  }
}
