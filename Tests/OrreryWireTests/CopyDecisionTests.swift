// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: a subscriber that needs longer than the ring lasts gets whole frames all the same, and one that is quick enough
/// copies nothing.
///
/// Method: uses of known length told to the decision; frames of a real ring that are overwritten during their use.
@Suite struct CopyDecisionTests {
  /// Whether frames are copied after uses of these lengths, with ticks of 1 ms and a ring of eight.
  private static func copies(
    overwrittenAfter: UInt64? = 8, useNs: [UInt64], isWhole: Bool = true, step: UInt64 = 1
  ) -> Bool {
    var decision = CopyDecision(overwrittenAfter: overwrittenAfter)
    for (index, useNs) in useNs.enumerated() {
      let sequence = 1 + UInt64(index) * step
      decision.use(
        sequence: sequence, publishedNs: 5_000_000 + sequence * 1_000_000, useNs: useNs,
        isWhole: isWhole)
    }
    return decision.copies
  }

  @Test func useOfMoreThanAQuarterOfTheRingsTimeIsOfACopy() {
    #expect(!Self.copies(useNs: [2_000_000, 2_000_000]))
    #expect(Self.copies(useNs: [2_000_000, 2_000_001]))
    // Frames that were not wanted have passed meanwhile.
    #expect(!Self.copies(useNs: [2_000_000, 2_000_000], step: 5))
    #expect(Self.copies(useNs: [2_000_000, 2_000_001], step: 5))
    // The first frame does not say how long a tick is.
    #expect(!Self.copies(useNs: [1_000_000_000]))
    #expect(!Self.copies(overwrittenAfter: .max, useNs: [.max, .max]))
  }

  @Test func onceIsEnough() {
    #expect(Self.copies(useNs: [0, 3_000_000, 0, 0]))
  }

  @Test func overwrittenFrameIsReasonEnough() {
    #expect(Self.copies(useNs: [0], isWhole: false))
  }

  @Test func framesThatNobodyOverwritesAreNotCopied() {
    #expect(!Self.copies(overwrittenAfter: nil, useNs: [.max, .max]))
    #expect(!Self.copies(overwrittenAfter: nil, useNs: [0], isWhole: false))
  }

  /// After a pause a tick does not take longer than before.
  @Test func tickIsTheShortestThatWasSeen() {
    var decision = CopyDecision(overwrittenAfter: 8)
    let dates: [UInt64] = [1_000_000, 2_000_000, 900_000_000]
    for (index, date) in dates.enumerated() {
      decision.use(
        sequence: UInt64(index) + 1, publishedNs: date, useNs: index == 2 ? 2_000_001 : 0,
        isWhole: true)
    }
    #expect(decision.copies)
  }

  // MARK: - A copy

  private static func ring(_ delivery: Delivery = .live) throws -> (FrameWriter, FrameReader) {
    let columns = [ColumnDescription(batch: 0, field: 1, firstEntity: 0, valueCount: 8)]
    let writer = try FrameWriter(
      layout: FrameLayout(columns: columns), slotCount: 4, staticPart: [1, 2], generation: 3,
      delivery: delivery)
    return (
      writer, try FrameReader(descriptor: writer.descriptor, segmentBytes: writer.segmentBytes)
    )
  }

  private static func publish(_ writer: FrameWriter) {
    let value = Float(writer.sequence + 1)
    let frame = writer.claim().memory
    frame.storeBytes(
      of: value, toByteOffset: Int(writer.layout.columns[0].valuesOffset), as: Float.self)
    writer.publish(FrameStamp(tick: 0, simTimeNs: 0, publishTimeNs: 0, stateHash: 0))
  }

  @Test func copyStaysWhenTheFrameIsOverwritten() throws {
    let (writer, reader) = try Self.ring()
    let copy = try #require(FrameCopy(of: reader))
    Self.publish(writer)
    let first = try #require(reader.newest)
    let view = try #require(copy.take(first))
    for _ in 0..<4 { Self.publish(writer) }
    #expect(!reader.isWhole(first))
    #expect(copy.isWhole(view))
    #expect(view.sequence == 1)
    #expect(view.values(reader.layout.columns[0])[0] == 1)
    #expect(UInt(bitPattern: view.bytes.baseAddress) % 64 == 0)
    // It is too late for the frame, and for one of another length.
    #expect(copy.take(first) == nil)
    let part = UnsafeRawBufferPointer(rebasing: view.bytes[..<64])
    #expect(copy.take(FrameView(sequence: 5, bytes: part)) == nil)
    // As to everything else it is the run.
    #expect(copy.layout == reader.layout && copy.generation == 3)
    #expect(Array(copy.staticPart) == [1, 2])
    #expect(copy.frames?.newest?.sequence == 5)
    #expect(copy.overwrittenAfter == nil)
  }

  @Test func ringSaysHowLongAFrameLasts() throws {
    let (writer, reader) = try Self.ring()
    #expect(reader.newest == nil)
    #expect(reader.overwrittenAfter == 4)
    for _ in 0..<5 { Self.publish(writer) }
    #expect(reader.newest?.sequence == 5)
    #expect(try Self.ring(.lockstep).1.overwrittenAfter == nil)
  }
}
