// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Says on standard error how far a run is: one line that is rewritten on a terminal, a line every
/// second otherwise.
package struct ProgressDisplay {
  private let isQuiet: Bool
  private let isTerminal: Bool
  private let duration: Double?
  private let clock: () -> UInt64
  private let write: (String) -> Void
  private var shownNs: UInt64?
  private var isLineOpen = false

  /// Shows nothing yet.
  ///
  /// - Parameters:
  ///   - isQuiet: Whether nothing is to be shown at all.
  ///   - duration: Seconds of scene time that the run is to last; nil: until it is stopped.
  ///   - isTerminal: Whether a line can be rewritten.
  ///   - clock: Nanoseconds that never go back.
  ///   - write: Where lines go.
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

  /// Shows a report, if the last one was shown long enough ago.
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

  /// Leaves the last state standing.
  package mutating func close() {
    if isLineOpen { write("\n") }
    isLineOpen = false
  }
}
