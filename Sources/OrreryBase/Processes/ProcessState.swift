// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the kernel says of a process of this machine.
package struct ProcessState: Equatable, Sendable {
  /// Its state as in /proc/PID/stat, such as R, S, T or Z; nil if /proc does not tell.
  package let letter: Character?

  /// When it began, in seconds since 1970 by the wall clock of now; nil if /proc does not tell.
  package let startedSeconds: UInt64?

  /// Processor time that its threads have used, in hundredths of a second; nil if /proc does not tell.
  package let processorTicks: UInt64?

  /// Whether a signal such as SIGSTOP, or a debugger, has stopped it.
  package var isStopped: Bool { letter == "T" || letter == "t" }

  /// Asks the kernel for a process; nil if it has ended, also if nobody has waited for it yet.
  ///
  /// - Parameter processID: Its number.
  package init?(of processID: pid_t) {
    guard processID > 0 else { return nil }
    let text = SmallFile.read("/proc/\(processID)/stat") ?? ""
    if text.isEmpty, kill(processID, 0) != 0, errno != EPERM { return nil }
    self.init(stat: text, uptimeNs: Clock.uptimeNs(), wallNs: Clock.wallNs())
  }

  /// Reads the text of /proc/PID/stat; nil if the process has ended.
  ///
  /// - Parameters:
  ///   - text: The text, or an empty one if nothing is known. The process's name in it is in
  ///     parentheses and may contain any others.
  ///   - uptimeNs: Time since the machine started, in nanoseconds.
  ///   - wallNs: The wall clock's time, in nanoseconds since 1970.
  package init?(stat text: String, uptimeNs: UInt64, wallNs: UInt64) {
    let fields = text[(text.lastIndex(of: ")").map(text.index(after:)) ?? text.startIndex)...]
      .split { $0 == " " || $0 == "\n" }
    letter = fields.first?.first
    if let letter, "ZXx".contains(letter) { return nil }
    // Fields 14, 15 and 22 of the manual page; the state is field 3.
    let used = fields.count > 12 ? [fields[11], fields[12]].compactMap { UInt64($0) } : []
    processorTicks = used.count == 2 ? used[0] &+ used[1] : nil
    let ticks = fields.count > 19 ? UInt64(fields[19]) : nil
    startedSeconds = ticks.map { ticks in
      let startNs = ticks * Self.nsPerTick
      return (wallNs - min(uptimeNs - min(startNs, uptimeNs), wallNs)) / 1_000_000_000
    }
  }

  /// A tick of USER_HZ, in which /proc counts on every machine that Orrery is built for, in nanoseconds.
  package static let nsPerTick: UInt64 = 10_000_000
}
