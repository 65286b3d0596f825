// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Starts the programs of a run, passes stop signals on, and waits until every one has ended.
///
/// The sim ends first, by itself or by SIGTERM. The subscribers then read the remaining frames,
/// finish their files and end by themselves. One that takes too long gets SIGTERM, and at last
/// SIGKILL.
package struct Supervisor {
  private var display: ProgressDisplay
  private var children: [Child] = []
  private var outcome = RunOutcome()
  private var hasBegun = false
  private var passedSignals = 0

  /// When the sim ended; nil while it runs.
  private var simEndedNs: UInt64?

  /// Time for subscribers to finish their files after the sim has ended: a video encoder has to
  /// drain, a disk to sync.
  package static let finishNs: UInt64 = 120_000_000_000

  private let finishNs: UInt64
  private let stopSignalCount: () -> Int

  /// Creates a supervisor that has started nothing yet.
  ///
  /// - Parameters:
  ///   - display: Where progress is shown.
  ///   - finishNs: A subscriber that outlives the sim by this gets SIGTERM; by twice that, SIGKILL.
  ///   - stopSignalCount: Returns the count of stop signals received.
  package init(
    display: ProgressDisplay, finishNs: UInt64 = Self.finishNs,
    stopSignalCount: @escaping () -> Int = { StopSignals.count }
  ) {
    (self.display, self.finishNs, self.stopSignalCount) = (display, finishNs, stopSignalCount)
  }

  /// Runs the programs to their end.
  ///
  /// - Parameter commands: The programs to start, the sim first.
  /// - Returns: Their reports and failures.
  /// - Throws: `Failure` if one cannot be started; the others have ended by then.
  package mutating func run(_ commands: [ChildCommand]) throws(Failure) -> RunOutcome {
    for command in commands {
      do throws(Failure) {
        children.append(try Child(command))
      } catch {
        signalAll(SIGTERM)
        while children.contains(where: { $0.status == nil }) { waitForEvents() }
        throw error
      }
    }
    while children.contains(where: { $0.status == nil }) {
      waitForEvents()
      passStopSignals()
      endStragglers()
    }
    display.close()
    return outcome
  }

  /// Reads the programs' output and records the ones that have ended.
  private mutating func waitForEvents() {
    let open = children.filter { $0.status == nil }
    var polled = open.map { pollfd(fd: $0.output.number, events: Int16(POLLIN), revents: 0) }
    if poll(&polled, nfds_t(polled.count), 50) > 0 {
      for (child, events) in zip(open, polled) where events.revents != 0 {
        var lines: [String] = []
        if !child.readLines({ lines.append($0) }) { usleep(1000) }
        for line in lines { take(line, from: child) }
      }
    }
    for child in open {
      child.reap()
      if child.status != nil { recordEnd(of: child) }
    }
  }

  private mutating func take(_ line: String, from child: Child) {
    if child.name == "sim" {
      if let report: SimReport = ReportLine.decode(line) {
        outcome.sim = report
      } else if let progress: ProgressReport = ReportLine.decode(line) {
        hasBegun = true
        display.show(progress)
      }
    } else if let report: SubscriberReportMessage = ReportLine.decode(line) {
      outcome.subscribers.append(report)
    }
  }

  private mutating func recordEnd(of child: Child) {
    var lines: [String] = []
    while child.readLines({ lines.append($0) }) {}
    for line in lines { take(line, from: child) }
    if child.name == "sim" { simEndedNs = Clock.monotonicNs() }
    guard let status = child.status, status != .exited(0) else { return }
    // The second stop signal ends every program: their exit statuses are no failures.
    if passedSignals >= 2 { return }
    outcome.ends.append(ChildEnd(name: child.name, status: status))
    // If the run has not begun, end it: one of its programs is missing.
    if !hasBegun { signalAll(SIGTERM) }
  }

  /// The first stop signal ends the sim, the second every program, the third kills them.
  private mutating func passStopSignals() {
    while passedSignals < stopSignalCount() {
      passedSignals += 1
      switch passedSignals {
      case 1: children.first?.signal(SIGTERM)
      case 2: signalAll(SIGTERM)
      default: signalAll(SIGKILL)
      }
      if !hasBegun { signalAll(SIGTERM) }
    }
  }

  private func endStragglers() {
    guard let simEndedNs else { return }
    let waited = Clock.monotonicNs() - simEndedNs
    if waited > 2 * finishNs {
      signalAll(SIGKILL)
    } else if waited > finishNs {
      signalAll(SIGTERM)
    }
  }

  private func signalAll(_ number: CInt) {
    for child in children { child.signal(number) }
  }
}
