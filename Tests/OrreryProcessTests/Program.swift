// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
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

  let processID: pid_t

  /// The program's, for messages.
  private let name: String

  private let outputPath: String
  private let errorPath: String
  private let status = Mutex<Int32?>(nil)

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
    // env changes into the folder, which posix_spawn cannot do portably.
    let words =
      ["env", "-C", place.files] + place.settings + [path] + arguments
    processID = try Self.spawn("/usr/bin/env", words, output: outputPath, errors: errorPath)
  }

  private static func spawn(
    _ path: String, _ words: [String], output: String, errors: String
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_APPEND, 0)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_APPEND, 0)
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var processID: pid_t = 0
    let failure = posix_spawn(&processID, path, &actions, nil, &pointers, environ)
    try #require(failure == 0, "\(path): \(String(cString: strerror(failure)))")
    return processID
  }

  /// Whether it has not ended yet.
  var isRunning: Bool { ending() == nil }

  /// Its exit code, or 128 + the signal that ended it; nil while it runs.
  private func ending() -> Int32? {
    status.withLock { status in
      if let status { return status }
      var word: Int32 = 0
      guard waitpid(processID, &word, WNOHANG) == processID else { return nil }
      let signal = word & 0x7f
      status = signal == 0 ? (word >> 8) & 0xff : 128 + signal
      return status
    }
  }

  /// What it has printed so far.
  var text: String { Self.contents(outputPath) }
  var errorText: String { Self.contents(errorPath) }

  private static func contents(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }

  func signal(_ number: Int32) { kill(processID, number) }

  /// Waits for its end; one that takes longer is killed and counts as hung.
  ///
  /// - Returns: Its exit code, or 128 + the signal that ended it; nil if it hung.
  @discardableResult
  func wait(seconds: Double = 60) -> Int32? {
    if hasEnded(within: seconds) { return ending() }
    signal(SIGKILL)
    Issue.record("\(name) did not end within \(seconds) s: \(errorText)")
    return nil
  }

  /// Gives it so long to end by itself.
  func hasEnded(within seconds: Double) -> Bool {
    Self.holds(within: seconds) { !isRunning }
  }

  /// Waits until something holds that this program brings about.
  ///
  /// - Parameters:
  ///   - what: What is waited for, in words.
  ///   - seconds: For how long.
  ///   - condition: Whether it is so.
  func wait(for what: String, seconds: Double = 20, until condition: () -> Bool) {
    if Self.holds(within: seconds, condition) { return }
    Issue.record("\(name): waited \(seconds) s for \(what): \(errorText)")
  }

  /// Waits until the sim's first ticks are told of.
  func waitForProgress() {
    wait(for: "the first line of progress") { text.contains("orrery.progress") }
  }

  /// Waits until this file is there.
  func wait(forFile file: String, in place: Place) {
    wait(for: "the file \(file)") { place.has(file) }
  }

  private static func holds(within seconds: Double, _ condition: () -> Bool) -> Bool {
    let deadline = Date().addingTimeInterval(seconds)
    while !condition() {
      if Date() > deadline { return false }
      usleep(5_000)
    }
    return true
  }

  deinit {
    if isRunning {
      signal(SIGKILL)
      waitpid(processID, nil, 0)
    }
  }

  /// Runs a program to its end.
  static func run(
    _ name: String, _ arguments: [String], in place: Place, seconds: Double = 60
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
  private let logs: String

  init() throws {
    let base = "/tmp/orrery-test-" + UUID().uuidString.prefix(8)
    runtime = base + "/run"
    files = base + "/files"
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
  var settings: [String] { ["XDG_RUNTIME_DIR=" + runtime, "SWIFT_BACKTRACE=enable=no"] }

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

/// A whole number of a report.
func number(_ key: String, in report: [String: Any]) -> Int? { report[key] as? Int }
