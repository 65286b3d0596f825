// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryArguments
import OrreryBase
import OrreryConsole
import OrreryMessages
import OrreryPublisher
import OrreryRender
import OrreryScene
import OrrerySceneBuilder
import OrrerySim

/// Prints entities' values, computed by the kernels.
struct SampleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample",
    abstract: "Print entities' values at given times, straight from the kernels.",
    usage: "orrery sample SCENE --at SECONDS,... [OPTIONS]",
    discussion: """
      Examples:
        orrery sample flags --at 0,2.5,86400 --json
        orrery sample planets --at 2 --entity Mars --world
        orrery sample planets --at 2 --entity 0-3,Mars.header 'Mars.moon[1]'
      Each time is that of the nearest tick. x and y are the translation from the
      entity's origin; with --world they are positions in the picture. 'Mars' means
      every entity of the row Mars. A name with spaces needs quotation marks in the
      shell.
      """)

  @OptionGroup var scene: SceneArguments
  @OptionGroup var kernels: KernelArguments

  @Option(
    parsing: .unconditional,
    help: "Scene times in seconds, 0 to 4000000000, separated by commas or spaces.")
  var at: SampleTimes

  @Option(
    parsing: .upToNextOption,
    help: "Names, numbers and ranges 3-7, separated by commas or spaces. Default: all entities."
  )
  var entity: [String] = []

  @Flag(help: "Print values as they are drawn: positions in the scene, with those of parents.")
  var world = false

  @Flag(help: "Print one JSON object for each time and entity.")
  var json = false

  func run() throws {
    let plan = try scene.plan()
    scene.noteLeftOut(of: plan, by: "orrery sample")
    let world = try kernels.world(plan)
    let names = EntityNames(plan.layout)
    let numbers = try EntityList(entity, names: names, entityCount: world.entityCount).numbers
    let composer = try self.world ? Self.composer(plan) : nil
    let output = LineOutput()
    var table = SampleTable(
      properties(of: numbers, in: world), hasNames: numbers.contains { names.name(of: $0) != nil }
    ) { output.write($0) }
    for seconds in at.seconds where output.isWanted {
      let tick = plan.rate.tick(nearest: seconds)
      let values = Values(of: world, tick: tick)
      let time = plan.rate.seconds(tick: tick)
      for number in numbers where output.isWanted {
        var line = SampleLine(
          time: time, tick: tick, entity: number, name: names.name(of: number), values: values)
        if let composer { line.compose(composer, values) }
        if json { output.write(line.json) } else { table.add(line) }
      }
    }
    if !json { table.finish() }
    output.flush()
  }

  /// The properties that the table shows: those that one of the entities has.
  ///
  /// In the picture every entity has a position, and may have all that its parents have.
  private func properties(of numbers: [Int], in world: World) -> Set<ViewProperty> {
    if self.world { return Set(world.columns.map(\.field)).union([.x, .y]) }
    let columns = world.columns.filter { column in
      numbers.contains { $0 >= column.firstEntity && $0 < column.firstEntity + column.count }
    }
    return Set(columns.map(\.field))
  }

  private static func composer(_ plan: ScenePlan) throws(Failure) -> SceneComposer {
    try Failure.of(.badData) { try SceneComposer(plan.layout) }
  }
}

extension SampleLine {
  /// Replaces the values by those with which the entity is drawn.
  fileprivate mutating func compose(_ composer: SceneComposer, _ values: borrowing Values) {
    let composed = composer.compose(entity) { batch, field in
      values.column(batch: batch, field: UInt32(field.rawValue))
    }
    guard let composed else { return }
    self = SampleLine(
      time: time, tick: tick, entity: entity, name: name, isWorld: true, x: Float(composed.x),
      y: Float(composed.y), opacity: Float(composed.opacity), scale: Float(composed.scale),
      rotation: Float(composed.rotation), blur: Float(composed.blur))
  }
}
