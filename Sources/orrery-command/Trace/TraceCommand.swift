// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// What can be done with a trace.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Look at, check, repair, cut, play, compare and export traces.",
    usage: "orrery trace VERB FILE ... [OPTIONS]",
    discussion: """
      Examples:
        orrery trace info demo/flags.mcap
        orrery trace verify demo/flags.mcap
        orrery trace recover killed.mcap whole.mcap
        orrery trace cat demo/flags.mcap --topic /orrery/events
        orrery trace filter demo/flags.mcap -o cut.mcap --from 1 --to 2
        orrery trace play demo/flags.mcap
        orrery trace diff before.mcap after.mcap
        orrery trace plot demo/planets.mcap --entity Mars.header -o mars.svg
        orrery trace export csv demo/flags.mcap
        orrery trace merge shard-0.mcap shard-1.mcap -o run.mcap
      Several files, as of a recording that was split or of several shards, are one
      trace. docs/reference/trace.md describes traces.
      """,
    subcommands: [
      TraceInfoCommand.self, TraceVerifyCommand.self, TraceRecoverCommand.self,
      TraceCatCommand.self, TraceFilterCommand.self, TraceMergeCommand.self,
      TracePlayCommand.self, TraceProveCommand.self, TraceDiffCommand.self,
      TracePlotCommand.self, TraceExportCommand.self,
    ])
}
