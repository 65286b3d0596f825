// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrrerySceneBuilder

extension ScenePlan {
  /// Plans a scene that was built in Swift.
  ///
  /// The plan's text, from which a trace is computed again, is that of `Scene.toml`.
  ///
  /// - Parameters:
  ///   - scene: The scene; it is checked here.
  ///   - options: The run's overrides of the scene.
  ///   - text: Measures texts.
  /// - Throws: `SceneError.invalid` with all problems.
  package init(
    _ scene: Scene, options: ScenePlanOptions = ScenePlanOptions(), text: some TextMeasuring
  ) throws(SceneError) {
    try self.init(
      scene, isBuiltIn: false, locations: .built, options: options, text: text)
    let toml = scene.toml
    if toml.utf8.count < SceneLimits.fileBytesMax { layout.source = toml + "\n" }
  }

  /// Plans a scene that was read from a file.
  ///
  /// - Parameters:
  ///   - file: The scene with the locations of its values.
  ///   - options: The run's overrides of the scene.
  ///   - text: Measures texts.
  /// - Throws: `SceneError.invalid` with all problems.
  package init(
    _ file: SceneFile, options: ScenePlanOptions = ScenePlanOptions(), text: some TextMeasuring
  ) throws(SceneError) {
    try self.init(
      file.scene, isBuiltIn: file.isBuiltIn, locations: file.locations, options: options,
      text: text)
    leftOut = file.leftOut
  }

  private init(
    _ original: Scene, isBuiltIn: Bool, locations: SceneLocations, options: ScenePlanOptions,
    text: some TextMeasuring
  ) throws(SceneError) {
    let found = SceneChecker.check(original)
    guard found.isEmpty else { throw locations.error(found) }
    let problems = options.problems(for: original)
    guard problems.isEmpty else { throw .invalid(problems, total: problems.count) }
    var scene = options.applied(to: original)
    guard let locale = SceneLocale(scene.locale) else {
      preconditionFailure("locale \(scene.locale) passed its check")
    }
    if isBuiltIn { scene = scene.translated(to: locale.translation) }
    let counts = options.fieldCounts(of: scene)
    try Self.checkMemory(entities: counts.reduce(0, +) / options.shard.count)
    var planner = ScenePlanner(
      scene, fieldCounts: options.checksOnly ? counts.map { min($0, 1) } : counts,
      shard: options.shard, locale: locale, folder: locations.folder,
      givenImages: options.images, measuring: text)
    var plan = planner.plan()
    guard planner.faults.isEmpty else {
      throw locations.error(planner.faults.withoutRepeatedReasons)
    }
    plan.layout.options.entities = UInt64(options.entities ?? 0)
    plan.layout.options.builtIn = isBuiltIn
    if let copies = options.copies, copies > 1 {
      try plan.checkCopies(copies, viewsOnly: options.copiesViewsOnly)
      if !options.checksOnly { plan = plan.copied(copies, viewsOnly: options.copiesViewsOnly) }
      plan.layout.options.copies = UInt32(copies)
      plan.layout.options.copiesViewsOnly = options.copiesViewsOnly
    }
    self = plan
  }

  /// Checks the number of entities in all copies, and the memory for them.
  private func checkCopies(_ copies: Int, viewsOnly: Bool) throws(SceneError) {
    let views = batches.filter { $0.kind == "view" }.reduce(0) { $0 + $1.count }
    let others = entityCount - views
    let entities = views * copies + others * (viewsOnly ? 1 : copies)
    guard entities <= SceneLimits.entitiesMax else {
      let fault = SceneFault.tooManyEntities(found: entities, limit: SceneLimits.entitiesMax)
      throw .invalid([SceneProblem(location: .option, key: "--copies", fault: fault)], total: 1)
    }
    let needed = UInt64(entities) * 12 + UInt64(views * copies) * Self.copyBytes
    let available = Memory.availableBytes()
    guard needed <= available else {
      throw .notEnoughMemory(entities: entities, needed: needed, available: available)
    }
  }

  /// Memory of a view in a plan, with its names, its command and its completion: measured with `storm`.
  private static let copyBytes: UInt64 = 1_000

  /// Checks the memory for the fields' entities: an origin of two floats and a sprite index each.
  private static func checkMemory(entities: Int) throws(SceneError) {
    let needed = UInt64(entities) * 12
    let available = Memory.availableBytes()
    guard needed <= available else {
      throw .notEnoughMemory(entities: entities, needed: needed, available: available)
    }
  }
}

extension ScenePlanOptions {
  /// The scene with the options' rate, seed and locale.
  func applied(to original: Scene) -> Scene {
    var scene = original
    if let rate { scene.rate = rate }
    if let seed { scene.seed = seed }
    if let locale { scene.locale = locale }
    return scene
  }

  /// Entities of each field of a scene, from the options or else from the scene.
  func fieldCounts(of scene: Scene) -> [Int] {
    let counts = scene.content.compactMap { part -> Int? in
      if case .field(let field) = part { field.count } else { nil }
    }
    guard let entities else { return counts }
    return EntityShares.scale(counts, to: entities - SceneChecker.entityCount(of: scene).fixed)
  }

  /// Problems of the options.
  func problems(for scene: Scene) -> [SceneProblem] {
    let checker = SceneChecker(faults: FaultList())
    let root = DocumentPath()
    if let rate { checker.check(rate, at: root.key("--rate")) }
    if let locale { checker.check(locale: locale, at: root.key("--locale")) }
    if let copies {
      let path = root.key("--copies")
      checker.check(count: copies, SceneLimits.sceneCopies, at: path)
      // A slice of all copies is not all copies of a slice.
      if copies > 1, !shard.isWhole { checker.faults.add(path, .copiesOfShard) }
    }
    if let entities {
      let path = root.key("--entities")
      let count = SceneChecker.entityCount(of: scene)
      if checker.check(count: entities, SceneLimits.count, at: path) {
        if count.fields == 0 {
          checker.faults.add(path, .noFields)
        } else if entities < count.fixed {
          checker.faults.add(path, .tooFewEntities(found: entities, fixed: count.fixed))
        }
      }
    }
    return checker.faults.entries.map {
      SceneProblem(location: .option, key: $0.path.lastKey, fault: $0.fault)
    }
  }
}
