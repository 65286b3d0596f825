// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orrery
import OrreryBase
import OrreryCommandLine
import OrreryFrame
import OrreryPublisher
import OrreryScene

/// The arguments of `sim`.
package struct SimArguments: ParsableArguments {
  @OptionGroup package var publishing: PublishingArguments

  @Option(
    name: .customLong("run"), help: "Name of the run: 1 to 64 letters, digits, '.', '-' and '_'.")
  package var runName: String

  @Flag(help: "Do not wait for the clock: ticks follow each other as fast as they can.")
  package var unpaced = false

  @Option(help: "live: the sim never waits. lockstep: it waits for every subscriber.")
  package var delivery = DeliveryArgument.live

  @Option(
    help: """
      Write when each frame was due, begun, computed and published, one a line of CSV in ns of the monotonic \
      clock. A file that exists is replaced.
      """)
  package var frameTimes: String?

  @Flag(help: "Print progress and the report as lines of JSON.")
  package var json = false

  package init() {}

  /// Refuses `-` for a file: standard output has the report.
  package func validate() throws {
    try CommandLineProgram.refuseStandardOutput([("--frame-times", frameTimes)])
  }

  /// Takes the run's name: from then on subscribers wait for this sim.
  ///
  /// - Throws: `Failure`: another sim has the name, or it cannot be used.
  package func lock() throws(Failure) -> RunLock {
    try RunLock(run: runName, carrier: publishing.carrier())
  }

  /// Loads the scene and adds the requested columns.
  ///
  /// - Throws: `Failure`, as `SceneArguments.plan` does.
  package func plan() throws(Failure) -> ScenePlan { try publishing.plan() }

  /// Options for running and publishing the scene.
  ///
  /// - Parameter rate: The scene's tick rate; it converts `--duration` to ticks.
  /// - Returns: The options of a `Simulation`.
  /// - Throws: `Failure` for an unusable segment name, keys or address.
  package func options(rate: TickRate) throws(Failure) -> SimOptions {
    var options = try publishing.options(run: runName, rate: rate)
    options.isPaced = !unpaced
    options.delivery = delivery.value
    return options
  }
}

/// `live` or `lockstep`.
package enum DeliveryArgument: String, ExpressibleByArgument, CaseIterable {
  case live
  case lockstep

  /// The delivery mode of this name.
  package var value: Delivery { self == .live ? .live : .lockstep }
}
