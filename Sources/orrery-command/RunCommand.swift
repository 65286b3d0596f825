// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import Orrery
import OrreryArguments
import OrreryBase
import OrrerySupervisor

/// Runs a scene in three processes.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a scene in three processes: sim, renderer and logger.",
    discussion: """
      Example: orrery run flags --duration 10 --out demo
      Leaves SCENE.mp4, SCENE.png and SCENE.mcap in the directory of --out; files of these names are
      replaced. Ctrl-C ends the run in order; a second one ends it at once.
      """)

  @OptionGroup var scene: SceneArguments

  @Option(parsing: .unconditional, help: "Seconds of scene time to run. Without it: until Ctrl-C.")
  var duration: Double?

  @Flag(help: "Draw and record every tick, as fast as all can; otherwise in real time.")
  var lockstep = false

  @Option(help: "Directory for the video, the picture and the trace.")
  var out = "."

  @Option(help: "Compression of the trace: none, lz4 or zstd.")
  var compression = "none"

  @Option(help: "Size of pictures in pixels, as 1280x720.")
  var size: PictureSize?

  @Option(parsing: .unconditional, help: "Threads of the sim.")
  var threads = 1

  @OptionGroup var frames: FrameArguments

  @Flag(help: "Print the summary as JSON.")
  var json = false

  func validate() throws {
    guard !out.isEmpty else { throw ValidationError("--out: a directory's name is needed") }
    if let duration, !(duration.isFinite && duration > 0 && duration <= 1e9) {
      throw ValidationError(
        "--duration \(duration): use more than 0 and at most 1000000000 seconds")
    }
    guard (1...1024).contains(threads) else {
      throw ValidationError("--threads \(threads): use 1 to 1024")
    }
    guard ["none", "lz4", "zstd"].contains(compression) else {
      throw ValidationError("--compression \(compression): use none, lz4 or zstd")
    }
  }

  func run() throws {
    do throws(Failure) {
      StopSignals.catchThem()
      StandardErrorLog.bootstrap(program: "orrery run")
      // Checked here, so that a bad scene is one line and no process has been started for it.
      let plan = try scene.plan()
      try makeDirectory()
      var supervisor = Supervisor(display: ProgressDisplay(isQuiet: json, duration: duration))
      let name = plan.name.isEmpty ? "scene" : plan.name
      let outcome = try supervisor.run(children(name: name))
      Standard.output(json ? outcome.json : outcome.text)
      if let failure = outcome.failure { throw failure }
    } catch {
      error.exit(program: "orrery run")
    }
  }

  /// What to start, the sim first.
  private func children(name: String) -> [ChildCommand] {
    let run = Self.runName(name)
    let base = out + "/" + name.map { $0 == "/" ? "-" : $0 }
    var sim = ["--run", run, "--wait-for", "2", "--threads", "\(threads)", "--json"]
    if let duration { sim += ["--duration", "\(duration)"] }
    sim += frames.arguments
    if lockstep { sim += ["--delivery", "lockstep", "--unpaced"] }
    var renderer = ["--run", run, "--video", base + ".mp4", "--png", base + ".png", "--json"]
    if let size { renderer += ["--size", "\(size)"] }
    let logger = [
      "--run", run, "--out", base + ".mcap", "--compression", compression, "--force", "--json",
    ]
    return [
      ChildCommand(name: "sim", arguments: scene.arguments + sim),
      ChildCommand(name: "renderer", arguments: renderer),
      ChildCommand(name: "logger", arguments: logger),
    ]
  }

  /// A run's name that no other run has: the scene's and this process's number.
  private static func runName(_ scene: String) -> String {
    let plain = scene.unicodeScalars.filter { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
    }
    return String(String.UnicodeScalarView(plain).prefix(40)) + "-\(getpid())"
  }

  private func makeDirectory() throws(Failure) {
    var path = out.hasPrefix("/") ? "/" : ""
    for part in out.split(separator: "/") {
      path += part
      defer { path += "/" }
      if mkdir(path, 0o777) != 0, errno != EEXIST {
        throw Failure(
          .inputOutput, SystemCallError(call: "mkdir", path: path, errno: errno))
      }
    }
  }
}

extension PictureSize: ExpressibleByArgument {
  /// Reads `1280x720`.
  package init?(argument: String) { self.init(argument) }
}
