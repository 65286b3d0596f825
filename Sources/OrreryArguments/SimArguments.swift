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

  @Option(
    parsing: .unconditional,
    help: """
      Run one of N sims that run the scene together: I/N, I from 0 to N-1; or auto, which takes both from Open MPI, \
      PMI or Slurm, or auto/N, which takes I from a Kubernetes job. Its run is NAME.IofN.
      """)
  package var shard: ShardArgument?

  @Option(
    help: """
      With --shard: a directory that all shards see, of this user alone, where they agree when to begin. Default: \
      one for this machine.
      """)
  package var rendezvous: String?

  @Option(
    parsing: .unconditional,
    help: """
      With --shard: seconds from when all shards are there to tick 0, \(Self.startDelayRange). On a network file \
      system longer than a new file takes to be seen. Default: 0.25.
      """)
  package var startDelay: Double?

  @Flag(help: "Do not wait for the clock: ticks follow each other as fast as they can.")
  package var unpaced = false

  @Flag(help: "Wait for every subscriber; without it nothing is waited for.")
  package var lockstep = false

  @Option(
    help: """
      Write when each frame was due, begun, computed and published, one a line of CSV in ns of the monotonic \
      clock. A file that exists is replaced.
      """)
  package var frameTimes: String?

  @Flag(help: "Print progress and the report as lines of JSON.")
  package var json = false

  package init() {}

  /// Refuses files that would be written over each other or over the scene, and arguments that do not fit together.
  package func validate() throws {
    try CommandLineProgram.checkOutputs(
      [("--frame-times", frameTimes), ("--timeline", publishing.timeline)],
      inputs: [publishing.scene.scene])
    if shard != nil, publishing.frames.format == .fixed16 {
      throw ValidationError(
        "--format fixed16 and --shard exclude each other: the unit of a 16-bit column depends on all"
          + " entities of the scene")
    }
    if shard == nil, rendezvous != nil { throw ValidationError("--rendezvous needs --shard") }
    if shard == nil, startDelay != nil { throw ValidationError("--start-delay needs --shard") }
    try Self.startDelayRange.check("--start-delay", startDelay)
  }

  private static let startDelayRange = OptionRange(0...3600.0, "seconds")

  /// Which part of the scene is run.
  ///
  /// - Throws: `Failure`: `auto`, where nothing says which.
  private func shardOfScene() throws(Failure) -> Shard { try shard?.shard() ?? .whole }

  /// Takes the run's name: from then on subscribers wait for this sim.
  ///
  /// - Throws: `Failure`: another sim has the name, or it cannot be used.
  package func lock() throws(Failure) -> RunLock {
    try RunLock(run: shardOfScene().run(of: runName), carrier: publishing.carrier())
  }

  /// Loads the scene and adds the requested columns.
  ///
  /// - Throws: `Failure`, as `SceneArguments.plan` does.
  package func plan() throws(Failure) -> ScenePlan { try publishing.plan(shard: shardOfScene()) }

  /// Options for running and publishing the scene.
  ///
  /// - Parameter rate: The scene's tick rate; it converts `--duration` to ticks.
  /// - Returns: The options of a `Simulation`.
  /// - Throws: `Failure` for an unusable segment name, keys or address.
  package func options(rate: TickRate) throws(Failure) -> SimOptions {
    let shard = try shardOfScene()
    var options = try publishing.options(run: shard.run(of: runName), rate: rate)
    if !shard.isWhole {
      options.meeting = SimOptions.Meeting(name: runName, directory: rendezvous)
      if let startDelay { options.meeting?.delaySeconds = startDelay }
    }
    options.isPaced = !unpaced
    options.delivery = lockstep ? .lockstep : .live
    return options
  }
}
