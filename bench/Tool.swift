// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// Other programs that `bench` runs.
package enum Tool {
  /// The C++ compiler on PATH and its version.
  package static func compiler() -> (path: String, version: String)? {
    let found = ["g++", "clang++"].lazy.compactMap { name in find(name).map { (name, $0) } }
    guard let (name, path) = found.first else { return nil }
    let version = output(path, ["--version"])?.split(separator: "\n").first
    return (path, version.map(String.init) ?? name)
  }

  /// The path of a program on PATH.
  package static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a program to its end; returns nil, or the most useful line of its errors.
  package static func run(_ path: String, _ arguments: [String]) -> String? {
    let (status, text) = launch(path, arguments, captures: \.standardError)
    if status == 0 { return nil }
    let lines = text.split(separator: "\n").map(String.init)
    return lines.first { $0.contains("error") } ?? lines.first ?? "\(path) failed"
  }

  /// The output of a program; nil if it fails.
  package static func output(_ path: String, _ arguments: [String]) -> String? {
    let (status, text) = launch(path, arguments, captures: \.standardOutput)
    return status == 0 ? text : nil
  }

  private static func launch(
    _ path: String, _ arguments: [String], captures: ReferenceWritableKeyPath<Process, Any?>
  ) -> (status: Int32, text: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process[keyPath: captures] = pipe
    do {
      try process.run()
    } catch {
      return (127, "\(error)")
    }
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  /// Checks that a file can be written, before minutes are spent on its contents.
  package static func checkIsWritable(_ path: String) throws(Failure) {
    guard let file = fopen(path, "a") else {
      throw Failure(.inputOutput, "\(path): \(String(cString: strerror(errno)))")
    }
    fclose(file)
  }
}
