// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrreryEval
import OrreryPlot
import OrreryScene

/// Shows the motion of a curve, a spring or an animation, to help to choose one.
struct CurveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "curve",
    abstract: "Draw a curve, a spring or an animation, or write it for another tool.",
    usage: "orrery curve SPEC [OPTIONS]",
    discussion: """
      Examples:
        orrery curve 'spring(duration: 0.5, bounce: 0.3)' --plot spring.svg
        orrery curve 'easeInOut(duration: 0.8).repeatCount(3)' --plot legs.png
        orrery curve 'steps(4, jump-end)'
        orrery curve 'spring(duration: 0.5, bounce: 0.3)' --as css
      Without --plot and --as it prints a table. docs/reference/eval.md says what
      SPEC may be; with --as it may be keyframes, too.
      """)

  @Argument(help: "What moves from 0 to 1, as it is written in Swift.")
  var spec: String

  @Option(
    name: .customLong("as"),
    help: "Print it for another tool: css, swift, kotlin, dart, lottie, gsap or json.")
  var target: ExportTarget?

  @Option(
    help: "With --as: the largest error, as a share of the way. Default: 0.001.")
  var within: Double?

  @Option(help: "With --as lottie: frames a second. Default: 60.")
  var rate: Double?

  @Option(help: "The picture to write, NAME.svg or NAME.png.")
  var plot: String?

  @Option(help: "Size of the picture in pixels, 1x1 to 16384x16384. Default: 960x600.")
  var size: PictureSize?

  @Flag(help: "Print a JSON object in place of the table.")
  var json = false

  func validate() throws {
    if target != nil, plot != nil {
      throw ValidationError("--as and --plot exclude each other")
    }
    if target == nil, within != nil { throw ValidationError("--within needs --as") }
    if target != .lottie, rate != nil { throw ValidationError("--rate needs --as lottie") }
    try Self.withinRange.check("--within", within)
    try Self.rateRange.check("--rate", rate)
    if plot != nil, json { throw ValidationError("--json and --plot exclude each other") }
    if let plot, PlotFile.Format(path: plot) == nil {
      throw ValidationError("--plot \(plot): the name ends neither in .svg nor in .png")
    }
    if plot == nil, size != nil { throw ValidationError("--size needs --plot") }
  }

  private static let withinRange = OptionRange(1e-6...0.5)
  private static let rateRange = OptionRange(1...1_000.0, "frames a second")

  func run() throws {
    if let target { return try export(target) }
    let motion = try Failure.of(.usage) { try MotionPlot(spec) }
    guard let plot, let format = PlotFile.Format(path: plot) else {
      Standard.output(
        json
          ? ReportLine.encode(CurveReport(motion), schema: CurveReport.schema) + "\n"
          : motion.table())
      return
    }
    guard let size = size ?? PictureSize("960x600") else { return }
    Standard.sayReplaced([plot], by: "orrery curve")
    try PlotFile.write(motion, path: plot, format: format, size: size)
  }

  /// The text goes to standard output, so that it can be pasted; its error goes to standard error.
  private func export(_ target: ExportTarget) throws {
    let export = try Failure.of(.usage) {
      try CurveExport(spec, as: target, within: within ?? 0.001, rate: rate ?? 60)
    }
    guard let text = export.text, !json else {
      Standard.output(ReportLine.encode(export, schema: CurveExport.schema) + "\n")
      return
    }
    Standard.output(text + "\n")
    for line in [export.errorLine] + export.notes { Standard.error("orrery curve: \(line)\n") }
  }
}

extension ExportTarget: ExpressibleByArgument {}
