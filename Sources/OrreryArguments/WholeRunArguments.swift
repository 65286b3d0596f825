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
  @OptionGroup(title: "Files") package var files: RunFileArguments
  @OptionGroup(title: "Trace") package var container: ContainerArguments
  @OptionGroup(title: "What Is Recorded") package var recording: RecordingArguments

  @OptionGroup(title: "What Is Recorded") package var part: RecordedPartArguments
  @OptionGroup(title: "Beside Frames") package var side: SideArguments

  @Option(
    name: .customLong("run"),
    help: "Name of the run, for 'orrery control'. Default: the scene's name, or SCENE-2, ….")
  package var runName: String?

  @Flag(help: "Draw and record every tick, as fast as all can; otherwise in real time.")
  package var lockstep = false

  @Option(
    help: """
      auto, plain, json or none. auto: a line that is rewritten on a terminal, nothing elsewhere. plain: a \
      line every second. json: lines of JSON.
      """, transform: ProgressMode.init(argument:))
  package var progress = ProgressMode.auto

  @Flag(
    help: "Show the run in a browser, too: prints an address of this machine, as orrery live does.")
  package var live = false

  /// Said to whoever looks for it here.
  @Flag(help: .hidden)
  package var terminal = false

  @Flag(help: "Print the summary as JSON.")
  package var json = false

  package init() {}

  /// Refuses values that one of the three programs would refuse.
  package func validate() throws {
    guard !terminal else {
      throw ValidationError(
        "--terminal: progress has this terminal; use 'orrery renderer --run NAME --terminal' in another"
      )
    }
    guard recording.mode != .flight else {
      throw ValidationError("--mode flight: use full or digest; orrery logger has flight")
    }
    let parts: [(option: String, isGiven: Bool)] = [
      ("--record-entity", !part.recordEntity.isEmpty),
      ("--record-columns", part.recordColumns != nil),
    ]
    try recording.check(parts)
    let asked =
      parts.filter(\.isGiven).map(\.option) + container.words + recording.words + side.words
    if !files.kinds.contains(.trace), let word = asked.first {
      throw ValidationError("\(word) needs the trace, which --only leaves out")
    }
    let waitFor = publishing.subscribers.waitFor
    let own: UInt64 = live ? 3 : 2
    guard waitFor <= 256 - own else {
      throw ValidationError(
        "--wait-for \(waitFor): use 0 to \(256 - own) with \(own == 3 ? "three" : "two") of its own"
      )
    }
  }

  /// How progress is shown on standard error.
  package var progressStyle: ProgressWriter.Style { progress.style(isForPrograms: json) }

  /// The programs to start, the sim first; the others once the sim has taken the run's name.
  ///
  /// - Parameter run: The run's name; files are named after it.
  /// - Returns: Commands of programs in the same directory as this one.
  package func programs(run: String) -> [ChildCommand] {
    let base = files.out + "/" + run
    var subscriber = ["--run", run, "--json", "--supervised"]
    subscriber += publishing.log.words
    if let wait = publishing.subscribers.wait { subscriber += ["--wait", "\(wait)"] }
    if let timeline = publishing.timeline { subscriber += ["--timeline", timeline] }
    var children: [ChildCommand] = []
    if files.draws {
      let (words, outputs) = files.pictures(base)
      children.append(
        ChildCommand(
          name: "renderer", arguments: subscriber + words, outputs: outputs,
          waitsForSim: true))
    }
    if files.kinds.contains(.trace) {
      let trace = base + ".mcap"
      children.append(
        ChildCommand(
          name: "logger",
          arguments: subscriber + ["--out", trace] + container.words + recording.words
            + part.part.words + side.words + ["--force"],
          outputs: [container.firstPath(trace)], waitsForSim: true))
    }
    if live {
      children.append(ChildCommand(name: "live", arguments: subscriber, waitsForSim: true))
    }
    var published = publishing
    published.subscribers.waitFor += UInt64(children.count)
    var sim = published.words + ["--run", run, "--json"]
    if lockstep { sim += ["--lockstep", "--unpaced"] }
    return [ChildCommand(name: "sim", arguments: sim)] + children
  }

  /// Makes the directory `out` and its missing parents.
  ///
  /// - Returns: The directories that were made, in their order.
  /// - Throws: `Failure` with the error of `mkdir`.
  @discardableResult
  package func makeDirectory() throws(Failure) -> [String] {
    var path = files.out.hasPrefix("/") ? "/" : ""
    var made: [String] = []
    for part in files.out.split(separator: "/") {
      path += part
      defer { path += "/" }
      if mkdir(path, 0o777) == 0 {
        made.append(path)
        continue
      }
      guard errno == EEXIST else {
        throw Failure(
          .inputOutput, SystemCallError(call: "mkdir", path: path, errno: errno))
      }
      var status = stat()
      if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
        throw Failure(.inputOutput, "--out \(files.out): \(path) is a file; a directory is wanted")
      }
    }
    return made
  }
}
