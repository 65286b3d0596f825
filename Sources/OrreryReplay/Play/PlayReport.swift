// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryPublisher
import OrrerySim

/// Final report of a played trace: docs/schemas/trace-play.schema.json.
package struct PlayReport: Encodable {
  /// The document's kind and version.
  package static let schema = "orrery.trace-play.v1"

  /// The trace's files.
  package let files: [String]
  /// The run, as of a sim.
  package let run: SimReport
  /// Frames that the trace does not have, between those that were played.
  package let skipped: UInt64
  /// Frames whose computed hash is not the recorded one.
  package let unproved: UInt64

  /// The report of a run that has ended.
  package init(files: [String], run: SimReport, frames: PlayedFrames) {
    (self.files, self.run) = (files, run)
    (skipped, unproved) = (frames.skippedCount, frames.unprovedCount)
  }

  /// For people.
  package var text: String {
    "trace         \(files.joined(separator: ", "))\n" + run.text
      + "\nskipped       \(counted(skipped, "frame")) that the trace does not have"
      + (unproved > 0 ? "\nunproved      \(counted(unproved, "frame"))" : "")
  }
}

extension PlayedFrames {
  /// Sets what the trace says of how its frames were made.
  package func describe(_ options: inout SimOptions) {
    options.hashMode = HashMode(rawValue: plan.layout.hash) ?? .full
    // Frames that a world computes may be computed ahead; others are there.
    if isa == "trace" { options.lookAhead = 0 }
  }
}
