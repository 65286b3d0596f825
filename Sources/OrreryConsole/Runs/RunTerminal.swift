// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase
import OrreryFrame
import OrrerySupervisor

/// The terminal of a process that publishes a run itself: a line of progress, and the keys of `orrery run`.
///
/// A thread of its own writes the line and reads the keys, so that a slow terminal makes no tick late.
package final class RunTerminal {
  private struct State {
    var report: ProgressReport?
    var isEnding = false

    mutating func takeReport() -> ProgressReport? {
      defer { report = nil }
      return report
    }
  }

  private let state: Monitor<State>
  private let thread: BackgroundThread
  private var isOpen = true

  /// How often keys are read and the line is written: half of what a person notices.
  private static let periodNs: UInt64 = 50_000_000

  /// After so long without a report the sim is asked how the run is: twice the time between reports.
  private static let quietNs: UInt64 = 500_000_000

  /// Shows the run on the terminal; nil where standard error and standard input are not this process's terminal.
  ///
  /// - Parameters:
  ///   - directory: The run's.
  ///   - duration: Scene time to run, in seconds; nil: until the run is stopped.
  /// - Throws: `Failure` when the system has no thread left.
  package init?(_ directory: RunDirectory, duration: Double?) throws(Failure) {
    guard ProgressWriter.isOnTerminal, isatty(STDIN_FILENO) == 1,
      linux_owns_terminal(STDIN_FILENO) != 0
    else { return nil }
    let state = Monitor(State())
    self.state = state
    thread = try Failure.of(.resource) {
      try BackgroundThread { Self.show(state, of: directory, duration: duration) }
    }
  }

  /// Keeps a report of the run for the line.
  func show(_ report: ProgressReport) { state.change { $0.report = report } }

  deinit { close() }

  /// Ends the line, and gives the terminal back.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    state.change { $0.isEnding = true }
    thread.join()
  }

  private static func show(
    _ state: Monitor<State>, of directory: RunDirectory, duration: Double?
  ) {
    let keyboard = Keyboard()
    let steering = keyboard == nil ? nil : try? RunSteering(directory)
    var display = ProgressDisplay(
      style: .line, run: directory.name, duration: duration,
      hint: steering == nil ? nil : RunKey.help)
    var hasBegun = false
    var (heardNs, hasLooked) = (Clock.monotonicNs(), false)
    while state.wait(atMostNs: periodNs, { $0.isEnding ? () : nil }) == nil {
      if let report = state.change({ $0.takeReport() }) {
        (hasBegun, heardNs, hasLooked) = (true, Clock.monotonicNs(), false)
        display.show(report)
      } else if !hasLooked, Clock.monotonicNs() > heardNs + Self.quietNs {
        // A paused run says nothing: it began so, or is held at its end.
        hasLooked = true
        steering?.press(.look)
      } else if !hasBegun {
        display.prepare()
      }
      for key in keyboard?.read() ?? [] {
        // As Ctrl-C: the run ends in order.
        if key == .end { kill(getpid(), SIGINT) } else { steering?.press(key) }
      }
      if let notice = steering?.takeNotice(), !notice.text.isEmpty || notice.isPaused == true {
        hasBegun = true
        display.notice(notice)
      }
      display.wait(for: [])
    }
    display.close()
  }
}
