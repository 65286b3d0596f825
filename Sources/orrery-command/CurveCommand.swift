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
    discussion: """
      Examples:
        orrery curve 'spring(duration: 0.5, bounce: 0.3)' --plot spring.svg
        orrery curve 'easeInOut(duration: 0.8).repeatCount(3).delay(0.2)' --plot legs.png
        orrery curve 'steps(4, jump-end)'
      Without --plot it prints a table. docs/eval.md says what SPEC may be.
      """)

  @Argument(help: "What moves from 0 to 1, as it is written in Swift.")
  var spec: String

  @Option(help: "The picture to write, NAME.svg or NAME.png.")
  var plot: String?

  @Option(help: "Size of the picture. Default: 960x600.")
  var size: PictureSize?

  func validate() throws {
    if let plot, PlotFile.Format(path: plot) == nil {
      throw ValidationError("--plot \(plot): the name ends neither in .svg nor in .png")
    }
    if plot == nil, size != nil { throw ValidationError("--size needs --plot") }
  }

  func run() throws {
    do {
      let motion = try Self.motion(spec)
      guard let plot, let format = PlotFile.Format(path: plot) else {
        Standard.output(motion.table())
        return
      }
      guard let size = size ?? PictureSize("960x600") else { return }
      do {
        try PlotFile.write(motion, path: plot, format: format, size: size)
      } catch .file(let error) {
        throw Failure(.inputOutput, error)
      } catch {
        throw Failure(.unavailable, error)
      }
    } catch let error as Failure {
      error.exit(program: "orrery curve")
    }
  }

  private static func motion(_ spec: String) throws(Failure) -> MotionPlot {
    do {
      return try MotionPlot(spec)
    } catch {
      throw Failure(.usage, error)
    }
  }
}
