// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Starts the programs of a run, passes stop signals on, and waits until every one has ended.
///
/// The sim ends first, by itself or by SIGTERM; the subscribers then read what is left, finish their
/// files and end by themselves. One that does not is told, and at last killed.
package struct Supervisor {
  private var display: ProgressDisplay
  private var children: [Child] = []
  private var outcome = RunOutcome()
  private var hasBegun = false
  private var passedSignals = 0

  /// When the sim ended.
  private var simEndedNs: UInt64?

  /// How long subscribers may take to finish their files once the sim has ended: a video encoder has
  /// to drain, a disk to sync.
  package static let finishNs: UInt64 = 120_000_000_000

  private let finishNs: UInt64
  private let stopSignalCount: () -> Int

  /// Nothing has been started yet.
  ///
  /// - Parameters:
  ///   - display: Where progress is shown.
  ///   - finishNs: How long subscribers may take once the sim has ended; killed after twice that.
  ///   - stopSignalCount: How many stop signals have come.
  package init(
    display: ProgressDisplay, finishNs: UInt64 = Self.finishNs,
    stopSignalCount: @escaping () -> Int = { StopSignals.count }
  ) {
    (self.display, self.finishNs, self.stopSignalCount) = (display, finishNs, stopSignalCount)
  }

  /// Runs the programs to their end.
  ///
  /// - Parameter commands: The sim first.
  /// - Returns: What became of them.
  /// - Throws: `Failure` when one cannot be started; those that were started have then ended.
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

  /// Reads what the programs say, and takes note of those that have ended.
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
      if child.status != nil { noteEnd(of: child) }
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

  private mutating func noteEnd(of child: Child) {
    var lines: [String] = []
    while child.readLines({ lines.append($0) }) {}
    for line in lines { take(line, from: child) }
    if child.name == "sim" { simEndedNs = Clock.monotonicNs() }
    guard let status = child.status, status != .exited(0) else { return }
    // A signal that we passed on is not the child's failure.
    if passedSignals >= 2 { return }
    outcome.ends.append(ChildEnd(name: child.name, status: status))
    // A run that has not begun is not worth beginning without one of its subscribers.
    if !hasBegun { signalAll(SIGTERM) }
  }

  /// The first stop signal ends the sim, the second everything, the third by force.
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
