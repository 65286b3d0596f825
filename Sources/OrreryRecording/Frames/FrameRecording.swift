// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryMessages
import OrreryTrace

/// How the frames of a run get into its trace.
protocol FrameRecording: AnyObject {
  /// Records a frame.
  ///
  /// - Parameters:
  ///   - frame: What is recorded of a frame.
  ///   - stamp: Its numbers.
  ///   - logTimeNs: When it was received.
  ///   - isIntact: Whether the frame was not overwritten meanwhile, so far.
  /// - Returns: The last result of `isIntact`; if it is false, nothing is recorded.
  /// - Throws: `TraceError` when the trace cannot be written.
  func record(
    _ frame: FrameView, _ stamp: FrameStamp, logTimeNs: UInt64, isIntact: () -> Bool
  ) throws(TraceError) -> Bool

  /// Says that the next frame does not follow the last one, or is the first of a file.
  func breakChain()

  /// Writes what is kept back, if it is old enough.
  func flushIfDue(logTimeNs: UInt64) throws(TraceError)

  /// Writes what is kept back: no frame will follow.
  func finish(logTimeNs: UInt64) throws(TraceError)
}

/// Writes frames as they are.
final class WholeFrameRecorder: FrameRecording {
  private let writer: any TraceSink
  private let channel: TraceChannelID

  /// Adds the channel to the trace.
  init(_ writer: any TraceSink) throws(TraceError) {
    self.writer = writer
    channel = try writer.addChannel(.frames)
  }

  func record(
    _ frame: FrameView, _ stamp: FrameStamp, logTimeNs: UInt64, isIntact: () -> Bool
  ) throws(TraceError) -> Bool {
    let head = TraceMessageHead(
      channel, sequence: frame.sequence, logTimeNs: logTimeNs, publishTimeNs: stamp.publishTimeNs)
    return try writer.write(head, parts: frame.pieces, isPreamble: false, isIntact: isIntact)
  }

  func breakChain() {}

  func flushIfDue(logTimeNs: UInt64) {}

  func finish(logTimeNs: UInt64) {}
}
