// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryWire

/// A subscriber that only reads: the minimum that any subscriber does.
struct ReaderPart: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reader-part", abstract: "A subscriber of bench pipeline.", shouldDisplay: false)

  @Option(name: .customLong("run"), help: "The run.")
  var runName: String

  @Option(help: "The file for the times of each frame.")
  var frameTimes: String

  func run() throws {
    StopSignals.installHandlers()
    StopSignals.endWithParent()
    do throws(Failure) {
      let times = try FrameTimesFile<SubscriberFrameTimes>(path: frameTimes)
      let loop = try SubscriberLoop(
        program: "reader", location: .run(runName), reading: .every, waiting: .futex,
        waitSeconds: 600)
      let report = try loop.follow(FrameSum(), frameTimes: times)
      if let failure = times.finish() { throw failure }
      guard report.simEnded else { throw Failure(.unavailable, "the sim of '\(runName)' died") }
    } catch {
      // The bench reads standard output.
      Standard.output("\(error)\n")
      error.exit(program: "orrery bench reader-part")
    }
  }
}
