// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrreryDocument
import OrreryFrame
import OrrerySceneBuilder
import OrreryWire

/// The arguments of `orrery control`.
package struct ControlArguments: ParsableArguments {
  @Argument(help: "The run's name, unless --connect is given; the verb; its arguments.")
  package var words: [String] = []

  @Option(help: "Where the sim listens, tcp://HOST:PORT, in place of a run's name.")
  package var connect: String?

  @Option(help: "Directory of keys, for a sim on another machine.")
  package var keys: String?

  @Option(
    name: .customLong("at"), parsing: .unconditional,
    help: "seek, set, toggle: scene time in seconds, \(Self.timeRange).")
  package var seconds: Double?

  @Option(help: "set, toggle: how, as in a scene file: 'spring()', 'easeIn(duration: 2)'.")
  package var animation: String?

  @Option(help: "set, toggle: what the end of the animation is called in events.")
  package var completion: String?

  @Option(help: "set, toggle: when it is complete: logicallyComplete or removed.")
  package var criteria: String?

  @Option(
    help: """
      snapshot: the file for the frame; - is standard output. NAME.png is the picture of it.
      """)
  package var out: String?

  @Option(help: "snapshot: a file for the scene's layout, an orrery.SceneLayout message.")
  package var layout: String?

  @Option(parsing: .unconditional, help: "Seconds to wait for the answer, \(Self.timeoutRange).")
  package var timeout: Double = 60

  @Option(
    parsing: .unconditional,
    help: "Seconds to wait for a run that is not there yet, \(OptionRanges.wait).")
  package var wait: Double = 0

  @Flag(help: "Print the answer as a line of JSON.")
  package var json = false

  package init() {}

  /// Refuses values out of range and arguments that do not fit together.
  package func validate() throws {
    try Self.timeoutRange.check("--timeout", timeout)
    try OptionRanges.wait.check("--wait", wait)
    try Self.timeRange.check("--at", seconds)
    if wait > 0, connect != nil { throw ValidationError("--wait goes with a run's name") }
    if keys != nil, connect == nil { throw ValidationError("--keys needs --connect") }
    _ = try request()
  }

  private static let timeoutRange = OptionRange(0.1...86_400, "seconds")
  private static let timeRange = OptionRange(SceneLimits.time.range, "seconds")

  /// The request to send.
  ///
  /// - Throws: `ValidationError` for a verb or arguments that are unknown or do not fit together.
  package func request() throws -> ControlWords {
    var request = try ControlWords(connect == nil ? Array(words.dropFirst()) : words)
    try request.add("seconds", option: "at", seconds.map(DocumentValue.number))
    try request.add("animation", animation.map(DocumentValue.string))
    try request.add("completion", completion.map(DocumentValue.string))
    try request.add("criteria", criteria.map(DocumentValue.string))
    if request.verb != .snapshot, out != nil || layout != nil {
      throw ValidationError("--out and --layout go with snapshot")
    }
    if request.verb == .snapshot, out == nil {
      throw ValidationError("snapshot needs --out FILE")
    }
    if isPicture, layout != nil { throw ValidationError("--layout does not go with a picture") }
    try CommandLineProgram.checkOutputs(
      [("--layout", layout), ("--out", out == CommandLineProgram.standardOutput ? nil : out)])
    try request.check()
    return request
  }

  /// Whether a snapshot is a picture.
  package var isPicture: Bool { out?.lowercased().hasSuffix(".png") ?? false }

  /// Where the run is that a picture is of.
  ///
  /// - Throws: `WireError` for an unusable address or unusable keys.
  package func location() throws(WireError) -> RunLocation {
    guard let connect else { return .run(words.first ?? "") }
    return .remote(try .tcp(connect, keysIn: keys, CurveKeys.client), isCompressed: false)
  }

  /// The addresses of the sims to ask; waits as long as `wait` says for a run that is not there yet.
  ///
  /// Of a run that several shards make, all are asked to end; anything else is asked of the first, which has
  /// all views.
  ///
  /// - Parameter verb: What is asked.
  /// - Returns: One address, or that of each shard.
  /// - Throws: `WireError` for an unusable address or unusable keys, or if no such run exists, or if it
  ///   died or was stopped.
  package func addresses(for verb: ControlVerb) throws(WireError) -> [WireAddress] {
    if let connect {
      return [try .tcp(connect, keysIn: keys, CurveKeys.client)]
    }
    let name = words.first ?? ""
    let directory: RunDirectory
    do throws(RunDirectoryError) {
      directory = try RunDirectory(name: name)
    } catch {
      throw .badEndpoint(name, reason: "\(error)")
    }
    let address = WireAddress.run(directory)
    let deadlineNs = Clock.monotonicNs() + UInt64(wait * 1e9)
    while true {
      do throws(WireError) {
        try address.checkIsThere()
        return [address]
      } catch .noRun {
        if let shards = try? RunDirectory.shards(of: name), shards.count > 1 {
          return (verb == .quit ? shards : Array(shards.prefix(1))).map { .run($0) }
        }
        let nowNs = Clock.monotonicNs()
        guard nowNs < deadlineNs else { throw .noRun(name: name, waitedSeconds: wait) }
        Clock.sleep(untilMonotonicNs: min(nowNs + Self.pollNs, deadlineNs))
      }
    }
  }

  /// Time between two polls for a run that is not there yet.
  private static let pollNs: UInt64 = 20_000_000

  /// Whether standard output gets the frame, so that the answer goes to standard error.
  package var writesToOutput: Bool { out == CommandLineProgram.standardOutput }

  /// Writes the attachments of a snapshot's answer: the frame, and the layout if requested.
  ///
  /// - Throws: `Failure` if a file cannot be written.
  package func write(_ attachments: [[UInt8]]) throws(Failure) {
    for (path, bytes) in zip([out, layout], attachments) {
      guard let path else { continue }
      if path == CommandLineProgram.standardOutput {
        Standard.output(bytes)
        continue
      }
      try Failure.of(.inputOutput) { try NewFile.write(bytes, to: path) }
    }
  }
}
