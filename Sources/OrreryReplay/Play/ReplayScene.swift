// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import OrrerySim

/// A run's scene as its trace has it: what is needed to compute the run's values again.
///
/// Nothing in it is trusted: the scene's text goes through the same checks as a scene file, images come from the
/// trace only, and the number of entities and the memory for them are limited as for a run.
package struct ReplayScene {
  /// The plan of the run.
  package let plan: ScenePlan

  /// Format of columns that the run was asked for.
  package let output: ColumnFormat.Kind

  /// Values that its hashes cover.
  package let hashMode: HashMode

  /// Plans a run.
  ///
  /// - Parameters:
  ///   - layout: The scene's static part.
  ///   - path: The trace, for messages.
  /// - Throws: `Failure`, `badData`: the trace has no scene text, as one of a scene that was built in Swift, or an
  ///   invalid one.
  package init(_ layout: Orrery_SceneLayout, path: String) throws(Failure) {
    guard !layout.source.isEmpty else {
      throw Failure(
        .badData,
        "\(path): the scene was built in Swift, so that the trace has no text of it to compute frames from"
      )
    }
    guard
      let rate = TickRate(numerator: layout.rateNumerator, denominator: layout.rateDenominator)
    else {
      throw Failure(
        .badData,
        "\(path): rate \(layout.rateNumerator)/\(layout.rateDenominator): each term is 1 to \(TickRate.termMax)"
      )
    }
    guard let hashMode = HashMode(rawValue: layout.hash.isEmpty ? "full" : layout.hash) else {
      throw Failure(.badData, "\(path): hash '\(layout.hash.prefix(32))' is unknown")
    }
    let asked = layout.options.output
    guard let output = ColumnFormat.Kind(rawValue: asked.isEmpty ? "float32" : asked) else {
      throw Failure(.badData, "\(path): output '\(asked.prefix(32))' is unknown")
    }
    (self.hashMode, self.output) = (hashMode, output)
    var options = ScenePlanOptions(rate: rate, seed: layout.seed, locale: layout.locale)
    options.entities = try Self.entities(layout, path: path)
    if layout.options.copies > 0 { options.copies = Int(layout.options.copies) }
    options.copiesViewsOnly = layout.options.copiesViewsOnly
    options.images = try Self.images(layout, path: path)
    if layout.hasShard {
      let (index, count) = (Int(layout.shard.index), Int(layout.shard.count))
      guard (1...Shard.countMax).contains(count), index < count else {
        throw Failure(.badData, "\(path): shard \(index) of \(count): use 1 to \(Shard.countMax)")
      }
      options.shard = Shard(index, of: count)
    }
    do throws(SceneError) {
      // A plain name: the scene of a trace finds no files beside it.
      let name = layout.scene.replacing("/", with: "_")
      var file = try SceneFile.decode(layout.source, file: name + ".toml")
      if Self.isBuiltIn(layout) { file = file.asBuiltIn }
      var plan = try ScenePlan(file, options: options, text: InstalledFonts())
      plan.layout.source = layout.source
      plan.show(Self.columns(layout))
      self.plan = plan
    } catch {
      throw Failure(
        error.exitStatus == .unavailable ? .unavailable : .badData,
        "\(path): its scene: \(error)")
    }
  }

  /// Entities that were asked for; nil: as many as the scene has.
  private static func entities(
    _ layout: Orrery_SceneLayout, path: String
  ) throws(Failure) -> Int? {
    guard layout.hasOptions else {
      // Traces of earlier versions have no options, but the sum, which gives the same shares.
      guard let file = try? SceneFile.decode(layout.source, file: "scene.toml") else { return nil }
      let hasFields = file.scene.content.contains { if case .field = $0 { true } else { false } }
      let count = layout.hasShard ? layout.shard.entityCount : layout.entityCount
      return hasFields ? Int(exactly: count) : nil
    }
    guard layout.options.entities > 0 else { return nil }
    guard let count = Int(exactly: layout.options.entities) else {
      throw Failure(.badData, "\(path): \(layout.options.entities) entities are too many")
    }
    return count
  }

  private static func images(
    _ layout: Orrery_SceneLayout, path: String
  ) throws(Failure) -> [String: Data] {
    let names = layout.options.imageNames
    guard names.isEmpty || names.count == layout.images.count else {
      throw Failure(
        .badData,
        "\(path): \(names.count) names for \(counted(UInt64(layout.images.count), "image"))")
    }
    return Dictionary(zip(names, layout.images)) { first, _ in first }
  }

  private static func isBuiltIn(_ layout: Orrery_SceneLayout) -> Bool {
    layout.hasOptions
      ? layout.options.builtIn : BuiltInScenes.text(layout.scene) == layout.source
  }

  /// Properties of views that have a column whether or not the scene changes them.
  private static func columns(_ layout: Orrery_SceneLayout) -> Set<ViewProperty> {
    let fields =
      layout.hasOptions
      ? layout.options.columns
      : layout.batches.filter { $0.kind == "view" || $0.kind == "views" }.flatMap(\.fields)
    return Set(
      ViewProperty.allCases.filter { property in
        fields.contains { $0.rawValue == Int(property.fieldNumber) }
      })
  }
}
