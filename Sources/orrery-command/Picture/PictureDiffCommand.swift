// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrreryRender

/// Compares two pictures.
struct PictureDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Find where two pictures differ, and by how much.",
    usage: "orrery picture diff A.png B.png [OPTIONS]",
    discussion: """
      Examples:
        orrery picture diff before.png after.png
        orrery picture diff before.png after.png --tolerance 2 -o difference.png
      The picture of --out is the first one in grey; what differs is red, and the
      further apart the yellower. Exit code 0: equal; 1: they differ, or have
      different sizes.
      """)

  @Argument(help: "The two pictures, as PNG files.")
  var files: [String]

  @Option(
    parsing: .unconditional,
    help:
      "Channels that differ by no more are equal, \(Self.toleranceRange).")
  var tolerance = 0

  @Option(
    name: [.customShort("o"), .long], help: "A PNG file of where they differ; it is replaced.")
  var out: String?

  @Flag(help: "Print a JSON object.")
  var json = false

  private static let toleranceRange = OptionRange(0...255)

  func validate() throws {
    guard files.count == 2 else { throw ValidationError("two pictures are compared") }
    try Self.toleranceRange.check("--tolerance", tolerance)
    try CommandLineProgram.checkOutputs([("--out", out)], inputs: files)
  }

  func run() throws {
    try Failure.checkExist(files)
    let difference: PictureDifference = try Failure.of {
      let (a, b) = try (PixelBuffer(pngFile: files[0]), PixelBuffer(pngFile: files[1]))
      guard a.width == b.width, a.height == b.height else {
        throw Failure(
          .unmet,
          "\(files[0]) has \(a.width)x\(a.height) pixels, \(files[1]) \(b.width)x\(b.height): "
            + "only pictures of one size are compared")
      }
      let difference = try PictureDifference(a, b, tolerance: tolerance)
      try out.map { try difference.picture.writePNG(path: $0) }
      return difference
    }
    let report = difference.report
    Standard.output(
      json
        ? ReportLine.encode(report, schema: PictureDifference.Report.schema) + "\n" : report.text)
    if !report.isEqual { throw ExitCode(ExitStatus.unmet.rawValue) }
  }
}
