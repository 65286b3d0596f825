// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryMessages

/// The columns of one frame as floats, by batch and field; 16-bit columns are converted once for each frame.
final class FrameColumns {
  private let values: FloatColumns

  /// Index of each column, by `key`; -1: the field has its default.
  private var indexes: [Int] = []

  /// Of the frame that was read last, by `key`.
  private var found: [UnsafeBufferPointer<Float>?] = []

  /// Numbers of fields that are looked up.
  private static let fieldCount = 8

  init(_ layout: FrameLayout) {
    values = FloatColumns(layout)
    for (index, column) in layout.columns.enumerated() {
      let field = Int(column.description.field)
      guard field < Self.fieldCount else { continue }
      let key = Int(column.description.batch) * Self.fieldCount + field
      while indexes.count <= key { indexes.append(-1) }
      if indexes[key] < 0 { indexes[key] = index }
    }
    found = Array(repeating: nil, count: indexes.count)
  }

  /// Reads a frame; its values are valid as long as the frame's memory.
  func read(_ frame: FrameView) {
    for (key, index) in indexes.enumerated() where index >= 0 {
      found[key] = values.values(index, in: frame)
    }
  }

  /// The values of a field in the frame that was read last.
  func column(_ batch: Int, _ field: Orrery_Field) -> UnsafeBufferPointer<Float>? {
    guard (1..<Self.fieldCount).contains(field.rawValue) else { return nil }
    let key = batch * Self.fieldCount + field.rawValue
    return key < found.count ? found[key] : nil
  }
}
