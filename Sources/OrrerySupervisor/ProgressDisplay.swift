// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Shows a run's progress on standard error: one line that is rewritten on a terminal, otherwise a
/// line every second.
package struct ProgressDisplay {
  private let isQuiet: Bool
  private let isTerminal: Bool
  private let duration: Double?
  private let clock: () -> UInt64
  private let write: (String) -> Void
  private var shownNs: UInt64?
  private var isLineOpen = false

  /// Creates a display that has shown nothing yet.
  ///
  /// - Parameters:
  ///   - isQuiet: Whether to show nothing at all.
  ///   - duration: Scene time to run, in seconds; nil: until the run is stopped.
  ///   - isTerminal: Whether a line can be rewritten.
  ///   - clock: Nanoseconds that never go back.
  ///   - write: Takes the text to show.
  package init(
    isQuiet: Bool, duration: Double?, isTerminal: Bool = Self.isOnTerminal,
    clock: @escaping () -> UInt64 = Clock.monotonicNs,
    write: @escaping (String) -> Void = Standard.error
  ) {
    (self.isQuiet, self.isTerminal, self.duration) = (isQuiet, isTerminal, duration)
    (self.clock, self.write) = (clock, write)
  }

  /// Whether standard error is a terminal that can rewrite a line.
  package static var isOnTerminal: Bool {
    let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    return isatty(STDERR_FILENO) == 1 && !isDumb
  }

  /// Shows a report.
  ///
  /// Off a terminal, skips reports within a second of the last one shown.
  package mutating func show(_ report: ProgressReport) {
    guard !isQuiet else { return }
    let now = clock()
    if !isTerminal, let shownNs, now < shownNs + 1_000_000_000 { return }
    shownNs = now
    let end = duration.map { " / \(decimal($0, places: 1)) s" } ?? " s"
    let line =
      "\(decimal(report.seconds, places: 1))\(end)  tick \(report.tick)  late \(report.lateTicks)"
    if isTerminal {
      write("\r\u{1b}[K\(line)")
      isLineOpen = true
    } else {
      write(line + "\n")
    }
  }

  /// Ends the rewritten line, so that it stays on the screen.
  package mutating func close() {
    if isLineOpen { write("\n") }
    isLineOpen = false
  }
}
