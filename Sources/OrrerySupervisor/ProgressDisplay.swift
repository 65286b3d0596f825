// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Shows a run's progress on standard error.
package struct ProgressDisplay {
  /// How far the run is.
  private var progress: RunProgress
  private var writer: ProgressWriter
  private let clock: () -> UInt64

  /// When the display was made.
  private let beganNs: UInt64

  /// When the notice at the end of the line is taken away.
  private var noticeEndNs: UInt64 = 0

  /// Time for which a notice stays.
  private static let noticeNs: UInt64 = 4_000_000_000

  /// Creates a display that has shown nothing yet.
  ///
  /// - Parameters:
  ///   - style: How to show progress.
  ///   - run: Name of the run.
  ///   - duration: Scene time to run, in seconds; nil: until the run is stopped.
  ///   - hint: What stands at the end of the line while there is nothing else; nil: nothing.
  ///   - clock: Nanoseconds that never go back.
  ///   - columns: Width of the terminal in characters.
  ///   - write: Takes the text to show.
  package init(
    style: ProgressWriter.Style, run: String, duration: Double?, hint: String? = nil,
    clock: @escaping () -> UInt64 = Clock.monotonicNs,
    columns: @escaping () -> Int = { ProgressWriter.terminalColumns },
    write: @escaping (String) -> Void = Standard.error
  ) {
    progress = RunProgress(run: run, duration: duration, hint: hint)
    writer = ProgressWriter(style, clock: clock, columns: columns, write: write)
    self.clock = clock
    beganNs = clock()
  }

  /// Whether one line is rewritten.
  package var isLine: Bool { writer.style == .line }

  /// Shows a report of the sim.
  package mutating func show(_ report: ProgressReport) {
    progress.take(report, nowNs: clock())
    refresh()
  }

  /// Keeps a report of a subscriber for the next line.
  package mutating func take(_ report: WorkReport) { progress.take(report, nowNs: clock()) }

  /// Shows that the run has not begun, once that takes a second.
  package mutating func prepare() {
    progress.preparingSeconds = Double(clock() - beganNs) / 1e9
    if progress.preparingSeconds >= 1, progress.waitedFor.isEmpty { refresh() }
  }

  /// Shows which programs are waited for; none: the run goes on.
  package mutating func wait(for programs: [WaitedProgram]) {
    if programs.isEmpty, progress.waitedFor.isEmpty {
      // A paused run reports nothing that would take its last notice away.
      if isLine, progress.notice != nil, clock() >= noticeEndNs { refresh() }
      return
    }
    let hasChanged = programs.map(\.program) != progress.waitedFor.map(\.program)
    progress.waitedFor = programs
    refresh(isUrgent: hasChanged && writer.style != .plain)
  }

  /// Shows what a key did, at the end of the line, for some seconds; a refusal needs a line of its own.
  package mutating func notice(_ notice: SteeringNotice) {
    guard let isPaused = notice.isPaused else {
      writer.note(notice.text)
      return
    }
    // The speed until now is not that of the time after it.
    if let position = notice.position { progress.take(position, nowNs: clock()) }
    progress.restartSpeed()
    progress.notice = notice.text.isEmpty ? nil : notice.text
    progress.isPaused = isPaused
    noticeEndNs = clock() + Self.noticeNs
    refresh(isUrgent: true)
  }

  /// Writes a message on a line of its own.
  package mutating func note(_ text: String) { writer.note(text) }

  /// The programs that are waited for, in words.
  package var waitingText: String { progress.waitingText }

  /// Ends the rewritten line, so that it stays on the screen.
  package mutating func close() { writer.close() }

  private mutating func refresh(isUrgent: Bool = false) {
    if progress.notice != nil, clock() >= noticeEndNs { progress.notice = nil }
    writer.show(
      isUrgent: isUrgent, text: { progress.text(columns: $0) }, json: { progress.json })
  }
}
