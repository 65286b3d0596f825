// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryConsole
import OrreryFrame

/// Lists the runs of this user.
struct PsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ps",
    abstract: "List this user's runs on this machine, or show one in full.",
    usage: "orrery ps [RUN] [OPTIONS]",
    discussion: """
      Examples:
        orrery ps
        orrery ps demo
        orrery ps --watch
      RATE is in ticks per second, and LATE counts ticks. MEAN, P50 and P99 are of
      the time that the sim works for a tick. Up to eight ticks are computed at once,
      so most ticks are there already: P50 may be far below MEAN, and P99 is the time
      of those eight. A sim that does not answer within a second is listed with the
      reason. With --watch it prints the table of `orrery top` again and again, until
      Ctrl-C: no sim is asked then.
      """)

  @Argument(help: "The run to show in full; all runs where it is missing.")
  var name: String?

  @Flag(help: "Print a line of JSON.")
  var json = false

  @Flag(help: "Print what `orrery top` shows again and again; with --json as lines of JSON.")
  var watch = false

  @OptionGroup var interval: IntervalArgument

  func run() throws {
    defer { DeadRuns.remove() }
    if watch {
      StopSignals.installHandlers()
      var lines = TopLines(
        TopWindow(name.map { [$0] } ?? []), intervalNs: interval.ns, isJSON: json)
      return try lines.printForever()
    }
    let runs = try runs()
    let list = RunListText(runs)
    let text = name == nil ? list.table : runs.map(RunListText.details).joined()
    Standard.output((json ? list.json : text) + "\n")
  }

  private func runs() throws(Failure) -> [RunStatus] {
    do {
      guard let name else { return try RunStatus.all() }
      return [try RunStatus(asking: RunDirectory(name: name))]
    } catch {
      throw Failure(ofRequest: error)
    }
  }
}
