// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orrery
import OrreryArguments
import OrreryBase
import OrreryConsole
import OrreryPublisher
import OrrerySim

/// Prints entities' values, computed by the kernels.
struct SampleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample",
    abstract: "Print entities' values at given times, straight from the kernels.",
    discussion: """
      Example: orrery sample flags --at 0,2.5,86400 --json
      Each time is that of the nearest tick. x and y are the translation from the entity's origin.
      """)

  @OptionGroup var scene: SceneArguments
  @OptionGroup var kernels: KernelArguments

  @Option(parsing: .unconditional, help: "Scene times in seconds, separated by commas.")
  var at: SampleTimes

  @Option(parsing: .upToNextOption, help: "Numbers of entities. Default: all.")
  var entity: [Int] = []

  @Flag(help: "Print one JSON object for each time and entity.")
  var json = false

  func run() throws {
    do {
      let plan = try scene.plan()
      let world = try kernels.world(plan)
      for number in entity where !(0..<world.entityCount).contains(number) {
        throw Failure(
          .usage, "--entity \(number): the scene has entities 0 to \(world.entityCount - 1)")
      }
      let output = LineOutput()
      if !json { output.write(SampleLine.heading) }
      for seconds in at.seconds where output.isWanted {
        let tick = plan.rate.tick(nearest: seconds)
        let values = Values(of: world, tick: tick)
        let time = plan.rate.seconds(tick: tick)
        for number in entity.isEmpty ? Array(0..<world.entityCount) : entity
        where output.isWanted {
          let line = SampleLine(time: time, tick: tick, entity: number, values: values)
          output.write(json ? line.json : line.text)
        }
      }
      output.flush()
    } catch let error as Failure {
      error.exit(program: "orrery sample")
    }
  }
}
