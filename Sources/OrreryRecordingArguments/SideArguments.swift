// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrreryRecording
import OrreryViewers

/// Arguments: what is recorded beside frames.
package struct SideArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: """
      Points that viewers draw, up to 30 times a second, on /orrery/points: of a larger scene every so many entities \
      have one. \(Self.pointsRange); 0 for none. (default: 10000; 0 with --mode digest)
      """)
  package var points: Int?

  @Option(
    parsing: .unconditional,
    help: """
      Named views that viewers draw, as often, on /orrery/views: \(Self.viewsRange); 0 for none. (default: 200; 0 with \
      --mode digest)
      """)
  package var views: Int?

  @Flag(help: "Record the machine's name and system too.")
  package var recordHost = false

  package init() {}

  /// Refuses values out of range.
  package func validate() throws {
    try Self.pointsRange.check("--points", points)
    try Self.viewsRange.check("--views", views)
  }

  private static let pointsRange = OptionRange(0...100_000)
  private static let viewsRange = OptionRange(0...10_000)

  /// What is recorded.
  package func options(mode: RecordingMode, log: LogTap) -> SideOptions {
    var options = SideOptions()
    options.pointsMax = points ?? (mode == .digest ? 0 : ViewerPictures.pointsUsual)
    options.viewsMax = views ?? (mode == .digest ? 0 : ViewerPictures.viewsUsual)
    options.log = log
    options.facts = RecordingFacts.make(
      mode: mode.rawValue, version: Version.text, arguments: CommandLine.arguments,
      recordsHost: recordHost, startNs: Clock.wallNs())
    return options
  }
}
