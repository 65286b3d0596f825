// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// What a sim writes of itself into its run's lock file.
///
///     pid 4711
///     user 1000
///     since 1795400000 Unix time
///     segment NAME                     only if the ring has a name in /dev/shm
package struct RunOwner: Equatable, Sendable, CustomStringConvertible {
  /// The sim's process; nil while it has not signed.
  package let processID: pid_t?

  /// When it took the run, in seconds since 1970 by the wall clock.
  package let sinceSeconds: UInt64?

  /// Name of its ring in /dev/shm.
  package let segment: String?

  /// The text's lines about the process, for messages; `starting` without any.
  package let description: String

  /// Reads a lock file's text; what is missing or malformed is nil.
  package init(lockText text: String) {
    let lines = text.split(separator: "\n")
    func word(_ key: String) -> String? {
      let line = lines.first { $0.hasPrefix(key + " ") }
      return line?.split(separator: " ").dropFirst().first.map(String.init)
    }
    processID = word("pid").flatMap { pid_t($0) }
    sinceSeconds = word("since").flatMap { UInt64($0) }
    segment = word("segment").flatMap { RunDirectory.isName($0) ? $0 : nil }
    let since = sinceSeconds.flatMap { Clock.utcText(seconds: $0, "%F %T UTC") }
    let said = lines.filter { !$0.hasPrefix("segment ") }.map { line in
      line.hasPrefix("since ") ? since.map { "since \($0)" } ?? String(line) : String(line)
    }
    description = said.isEmpty ? "starting" : said.joined(separator: ", ")
  }

  /// Reads the lock file at a path.
  init(lockPath path: String) { self.init(lockText: SmallFile.read(path) ?? "") }

  /// The text that this process signs with.
  static func lockText(segment: String?) -> String {
    let seconds = Clock.wallNs() / 1_000_000_000
    return "pid \(getpid())\nuser \(geteuid())\nsince \(seconds) Unix time\n"
      + (segment.map { "segment \($0)\n" } ?? "")
  }

  /// The living process that signed; nil if it has ended.
  ///
  /// A process that began after the signature is another one, which got the same number. Only the
  /// lock proves that a sim is alive: the wall clock may have been set meanwhile.
  package var process: ProcessState? {
    guard let processID, let state = ProcessState(of: processID) else { return nil }
    if let sinceSeconds, let started = state.startedSeconds,
      started > sinceSeconds + Self.roundingSeconds
    {
      return nil
    }
    return state
  }

  /// By how much a process may seem to begin after its own signature: both times are rounded.
  private static let roundingSeconds: UInt64 = 2
}
