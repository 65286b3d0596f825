// SPDX-License-Identifier: Apache-2.0

extension SimReport {
  /// The report for people; zeros of what did not happen are left out.
  ///
  /// docs/reference/report-words.md explains each word.
  package var text: String { text(hidingAccountsOf: []) }

  /// The report for people, without the accounts of subscribers whose own reports stand beside it.
  ///
  /// - Parameter programs: Names of such subscribers, once for each.
  /// - Returns: Lines of at most 80 columns; a longer name widens its line.
  package func text(hidingAccountsOf programs: [String]) -> String {
    var report = ReportText()
    report.add("scene", "\(scene), \(entities) \(entities == 1 ? "entity" : "entities")")
    report.add("run", "\(run), \(delivery) delivery")
    report.add(
      "ring",
      "\(counted(slots, "slot")), \(counted(frameBytes, "byte")) a frame" + lateReaderText)
    report.add(
      "kernels",
      "\(isa), \(threadsText), \(output), \(stores) stores"
        + (lookAhead == 0 ? "" : ", up to \(counted(lookAhead, "tick")) ahead"))
    report.add(
      "published", "\(counted(frames, "frame")) in \(decimal(pace.elapsedSeconds, places: 2)) s")
    if frames > 0 {
      pace.add(to: &report, frames: frames)
      report.add("state hash", hashText)
      report.addDurationHeading()
      report.addDurations("work", work)
      report.addDurations("publish", publish)
    }
    addAccounts(to: &report, except: programs)
    return report.text
  }

  /// How late a reader may be: the slots but for the newest one and those that are written early.
  private var lateReaderText: String {
    guard delivery == "live", pace.askedHz != nil, slots > lookAhead + 1 else { return "" }
    let seconds = Double(slots - lookAhead - 1) / ticksPerSecond
    return "; a reader may be \(decimal(seconds, places: 2)) s late"
  }

  /// The last frame's hash, and what it covers if that is not everything.
  private var hashText: String {
    switch hash {
    case "full": stateHash
    case "off": "off"
    default: "\(stateHash), \(hash)"
    }
  }

  /// How many threads computed: on average, where fewer may have been faster.
  private var threadsText: String {
    threads == 1 ? "1 thread" : "\(decimal(threadsMean, places: 1)) of \(threads) threads"
  }

  /// Adds the last eight subscribers.
  private func addAccounts(to report: inout ReportText, except programs: [String]) {
    var hidden = programs
    // From the newest on: it is the one that just reported.
    let others = subscribers.reversed().filter { account in
      guard let index = hidden.firstIndex(of: account.name) else { return true }
      hidden.remove(at: index)
      return false
    }
    if others.count > Self.accountsShownMax {
      report.add("subscribers", "\(others.count - Self.accountsShownMax) more, and")
    }
    for account in others.prefix(Self.accountsShownMax).reversed() {
      report.add("subscriber", account.text)
    }
  }

  /// Subscribers that are written out.
  private static let accountsShownMax = 8
}

extension PaceReport {
  fileprivate func add(to report: inout ReportText, frames: UInt64) {
    let asked = askedHz.map { "\(decimal($0, places: 2)) Hz asked" } ?? "as fast as possible"
    report.add("rate", "\(decimal(reachedHz, places: 2)) Hz reached, \(asked)")
    if askedHz != nil {
      let late = "\(lateTicks) late, by \(duration(latenessMaxNs)) at most"
      report.add(
        "ticks", "\(frames - min(lateTicks, frames)) on time" + (lateTicks == 0 ? "" : ", \(late)"))
    }
    if overBudgetFrames > 0 {
      report.add(
        "over budget",
        "\(counted(overBudgetFrames, "frame")) took longer than a tick, \(duration(tickNs))")
    }
    if stallMaxNs > 0 {
      report.add(
        "longest stall",
        askedHz == nil
          ? "\(duration(stallMaxNs)) between two frames"
          : "\(duration(stallMaxNs)) more than a tick between two frames")
    }
    if scheduleShifts > 0 { report.add("schedule", "moved \(counted(scheduleShifts, "time"))") }
    if pausedSeconds > 0 { report.add("paused", duration(UInt64(pausedSeconds * 1e9))) }
    if waitedSeconds > 0 {
      report.add("waited", "\(duration(UInt64(waitedSeconds * 1e9))) for subscribers")
    }
  }
}
