// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryMessages

/// The columns of one frame as floats, by batch and field; 16-bit columns are converted once for each frame.
///
/// Where only every so many entities are looked at, only these are converted: of a million entities 10,000, which takes a
/// hundredth of the time.
final class FrameColumns {
  /// The entities that are looked at.
  struct Sampling {
    /// For each batch, the index of its first one.
    let firsts: [Int]
    /// Entities from one to the next.
    let stride: Int
  }

  private let values: FloatColumns
  private let layout: FrameLayout
  private let sampling: Sampling?

  /// For each column of the layout that is sampled and has 16 bits, room for its values.
  private var sampled: [Int: UnsafeMutableBufferPointer<Float>] = [:]

  /// Index of each column, by `key`; -1: the field has its default.
  private var indexes: [Int] = []

  /// Of the frame that was read last, by `key`.
  private var found: [UnsafeBufferPointer<Float>?] = []

  /// Numbers of fields that are looked up.
  private static let fieldCount = 8

  /// - Parameters:
  ///   - layout: Of the frames.
  ///   - sampling: The entities that are looked at; nil: any.
  init(_ layout: FrameLayout, sampling: Sampling? = nil) {
    self.layout = layout
    self.sampling = sampling.flatMap { $0.stride > 1 ? $0 : nil }
    values = FloatColumns(layout)
    for (index, column) in layout.columns.enumerated() {
      let field = Int(column.description.field)
      guard field < Self.fieldCount else { continue }
      let key = Int(column.description.batch) * Self.fieldCount + field
      while indexes.count <= key { indexes.append(-1) }
      if indexes[key] < 0 { indexes[key] = index }
    }
    found = Array(repeating: nil, count: indexes.count)
    guard let sampling = self.sampling else { return }
    for (index, column) in layout.columns.enumerated()
    where column.description.format != .float32
      && sampling.firsts.indices.contains(Int(column.description.batch))
    {
      let room = UnsafeMutableBufferPointer<Float>.allocate(
        capacity: Int(column.description.valueCount))
      room.initialize(repeating: 0)
      sampled[index] = room
    }
  }

  deinit { for room in sampled.values { room.deallocate() } }

  /// Reads a frame; its values are valid as long as the frame's memory.
  func read(_ frame: FrameView) {
    for (key, index) in indexes.enumerated() where index >= 0 {
      found[key] = sample(index, of: frame) ?? values.values(index, in: frame)
    }
  }

  /// The values of a 16-bit column at the entities that are looked at; nil for any other column.
  private func sample(_ index: Int, of frame: FrameView) -> UnsafeBufferPointer<Float>? {
    guard let sampling, let room = sampled[index],
      case .fixed16(let unit) = layout.columns[index].description.format
    else { return nil }
    let column = layout.columns[index]
    let multiples = column.multiples(in: frame)
    let first = sampling.firsts[Int(column.description.batch)]
    for entity in stride(from: first, to: min(multiples.count, room.count), by: sampling.stride) {
      room[entity] = Float(Int16(littleEndian: multiples[entity])) * unit
    }
    return UnsafeBufferPointer(room)
  }

  /// The values of a field in the frame that was read last.
  func column(_ batch: Int, _ field: Orrery_Field) -> UnsafeBufferPointer<Float>? {
    guard (1..<Self.fieldCount).contains(field.rawValue) else { return nil }
    let key = batch * Self.fieldCount + field.rawValue
    return key < found.count ? found[key] : nil
  }
}
