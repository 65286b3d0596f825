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
    let (hasSucceeded, text) = launch(path, arguments, capturesErrors: true)
    if hasSucceeded { return nil }
    let lines = text.split(separator: "\n").map(String.init)
    return lines.first { $0.contains("error") } ?? lines.first ?? "\(path) failed"
  }

  /// The output of a program; nil if it fails.
  package static func output(_ path: String, _ arguments: [String]) -> String? {
    let (hasSucceeded, text) = launch(path, arguments, capturesErrors: false)
    return hasSucceeded ? text : nil
  }

  private static func launch(
    _ path: String, _ arguments: [String], capturesErrors: Bool
  ) -> (hasSucceeded: Bool, text: String) {
    do throws(SystemCallError) {
      return try ChildProcess.run(path, arguments, capturesErrors: capturesErrors)
    } catch {
      return (false, "\(error)")
    }
  }

  /// Checks that a file can be written, before a measurement of minutes.
  ///
  /// It leaves no new file behind.
  package static func checkIsWritable(_ path: String) throws(Failure) {
    // With "x" it is opened only if it is made here.
    let made = fopen(path, "wx")
    guard let file = made ?? fopen(path, "a") else {
      throw Failure(.inputOutput, "\(path): \(String(cString: strerror(errno)))")
    }
    fclose(file)
    if made != nil { unlink(path) }
  }
}
