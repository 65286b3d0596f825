// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryArguments
import OrreryBase
import OrreryConsole
import OrrerySim

/// Prints the state hash at a tick.
struct HashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash",
    abstract: "Print the state hash at a tick, computed directly.",
    usage: "orrery hash SCENE --tick TICK [OPTIONS]",
    discussion: """
      Example:
        orrery hash stress --tick 100000
      A run that stepped there has the same hash, on every instruction set and number
      of threads; a run with --hash rolling has that of --hash rolling here.
      """)

  @OptionGroup var scene: SceneArguments
  @OptionGroup var kernels: KernelArguments

  @Option(parsing: .unconditional, help: "Ticks since the scene began, 0 to 2^62.")
  var tick: UInt64

  @Option(help: "full, or rolling: the values of every eighth block, in turn.")
  var hash = HashMode.full

  @Option(
    parsing: .unconditional,
    help: """
      Only the entities of one shard, I/N. The hashes of all shards add up, modulo 2^64, to the scene's.
      """)
  var shard = Shard.whole

  @Flag(help: "Print a JSON object.")
  var json = false

  func validate() throws {
    guard tick <= 1 << 62 else { throw ValidationError("--tick \(tick): use at most 2^62") }
    if hash == .off { throw ValidationError("--hash off: use full or rolling") }
  }

  func run() throws {
    let plan = try scene.plan(shard: shard)
    scene.noteLeftOut(of: plan, by: "orrery hash")
    let world = try kernels.world(plan, hashMode: hash)
    let report = HashReport(
      tick: tick, entities: world.entityCount, isa: world.instructionSet.rawValue,
      hash: hash.rawValue, stateHash: Values(of: world, tick: tick).stateHash)
    Standard.output(
      (json ? ReportLine.encode(report, schema: HashReport.schema) : report.stateHash) + "\n")
  }
}
