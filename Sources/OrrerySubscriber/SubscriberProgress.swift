// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Shows a subscriber's work: to a person on standard error, or on standard output to the program
/// that started it.
package final class SubscriberProgress {
  private let program: String

  /// Whether `orrery run` reads the reports.
  private let isSupervised: Bool
  private var writer: ProgressWriter
  private let clock: () -> UInt64
  private let writeLine: (String) -> Void

  /// The last report that was made.
  private var last: WorkReport?
  private var reportedNs: UInt64 = 0

  /// Time between two reports to the program that started it.
  private static let intervalNs: UInt64 = 250_000_000

  /// Creates a display that has shown nothing yet.
  ///
  /// - Parameters:
  ///   - program: Name of the program.
  ///   - style: How to show progress to a person.
  ///   - isSupervised: Whether reports are written on standard output, and nothing else.
  ///   - clock: Nanoseconds that never go back.
  ///   - write: Takes the text for standard error.
  ///   - writeLine: Takes each line for standard output, with its line feed.
  package init(
    program: String, style: ProgressWriter.Style, isSupervised: Bool = false,
    clock: @escaping () -> UInt64 = Clock.monotonicNs,
    write: @escaping (String) -> Void = Standard.error,
    writeLine: @escaping (String) -> Void = { Standard.output($0) }
  ) {
    (self.program, self.isSupervised, self.clock) = (program, isSupervised, clock)
    self.writeLine = writeLine
    writer = ProgressWriter(isSupervised ? .none : style, clock: clock, write: write)
  }

  /// Reports the work of frames, from the loop that does it.
  ///
  /// - Parameters:
  ///   - phase: What the program is at.
  ///   - done: Frames used, or pictures or chunks written.
  ///   - total: How many there will be; nil if that is not known.
  ///   - missed: Frames missed; nil: as before.
  ///   - fileBytes: Bytes in the file that is written; nil: as before.
  package func report(
    _ phase: WorkReport.Phase, done: UInt64 = 0, total: UInt64? = nil, missed: UInt64? = nil,
    fileBytes: UInt64? = nil
  ) {
    let hasNewPhase = phase != last?.phase
    let report = WorkReport(
      program: program, phase: phase, done: done, total: total,
      missed: missed ?? last?.missed ?? 0, fileBytes: fileBytes ?? last?.fileBytes)
    last = report
    if isSupervised {
      let now = clock()
      guard hasNewPhase || now >= reportedNs + Self.intervalNs else { return }
      reportedNs = now
      writeLine(ReportLine.encode(report, schema: WorkReport.schema) + "\n")
    } else {
      writer.show(
        isUrgent: hasNewPhase, text: { _ in "\(program): \(report.text)" },
        json: { ReportLine.encode(report, schema: WorkReport.schema) })
    }
  }

  /// Takes the rewritten line's last state as final; the next output begins on a new line.
  package func close() { writer.close() }
}
