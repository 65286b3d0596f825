// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryPlot
import OrreryScene

/// Shows the motion of a curve, a spring or an animation, to help to choose one.
struct CurveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "curve",
    abstract: "Draw value and velocity of a curve, a spring or an animation.",
    usage: "orrery curve SPEC [OPTIONS]",
    discussion: """
      Examples:
        orrery curve 'spring(duration: 0.5, bounce: 0.3)' --plot spring.svg
        orrery curve 'easeInOut(duration: 0.8).repeatCount(3)' --plot legs.png
        orrery curve 'steps(4, jump-end)'
      Without --plot it prints a table. docs/reference/eval.md says what SPEC may be.
      """)

  @Argument(help: "What moves from 0 to 1, as it is written in Swift.")
  var spec: String

  @Option(help: "The picture to write, NAME.svg or NAME.png.")
  var plot: String?

  @Option(help: "Size of the picture in pixels, 1x1 to 16384x16384. Default: 960x600.")
  var size: PictureSize?

  @Flag(help: "Print a JSON object in place of the table.")
  var json = false

  func validate() throws {
    if plot != nil, json { throw ValidationError("--json and --plot exclude each other") }
    if let plot, PlotFile.Format(path: plot) == nil {
      throw ValidationError("--plot \(plot): the name ends neither in .svg nor in .png")
    }
    if plot == nil, size != nil { throw ValidationError("--size needs --plot") }
  }

  func run() throws {
    let motion = try Failure.of(.usage) { try MotionPlot(spec) }
    guard let plot, let format = PlotFile.Format(path: plot) else {
      Standard.output(
        json
          ? ReportLine.encode(CurveReport(motion), schema: CurveReport.schema) + "\n"
          : motion.table())
      return
    }
    guard let size = size ?? PictureSize("960x600") else { return }
    try PlotFile.write(motion, path: plot, format: format, size: size)
  }
}
