// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryMessages
import SwiftProtobuf

/// The layout of a scene's frames, joined from those of its shards.
///
/// A batch's slices follow each other by their entities' numbers. Merged they are one column, and joined
/// frames have the bytes that one sim of the whole scene would publish: for recording. Unmerged, each slice
/// is a batch of its own whose columns can be used in place: for drawing.
package struct JoinedLayout {
  /// A column's part that one shard publishes.
  package struct Slice {
    /// Index of the shard.
    package let shard: Int
    /// The column in the shard's layout.
    package let column: FrameLayout.Column
  }

  /// Of the joined frames.
  package let layout: FrameLayout

  /// For each of its columns, the slices that make it, in order.
  package let slices: [[Slice]]

  /// The encoded `orrery.SceneLayout` of the whole scene.
  package let staticPart: [UInt8]

  /// A shard's layouts.
  package typealias Part = (frame: FrameLayout, scene: Orrery_SceneLayout)

  /// A batch of one shard.
  private struct Piece {
    let shard: Int
    /// Indexes in the scene and in the shard.
    let sceneIndex: UInt32
    let index: Int
    let message: Orrery_Batch
    let columns: [FrameLayout.Column]
  }

  /// Joins the layouts of all shards.
  ///
  /// - Parameters:
  ///   - name: The run's name.
  ///   - parts: By the shards' indexes.
  ///   - merges: Whether the slices of a batch become one batch.
  /// - Throws: `WireError.badMessage` if they are not all shards of one scene; `frame`.
  package init(name: String, _ parts: [Part], merges: Bool) throws(WireError) {
    try Self.check(parts)
    var pieces = parts.enumerated().flatMap { shard, part in
      part.scene.batches.enumerated().map { index, message in
        Piece(
          shard: shard, sceneIndex: part.scene.shard.batches[index], index: index,
          message: message,
          columns: part.frame.columns.filter { Int($0.description.batch) == index })
      }
    }
    pieces.sort {
      ($0.sceneIndex, $0.message.firstEntity) < ($1.sceneIndex, $1.message.firstEntity)
    }
    var groups: [[Piece]] = []
    for piece in pieces {
      if merges, let last = groups.last?.last, last.sceneIndex == piece.sceneIndex {
        try Self.check(last, piece)
        groups[groups.count - 1].append(piece)
      } else {
        groups.append([piece])
      }
    }
    var descriptions: [ColumnDescription] = []
    var slices: [[Slice]] = []
    for (batch, group) in groups.enumerated() {
      for field in group[0].columns.indices {
        let first = group[0].columns[field].description
        let count = group.reduce(0) { $0 + $1.columns[field].description.valueCount }
        descriptions.append(
          ColumnDescription(
            batch: UInt32(batch), field: first.field, firstEntity: first.firstEntity,
            valueCount: count, format: first.format))
        slices.append(group.map { Slice(shard: $0.shard, column: $0.columns[field]) })
      }
    }
    do throws(FrameError) {
      layout = try FrameLayout(columns: descriptions)
    } catch {
      throw .frame(error)
    }
    self.slices = slices
    var scene = parts[0].scene
    scene.clearShard()
    scene.run = name
    scene.layoutHash = layout.layoutHash
    scene.entityCount = parts.reduce(0) { $0 + $1.scene.entityCount }
    scene.names = parts.flatMap(\.scene.names).sorted { $0.firstEntity < $1.firstEntity }
    let sets = Set(parts.map(\.scene.isa))
    scene.isa = sets.sorted().joined(separator: ", ")
    scene.batches = groups.map(Self.merged)
    do {
      staticPart = try scene.serializedBytes()
    } catch {
      throw .badMessage("the joined scene cannot be encoded: \(error)")
    }
  }

  /// Refuses parts that are not all shards of one scene.
  private static func check(_ parts: [Part]) throws(WireError) {
    let first = parts[0].scene
    var entities: UInt64 = 0
    for (index, part) in parts.enumerated() {
      let scene = part.scene
      guard scene.hasShard, scene.shard.index == index, scene.shard.count == parts.count,
        scene.shard.batches.count == scene.batches.count
      else { throw .badMessage("run '\(scene.run)' is not shard \(index) of \(parts.count)") }
      guard scene.scene == first.scene, scene.seed == first.seed, scene.source == first.source,
        scene.rateNumerator == first.rateNumerator, scene.hash == first.hash,
        scene.rateDenominator == first.rateDenominator, scene.delivery == first.delivery,
        scene.sprites == first.sprites, scene.shard.entityCount == first.shard.entityCount
      else { throw .badMessage("shards 0 and \(index) do not run the same scene") }
      for column in part.frame.columns where column.description.batch >= scene.batches.count {
        throw .badMessage("shard \(index) has a column of no batch")
      }
      entities += scene.batches.reduce(0) { $0 + UInt64($1.entityCount) }
    }
    guard entities == first.shard.entityCount else {
      throw .badMessage("the shards have \(entities) of \(first.shard.entityCount) entities")
    }
  }

  /// Refuses slices that do not follow each other.
  private static func check(_ before: Piece, _ next: Piece) throws(WireError) {
    func kinds(_ piece: Piece) -> [UInt32] { piece.columns.map(\.description.field) }
    guard before.message.firstEntity + before.message.entityCount == next.message.firstEntity,
      kinds(before) == kinds(next), before.message.kind == next.message.kind,
      zip(before.columns, next.columns).allSatisfy({
        $0.description.format == $1.description.format
      })
    else {
      throw .badMessage(
        "batch \(next.sceneIndex) of shard \(next.shard) does not continue that of \(before.shard)")
    }
  }

  /// The message of a batch's slices together.
  private static func merged(_ group: [Piece]) -> Orrery_Batch {
    var batch = group[0].message
    guard group.count > 1 else { return batch }
    batch.entityCount = group.reduce(0) { $0 + $1.message.entityCount }
    func all<Value: Equatable>(_ values: (Orrery_Batch) -> [Value]) -> [Value] {
      let lists = group.map { values($0.message) }
      if lists.allSatisfy({ $0.count == 1 && $0 == lists[0] }) { return lists[0] }
      return zip(group, lists).flatMap { piece, list in
        list.count == 1
          ? Array(repeating: list[0], count: Int(piece.message.entityCount)) : list
      }
    }
    (batch.originX, batch.originY) = (all(\.originX), all(\.originY))
    batch.sprites = all(\.sprites)
    if group.contains(where: { !$0.message.parents.isEmpty }) {
      batch.parents = all { $0.parents.isEmpty ? [0] : $0.parents }
    }
    return batch
  }
}
