// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Says on standard error how far a run is: one line that is rewritten on a terminal, a line every
/// second otherwise.
struct ProgressDisplay {
  private let isQuiet: Bool
  private let isTerminal: Bool
  private let duration: Double?
  private let ticksPerSecond: Double
  private var shownNs: UInt64 = 0
  private var isLineOpen = false

  init(isQuiet: Bool, duration: Double?, ticksPerSecond: Double) {
    self.isQuiet = isQuiet
    self.duration = duration
    self.ticksPerSecond = ticksPerSecond
    let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    isTerminal = isatty(STDERR_FILENO) == 1 && !isDumb
  }

  /// Shows a report, if the last one was shown long enough ago.
  mutating func show(_ report: ProgressReport) {
    guard !isQuiet else { return }
    let now = Clock.monotonicNs()
    guard isTerminal || now >= shownNs + 1_000_000_000 else { return }
    shownNs = now
    let end = duration.map { " / \(decimal($0, places: 1)) s" } ?? " s"
    let line =
      "\(decimal(report.seconds, places: 1))\(end)  tick \(report.tick)  late \(report.lateTicks)"
    if isTerminal {
      Standard.error("\r\u{1b}[K\(line)")
      isLineOpen = true
    } else {
      Standard.error(line + "\n")
    }
  }

  /// Leaves the last state standing.
  mutating func close() {
    if isLineOpen { Standard.error("\n") }
    isLineOpen = false
  }
}
