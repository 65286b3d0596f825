// SPDX-License-Identifier: Apache-2.0

import OrreryBase

extension ContentCheck.Report {
  /// The document's kind and version: docs/schemas/trace-prove.schema.json.
  package static let schema = "orrery.trace-prove.v1"

  /// For people, without a line end.
  package var text: String {
    let own = shard.map { "shard         \($0)\n" } ?? ""
    guard provable else { return own + "not provable  \(reason ?? "")" }
    guard frames > 0 else {
      let reason = partial > 0 ? "every frame lacks a shard's part" : "the trace has no frames"
      return own + "compared      nothing: \(reason)"
    }
    let rate = elapsedSeconds > 0 ? UInt64(Double(frames) / elapsedSeconds) : 0
    var lines = [
      "compared      \(counted(frames, "frame"))"
        + (values > 0 ? ", \(counted(values, "value")) bit by bit" : ", by their hashes")
        + ", \(rate) frames a second"
    ]
    if changes > 0 { lines.append("changes       \(changes)") }
    if missedEvents > 0 {
      lines.append("events        \(missedEvents) are missing; a change may be among them")
    }
    if partial > 0 {
      lines.append("left out      \(counted(partial, "frame")) without a shard's part")
    }
    guard let firstTick, let firstSequence else {
      lines.append("equal")
      return own + lines.joined(separator: "\n")
    }
    lines.append("different     \(counted(different, "frame"))")
    lines.append("first         tick \(firstTick), frame \(firstSequence): \(difference ?? "")")
    return own + lines.joined(separator: "\n")
  }
}
