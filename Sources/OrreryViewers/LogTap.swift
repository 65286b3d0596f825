// SPDX-License-Identifier: Apache-2.0

import Logging
import OrreryBase

/// Lines of this process's log for a second reader, beside standard error.
///
/// Any thread adds lines; one takes them. While nobody reads, none are kept, and never more than `linesMax`.
package final class LogTap: Sendable {
  /// A line of the log.
  package struct Line: Equatable, Sendable {
    /// How serious it is.
    package let level: Logger.Level
    /// The text.
    package let text: String
    /// When it was logged, in nanoseconds since 1970.
    package let timeNs: UInt64

    /// Creates a line.
    package init(level: Logger.Level, text: String, timeNs: UInt64) {
      (self.level, self.text, self.timeNs) = (level, text, timeNs)
    }
  }

  /// Lines that wait, at most; more are dropped and counted.
  package static let linesMax = 1000

  private struct State {
    var isOpen = false
    var lines: [Line] = []
    var droppedCount: UInt64 = 0
  }

  private let state = Monitor(State())

  /// A tap that keeps nothing yet.
  package init() {}

  /// Sends this process's log to standard error, as `StandardErrorLog` writes it, and into a tap.
  ///
  /// Call it once, at the start of main.
  ///
  /// - Parameters:
  ///   - program: Prefix of every line on standard error.
  ///   - format: How they are written there.
  /// - Returns: The tap.
  package static func bootstrap(program: String, format: LogFormat = .text) -> LogTap {
    let tap = LogTap()
    StandardErrorLog.bootstrap(program: program, format: format) { level, text in
      tap.add(Line(level: level, text: text, timeNs: Clock.wallNs()))
    }
    return tap
  }

  /// Keeps lines from now on.
  package func open() { state.change { $0.isOpen = true } }

  /// Adds a line if somebody reads.
  package func add(_ line: Line) {
    state.change { state in
      guard state.isOpen else { return }
      if state.lines.count < Self.linesMax {
        state.lines.append(line)
      } else {
        state.droppedCount += 1
      }
    }
  }

  /// Takes the lines that wait, and the count of those that were dropped since.
  package func take() -> (lines: [Line], droppedCount: UInt64) {
    state.change { state in
      defer { (state.lines, state.droppedCount) = ([], 0) }
      return (state.lines, state.droppedCount)
    }
  }
}
