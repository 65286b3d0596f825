// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orrery
import OrreryArguments
import OrreryBase
import OrreryPublisher
import OrrerySim

/// Prints values straight from the kernels.
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

/// Times in seconds, as `0,2.5,86400`.
struct SampleTimes: ExpressibleByArgument {
  let seconds: [Double]

  init?(argument: String) {
    let times = argument.split(separator: ",", omittingEmptySubsequences: false)
      .map { Double($0) }
    // A tick number must fit in 62 bits at a billion ticks per second.
    guard !times.isEmpty, times.allSatisfy({ $0.map { $0 >= 0 && $0 <= 4e9 } ?? false }) else {
      return nil
    }
    seconds = times.compactMap { $0 }
  }
}

/// One entity's values at one time.
struct SampleLine {
  let time: Double
  let tick: UInt64
  let entity: Int
  let x: Float
  let y: Float
  let opacity: Float
  let scale: Float
  let rotation: Float
  let blur: Float

  init(time: Double, tick: UInt64, entity: Int, values: borrowing Values) {
    self.time = time
    self.tick = tick
    self.entity = entity
    x = values.value(.x, entity: entity)
    y = values.value(.y, entity: entity)
    opacity = values.value(.opacity, entity: entity)
    scale = values.value(.scale, entity: entity)
    rotation = values.value(.rotation, entity: entity)
    blur = values.value(.blur, entity: entity)
  }

  /// Floats are written so that reading them back gives the same bits.
  var json: String {
    "{\"time\":\(time),\"tick\":\(tick),\"entity\":\(entity),\"x\":\(x),\"y\":\(y),"
      + "\"opacity\":\(opacity),\"scale\":\(scale),\"rotation\":\(rotation),\"blur\":\(blur)}"
  }

  /// A blur is in the JSON only: a line of text has 80 characters.
  static let heading = columns([
    "time", "tick", "entity", "x", "y", "opacity", "scale", "rotation",
  ])

  var text: String {
    Self.columns([
      decimal(time, places: 3), "\(tick)", "\(entity)", "\(x)", "\(y)", "\(opacity)", "\(scale)",
      "\(rotation)",
    ])
  }

  /// Eight right-aligned columns in 79 characters, if the numbers let them.
  private static func columns(_ cells: [String]) -> String {
    zip(cells, [9, 8, 8, 12, 12, 10, 10, 10]).map { cell, width in
      String(repeating: " ", count: max(width - cell.count, 1)) + cell
    }.joined()
  }
}

/// Lines to standard output in large writes.
final class LineOutput {
  private var buffer: [UInt8] = []

  /// Whether somebody still reads.
  private(set) var isWanted = true

  func write(_ line: String) {
    buffer += line.utf8
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > 1 << 16 { flush() }
  }

  func flush() {
    isWanted = Standard.output(buffer) && isWanted
    buffer.removeAll(keepingCapacity: true)
  }
}
