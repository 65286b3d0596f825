// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Reports the sim's progress every `intervalNs`: to the program that started it, or on its own terminal.
package struct SimProgress {
  private let isJSON: Bool
  private let tickSeconds: Double
  private let terminal: RunTerminal?
  private let clock: () -> UInt64
  private let write: (String) -> Void
  private var nextNs: UInt64 = 0

  /// A quarter of a second.
  private static let intervalNs: UInt64 = 250_000_000

  /// Creates a reporter that has reported nothing yet.
  ///
  /// - Parameters:
  ///   - isJSON: Whether to write lines of JSON.
  ///   - tickSeconds: Length of a tick.
  ///   - terminal: Where a person sees the progress; nil: nowhere.
  ///   - clock: Nanoseconds that never go back.
  ///   - write: Takes each line, with its line feed.
  package init(
    isJSON: Bool, tickSeconds: Double, terminal: RunTerminal? = nil,
    clock: @escaping () -> UInt64 = Clock.monotonicNs,
    write: @escaping (String) -> Void = { Standard.output($0) }
  ) {
    (self.isJSON, self.tickSeconds, self.terminal) = (isJSON, tickSeconds, terminal)
    (self.clock, self.write) = (clock, write)
  }

  /// Reports that the run has come to a phase, before there is a tick.
  ///
  /// - Parameters:
  ///   - phase: The phase.
  ///   - isJSON: Whether to report at all.
  ///   - write: Takes the line, with its line feed.
  package static func enter(
    _ phase: WorkReport.Phase, isJSON: Bool,
    write: (String) -> Void = { Standard.output($0) }
  ) {
    guard isJSON else { return }
    let report = WorkReport(program: "sim", phase: phase)
    write(ReportLine.encode(report, schema: WorkReport.schema) + "\n")
  }

  /// Reports progress, unless the last report is more recent than `intervalNs`.
  ///
  /// - Parameters:
  ///   - tick: The newest frame's.
  ///   - frames: Frames so far.
  ///   - lateTicks: Late ticks so far.
  package mutating func show(tick: UInt64, frames: UInt64, lateTicks: UInt64) {
    guard isJSON || terminal != nil else { return }
    let now = clock()
    guard now >= nextNs else { return }
    nextNs = now + Self.intervalNs
    let report = ProgressReport(
      tick: tick, seconds: Double(tick) * tickSeconds, ranSeconds: Double(frames) * tickSeconds,
      lateTicks: lateTicks)
    terminal?.show(report)
    if isJSON { write(ReportLine.encode(report, schema: "orrery.progress.v2") + "\n") }
  }
}
