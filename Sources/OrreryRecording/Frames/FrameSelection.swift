// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages

/// The entities and fields of a run that are recorded, and where they lie in its frames.
///
/// A batch of the recorded layout is a slice of one of the run's: neighbouring entities that were asked for. Nothing is
/// copied: a frame's heads lie here, and its values where they were published.
///
///     the run's frame      | head | x of batch 0 ············ | head | y of batch 0 ············ |
///     selected             | head |    x of 10-19  | head |       y of 10-19  |
final class FrameSelection {
  /// A column's values in the frames that come.
  private struct Part {
    let column: FrameLayout.Column
    /// Bytes of the column in front of the first selected value, and of the selected ones.
    let skippedBytes: Int
    let byteCount: Int
  }

  /// A slice of a batch.
  private struct Slice {
    let batch: Int
    let entities: Range<Int>
  }

  /// Layout of the selected part of a frame.
  var layout: FrameLayout { template.layout }

  /// The scene as it is recorded, before the recording is described in it.
  let scene: Orrery_SceneLayout

  /// For each of the scene's batches, its index among the run's.
  let batches: [Int]

  /// What was asked for, and what it stands in: ranges by rising numbers; empty: all.
  let entities: [Range<Int>]

  private let parts: [Part]
  private let template: FrameTemplate

  /// Selects.
  ///
  /// - Parameters:
  ///   - options: What is recorded.
  ///   - source: Layout of the run's frames.
  ///   - scene: The run's.
  ///   - generation: The run's.
  /// - Throws: `Failure`: entities that the scene does not have, or too many ranges of them.
  init(
    _ options: RecordingOptions, of source: FrameLayout, _ scene: Orrery_SceneLayout,
    generation: UInt64
  ) throws(Failure) {
    var entities: [Range<Int>] = []
    if !options.entities.isEmpty {
      let total = scene.hasShard ? scene.shard.entityCount : scene.entityCount
      let list = try EntityList(
        options.entities, names: EntityNames(scene), entityCount: Int(total))
      entities = Self.withParents(list.ranges, in: scene)
    }
    self.entities = entities
    let slices = Self.slices(of: scene, entities)
    var descriptions: [ColumnDescription] = []
    var parts: [Part] = []
    let columns = Dictionary(grouping: source.columns) { Int($0.description.batch) }
    for (index, slice) in slices.enumerated() {
      for column in columns[slice.batch] ?? []
      where options.fields.isEmpty || options.fields.contains(column.field) {
        let published = column.description
        descriptions.append(
          ColumnDescription(
            batch: UInt32(index), field: published.field,
            firstEntity: UInt32(slice.entities.lowerBound),
            valueCount: UInt32(slice.entities.count), format: published.format))
        let valueBytes = Int(published.format.valueBytes)
        parts.append(
          Part(
            column: column,
            skippedBytes: (slice.entities.lowerBound - Int(published.firstEntity)) * valueBytes,
            byteCount: slice.entities.count * valueBytes))
      }
    }
    guard descriptions.count <= FrameLayout.columnsMax else {
      throw Failure(
        .usage,
        "--entity: \(slices.count) ranges make \(descriptions.count) columns; a frame has at most"
          + " \(FrameLayout.columnsMax)")
    }
    let layout = try Failure.of { try FrameLayout(columns: descriptions) }
    self.parts = parts
    batches = slices.map(\.batch)
    self.scene = Self.scene(scene, slices, options.fields, layout)
    template = FrameTemplate(layout, generation: generation)
  }

  /// The selected part of a frame; valid until the next call.
  func view(of frame: FrameView) -> FrameView {
    var source = FramePieces(frame)
    return template.compose(
      sequence: frame.sequence, frame.stamp(), pieceCount: 2 * parts.count + 1
    ) { column, pieces in
      let part = parts[column]
      source.append(
        Int(part.column.valuesOffset) + part.skippedBytes, part.byteCount, to: &pieces)
    }
  }

  // MARK: - The scene

  /// The ranges with the entities in whose coordinates theirs stand, without which nobody could say where they are.
  private static func withParents(
    _ ranges: [Range<Int>], in scene: Orrery_SceneLayout
  ) -> [Range<Int>] {
    var all = ranges
    // An entity has at most eight ancestors.
    for _ in 0..<8 {
      var parents: Set<Int> = []
      for batch in scene.batches where !batch.parents.isEmpty {
        let own = batch.entities
        if batch.parents.count == 1 {
          if batch.parents[0] > 0, all.contains(where: { $0.overlaps(own) }) {
            parents.insert(Int(batch.parents[0]) - 1)
          }
          continue
        }
        for range in all where range.overlaps(own) {
          for entity in range.clamped(to: own) {
            let parent = Int(batch.parents[entity - own.lowerBound])
            if parent > 0 { parents.insert(parent - 1) }
          }
        }
      }
      let merged = merge(all + parents.map { $0..<$0 + 1 })
      if merged == all { return all }
      all = merged
    }
    return all
  }

  private static func merge(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  private static func slices(
    of scene: Orrery_SceneLayout, _ entities: [Range<Int>]
  ) -> [Slice] {
    var slices: [Slice] = []
    for (index, batch) in scene.batches.enumerated() {
      if entities.isEmpty {
        slices.append(Slice(batch: index, entities: batch.entities))
        continue
      }
      for range in entities where range.overlaps(batch.entities) {
        slices.append(Slice(batch: index, entities: range.clamped(to: batch.entities)))
      }
    }
    return slices
  }

  /// The scene with its batches replaced by slices.
  private static func scene(
    _ whole: Orrery_SceneLayout, _ slices: [Slice], _ fields: Set<Orrery_Field>,
    _ layout: FrameLayout
  ) -> Orrery_SceneLayout {
    var scene = whole
    scene.layoutHash = layout.layoutHash
    scene.entityCount = UInt64(slices.reduce(0) { $0 + $1.entities.count })
    if scene.hasShard, scene.shard.batches.count == whole.batches.count {
      scene.shard.batches = slices.map { whole.shard.batches[$0.batch] }
    }
    scene.batches = slices.map { slice in
      var batch = whole.batches[slice.batch]
      if !fields.isEmpty { batch.fields.removeAll { !fields.contains($0) } }
      guard slice.entities != batch.entities else { return batch }
      let first = slice.entities.lowerBound - Int(batch.firstEntity)
      func part<Value>(_ values: [Value]) -> [Value] {
        values.count > 1 ? Array(values[first..<first + slice.entities.count]) : values
      }
      (batch.originX, batch.originY) = (part(batch.originX), part(batch.originY))
      (batch.sprites, batch.parents) = (part(batch.sprites), part(batch.parents))
      batch.firstEntity = UInt32(slice.entities.lowerBound)
      batch.entityCount = UInt32(slice.entities.count)
      return batch
    }
    if slices.count != whole.batches.count || scene.entityCount != whole.entityCount {
      // A name that several share is kept whole: its numbers count from its first entity.
      let recorded = merge(slices.map(\.entities))
      scene.names.removeAll { name in
        let named = Int(name.firstEntity)..<Int(name.firstEntity) + max(Int(name.entityCount), 1)
        return !recorded.contains { $0.overlaps(named) }
      }
    }
    return scene
  }
}

/// Finds parts of a frame that lies in pieces, by rising offsets mostly.
private struct FramePieces {
  private let pieces: [UnsafeRawBufferPointer]
  private var index = 0
  private var start = 0

  init(_ frame: FrameView) { pieces = frame.pieces }

  /// Appends a part of the frame's bytes.
  mutating func append(
    _ offset: Int, _ byteCount: Int, to result: inout [UnsafeRawBufferPointer]
  ) {
    if offset < start { (index, start) = (0, 0) }
    var (offset, left) = (offset, byteCount)
    while left > 0 {
      while offset >= start + pieces[index].count {
        start += pieces[index].count
        index += 1
      }
      let count = min(left, start + pieces[index].count - offset)
      result.append(
        UnsafeRawBufferPointer(rebasing: pieces[index][offset - start..<offset - start + count]))
      offset += count
      left -= count
    }
  }
}

extension Orrery_Batch {
  /// Numbers of its entities.
  fileprivate var entities: Range<Int> {
    Int(firstEntity)..<Int(firstEntity) + Int(entityCount)
  }
}

extension FrameLayout.Column {
  /// Its field as a message has it.
  fileprivate var field: Orrery_Field {
    Orrery_Field(rawValue: Int(description.field)) ?? .unspecified
  }
}
