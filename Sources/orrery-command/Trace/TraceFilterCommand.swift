// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrreryReplay
import OrreryTrace
import OrreryTraceTools

/// Which messages of which files.
struct TracePart: ParsableArguments {
  @Argument(help: "The files of the trace.")
  var files: [String]

  @Option(parsing: .upToNextOption, help: "Topics, separated by spaces. Default: all.")
  var topic: [String] = []

  @OptionGroup var times: TraceTimes

  @Option(help: "Of frames and foreign topics, one message in so many, \(Self.everyRange).")
  var every = 1

  func validate() throws {
    try Self.everyRange.check("--every", every)
  }

  private static let everyRange = OptionRange(1...1_000_000_000)

  /// What is wanted of an archive.
  ///
  /// - Parameters:
  ///   - archive: The files.
  ///   - isForReplay: Whether the part is to be a trace of its own.
  /// - Returns: What is wanted.
  /// - Throws: `Failure`: the trace does not have the part.
  func filter(_ archive: TraceArchive, isForReplay: Bool) throws(Failure) -> TraceFilter {
    let there = archive.topics.sorted()
    if let missing = topic.first(where: { !there.contains($0) }) {
      throw Failure(
        .unmet,
        "\(files[0]): no topic '\(missing)'; "
          + (there.isEmpty ? "it has none" : "it has " + there.joined(separator: ", ")))
    }
    var filter = TraceFilter()
    filter.topics = topic.isEmpty ? nil : Set(topic)
    filter.every = every
    let wanted = times.wanted
    if !wanted.isAll {
      filter.timeline = try SceneTimeline(
        archive, wanted, topics: filter.topics, isForReplay: isForReplay)
    } else if !isForReplay {
      // Scene times are told of messages where they can be; a file of others has none.
      filter.timeline = try? SceneTimeline(archive, wanted, isForReplay: false)
    }
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

  func write(
    _ files: [String], program: String,
    _ filter: (TraceArchive) throws(Failure) -> TraceFilter
  ) throws {
    let reading = TraceReading(program)
    let archive = try reading.archive(files)
    let copy = try TraceCopy(
      files, to: out, try filter(archive), compression: compression, overwrite: force,
      opened: archive)
    Standard.output(json ? ReportLine.encode(copy, schema: TraceCopy.schema) + "\n" : copy.text)
    reading.end()
  }
}

/// Writes a part of a trace into a new one.
struct TraceFilterCommand: MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "filter",
    abstract: "Write a part of a trace into a new one, and verify that.",
    usage: "orrery trace filter FILE ... --out NEW [OPTIONS]",
    discussion: """
      Examples:
        orrery trace filter demo/flags.mcap -o cut.mcap --from 1 --to 2
        orrery trace filter demo/flags.mcap -o thin.mcap --every 10
        orrery trace filter planets.mcap -o mars.mcap --view Mars
      --from and --to are scene times, as of play and export. The scene is always
      kept, and so are changes to the run; where frames are deltas, a part begins at
      the keyframe before it. Of events, --view keeps those of a view or of a row,
      and changes. In a file without frames, times are seconds after its first
      message.
      """)

  @OptionGroup var part: TracePart
  @OptionGroup var output: TraceOutputFile

  @Option(help: "Of events, keep those of this view, or of the views of this row.")
  var view: String?

  @OptionGroup var memory: MemoryArguments

  func run() throws {
    try output.write(part.files, program: "orrery trace filter") { (archive) throws(Failure) in
      var filter = try part.filter(archive, isForReplay: true)
      filter.view = view
      return filter
    }
  }
}

/// Writes several traces into one.
struct TraceMergeCommand: MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Write several traces into one, by rising log time, and verify that.",
    usage: "orrery trace merge FILE ... --out NEW [OPTIONS]",
    discussion: """
      Example:
        orrery trace merge part-1.mcap part-2.mcap -o whole.mcap
      Channels that are equal become one. Files of other scenes, as of other shards,
      keep channels of their own, with their number in the metadata 'file'. If a file
      is unfinished, so is the new one, and the exit code is 3; damaged ones are
      refused.
      """)

  @Argument(help: "The files.")
  var files: [String]

  @OptionGroup var output: TraceOutputFile

  @OptionGroup var memory: MemoryArguments

  func run() throws {
    try output.write(files, program: "orrery trace merge") { _ in TraceFilter() }
  }
}
