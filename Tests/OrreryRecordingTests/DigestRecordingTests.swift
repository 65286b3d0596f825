// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryMessages
import OrreryRecording
import OrreryWire
import TestSupport
import Testing

/// Goal: a digest has the hash of each frame that came, at its number and tick, in 16 bytes; and it is refused where it
/// would prove nothing.
///
/// Method: a ring whose hashes follow from its ticks.
@Suite struct DigestRecordingTests {
  private static let digest: RecordingOptions = {
    var options = RecordingOptions()
    options.mode = .digest
    return options
  }()

  private static func expectHashes(_ digests: [Orrery_Digests]) {
    for message in digests {
      #expect(message.generation == Ring.generation)
      #expect(message.publishTimesNs.count == message.stateHashes.count)
      for (index, hash) in message.stateHashes.enumerated() {
        #expect(hash == (message.firstTick + UInt64(index)) &* 0x9e37_79b9_7f4a_7c15)
      }
    }
  }

  @Test func eachFrameHasItsHash() throws {
    let desk = try SceneDesk(Self.digest)
    try desk.record(10)
    try desk.lose(2)
    try desk.record(3)
    // A seek: sequences go on, ticks do not.
    desk.ring.tick = 1000
    try desk.record(2)
    let (messages, summary) = try desk.finish()
    let digests = try messages.digests()
    Self.expectHashes(digests)
    #expect(
      digests.map { [$0.firstSequence, $0.firstTick, UInt64($0.stateHashes.count)] }
        == [[1, 1, 10], [13, 13, 3], [16, 1001, 2]])
    #expect(
      digests.flatMap(\.publishTimesNs)
        == [1...10, 13...17].joined().map { 1_000_000_000_000 + $0 * 16_666_667 })
    #expect(messages.map(\.topic).filter { $0 == "/orrery/frames" }.isEmpty)
    #expect(summary["received"] == "15" && summary["missed"] == "2")
  }

  @Test func frameThatWasOverwrittenHasNoHash() throws {
    let desk = try SceneDesk(Self.digest)
    try desk.record(1)
    let view = try #require(desk.ring.publish())
    for _ in 0..<4 { _ = desk.ring.publish() }
    #expect(try !desk.recorder.use(view, source: desk.ring.reader))
    try desk.miss(2...6)
    try desk.record(1)
    let digests = try desk.finish().messages.digests()
    #expect(
      digests.map { [$0.firstSequence, UInt64($0.stateHashes.count)] } == [[1, 1], [7, 1]])
  }

  @Test func messagesHaveASecondOfFrames() throws {
    let desk = try SceneDesk(Self.digest)
    try desk.record(150)
    let digests = try desk.finish().messages.digests()
    #expect(digests.map(\.firstSequence) == [1, 62, 123])
    Self.expectHashes(digests)
  }

  /// Nobody waits for a hash until the next frame comes.
  @Test func hashesAreWrittenWhileNoFrameComes() throws {
    let desk = try SceneDesk(Self.digest)
    try desk.record(3)
    try desk.recorder.idle()
    try desk.record(1)
    desk.wait(ns: 1_000_000_000)
    try desk.recorder.idle()
    try desk.record(1)
    #expect(try desk.finish().messages.digests().map(\.stateHashes.count) == [4, 1])
  }

  @Test func layoutHasWhatTheTextDoesNotGive() throws {
    let desk = try SceneDesk(Self.digest)
    let scene = try desk.finish().messages.scene()
    #expect(scene.recording.mode == "digest" && scene.recording.isStripped)
    #expect(scene.source == desk.ring.scene.source && scene.names == desk.ring.scene.names)
    #expect(scene.batches.map(\.entityCount) == [4, 200])
    #expect(scene.batches.map(\.fields) == SceneRing.fields)
    for batch in scene.batches {
      #expect(
        batch.originX.isEmpty && batch.originY.isEmpty && batch.sprites.isEmpty
          && batch.parents.isEmpty)
    }
  }

  @Test func sceneWithoutTextIsRefused() throws {
    let ring = try SceneRing { $0.source = "" }
    #expect {
      try SceneDesk(Self.digest, ring: ring)
    } throws: { error in
      (error as? Failure)?.status == .usage && "\(error)".contains("was built in Swift")
    }
    let unhashed = try SceneRing { $0.hash = "off" }
    #expect {
      try SceneDesk(Self.digest, ring: unhashed)
    } throws: { error in
      (error as? Failure)?.status == .usage && "\(error)".contains("without --hash off")
    }
  }

  /// Six minutes at 60 Hz: a tenth of an hour, of which 0.35 MB are hashes and times.
  ///
  /// The layout of a million entities has no more than this one's.
  @Test func anHourIsBelowEightMebibytes() throws {
    let desk = try SceneDesk(Self.digest)
    try desk.record(21_600)
    #expect(try desk.finish().messages.digests().count < 370)
    #expect(desk.fileBytes < (5 << 20) / 10, "\(desk.fileBytes)")
  }
}
