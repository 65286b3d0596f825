// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryArguments
import OrreryBase
import OrreryCommandLine
import OrreryConsole
import OrreryPlot
import OrreryReplay

/// Draws values over scene time.
struct TracePlotCommand: MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draw entities' values over scene time, with what happened.",
    usage: "orrery trace plot FILE ... --entity NAMES -o OUT.svg [OPTIONS]",
    discussion: """
      Examples:
        orrery trace plot demo/planets.mcap --entity Mars.header -o mars.svg
        orrery trace plot demo/flags.mcap --entity 0-2 --columns x -o flags.png
      At most 8 entities and 6 properties. Changes, completions and ends are marked;
      'orrery sim --events all' records all ends.
      """)

  @Argument(help: "A trace, or the files of a split recording or of all shards.")
  var files: [String]

  @OptionGroup var selection: TraceSelection

  @Option(name: [.customShort("o"), .long], help: "The picture to write, NAME.svg or NAME.png.")
  var out: String

  @Option(help: "Size of the picture in pixels, 1x1 to 16384x16384. Default: 960x600.")
  var size: PictureSize?

  @OptionGroup var memory: MemoryArguments

  func validate() throws {
    try CommandLineProgram.checkOutputs([("--out", out)], inputs: files)
    if PlotFile.Format(path: out) == nil {
      throw ValidationError("--out \(out): the name ends neither in .svg nor in .png")
    }
    if selection.entity.isEmpty {
      throw ValidationError(
        "--entity is missing: up to \(SeriesPlot.linesMax) entities, such as 0-2 or Mars.header")
    }
  }

  func run() throws {
    let reading = TraceReading("orrery trace plot")
    guard let format = PlotFile.Format(path: out), let size = size ?? PictureSize("960x600")
    else { return }
    let archive = try reading.frames(files)
    let entities = try selection.entities(archive) ?? []
    guard entities.count <= SeriesPlot.linesMax else {
      throw Failure(
        .usage,
        "--entity names \(entities.count) entities; a plot has room for \(SeriesPlot.linesMax)")
    }
    let plot = try SeriesExport.plot(
      archive, entities: entities, fields: selection.columns?.numbers,
      ticks: try selection.ticks(archive))
    Standard.sayReplaced([out], by: "orrery trace plot")
    try PlotFile.write(plot, path: out, format: format, size: size)
    reading.end()
  }
}
