// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// A program of Orrery that a bench has started, in the bench's own runtime directory.
package final class StartedProgram {
  private let process: ChildProcess
  private let log: URL

  /// The folder of this program and the others.
  private static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// The path of this program: an installation has one file for all, so /proc/self/exe does not say which one this is.
  package static let bench = folder.appendingPathComponent("bench").path

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
    do throws(SystemCallError) {
      process = try ChildProcess(
        path.path, arguments,
        environment: [
          "XDG_RUNTIME_DIR": folder.path, "ORRERY_CONFIG": "none", "SWIFT_BACKTRACE": "enable=no",
        ],
        output: .path(log.path))
    } catch {
      throw Failure(.unavailable, error)
    }
  }

  deinit { end(SIGKILL) }

  /// Process id.
  package var processID: pid_t { process.processID }
  /// Whether it still runs.
  package var isRunning: Bool { process.status == nil }

  /// Its exit code, or 128 plus the number of the signal that ended it; nil while it runs.
  var exitCode: Int32? { process.status?.code }
  /// The processor time that it took; nil while it runs.
  var processorTime: ProcessorTime? { process.processorTime }

  /// Its output so far, line by line.
  package var lines: [Substring] {
    String(decoding: (try? Data(contentsOf: log)) ?? Data(), as: UTF8.self).split(separator: "\n")
  }

  /// The last report that it has printed, of a schema without its version; nil if there is none.
  func report<Report: Decodable>(_ schema: String) -> Report? {
    for line in lines.reversed() where line.contains("\"\(schema).") {
      if let report: Report = ReportLine.decode(line) { return report }
    }
    return nil
  }

  /// Sends a signal.
  package func send(_ signal: CInt) { process.signal(signal) }

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
  package func wait(seconds: Double) -> Bool { process.hasEnded(within: seconds) }

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
      // One that has ended and is not waited for has no mappings.
      guard let maps = SmallFile.read(folder + "/maps"), !maps.isEmpty,
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
