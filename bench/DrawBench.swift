// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryMessages
import OrreryRender
import OrreryScene
import OrrerySim

/// Times drawing on one core, without reading frames, encoding, or writing files.
struct DrawBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw", abstract: "Pictures per second of the scenes flags and stress.")

  @Option(help: "Width of pictures in pixels.")
  var width = 1280

  @Option(help: "Height of pictures in pixels.")
  var height = 720

  @Option(help: "Rounds of 30 pictures.")
  var rounds = 9

  func validate() throws {
    guard (1...1000).contains(rounds) else {
      throw ValidationError("--rounds \(rounds): use 1 to 1000")
    }
  }

  func run() throws {
    do {
      try refuseDebugBuild()
      var rows = try [
        DrawRow("flags", entities: nil, width: width, height: height),
        DrawRow("stress", entities: 100_000, width: width, height: height),
      ]
      for _ in 0..<rounds { for index in rows.indices { rows[index].measure() } }
      Standard.output(DrawTable.heading(width: width, height: height))
      for row in rows { Standard.output(row.text) }
    } catch let error as Failure {
      error.exit(program: "bench draw")
    } catch let error as SceneError {
      Failure(.usage, error).exit(program: "bench draw")
    } catch let error as RenderError {
      Failure(.usage, error).exit(program: "bench draw")
    }
  }
}

/// One scene and the time of its pictures.
private struct DrawRow {
  private let name: String
  private let world: World
  private let painter: ScenePainter
  private var rounds = Rounds()
  private var tick: UInt64 = 0

  init(_ name: String, entities: Int?, width: Int, height: Int) throws {
    let plan = try ScenePlan(
      SceneSource.load(nameOrPath: name), options: ScenePlanOptions(entities: entities),
      text: InstalledFonts())
    self.name = name
    world = try World(plan, instructionSet: .best, threadCount: 1)
    var layout = plan.layout
    for (index, batch) in world.batches.enumerated() {
      layout.batches[index].fields = batch.fields.compactMap {
        Orrery_Field(rawValue: Int($0.rawValue))
      }
    }
    painter = try ScenePainter(layout: layout, width: width, height: height)
  }

  /// Draws thirty ticks; the time to evaluate them is not counted.
  mutating func measure() {
    var drawnNs: UInt64 = 0
    let pictureCount = 30
    for _ in 0..<pictureCount {
      tick += 1
      let values = Values(of: world, tick: tick)
      let beginNs = Clock.monotonicNs()
      painter.draw { batch, field in values.column(batch: batch, field: UInt32(field.rawValue)) }
      drawnNs += Clock.monotonicNs() - beginNs
    }
    rounds.add(Double(drawnNs) / Double(pictureCount))
  }

  var text: String { DrawTable.line(name, entities: world.entityCount, rounds) }
}
