// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// A subscriber program's work on a run, frame by frame.
package protocol FrameConsumer: AnyObject {
  /// Reads a frame in place.
  ///
  /// The result counts only if the frame was whole; then `keep` is called next.
  ///
  /// - Returns: Result of `FrameSource.isWhole` after everything was read.
  func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool

  /// Keeps the result of the frame that was read last: it was whole.
  func keep(sequence: UInt64) throws(Failure)

  /// Handles missed frames; a frame of the gap that was read is to be discarded.
  func miss(_ gap: ClosedRange<UInt64>) throws(Failure)

  /// Called when no frame has come for a while.
  func idle() throws(Failure)

  /// Finishes the files: no frame will follow.
  ///
  /// - Parameters:
  ///   - account: Frames received and missed.
  ///   - simEnded: Whether the run ended in order.
  /// - Returns: The files written.
  /// - Throws: `Failure` when a file cannot be written.
  func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String]

  /// After `finish`: what was asked for and did not come; nil: nothing is missing.
  var shortfall: Failure? { get }

  /// Bytes in the file that is written so far; nil: there is none, or its size says nothing.
  var fileBytes: UInt64? { get }

  /// Whether `use` needs only a frame's numbers: it is over sooner than a copy of the frame would be made.
  var isBrief: Bool { get }

  /// What `use` and `keep` do, for a timeline.
  var phases: (use: TimelinePhase, keep: TimelinePhase) { get }
}

extension FrameConsumer {
  /// Nothing is missing.
  package var shortfall: Failure? { nil }

  /// No file.
  package var fileBytes: UInt64? { nil }

  /// Values are used.
  package var isBrief: Bool { false }

  /// A frame is read, and something may be written.
  package var phases: (use: TimelinePhase, keep: TimelinePhase) { (.read, .write) }
}
