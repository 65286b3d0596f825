// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// A field of an entity; docs/reference/fields.md has the units.
public enum RunField: String, CaseIterable, Hashable, Sendable {
  /// Translation to the right, in points.
  case x
  /// Translation downward, in points.
  case y
  /// 0 is invisible, 1 opaque.
  case opacity
  /// Factor about the entity's origin.
  case scale
  /// Radians, clockwise.
  case rotation
  /// Radius of a blur, in points.
  case blur

  /// The value of entities without a column of it.
  public var defaultValue: Float { self == .opacity || self == .scale ? 1 : 0 }
}

/// A frame, in the memory where it came; valid only while `RunSubscriber.next` lets it be used.
public struct RunFrame {
  private let view: FrameView
  private let layout: FrameLayout
  private let floats: FloatColumns
  private let scene: RunScene
  private let stamp: FrameStamp

  init(_ view: FrameView, _ layout: FrameLayout, _ floats: FloatColumns, _ scene: RunScene) {
    (self.view, self.layout, self.floats, self.scene) = (view, layout, floats, scene)
    stamp = view.stamp()
  }

  /// Its number; a run's first frame has number 1.
  public var sequence: UInt64 { view.sequence }

  /// The tick whose values it has.
  public var tick: UInt64 { stamp.tick }

  /// The tick's time from the start of the scene, in nanoseconds.
  public var simTimeNs: UInt64 { stamp.simTimeNs }

  /// When it was published, in nanoseconds since 1970.
  public var publishTimeNs: UInt64 { stamp.publishTimeNs }

  /// A hash of its values.
  public var stateHash: UInt64 { stamp.stateHash }

  /// A field of a batch in place, one value for each of its entities.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - batch: Index of the batch in `RunScene.batches`.
  /// - Returns: Valid until `use` returns; nil if the batch has no column of it: then its entities have the default.
  public func values(_ field: RunField, batch: Int = 0) -> UnsafeBufferPointer<Float>? {
    let found = layout.columns.firstIndex {
      Int($0.description.batch) == batch && RunScene.field($0.description.field) == field
    }
    return found.map { floats.values($0, in: view) }
  }

  /// A field of all entities by their numbers: a copy.
  public func all(_ field: RunField) -> [Float] {
    var all = [Float](repeating: field.defaultValue, count: scene.entityCount)
    for (index, column) in layout.columns.enumerated()
    where RunScene.field(column.description.field) == field {
      let first = Int(column.description.firstEntity)
      for (offset, value) in floats.values(index, in: view).enumerated() {
        all[first + offset] = value
      }
    }
    return all
  }
}
