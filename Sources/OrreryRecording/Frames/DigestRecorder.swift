// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryTrace
import SwiftProtobuf

/// Writes the hash of each frame and when it was published: 16 bytes.
///
/// Hashes are collected for a second, or for 65,536 frames; the values of a frame are never read.
final class DigestRecorder: FrameRecording {
  private let writer: any TraceSink
  private let channel: TraceChannelID
  private var digests = Orrery_Digests()

  /// When the first frame of `digests` was received, and the numbers of the last one.
  private var firstLogTimeNs: UInt64 = 0
  private var last: (sequence: UInt64, tick: UInt64)?

  /// Frames in a message, at most: 1 MiB.
  private static let framesMax = 65_536

  private static let ageNsMax: UInt64 = 1_000_000_000

  /// Adds the channel to the trace.
  init(_ writer: any TraceSink, generation: UInt64) throws(TraceError) {
    self.writer = writer
    digests.generation = generation
    channel = try writer.addChannel(.digests)
  }

  /// Says why the frames of a scene cannot be computed again.
  ///
  /// - Parameter scene: The run's.
  /// - Throws: `Failure`: it has no text, or its frames have no hash.
  static func check(_ scene: Orrery_SceneLayout) throws(Failure) {
    if scene.source.isEmpty {
      throw Failure(
        .usage,
        "--mode digest: the scene '\(scene.scene)' was built in Swift and has no text to compute it from again;"
          + " run the file that Scene.toml gives")
    }
    if scene.hash == "off" {
      throw Failure(
        .usage, "--mode digest: the sim's frames have no hash; run it without --hash off")
    }
  }

  func record(
    _ frame: FrameView, _ stamp: FrameStamp, logTimeNs: UInt64, isIntact: () -> Bool
  ) throws(TraceError) -> Bool {
    guard isIntact() else { return false }
    if let last, frame.sequence != last.sequence + 1 || stamp.tick != last.tick + 1 {
      try flush(logTimeNs: logTimeNs)
    }
    if digests.stateHashes.isEmpty {
      digests.firstSequence = frame.sequence
      digests.firstTick = stamp.tick
      firstLogTimeNs = logTimeNs
    }
    digests.stateHashes.append(stamp.stateHash)
    digests.publishTimesNs.append(stamp.publishTimeNs)
    last = (frame.sequence, stamp.tick)
    if digests.stateHashes.count == Self.framesMax { try flush(logTimeNs: logTimeNs) }
    try flushIfDue(logTimeNs: logTimeNs)
    return true
  }

  /// A jump of the sequence shows by itself.
  func breakChain() {}

  func flushIfDue(logTimeNs: UInt64) throws(TraceError) {
    if !digests.stateHashes.isEmpty, logTimeNs >= firstLogTimeNs &+ Self.ageNsMax {
      try flush(logTimeNs: logTimeNs)
    }
  }

  func finish(logTimeNs: UInt64) throws(TraceError) { try flush(logTimeNs: logTimeNs) }

  private func flush(logTimeNs: UInt64) throws(TraceError) {
    guard let published = digests.publishTimesNs.first else { return }
    let head = TraceMessageHead(
      channel, sequence: digests.firstSequence, logTimeNs: logTimeNs, publishTimeNs: published)
    try writer.write(head, bytes: digests.ownBytes)
    digests.stateHashes.removeAll(keepingCapacity: true)
    digests.publishTimesNs.removeAll(keepingCapacity: true)
  }
}
