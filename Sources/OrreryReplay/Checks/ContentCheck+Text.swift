// SPDX-License-Identifier: Apache-2.0

import OrreryBase

extension ContentCheck.Report {
  /// The document's kind and version: docs/schemas/trace-prove.schema.json.
  package static let schema = "orrery.trace-prove.v1"

  /// For people, without a line end.
  package var text: String {
    var report = ReportText()
    if let shard { report.addWhole("shard", "\(shard)") }
    if provable { add(to: &report) } else { report.addWhole("not provable", reason ?? "") }
    return report.text
  }

  private func add(to report: inout ReportText) {
    guard frames > 0 else {
      let reason = partial > 0 ? "every frame lacks a shard's part" : "the trace has no frames"
      return report.addWhole("compared", "nothing: \(reason)")
    }
    let rate = elapsedSeconds > 0 ? UInt64(Double(frames) / elapsedSeconds) : 0
    report.addWhole(
      "compared",
      counted(frames, "frame")
        + (values > 0 ? ", \(counted(values, "value")) bit by bit" : ", by their hashes")
        + ", \(rate) frames a second")
    if changes > 0 { report.addWhole("changes", "\(changes)") }
    if missedEvents > 0 {
      report.addWhole("events", "\(missedEvents) are missing; a change may be among them")
    }
    if partial > 0 {
      report.addWhole("left out", "\(counted(partial, "frame")) without a shard's part")
    }
    guard let firstTick, let firstSequence else { return report.addLine("equal") }
    report.addWhole("different", counted(different, "frame"))
    report.addWhole("first", "tick \(firstTick), frame \(firstSequence): \(difference ?? "")")
  }
}
