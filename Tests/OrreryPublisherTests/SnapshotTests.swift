// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryFrame
import OrreryPublisher
import OrreryWire
import Testing

/// Goal: a snapshot is one whole frame and says so, or says why there is none.
///
/// Method: a ring that overtakes its reader as often as a test likes.
@Suite struct SnapshotTests {
  /// A ring whose frames are overtaken while they are copied, or before.
  private final class Overtaken: FrameRing, FrameSource {
    private let writer: FrameWriter
    private let reader: FrameReader

    /// Frames that are still to be overtaken while they are copied, and before they are found.
    var tornCount: Int
    var lappedCount: Int

    /// What was asked.
    private(set) var copyCount = 0
    private(set) var lookCount = 0

    init(torn: Int = 0, lapped: Int = 0, frames: Int = 1) throws {
      let layout = try FrameLayout(columns: [
        ColumnDescription(batch: 0, field: 1, firstEntity: 0, valueCount: 8)
      ])
      writer = try FrameWriter(
        layout: layout, slotCount: 2, staticPart: [7, 8], generation: 77, delivery: .live)
      reader = try FrameReader(descriptor: writer.descriptor, segmentBytes: writer.segmentBytes)
      (tornCount, lappedCount) = (torn, lapped)
      for _ in 0..<frames { publish() }
    }

    /// Publishes a frame whose values all are its sequence.
    private func publish() {
      let sequence = writer.sequence + 1
      let values = (writer.claim().memory + Int(layout.columns[0].valuesOffset))
        .assumingMemoryBound(to: Float.self)
      for index in 0..<8 { values[index] = Float(sequence) }
      writer.publish(
        FrameStamp(
          tick: sequence + 10, simTimeNs: sequence * 100, publishTimeNs: sequence * 7,
          stateHash: sequence ^ 0xabcd))
    }

    var layout: FrameLayout { reader.layout }
    var staticPart: UnsafeRawBufferPointer { reader.staticPart }
    var generation: UInt64 { reader.generation }
    var delivery: Delivery { .live }
    var published: UInt64 { reader.published }
    var overwrittenAfter: UInt64? { reader.overwrittenAfter }
    var frames: (any FrameRing)? { self }

    func acquire(_ sequence: UInt64) -> FrameAcquisition {
      lookCount += 1
      if lappedCount > 0 {
        lappedCount -= 1
        publish()
        publish()
      }
      return reader.acquire(sequence)
    }

    func isWhole(_ view: FrameView) -> Bool {
      copyCount += 1
      if tornCount > 0 {
        tornCount -= 1
        publish()
        publish()
      }
      return reader.isWhole(view)
    }
  }

  /// Fields and attachments of a snapshot that was taken.
  private static func done(
    _ reply: ControlReply
  ) throws -> (fields: [String: DocumentValue], frame: [UInt8], scene: [UInt8]) {
    guard case .done(let fields, let attachments) = reply else {
      Issue.record("\(reply)")
      return try #require(nil)
    }
    try #require(attachments.count == 2)
    return (fields, attachments[0], attachments[1])
  }

  @Test(arguments: [0, 1, Snapshot.triesMax - 1])
  func frameThatIsOvertakenWhileItIsCopiedIsNotShown(times: Int) throws {
    let ring = try Overtaken(torn: times)
    let (fields, frame, scene) = try Self.done(Snapshot.take(ring))
    let sequence = UInt64(1 + 2 * times)
    #expect(ring.copyCount == times + 1)
    #expect(fields.count("sequence") == sequence)
    #expect(fields.count("tick") == sequence + 10)
    #expect(fields.count("sim_time_ns") == sequence * 100)
    #expect(fields.count("publish_time_ns") == sequence * 7)
    #expect(fields["state_hash"] == .word(sequence ^ 0xabcd))
    #expect(fields["layout_hash"] == .word(ring.layout.layoutHash))
    #expect(fields["generation"] == .word(77))
    #expect(fields.count("frame_bytes") == ring.layout.frameBytes)
    #expect(scene == [7, 8])
    #expect(UInt64(frame.count) == ring.layout.frameBytes)
    frame.withUnsafeBytes { bytes in
      let view = FrameView(sequence: sequence, bytes: bytes)
      #expect(view.stamp().tick == sequence + 10)
      #expect(view.values(ring.layout.columns[0]).allSatisfy { $0 == Float(sequence) })
    }
  }

  @Test func frameThatIsOvertakenBeforeItIsFoundIsLookedForAgain() throws {
    let ring = try Overtaken(lapped: Snapshot.triesMax - 1)
    let (fields, _, _) = try Self.done(Snapshot.take(ring))
    #expect(fields.count("sequence") == ring.published)
    #expect(ring.lookCount == Snapshot.triesMax)
  }

  @Test func runThatIsAlwaysFasterIsToBePaused() throws {
    for ring in [try Overtaken(torn: .max), try Overtaken(lapped: .max)] {
      #expect(
        Snapshot.take(ring)
          == .refused("frames are overwritten before they can be copied; pause the run first"))
      #expect(ring.lookCount == Snapshot.triesMax)
    }
  }

  @Test func runWithoutAFrameSaysSo() throws {
    let ring = try Overtaken(frames: 0)
    #expect(Snapshot.take(ring) == .refused("no frame was published yet"))
    #expect(ring.lookCount == 0)
  }
}
