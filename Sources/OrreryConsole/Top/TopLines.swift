// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryWire

/// The runs as lines, for scripts and for terminals that cannot rewrite them: once, or again and again.
package struct TopLines {
  private var window: TopWindow
  private let intervalNs: UInt64
  private let isJSON: Bool

  /// Prints nothing yet.
  ///
  /// - Parameters:
  ///   - window: What is printed.
  ///   - intervalNs: Time between two looks.
  ///   - isJSON: Whether to print a line of JSON for each look.
  package init(_ window: TopWindow, intervalNs: UInt64, isJSON: Bool) {
    (self.window, self.intervalNs, self.isJSON) = (window, intervalNs, isJSON)
  }

  /// Looks twice, so that rates are of the time between, and prints once.
  ///
  /// - Throws: `Failure` when the directory of all runs cannot be used, or a run that is wanted is not there.
  package mutating func printOnce() throws(Failure) {
    _ = try look()
    guard wait() else { return }
    let report = try look()
    if let name = window.missing(in: report) {
      throw Failure(ofRequest: WireError.noRun(name: name, waitedSeconds: 0))
    }
    print(report)
  }

  /// Prints every look, until a signal, or until nobody reads.
  ///
  /// - Throws: `Failure` when the directory of all runs cannot be used.
  package mutating func printForever() throws(Failure) {
    _ = try look()
    while wait(), print(try look()) {}
  }

  private mutating func look() throws(Failure) -> TopReport {
    try Failure.of(.notPermitted) { try window.look() }
  }

  /// - Returns: False if nobody reads it.
  @discardableResult
  private func print(_ report: TopReport) -> Bool {
    if isJSON {
      return Standard.output(ReportLine.encode(report, schema: TopReport.schema) + "\n")
    }
    for reason in report.unreadable { Standard.error("orrery: \(reason)\n") }
    let columns = ProgressWriter.columns(of: STDOUT_FILENO) ?? 80
    return Standard.output(TopTable(report.runs, columns: columns).text + "\n")
  }

  /// - Returns: False if a signal came first.
  private func wait() -> Bool {
    var polled = pollfd(fd: StopSignals.descriptor, events: Int16(POLLIN), revents: 0)
    let untilNs = Clock.monotonicNs() + intervalNs
    while StopSignals.count == 0 {
      let nowNs = Clock.monotonicNs()
      if nowNs >= untilNs { return true }
      poll(&polled, 1, CInt((untilNs - nowNs) / 1_000_000 + 1))
    }
    return false
  }
}
