// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire

/// The arguments of `orrery control`.
package struct ControlArguments: ParsableArguments {
  @Argument(help: "The run's name, unless --connect is given; the verb; its arguments.")
  package var words: [String] = []

  @Option(help: "Where the sim listens, tcp://HOST:PORT, in place of a run's name.")
  package var connect: String?

  @Option(help: "Directory of keys, for a sim on another machine.")
  package var keys: String?

  @Option(parsing: .unconditional, help: "seek: scene time in seconds.")
  package var seconds: Double?

  @Option(help: "set, toggle: how, as in a scene file: 'spring()', 'easeIn(duration: 2)'.")
  package var animation: String?

  @Option(help: "set, toggle: what the end of the animation is called in events.")
  package var completion: String?

  @Option(help: "set, toggle: when it is complete: logicallyComplete or removed.")
  package var criteria: String?

  @Option(help: "snapshot: the file for the frame.")
  package var out: String?

  @Option(help: "snapshot: a file for the scene's layout, an orrery.SceneLayout message.")
  package var layout: String?

  @Option(parsing: .unconditional, help: "Seconds to wait for the answer.")
  package var timeout: Double = 60

  @Flag(help: "Print the answer as a line of JSON.")
  package var json = false

  package init() {}

  /// Refuses values out of range and arguments that do not fit together.
  package func validate() throws {
    guard timeout.isFinite, (0.1...86_400).contains(timeout) else {
      throw ValidationError("--timeout \(timeout): use 0.1 to 86400 seconds")
    }
    if keys != nil, connect == nil { throw ValidationError("--keys needs --connect") }
    _ = try request()
  }

  /// The request to send.
  ///
  /// - Throws: `ValidationError` for a verb or arguments that are unknown or do not fit together.
  package func request() throws -> ControlWords {
    var request = try ControlWords(connect == nil ? Array(words.dropFirst()) : words)
    try request.add("seconds", seconds.map(ControlValue.number), of: [.seek])
    try request.add("animation", animation.map(ControlValue.string), of: [.set, .toggle])
    try request.add("completion", completion.map(ControlValue.string), of: [.set, .toggle])
    try request.add("criteria", criteria.map(ControlValue.string), of: [.set, .toggle])
    if request.verb != .snapshot, out != nil || layout != nil {
      throw ValidationError("--out and --layout go with snapshot")
    }
    if request.verb == .snapshot, out == nil {
      throw ValidationError("snapshot needs --out FILE")
    }
    try request.check()
    return request
  }

  /// The address of the sim to ask.
  ///
  /// - Throws: `WireError` for an unusable address or unusable keys, or if no such run exists.
  package func address() throws(WireError) -> WireAddress {
    if let connect {
      let endpoint = try WireEndpoint(connect)
      guard let keys else { return .tcp(endpoint, keys: nil) }
      do throws(KeyError) {
        return .tcp(endpoint, keys: try CurveKeys.client(directory: keys))
      } catch {
        throw .keys(error)
      }
    }
    let name = words.first ?? ""
    let directory: RunDirectory
    do throws(RunDirectoryError) {
      directory = try RunDirectory(name: name)
    } catch {
      throw .badEndpoint(name, reason: "\(error)")
    }
    var status = stat()
    guard lstat(directory.controlPath, &status) == 0 else {
      throw .noRun(name: name, waitedSeconds: 0)
    }
    return .run(directory)
  }

  /// Writes the attachments of a snapshot's answer: the frame, and the layout if requested.
  ///
  /// - Throws: `Failure` if a file cannot be written.
  package func write(_ attachments: [[UInt8]]) throws(Failure) {
    for (path, bytes) in zip([out, layout], attachments) {
      guard let path else { continue }
      do throws(SystemCallError) {
        try NewFile.write(bytes, to: path)
      } catch {
        throw Failure(.inputOutput, error)
      }
    }
  }
}
