// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryConsole
import OrreryFrame
import OrreryWire

/// Removes what dead runs left behind.
struct CleanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Remove what dead runs left behind, and say what was removed.",
    usage: "orrery clean [OPTIONS]",
    discussion: """
      Example:
        orrery clean
      A run is dead if its sim was killed: its directory is still there, and the
      kernel has released its lock. Nothing of a living run is touched. Every orrery
      command removes the same without a word.
      """)

  func run() throws {
    let runs = try RunDirectory.reclaim()
    let shards = Rendezvous.reclaim()
    let counters = try CounterDirectory().reclaim()
    Standard.output(DeadRuns.text(runs, shards, counters: counters) + "\n")
  }
}
