// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryMessages
import OrreryWire

/// What a run shows: the same for all of its frames.
public struct RunScene: Sendable {
  /// Entities of one kind, which have the same columns.
  public struct Batch: Hashable, Sendable {
    /// What moves them: `marquee`, `orbit`, `view`.
    public let kind: String
    /// The numbers of its entities.
    public let entities: Range<Int>
    /// The fields that have a column in each frame.
    public let fields: [RunField]
  }

  /// The run's name.
  public let run: String
  /// The scene's name.
  public let name: String
  /// Ticks a second.
  public let rate: Double
  /// Width of the picture, in points.
  public let width: Double
  /// Height of the picture, in points; y grows downward.
  public let height: Double
  /// How many entities each frame has.
  public let entityCount: Int
  /// By their numbers; columns of a frame belong to one of them.
  public let batches: [Batch]

  private let names: [Orrery_EntityName]

  init(_ source: any FrameSource) throws {
    let scene = try source.sceneLayout()
    (run, name, width, height) = (scene.run, scene.scene, scene.width, scene.height)
    rate = Double(scene.rateNumerator) / Double(scene.rateDenominator)
    entityCount = Int(scene.entityCount)
    names = scene.names
    batches = scene.batches.map { batch in
      Batch(
        kind: batch.kind,
        entities: Int(batch.firstEntity)..<Int(batch.firstEntity) + Int(batch.entityCount),
        fields: batch.fields.compactMap { Self.field(UInt32($0.rawValue)) })
    }
  }

  /// The number of a named entity, as `Mars.header` or `Mars.moon[1]`; nil if there is none.
  public func entity(_ name: String) -> Int? {
    for entry in names {
      let (first, count) = (Int(entry.firstEntity), Int(entry.entityCount))
      if count == 0 {
        if entry.name == name { return first }
      } else if name.hasPrefix(entry.name + "["), name.hasSuffix("]"),
        let index = Int(name.dropFirst(entry.name.count + 1).dropLast()),
        (0..<count).contains(index)
      {
        return first + index
      }
    }
    return nil
  }

  static func field(_ number: UInt32) -> RunField? { RunField(rawValue: FieldName.text(number)) }
}
