// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import TestSupport
import Testing

/// A program of Orrery's that a test has started.
///
/// It runs in a world of its own: a private runtime directory, and a folder for its files. It is killed
/// when the test does not wait for it.
final class Program: Sendable {
  /// Where the built programs are: ORRERY_BIN, as tools/test sets it, or the release build.
  static let directory: String =
    ProcessInfo.processInfo.environment["ORRERY_BIN"] ?? root + "/.build/release"

  /// The checkout.
  static let root: String = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// A Python with the packages of the tests: ORRERY_PYTHON, as tools/test sets it, or that of tools/install.
  static let python: String =
    ProcessInfo.processInfo.environment["ORRERY_PYTHON"] ?? root + "/.venv/bin/python"

  private let process: ChildProcess

  /// The program's, for messages.
  private let name: String

  private let outputPath: String
  private let errorPath: String

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - name: A program of Orrery's, or the path of another.
  ///   - arguments: Its arguments.
  ///   - place: Its world.
  /// - Throws: What starting it met.
  init(_ name: String, _ arguments: [String], in place: Place) throws {
    // Files and not pipes: what was written is there when the program has ended, and a grandchild that
    // lives on holds nobody up.
    self.name = name
    (outputPath, errorPath) = (place.freshLog(), place.freshLog())
    let path = name.hasPrefix("/") ? name : Self.directory + "/" + name
    // env changes into the folder, which posix_spawn cannot do portably. In the group of this process,
    // it is interrupted with the tests.
    process = try ChildProcess(
      "/usr/bin/env", ["-C", place.files] + place.settings + [path] + arguments,
      output: .path(outputPath), errors: .path(errorPath), hasOwnGroup: false)
  }

  var processID: pid_t { process.processID }

  /// Whether it has not ended yet.
  var isRunning: Bool { process.status == nil }

  /// What it has printed so far.
  var text: String { Self.contents(outputPath) }
  var errorText: String { Self.contents(errorPath) }

  private static func contents(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }

  func signal(_ number: Int32) { process.signal(number) }

  /// Process ids of its living children, by name.
  var children: [String: pid_t] {
    var found: [String: pid_t] = [:]
    for entry in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let child = pid_t(entry),
        let stat = try? String(contentsOfFile: "/proc/\(entry)/stat", encoding: .utf8),
        let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")")
      else { continue }
      // After the name: the state, then the parent.
      let fields = stat[stat.index(after: close)...].split(separator: " ")
      guard fields.count > 1, pid_t(fields[1]) == processID, fields[0] != "Z" else { continue }
      found[String(stat[stat.index(after: open)..<close])] = child
    }
    return found
  }

  /// Waits for its end; one that takes longer is killed and counts as hung.
  ///
  /// - Returns: Its exit code, or 128 + the signal that ended it; nil if it hung.
  @discardableResult
  func wait(seconds: Double = patienceSeconds) -> Int32? {
    if hasEnded(within: seconds) { return process.status?.code }
    signal(SIGKILL)
    Issue.record("\(name) did not end within \(seconds) s: \(errorText)")
    return nil
  }

  /// Gives it so long to end by itself.
  func hasEnded(within seconds: Double) -> Bool { process.hasEnded(within: seconds) }

  /// Waits until something holds that this program brings about.
  ///
  /// - Parameters:
  ///   - what: What is waited for, in words.
  ///   - seconds: For how long.
  ///   - condition: Whether it is so.
  func wait(
    for what: String, seconds: Double = patienceSeconds, until condition: () -> Bool
  ) {
    if Clock.wait(seconds: seconds, everyNs: 5_000_000, until: condition) { return }
    Issue.record("\(name): waited \(seconds) s for \(what): \(errorText)")
  }

  /// Waits until the sim's first ticks are told of.
  func waitForProgress() {
    wait(for: "the first line of progress") { text.contains("orrery.progress") }
  }

  /// Waits until a run, of this sim or of one that it has started, has published so many frames more.
  func wait(forFrames count: Int, of run: String, in place: Place) {
    var first: Int?
    wait(for: "\(count) frames") {
      let sequence = number("sequence", in: stats(of: run, in: place))
      first = first ?? sequence
      return sequence.map { $0 >= (first ?? $0) + count } == true || !isRunning
    }
  }

  /// Waits until this sim knows of so many subscribers.
  func wait(forSubscribers count: Int, of run: String, in place: Place) {
    wait(for: "\(count) subscribers") {
      number("subscribers", in: stats(of: run, in: place)) == count || !isRunning
    }
  }

  /// Waits until this file is there.
  func wait(forFile file: String, in place: Place) {
    wait(for: "the file \(file)") { place.has(file) }
  }

  deinit { process.kill() }

  /// Runs a program to its end.
  static func run(
    _ name: String, _ arguments: [String], in place: Place, seconds: Double = patienceSeconds
  ) throws -> (code: Int32?, text: String, errorText: String) {
    let program = try Program(name, arguments, in: place)
    let code = program.wait(seconds: seconds)
    return (code, program.text, program.errorText)
  }
}

/// A private runtime directory and a folder for files, removed with their owner.
final class Place: Sendable {
  let runtime: String
  let files: String
  /// Where a configuration of the user would be; nothing is there.
  let configuration: String
  private let logs: String

  init() throws {
    let base = "/tmp/orrery-test-" + UUID().uuidString.prefix(8)
    runtime = base + "/run"
    files = base + "/files"
    configuration = base + "/config"
    logs = base + "/logs"
    for path in [runtime, files, logs] {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
  }

  /// An empty file for a program's output.
  func freshLog() -> String {
    let path = logs + "/" + UUID().uuidString
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    return path
  }

  /// Environment variables of its programs.
  var settings: [String] {
    [
      "XDG_RUNTIME_DIR=" + runtime, "XDG_CONFIG_HOME=" + configuration, "SWIFT_BACKTRACE=enable=no",
    ]
  }

  /// Whether a file is there.
  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: files + "/" + name) }

  /// What is left in the runtime directory of runs.
  var runs: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: runtime + "/orrery")) ?? []
  }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: files + "/" + name, atomically: true, encoding: .utf8)
  }

  deinit {
    try? FileManager.default.removeItem(
      atPath: URL(fileURLWithPath: runtime).deletingLastPathComponent().path)
  }
}

/// What a run answers to `orrery control RUN stats`; nothing if it does not answer.
func stats(of run: String, in place: Place) -> [String: Any] {
  let found = try? Program.run("orrery", ["control", run, "stats", "--json"], in: place)
  return found.flatMap { try? report("orrery.control.v1", in: $0.text) } ?? [:]
}

/// One line of JSON that a program printed, by its `schema`.
func report(_ schema: String, in text: String) throws -> [String: Any] {
  for line in text.split(separator: "\n") {
    let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    if let object, object["schema"] as? String == schema { return object }
  }
  throw MissingReport(schema: schema, text: text)
}

struct MissingReport: Error {
  let schema: String
  let text: String
}

/// The part of a sim's report about its schedule.
func pace(of report: [String: Any]) -> [String: Any] {
  report["pace"] as? [String: Any] ?? [:]
}

/// A whole number of a report.
func number(_ key: String, in report: [String: Any]) -> Int? { report[key] as? Int }
