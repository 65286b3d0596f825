// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import Orrery
import OrreryBase
import OrrerySupervisor

/// The arguments of `orrery run`: a scene for a sim, a renderer and a logger.
package struct WholeRunArguments: ParsableArguments {
  @OptionGroup package var scene: SceneArguments

  @Option(parsing: .unconditional, help: "Seconds of scene time to run. Without it: until Ctrl-C.")
  package var duration: Double?

  @Flag(help: "Draw and record every tick, as fast as all can; otherwise in real time.")
  package var lockstep = false

  @Option(help: "Directory for the video, the picture and the trace.")
  package var out = "."

  @Option(help: "Compression of the trace: none, lz4 or zstd.")
  package var compression = "none"

  @Option(help: "Size of pictures in pixels, as 1280x720.")
  package var size: PictureSize?

  @Option(parsing: .unconditional, help: "Threads of the sim.")
  package var threads = 1

  @OptionGroup package var frames: FrameArguments

  @Flag(help: "Print the summary as JSON.")
  package var json = false

  package init() {}

  /// Refuses values that one of the three programs would refuse.
  package func validate() throws {
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

  /// The programs to start, the sim first.
  ///
  /// - Parameters:
  ///   - name: The scene's name; files are named after it.
  ///   - processID: Process id of the program that starts them; it makes the run's name unique.
  /// - Returns: Commands of programs in the same directory as this one.
  package func programs(scene name: String, processID: pid_t = getpid()) -> [ChildCommand] {
    let run = Self.runName(name, processID)
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

  /// ASCII letters and digits of the scene's name, at most 40, then the process id.
  private static func runName(_ scene: String, _ processID: pid_t) -> String {
    let plain = scene.unicodeScalars.filter { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
    }
    return String(String.UnicodeScalarView(plain).prefix(40)) + "-\(processID)"
  }

  /// Makes the directory `out` and its missing parents.
  ///
  /// - Throws: `Failure` with the error of `mkdir`.
  package func makeDirectory() throws(Failure) {
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
