// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDelta
import OrreryFrame
import OrreryMessages
import OrreryTrace

/// Writes keyframes, and between them what changed; or keyframes only, with values rounded to 16 bits.
///
/// A chain of changes begins with a keyframe: first, after a gap, in each new file, and after a second of the sim's or
/// of real time.
final class DeltaRecorder: FrameRecording {
  private let writer: any TraceSink
  private let encoder: FrameDeltaEncoder
  private let frames: TraceChannelID

  /// The channel of changes; nil: keyframes only.
  private let deltas: TraceChannelID?

  /// Times of the last keyframe.
  private var keyframe: FrameStamp?

  /// Longest time between keyframes: so much must be decoded to get at a frame.
  private static let keyframeNsMax: UInt64 = 1_000_000_000

  /// Threads that pack the columns of a frame: one for each four milliseconds that it takes.
  private static func threadCount(for layout: FrameLayout) -> Int {
    let valueCount = layout.columns.reduce(0) { $0 + Int($1.description.valueCount) }
    return min(1 + valueCount / valuesOfThread, Processors.count, threadsMax)
  }

  /// Values that a thread packs in about four milliseconds.
  private static let valuesOfThread = 1 << 21

  /// More wait for the memory, not for a processor.
  private static let threadsMax = 8

  /// Adds the channels to the trace.
  ///
  /// - Parameters:
  ///   - writer: The trace.
  ///   - layout: Of the frames that come.
  ///   - generation: Of the run.
  ///   - options: Whether there are changes, and whether values are rounded.
  /// - Throws: `tooLarge`; what the writer throws.
  init(
    _ writer: any TraceSink, layout: FrameLayout, generation: UInt64, _ options: RecordingOptions
  ) throws(TraceError) {
    self.writer = writer
    do throws(FrameError) {
      encoder = try FrameDeltaEncoder(
        layout: layout, generation: generation, quantises: options.quantises,
        threadCount: Self.threadCount(for: layout))
    } catch {
      throw Self.tooLarge(error)
    }
    frames = try writer.addChannel(.frames)
    deltas =
      options.delta ? try writer.addChannel(.deltas) : nil
  }

  /// Hash of the recorded columns, as long as no value leaves its range.
  var layoutHash: UInt64 { encoder.layout.layoutHash }

  func record(
    _ frame: FrameView, _ stamp: FrameStamp, logTimeNs: UInt64, isIntact: () -> Bool
  ) throws(TraceError) -> Bool {
    let message: FrameDeltaEncoder.Message
    do throws(FrameError) {
      message = try encoder.encode(frame, asKeyframe: isKeyframeDue(stamp))
    } catch {
      throw Self.tooLarge(error)
    }
    let head = TraceMessageHead(
      message.isKeyframe ? frames : deltas ?? frames, sequence: frame.sequence,
      logTimeNs: logTimeNs, publishTimeNs: stamp.publishTimeNs)
    guard
      try writer.write(head, parts: message.parts, isPreamble: false, isIntact: isIntact)
    else {
      breakChain()
      return false
    }
    if message.isKeyframe { keyframe = stamp }
    return true
  }

  private func isKeyframeDue(_ stamp: FrameStamp) -> Bool {
    guard deltas != nil, let keyframe else { return true }
    func isFar(_ a: UInt64, _ b: UInt64) -> Bool { max(a, b) - min(a, b) >= Self.keyframeNsMax }
    return isFar(stamp.publishTimeNs, keyframe.publishTimeNs)
      || isFar(stamp.simTimeNs, keyframe.simTimeNs)
  }

  func breakChain() {
    encoder.reset()
    keyframe = nil
  }

  func flushIfDue(logTimeNs: UInt64) {}

  func finish(logTimeNs: UInt64) {}

  private static func tooLarge(_ error: FrameError) -> TraceError {
    guard case .frameTooLarge(let bytes, let limit) = error else {
      preconditionFailure("\(error)")
    }
    return .tooLarge(.recordBytes, value: bytes, limit: limit)
  }
}
