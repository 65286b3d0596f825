// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A program of Orrery's that a test has started.
///
/// It runs in a world of its own: a private runtime directory, and a folder for its files. It is killed
/// when the test does not wait for it.
final class Program: @unchecked Sendable {
  /// Where the built programs are: ORRERY_BIN, as tools/test sets it, or the release build.
  static let directory: String =
    ProcessInfo.processInfo.environment["ORRERY_BIN"] ?? root + "/.build/release"

  /// The checkout.
  static let root: String = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()
  private let collected = Collected()

  private final class Collected: @unchecked Sendable {
    let lock = NSLock()
    var output = Data()
    var errors = Data()
    func with<Result>(_ body: (Collected) -> Result) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return body(self)
    }
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - name: A program of Orrery's, or the path of another.
  ///   - place: Its world.
  init(_ name: String, _ arguments: [String], in place: Place) throws {
    let path = name.hasPrefix("/") ? name : Self.directory + "/" + name
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: place.files)
    process.environment = place.environment
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    let collected = collected
    output.fileHandleForReading.readabilityHandler = { handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      collected.with { $0.output += data }
    }
    errors.fileHandleForReading.readabilityHandler = { handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      collected.with { $0.errors += data }
    }
    try process.run()
  }

  var processID: Int32 { process.processIdentifier }
  var isRunning: Bool { process.isRunning }

  /// What it has printed so far.
  var text: String { collected.with { String(decoding: $0.output, as: UTF8.self) } }
  var errorText: String { collected.with { String(decoding: $0.errors, as: UTF8.self) } }

  func signal(_ number: Int32) { kill(processID, number) }

  /// Waits for its end; one that takes longer is killed and counts as hung.
  ///
  /// - Returns: Its exit code, or 128 + the signal that ended it; nil if it hung.
  @discardableResult
  func wait(seconds: Double = 60) -> Int32? {
    let deadline = Date().addingTimeInterval(seconds)
    while process.isRunning {
      if Date() > deadline {
        signal(SIGKILL)
        process.waitUntilExit()
        return nil
      }
      usleep(5_000)
    }
    drain()
    let status = process.terminationStatus
    return process.terminationReason == .uncaughtSignal ? 128 + status : status
  }

  /// Waits until the condition holds.
  func wait(until condition: () -> Bool, seconds: Double = 20) -> Bool {
    let deadline = Date().addingTimeInterval(seconds)
    while !condition() {
      if Date() > deadline { return false }
      usleep(5_000)
    }
    return true
  }

  /// The handlers run on a queue of their own: what was written last may still be on its way.
  private func drain() {
    _ = wait(
      until: {
        output.fileHandleForReading.readabilityHandler == nil
          && errors.fileHandleForReading.readabilityHandler == nil
      }, seconds: 2)
  }

  deinit { if process.isRunning { kill(processID, SIGKILL) } }

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

  init() throws {
    let base = "/tmp/orrery-test-" + UUID().uuidString.prefix(8)
    runtime = base + "/run"
    files = base + "/files"
    for path in [runtime, files] {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
  }

  var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["XDG_RUNTIME_DIR"] = runtime
    environment["SWIFT_BACKTRACE"] = "enable=no"
    return environment
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
