// SPDX-License-Identifier: Apache-2.0

/// What a program of a run is at, reported while it works, to a person or to the program that
/// started it.
///
/// A report is a sign of life: it comes from the loop that does the work, and none comes while that
/// loop hangs.
package struct WorkReport: Codable, Equatable, Sendable {
  /// Stages of a program, in their order.
  package enum Phase: String, CaseIterable, Codable, Sendable {
    /// Of a sim: it has the run's name; the scene is planned and built. Of a subscriber: it gets ready
    /// for the run's frames.
    case preparing
    /// Of a sim: its run can be joined. Of a subscriber: the run cannot be joined yet.
    case waiting
    /// Frames are drawn.
    case drawing
    /// Frames are recorded.
    case recording
    /// No frame follows; the encoder completes the video.
    case encoding
    /// No frame follows; chunks of the trace are written.
    case finishing
  }

  /// Schema of its line of JSON.
  package static let schema = "orrery.work.v1"

  /// Name of the program.
  package var program: String
  /// What it does now.
  package var phase: Phase
  /// Frames, pictures or chunks that are done.
  package var done: UInt64
  /// How many there will be; nil if that is not known.
  package var total: UInt64?
  /// Frames that the program missed so far.
  package var missed: UInt64
  /// Bytes in the file that it writes; nil: it does not say.
  package var fileBytes: UInt64?

  package init(
    program: String, phase: Phase, done: UInt64 = 0, total: UInt64? = nil, missed: UInt64 = 0,
    fileBytes: UInt64? = nil
  ) {
    (self.program, self.phase, self.done) = (program, phase, done)
    (self.total, self.missed, self.fileBytes) = (total, missed, fileBytes)
  }

  /// What is left to do, such as `212 pictures to encode`; nil if that is not known.
  package var remainder: String? {
    let left = total.map { $0 - min(done, $0) }
    return switch phase {
    case .encoding: left.map { "\($0) \($0 == 1 ? "picture" : "pictures") to encode" }
    case .finishing: left.map { "\($0) \($0 == 1 ? "chunk" : "chunks") to write" }
    case .preparing, .waiting, .drawing, .recording: nil
    }
  }

  /// The report for people, without the program's name.
  package var text: String {
    let losses = missed > 0 ? ", missed \(missed)" : ""
    return switch phase {
    case .preparing: "preparing"
    case .waiting: "waiting for the run"
    case .drawing: "drawing, \(done) \(done == 1 ? "frame" : "frames")\(losses)"
    case .recording:
      "recording, \(done) \(done == 1 ? "frame" : "frames")\(losses)"
        + (fileBytes.map { ", \(megabytes($0)) MB" } ?? "")
    case .encoding, .finishing: remainder ?? phase.rawValue
    }
  }
}
