// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryBase
import OrreryCommandLine
import OrreryRecordingArguments
import OrrerySupervisor

/// The arguments of `orrery run`: a scene for a sim, a renderer and a logger.
package struct WholeRunArguments: ParsableArguments {
  @OptionGroup package var publishing: PublishingArguments

  @Option(
    name: .customLong("run"),
    help: "Name of the run, for 'orrery control'. Default: the scene's name, or SCENE-2, ….")
  package var runName: String?

  @Flag(help: "Draw and record every tick, as fast as all can; otherwise in real time.")
  package var lockstep = false

  @Option(help: "Directory for the video, the picture and the trace.")
  package var out = "."

  @Option(help: "Size of pictures in pixels, 1x1 to 16384x16384. Default: the scene's.")
  package var size: PictureSize?

  @Option(
    parsing: .unconditional,
    help: """
      Scene time in seconds of the picture, \(OptionRanges.sceneTime). Default: the last one. If the run ends before it, \
      there is no picture, and the exit code is 1.
      """)
  package var at: Double?

  @Option(help: "Write every picture drawn to this directory, too, as SEQUENCE.png.")
  package var frames: String?

  @OptionGroup(title: "Trace") package var container: ContainerArguments
  @OptionGroup(title: "What Is Recorded") package var recording: RecordingArguments

  @Option(
    parsing: .upToNextOption,
    help: RecordedPart.entitiesHelp)
  package var recordEntities: [String] = []

  @Option(help: RecordedPart.columnsHelp)
  package var recordColumns: FieldList?

  @OptionGroup(title: "Beside Frames") package var side: SideArguments

  @Option(
    help: """
      auto, plain, json or none. auto: a line that is rewritten on a terminal, nothing elsewhere. plain: a \
      line every second. json: lines of JSON.
      """, transform: ProgressMode.init(argument:))
  package var progress = ProgressMode.auto

  @Flag(help: "Print the summary as JSON.")
  package var json = false

  package init() {}

  /// Refuses values that one of the three programs would refuse.
  package func validate() throws {
    guard !out.isEmpty else { throw ValidationError("--out: a directory's name is needed") }
    try CommandLineProgram.refuseStandardOutput([("--out", out), ("--frames", frames)])
    try OptionRanges.sceneTime.check("--at", at)
    guard recording.mode != .flight else {
      throw ValidationError("--mode flight: use full or digest; orrery logger has flight")
    }
    try recording.check([
      ("--record-entities", !recordEntities.isEmpty), ("--record-columns", recordColumns != nil),
    ])
    guard publishing.waitFor <= 254 else {
      throw ValidationError("--wait-for \(publishing.waitFor): use 0 to 254 with two of its own")
    }
  }

  /// How progress is shown on standard error.
  package var progressStyle: ProgressWriter.Style { progress.style(isForPrograms: json) }

  /// The programs to start, the sim first; the others once the sim has taken the run's name.
  ///
  /// - Parameters:
  ///   - name: The scene's name; files are named after it.
  ///   - run: The run's name.
  /// - Returns: Commands of programs in the same directory as this one.
  package func programs(scene name: String, run: String) -> [ChildCommand] {
    let base = out + "/" + name.map { $0 == "/" ? "-" : $0 }
    let (video, picture, trace) = (base + ".mp4", base + ".png", base + ".mcap")
    var published = publishing
    published.waitFor += 2
    var sim = published.words + ["--run", run, "--json"]
    if lockstep { sim += ["--delivery", "lockstep", "--unpaced"] }
    var subscriber = ["--run", run, "--json", "--supervised"]
    if let wait = publishing.wait { subscriber += ["--wait", "\(wait)"] }
    var renderer = subscriber + ["--video", video, "--png", picture, "--force"]
    if let size { renderer += ["--size", "\(size)"] }
    if let at { renderer += ["--at", "\(at)"] }
    if let frames { renderer += ["--frames", frames] }
    let part = RecordedPart(entities: recordEntities, columns: recordColumns)
    let logger =
      subscriber + ["--out", trace] + container.words + recording.words + part.words + side.words
      + ["--force"]
    return [
      ChildCommand(name: "sim", arguments: sim),
      ChildCommand(
        name: "renderer", arguments: renderer, outputs: [video, picture], waitsForSim: true),
      ChildCommand(
        name: "logger", arguments: logger, outputs: [container.firstPath(trace)],
        waitsForSim: true),
    ]
  }

  /// Makes the directory `out` and its missing parents.
  ///
  /// - Returns: The directories that were made, in their order.
  /// - Throws: `Failure` with the error of `mkdir`.
  @discardableResult
  package func makeDirectory() throws(Failure) -> [String] {
    var path = out.hasPrefix("/") ? "/" : ""
    var made: [String] = []
    for part in out.split(separator: "/") {
      path += part
      defer { path += "/" }
      if mkdir(path, 0o777) == 0 {
        made.append(path)
      } else if errno != EEXIST {
        throw Failure(
          .inputOutput, SystemCallError(call: "mkdir", path: path, errno: errno))
      }
    }
    return made
  }
}
