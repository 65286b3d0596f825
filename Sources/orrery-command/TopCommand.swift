// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrreryConsole
import OrrerySupervisor

/// Shows what all runs of this user do, live.
struct TopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "top",
    abstract: "Show live what this user's runs on this machine do.",
    usage: "orrery top [RUN ...] [OPTIONS]",
    discussion: """
      Examples:
        orrery top
        orrery top --once --json
      A row for each run, of the last five seconds: ticks per second; how long a tick
      takes to compute (P50, P99, MAX); the part of its period that a tick takes in
      the mean (BUDGET); events a tick; entities; bytes of frames per second. Below
      it are its shards, what is wrong with it, and its subscribers: frames per
      second, lag in frames and age of a frame (p99), frames missed, how they wait,
      which frames they read, and how they come. A wide terminal has more columns.
      Keys: up and down pick a run, space pauses it or lets it go on, enter opens it,
      left goes back, s sorts by name, rate, p99, budget, entities or bytes, q quits.
      It reads counters that each program keeps in shared memory and asks nothing of
      a sim, so it shows one that hangs or is stopped, with its last tick. Where
      standard output is no terminal, it prints once.
      """)

  @Argument(help: "The runs to show; all runs where they are missing.")
  var names: [String] = []

  @Flag(help: "Print once, of the time of one interval.")
  var once = false

  @Flag(help: "With --once: print a line of JSON.")
  var json = false

  @OptionGroup var interval: IntervalArgument

  func validate() throws {
    if json, !once {
      throw ValidationError("--json needs --once; orrery ps --watch --json goes on")
    }
  }

  func run() throws {
    DeadRuns.remove()
    StopSignals.installHandlers()
    let window = TopWindow(names)
    if once || !TerminalSize.hasScreen {
      var lines = TopLines(window, intervalNs: interval.ns, isJSON: json)
      try lines.printOnce()
    } else {
      try TopTerminal(window, intervalNs: interval.ns).run()
    }
  }
}

/// The time between two looks at the counters.
struct IntervalArgument: ParsableArguments {
  @Option(
    parsing: .unconditional, help: "Seconds between two looks, \(Self.range).")
  var interval: Double = 0.5

  private static let range = OptionRange(0.1...3600.0, "seconds")

  func validate() throws { try Self.range.check("--interval", interval) }

  /// The time in nanoseconds.
  var ns: UInt64 { UInt64(interval * 1e9) }
}
