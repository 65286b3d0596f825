// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryTrace
import OrreryTraceTools

/// Which messages of which files.
struct TracePart: ParsableArguments {
  /// Seconds of a time on the command line, at most.
  private static let secondsMax = 4e9

  @Argument(help: "The files of the trace.")
  var files: [String]

  @Option(parsing: .upToNextOption, help: "Topics, separated by spaces. Default: all.")
  var topic: [String] = []

  @Option(
    parsing: .unconditional,
    help: "First time, 0 to 4000000000 seconds after the trace's first message.")
  var from: Double?

  @Option(
    parsing: .unconditional,
    help: "Last time, 0 to 4000000000 seconds after the trace's first message.")
  var to: Double?

  @Option(help: "Of frames and foreign topics, one message in so many, 1 to 1000000000.")
  var every = 1

  func validate() throws {
    for (name, value) in [("--from", from), ("--to", to)] {
      guard let value else { continue }
      guard value >= 0, value <= Self.secondsMax else {
        throw ValidationError("\(name) \(value): use 0 to 4000000000 seconds")
      }
    }
    if let from, let to, from > to {
      throw ValidationError("--from \(from) is after --to \(to)")
    }
    guard every >= 1, every <= 1_000_000_000 else {
      throw ValidationError("--every \(every): use 1 to 1000000000")
    }
  }

  var filter: TraceFilter {
    var filter = TraceFilter()
    filter.topics = topic.isEmpty ? nil : Set(topic)
    (filter.from, filter.to, filter.every) = (from, to, every)
    return filter
  }
}

/// Where a trace is written.
struct TraceOutputFile: ParsableArguments {
  @Option(name: [.customShort("o"), .long], help: "The new file.")
  var out: String

  @Flag(help: "Replace the new file if it is there.")
  var force = false

  @Option(help: "none, lz4 or zstd. Default: that of most chunks of the files.")
  var compression: TraceCompression?

  @Flag(help: "Print a line of JSON.")
  var json = false

  func validate() throws { try Self.check(out, option: "--out") }

  /// Refuses standard output: a trace is binary, and its writer goes back in it.
  static func check(_ path: String, option: String) throws {
    if path == "-" {
      throw ValidationError("\(option) -: a trace is not written to standard output; give a name")
    }
  }

  func write(_ files: [String], _ filter: TraceFilter, program: String) {
    do throws(Failure) {
      let copy = try TraceCopy(
        files, to: out, filter, compression: compression, overwrite: force)
      Standard.output(json ? ReportLine.encode(copy, schema: TraceCopy.schema) + "\n" : copy.text)
    } catch {
      error.exit(program: program, isJSON: json)
    }
  }
}

/// Writes a part of a trace into a new one.
struct TraceFilterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter",
    abstract: "Write a part of a trace into a new one, and verify that.",
    usage: "orrery trace filter FILE ... --out NEW [OPTIONS]",
    discussion: """
      Examples:
        orrery trace filter demo/flags.mcap -o cut.mcap --from 1 --to 2
        orrery trace filter demo/flags.mcap -o thin.mcap --every 10
        orrery trace filter planets.mcap -o mars.mcap --view Mars
      The scene is always kept. Where frames are deltas, a part begins at the
      keyframe before --from. Of events, --view keeps those of a view or of a row.
      """)

  @OptionGroup var part: TracePart
  @OptionGroup var output: TraceOutputFile

  @Option(help: "Keep only events of this view, or of the views of this row.")
  var view: String?

  func run() {
    var filter = part.filter
    filter.view = view
    output.write(part.files, filter, program: "orrery trace filter")
  }
}

/// Writes several traces into one.
struct TraceMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Write several traces into one, by rising log time, and verify that.",
    usage: "orrery trace merge FILE ... --out NEW [OPTIONS]",
    discussion: """
      Example:
        orrery trace merge part-1.mcap part-2.mcap -o whole.mcap
      Channels that are equal become one. Files of other scenes, as of other shards,
      keep channels of their own, with their number in the metadata 'file'.
      """)

  @Argument(help: "The files.")
  var files: [String]

  @OptionGroup var output: TraceOutputFile

  func run() { output.write(files, TraceFilter(), program: "orrery trace merge") }
}
