// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryBase
import OrreryConsole
import OrreryFrame
import OrreryWire

/// Asks a running sim to do something.
struct ControlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "control",
    abstract: "Pause, step, seek, change or look at a running sim.",
    usage: "orrery control [RUN] VERB [ARGUMENTS] [OPTIONS]",
    discussion: """
      orrery control RUN VERB [ARGUMENTS]

        pause                      publish nothing until resume, step or seek
        resume                     go on
        step [TICKS]               publish so many ticks, then pause
        seek TICK | --seconds S    publish that tick next
        speed FACTOR               0.01 to 100 times real time
        set VIEW NAME=VALUE ...    change x, y, opacity, scale, rotation or blur
        toggle NAME ...            show or hide views, tap rows of accordions
        stats                      what the sim knows of itself
        snapshot --out FILE        the newest frame, an orrery.Frame message
        quit                       end the run in order

      Examples:
        orrery control demo seek --seconds 12.5
        orrery control demo set Mars.panel x=12 --animation 'spring()'
        orrery control pause --connect tcp://127.0.0.1:7450
      step and seek answer once the last frame is there. A refusal has exit code 65.
      """)

  @Argument(help: "The run's name, unless --connect is given; the verb; its arguments.")
  var words: [String] = []

  @Option(help: "Where the sim listens, tcp://HOST:PORT, in place of a run's name.")
  var connect: String?

  @Option(help: "Directory of keys, for a sim on another machine.")
  var keys: String?

  @Option(parsing: .unconditional, help: "seek: scene time in seconds.")
  var seconds: Double?

  @Option(help: "set, toggle: how, as in a scene file: 'spring()', 'easeIn(duration: 2)'.")
  var animation: String?

  @Option(help: "set, toggle: what the end of the animation is called in events.")
  var completion: String?

  @Option(help: "set, toggle: when it is complete: logicallyComplete or removed.")
  var criteria: String?

  @Option(help: "snapshot: the file for the frame.")
  var out: String?

  @Option(help: "snapshot: a file for the scene's layout, an orrery.SceneLayout message.")
  var layout: String?

  @Option(parsing: .unconditional, help: "Seconds to wait for the answer.")
  var timeout: Double = 60

  @Flag(help: "Print the answer as a line of JSON.")
  var json = false

  func validate() throws {
    guard timeout.isFinite, (0.1...86_400).contains(timeout) else {
      throw ValidationError("--timeout \(timeout): use 0.1 to 86400 seconds")
    }
    if keys != nil, connect == nil { throw ValidationError("--keys needs --connect") }
    _ = try request()
  }

  func run() throws {
    do throws(Failure) {
      let request = try wordsRequest()
      let client: ControlClient
      let answer: (fields: [String: ControlValue], attachments: [[UInt8]])
      do throws(WireError) {
        client = try ControlClient(try address())
        answer = try client.ask(request.verb, request.fields, timeoutSeconds: timeout)
      } catch {
        if case .refused(let reason) = error { throw Failure(.badData, "refused: \(reason)") }
        throw Failure(error)
      }
      try write(answer.attachments)
      let text = ControlText(request.verb, answer.fields)
      Standard.output((json ? text.json : text.lines) + "\n")
    } catch {
      error.exit(program: "orrery control")
    }
  }

  private func wordsRequest() throws(Failure) -> ControlWords {
    do {
      return try request()
    } catch {
      throw Failure(.usage, error)
    }
  }

  private func request() throws -> ControlWords {
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

  private func address() throws(WireError) -> WireAddress {
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

  /// Writes what came with the answer to a snapshot.
  private func write(_ attachments: [[UInt8]]) throws(Failure) {
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
