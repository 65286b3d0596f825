// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// A program of Orrery's that `bench subscribers` has started, in a runtime directory of the bench's own.
package final class StartedProgram {
  private let process = Process()
  private let log: URL

  /// The folder of the programs: they lie beside this one.
  private static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// - Parameters:
  ///   - name: `sim`, `logger`, `renderer` or `bench`.
  ///   - arguments: Its arguments.
  ///   - place: The folder for everything that it writes.
  /// - Throws: `Failure` when it cannot be started.
  package init(_ name: String, _ arguments: [String], in place: URL) throws(Failure) {
    log = place.appendingPathComponent(UUID().uuidString + ".log")
    let path = Self.folder.appendingPathComponent(name)
    guard FileManager.default.isExecutableFile(atPath: path.path) else {
      throw Failure(
        .unavailable, "\(path.path) is not there; build everything: swift build -c release")
    }
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    process.executableURL = path
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["XDG_RUNTIME_DIR": place.path, "SWIFT_BACKTRACE": "enable=no"]) { $1 }
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

  /// The kernel's number of it.
  package var processID: pid_t { process.processIdentifier }
  /// Whether it has not ended yet.
  package var isRunning: Bool { process.isRunning }

  /// What it has printed so far, line by line.
  package var lines: [Substring] {
    String(decoding: (try? Data(contentsOf: log)) ?? Data(), as: UTF8.self).split(separator: "\n")
  }

  /// Sends a signal.
  package func send(_ signal: CInt) {
    if process.isRunning { kill(processID, signal) }
  }

  /// Sends a signal that ends it, and waits until it has.
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

  /// What the kernel says of it.
  package func resources() -> Resources? { Resources(of: processID) }

  /// What a process holds.
  package struct Resources: Codable {
    /// Open files.
    package let descriptors: Int
    /// Mapped pieces of memory.
    package let mappings: Int
    /// Memory of its own, without what it shares.
    package let ownBytes: Int
    /// All that is resident.
    package let residentBytes: Int

    /// Reads what the kernel says of a process; nil if it is gone.
    package init?(of process: pid_t) {
      let folder = "/proc/\(process)"
      guard let maps = SmallFile.read(folder + "/maps"),
        let status = SmallFile.read(folder + "/status"),
        let open = try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd")
      else { return nil }
      self.init(descriptors: open.count, maps: maps, status: status)
    }

    /// From what the kernel says.
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
