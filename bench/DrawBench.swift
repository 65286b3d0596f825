// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrreryMessages
import OrreryRender
import OrreryScene
import OrrerySim

/// Times drawing, without reading frames, encoding, or writing files.
struct DrawBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw", abstract: "Pictures per second of the scenes flags and stress.",
    usage: "orrery bench draw [OPTIONS]",
    discussion: """
      Example:
        orrery bench draw --width 1920 --height 1080
      """)

  @Option(help: "Width of pictures in pixels, \(Self.sideRange).")
  var width = 1280

  @Option(help: "Height of pictures in pixels, \(Self.sideRange).")
  var height = 720

  @Option(help: "Rounds of 30 pictures, \(roundRange).")
  var rounds = 9

  @OptionGroup var results: ResultOptions

  func validate() throws {
    try roundRange.check("--rounds", rounds)
    try Self.sideRange.check("--width", width)
    try Self.sideRange.check("--height", height)
  }

  private static let sideRange = OptionRange(1...16_384)

  func run() throws {
    try runArea(writing: [results.out]) {
      let rows = try [
        DrawRow("flags", entities: nil, width: width, height: height, threads: 1),
        DrawRow("stress", entities: 100_000, width: width, height: height, threads: 1),
        DrawRow("stress", entities: 1_000_000, width: width, height: height, threads: 1),
        DrawRow(
          "stress", entities: 1_000_000, width: width, height: height, threads: Processors.count),
      ]
      let area = AreaResult("draw", results)
      Turns.take(rows, rounds: rounds) { $0.measure() }
      area.add(rows.map { $0.studyRow("pictures, \(width)x\(height)") })
      return try area.finish()
    }
  }
}

/// One scene and the time of its pictures.
private final class DrawRow {
  let row: BenchRow
  private let world: World
  private let painter: ScenePainter
  private var tick: UInt64 = 0

  init(_ name: String, entities: Int?, width: Int, height: Int, threads: Int) throws {
    let plan = try ScenePlan(
      SceneSource.load(nameOrPath: name), options: ScenePlanOptions(entities: entities),
      text: InstalledFonts())
    world = try World(plan, instructionSet: .best, threadCount: 1)
    var layout = plan.layout
    for (index, batch) in world.batches.enumerated() {
      layout.batches[index].fields = batch.fields.map { Orrery_Field($0) }
    }
    painter = try ScenePainter(layout: layout, width: width, height: height, threadCount: threads)
    row = BenchRow(.ours, name: name, family: "", count: world.entityCount, traffic: nil)
    row.threads = threads
  }

  /// Its pictures a second, by rounds.
  func studyRow(_ table: String) -> StudyRow {
    let threads = counted(row.threads, "thread")
    let line = "\(row.name), \(TextTable.grouped(row.count)) entities, \(threads)"
    return StudyRow(
      .init(table, line), unit: "Hz", better: .larger,
      row.rounds.all.map { 1e9 / ($0 * Double(row.count)) }, entities: row.count)
  }

  /// Draws thirty ticks; the time to evaluate them is not counted.
  func measure() {
    var drawnNs: UInt64 = 0
    let pictureCount = 30
    for _ in 0..<pictureCount {
      tick += 1
      let values = Values(of: world, tick: tick)
      let beginNs = Clock.monotonicNs()
      painter.draw { batch, field in values.column(batch: batch, field: UInt32(field.rawValue)) }
      drawnNs += Clock.monotonicNs() - beginNs
    }
    row.add(ns: drawnNs, calls: pictureCount)
  }
}
