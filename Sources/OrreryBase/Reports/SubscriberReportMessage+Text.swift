// SPDX-License-Identifier: Apache-2.0

extension SubscriberReportMessage {
  /// The report for people, in lines of at most 80 columns; zeros of what did not happen are left
  /// out.
  ///
  /// docs/reference/report-words.md explains each word.
  package var text: String {
    var report = ReportText()
    let from = joinedAfter == 0 ? "" : ", from frame \(joinedAfter + 1) on"
    report.add(
      program,
      "received \(received) of \(counted(published, "frame"))\(from); reading \(reading),"
        + " waiting \(waiting); \(ended.text)")
    if missed > 0 { addMissed(to: &report) }
    for account in shards ?? [] where account.missed > 0 {
      report.add("shard \(account.shard)", "missing in \(counted(account.missed, "frame"))")
    }
    if received > 0 {
      report.addDurationHeading()
      report.addDurations("working", working)
      if waitingTime.count > 0 { report.addDurations("waiting", waitingTime) }
      if let latency { report.addDurations("latency", latency) }
      if let queued { report.addDurations("queued", queued) }
    }
    return report.text
  }

  /// Adds the missed frames by number, as many as fit on about two lines.
  private func addMissed(to report: inout ReportText) {
    var text = counted(missed, "frame") + ":"
    for (index, gap) in gaps.enumerated() {
      guard text.count + gap.count + 1 <= Self.gapTextMax else {
        report.add("missed", text + " and \(gaps.count - index) more gaps")
        return
      }
      text += " " + gap
    }
    report.add("missed", gaps.isEmpty ? counted(missed, "frame") : text)
  }

  /// Characters of the list of gaps.
  private static let gapTextMax = 110
}

extension SubscriberReportMessage.End {
  fileprivate var text: String {
    switch self {
    case .runEnded: "read to the run's end"
    case .simDied: "ended because the sim died"
    case .stopped: "ended by a signal"
    case .dropped: "dropped by the sim"
    case .failed: "could not go on"
    }
  }
}
