// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryArguments
import OrreryBase
import OrreryCommandLine
import OrreryConsole
import OrreryMessages
import OrreryPictures
import OrreryReplay

/// Writes a trace in formats that others read.
struct TraceExportCommand: MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a trace's values, times or pictures for other programs.",
    usage: "orrery trace export FORMAT FILE ... [-o OUT] [OPTIONS]",
    discussion: """
      Formats:
        csv, ndjson      a row for each entity and tick
        arrow, parquet   the same as a folder, by run, shard and second; needs Python
                         with pyarrow
        chrome           timings, events and losses, for Perfetto
        png              the picture at --from or --from-tick
        video            all pictures: .mp4, .mov, .mkv, .webm, .gif, .apng
      Examples:
        orrery trace export csv demo/flags.mcap --entity 0-3 --every 60
        orrery trace export parquet demo/flags.mcap -o flags
        orrery trace export chrome demo/flags.mcap -o flags.json
        orrery trace export png demo/flags.mcap --from 2.5 -o flags.png
      """)

  @Argument(help: "csv, ndjson, arrow, parquet, chrome, png or video.")
  var format: ExportFormat

  @Argument(help: "A trace, or the files of a split recording or of all shards.")
  var files: [String]

  @OptionGroup var selection: TraceSelection

  @Option(
    name: [.customShort("o"), .long],
    help: "The file or folder to write; - is standard output, the default of csv and ndjson.")
  var out: String?

  @Option(
    parsing: .unconditional, help: "Only one of so many frames, \(OptionRanges.every).")
  var every: UInt64 = 1

  @Option(
    parsing: .unconditional,
    help: "Chrome: events of a file, \(Self.splitRange); then another file begins.")
  var split = ChromeExport.eventsMaxDefault

  @Option(help: "Size of pictures in pixels, 1x1 to 16384x16384. Default: the scene's.")
  var size: PictureSize?

  @Flag(help: "Replace what exists.")
  var force = false

  @OptionGroup var memory: MemoryArguments

  func validate() throws {
    try OptionRanges.every.check("--every", every)
    try Self.splitRange.check("--split", split)
    if !format.hasRows, out == nil || out == "-" {
      throw ValidationError("--out is missing: \(format.rawValue) is written to a file or folder")
    }
    if out != "-" { try CommandLineProgram.checkOutputs([("--out", out)], inputs: files) }
    if !format.hasPictures, size != nil { throw ValidationError("--size needs png or video") }
    if format.hasPictures || format == .chrome,
      !selection.entity.isEmpty || selection.columns != nil
    {
      throw ValidationError("--entity and --columns choose rows; \(format.rawValue) has none")
    }
  }

  private static let splitRange = OptionRange<UInt64>(1000...100_000_000)

  func run() throws {
    let reading = TraceReading("orrery trace export")
    if let out, out != "-", !force, access(out, F_OK) == 0 {
      throw Failure(.inputOutput, "\(out): is there already; --force replaces it")
    }
    switch format {
    case .csv: try exportRows(.csv, reading.frames(files))
    case .ndjson: try exportRows(.ndjson, reading.frames(files))
    case .arrow, .parquet: try exportTables()
    case .chrome: try exportTimes(reading.frames(files))
    case .png, .video: try exportPictures(reading.frames(files))
    }
    reading.end()
  }

  private func exportRows(
    _ rows: RowExport.Format, _ archive: FrameArchive
  ) throws(Failure) {
    var choice = RowExport.Choice()
    choice.entities = try selection.entities(archive)
    choice.fields = selection.columns?.numbers
    choice.every = every
    choice.ticks = try selection.ticks(archive)
    let export = try RowExport(archive, rows, choice)
    func check(_ frames: some BinaryInteger) throws(Failure) {
      guard frames > 0 || selection.times.wanted.isAll else {
        throw archive.noFrameInTimes
      }
    }
    guard let out, out != "-" else {
      try check(export.run { (bytes) throws(Failure) in Standard.output(bytes) }.frames)
      return
    }
    let file = try Failure.of(.inputOutput) { try OutputFile(out) }
    let count = try export.run { (bytes) throws(Failure) in
      try Failure.of(.inputOutput) { try file.write(bytes) }
      return true
    }
    try check(count.frames)
    try Failure.of(.inputOutput) { try file.finish() }
    Standard.error("\(out): \(counted(count.rows, "row")) of \(counted(count.frames, "frame"))\n")
  }

  private func exportTimes(_ archive: FrameArchive) throws(Failure) {
    let report = try ChromeExport(
      archive, output: out ?? "", eventsMax: split
    ).run()
    Standard.error(
      "\(report.files.joined(separator: ", ")): \(counted(report.events, "event")),"
        + " \(counted(report.timedFrames, "frame")) with timings\n")
  }

  private func exportPictures(_ archive: FrameArchive) throws(Failure) {
    let isVideo = format == .video
    let outputs = PictureOutputs(
      png: isVideo ? nil : out, at: nil, frames: nil, video: isVideo ? out : nil)
    let drawn = try PictureExport.run(
      archive, outputs, size: size, ticks: try selection.ticks(archive), every: every)
    for notice in drawn.notices { Standard.error("\(notice)\n") }
    let shown = drawn.pictures == drawn.frames ? "" : "\(drawn.pictures) of "
    Standard.error(
      "\(drawn.files.joined(separator: ", ")): \(shown)\(counted(drawn.frames, "frame"))\n")
  }

  /// Has Python write tables from the rows: pyarrow is there, and not here.
  private func exportTables() throws(Failure) {
    // A trace that cannot be read is reported before Python starts.
    let archive = try FrameArchive(paths: files)
    _ = try selection.entities(archive)
    var words = [
      format.rawValue, "--orrery", try PythonTables.ownPath(), "--out", out ?? "", "--every",
      "\(every)",
    ]
    words += selection.times.words
    if force { words.append("--force") }
    if let columns = selection.columns {
      words += ["--columns", columns.argument]
    }
    for entity in selection.entity { words += ["--entity", entity] }
    try PythonTables.replaceThisProcess(with: words + ["--"] + files)
  }
}

/// What a trace can be written as.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  case csv
  case ndjson
  case arrow
  case parquet
  case chrome
  case png
  case video

  /// Whether rows are written one after another.
  var hasRows: Bool { self == .csv || self == .ndjson }

  /// Whether pictures are.
  var hasPictures: Bool { self == .png || self == .video }
}
