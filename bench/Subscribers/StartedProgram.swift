// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// A program of Orrery that `bench subscribers` has started, in the bench's own runtime directory.
package final class StartedProgram {
  private let process = Process()
  private let log: URL

  /// The folder of this program and the others.
  private static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// - Parameters:
  ///   - name: `sim`, `logger`, `renderer` or `bench`.
  ///   - arguments: Its arguments.
  ///   - folder: The folder for all files that it writes.
  /// - Throws: `Failure` if it cannot be started.
  package init(_ name: String, _ arguments: [String], in folder: URL) throws(Failure) {
    log = folder.appendingPathComponent(UUID().uuidString + ".log")
    let path = Self.folder.appendingPathComponent(name)
    guard FileManager.default.isExecutableFile(atPath: path.path) else {
      throw Failure(
        .unavailable, "\(path.path) is not there; build everything: swift build -c release")
    }
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    process.executableURL = path
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["XDG_RUNTIME_DIR": folder.path, "SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      process.standardOutput = try FileHandle(forWritingTo: log)
      try process.run()
    } catch {
      throw Failure(.unavailable, "\(path.path): \(error)")
    }
  }

  deinit { end(SIGKILL) }

  /// Process id.
  package var processID: pid_t { process.processIdentifier }
  /// Whether it still runs.
  package var isRunning: Bool { process.isRunning }

  /// Its output so far, line by line.
  package var lines: [Substring] {
    String(decoding: (try? Data(contentsOf: log)) ?? Data(), as: UTF8.self).split(separator: "\n")
  }

  /// Sends a signal.
  package func send(_ signal: CInt) {
    if process.isRunning { kill(processID, signal) }
  }

  /// Sends a signal that ends it, and waits for its end; after 5 s it is killed.
  package func end(_ signal: CInt) {
    send(signal)
    if !wait(seconds: 5) {
      send(SIGKILL)
      _ = wait(seconds: 5)
    }
  }

  /// Waits for its end.
  ///
  /// - Returns: False if it still runs.
  package func wait(seconds: Double) -> Bool {
    let deadline = Clock.monotonicNs() + UInt64(seconds * 1e9)
    while process.isRunning {
      if Clock.monotonicNs() > deadline { return false }
      usleep(5000)
    }
    return true
  }

  /// The resources that it holds.
  package func resources() -> Resources? { Resources(of: processID) }

  /// The resources of a process.
  package struct Resources: Codable {
    /// Open files.
    package let descriptors: Int
    /// Memory mappings.
    package let mappings: Int
    /// Resident private memory.
    package let ownBytes: Int
    /// Resident memory, shared memory included.
    package let residentBytes: Int

    /// Reads the resources of a process from /proc; nil if it has ended.
    package init?(of process: pid_t) {
      let folder = "/proc/\(process)"
      guard let maps = SmallFile.read(folder + "/maps"),
        let status = SmallFile.read(folder + "/status"),
        let open = try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd")
      else { return nil }
      self.init(descriptors: open.count, maps: maps, status: status)
    }

    /// Parses the texts of /proc.
    ///
    /// - Parameters:
    ///   - descriptors: Open files.
    ///   - maps: The text of /proc/…/maps.
    ///   - status: The text of /proc/…/status.
    package init(descriptors: Int, maps: String, status: String) {
      let kilobytes = { (name: String) -> Int in
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) } ?? 0
      }
      self.descriptors = descriptors
      mappings = maps.split(separator: "\n").count
      ownBytes = kilobytes("RssAnon") << 10
      residentBytes = kilobytes("VmRSS") << 10
    }
  }
}
