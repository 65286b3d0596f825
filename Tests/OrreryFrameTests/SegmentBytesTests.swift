// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import Glibc
import OrreryFrame
import TestSupport
import Testing

/// Goal: the bytes of a ring are what CFrameLayout.h says, whoever reads them.
///
/// Method: the segment read as a file, and its parts looked for where the map says; one store of `publish` made by
/// hand, for the state between its last two.
@Suite struct SegmentBytesTests {
  private static func bytes(_ writer: FrameWriter) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(writer.segmentBytes))
    let count = pread(writer.descriptor.number, &bytes, bytes.count, 0)
    try #require(count == bytes.count)
    return bytes
  }

  /// Begin, end and place of each slot.
  private static func slots(_ writer: FrameWriter, _ map: SegmentMap) throws -> [[UInt64]] {
    let bytes = try bytes(writer)
    return (0..<Int(writer.slotCount)).map { index in
      let offset = Int(map.directoryOffset) + 64 * index
      let slot = bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: offset, as: ring_slot.self)
      }
      return [slot.sequence_begin, slot.sequence_end, slot.place]
    }
  }

  private static func map(_ writer: FrameWriter, staticBytes: UInt64) -> SegmentMap {
    SegmentMap(
      columnCount: UInt64(writer.layout.columns.count), slotCount: writer.slotCount,
      spareCount: writer.spareCount, staticBytes: staticBytes, frameBytes: writer.layout.frameBytes)
  }

  @Test func headerSaysEverythingOfTheRing() throws {
    let writer = try FrameWriter(
      layout: FrameLayout(counts: [8, 3]), slotCount: 5, spareCount: 2, staticPart: [9, 8, 7],
      generation: 77, delivery: .lockstep, clockOffsetNs: -12_345, lookAhead: 3)
    for _ in 0..<3 { writer.publishNext() }
    writer.end()
    let map = Self.map(writer, staticBytes: 3)
    let bytes = try Self.bytes(writer)
    let header = bytes.withUnsafeBytes { $0.loadUnaligned(as: ring_header.self) }
    #expect(header.magic == RING_MAGIC)
    #expect(header.layout_version == UInt32(FRAME_LAYOUT_VERSION))
    #expect(header.delivery == UInt32(DELIVERY_LOCKSTEP))
    #expect(header.segment_bytes == UInt64(bytes.count))
    #expect(header.generation == 77)
    #expect(header.layout_hash == writer.layout.layoutHash)
    #expect(header.columns_offset == 4_096)
    #expect(header.column_count == 2)
    #expect(header.slot_count == 5)
    #expect(header.directory_offset == map.directoryOffset)
    #expect(header.static_offset == map.staticOffset)
    #expect(header.static_bytes == 3)
    #expect(header.places_offset == map.placesOffset)
    #expect(header.place_stride == map.placeStride)
    #expect(header.frame_bytes == writer.layout.frameBytes)
    #expect(header.look_ahead == 3)
    #expect(header.spare_count == 2)
    #expect(header.clock_offset_ns == -12_345)
    #expect(header.published == 3)
    #expect(header.ended == 1)
    let part = Array(bytes[Int(map.staticOffset)..<Int(map.staticOffset) + 3])
    #expect(part == [9, 8, 7])
    let reader = try writer.makeReader()
    #expect(reader.clockOffsetNs == -12_345)
    #expect(reader.lookAhead == 3)
  }

  @Test func ringHasNoMoreThanWasAskedFor() throws {
    let writer = try FrameWriter(
      layout: FrameLayout(counts: [8]), slotCount: 4, staticPart: [], generation: 1, delivery: .live
    )
    #expect(writer.spareCount == 0)
    #expect(writer.placeCount == 4)
    #expect(writer.lookAhead == 0)
    #expect(writer.clockOffsetNs == 0)
    #expect(writer.carrier == .memory)
    #expect(writer.pinnedPlaceCount == 0)
    #expect(writer.segmentBytes == Self.map(writer, staticBytes: 0).segmentBytes)
    let header = try Self.bytes(writer).withUnsafeBytes { $0.loadUnaligned(as: ring_header.self) }
    #expect(header.published == 0)
    #expect(header.ended == 0)
  }

  /// Before anything of it is mapped: what is mapped and not there ends the process.
  @Test(arguments: [1, 4_096, 4_097, 1 << 20] as [UInt64])
  func memoryFileIsAsLongAsWasAskedFor(bytes: UInt64) throws {
    let file = try SharedSegment.makeFile(bytes: bytes)
    var status = stat()
    let failure = fstat(file.number, &status)
    #expect(failure == 0)
    #expect(UInt64(status.st_size) == bytes)
  }

  @Test func directoryTellsTheFrameAndThePlaceOfEachSlot() throws {
    let writer = try FrameWriter(slots: 3, spares: 2, lookAhead: 1)
    let map = Self.map(writer, staticBytes: 3)
    #expect(try Self.slots(writer, map) == [[0, 0, 0], [0, 0, 1], [0, 0, 2]])
    for _ in 0..<4 { writer.publishNext() }
    #expect(try Self.slots(writer, map) == [[3, 3, 0], [4, 4, 1], [2, 2, 2]])
    // The slots of the next two frames are marked; the first one's place is pinned, so it gets the last spare one.
    #expect(writer.pin(2) != nil)
    let claim = writer.claim(ahead: 1)
    #expect(try Self.slots(writer, map) == [[6, 3, 0], [4, 4, 1], [5, 2, 4]])
    #expect(claim.place() == 4)
    #expect(claim.place(ahead: 1) == 0)
    writer.publish(.test(sequence: 5))
    #expect(try Self.slots(writer, map) == [[6, 3, 0], [4, 4, 1], [5, 5, 4]])
  }

  @Test func placesThatWereNotClaimedHaveNoNumber() async {
    await #expect(processExitsWith: .failure) {
      let writer = try FrameWriter(slots: 9, lookAhead: 3)
      _ = writer.claim(ahead: 1).place(ahead: 2)
    }
  }

  @Test func writerKnowsWhatReadersMayHaveSeen() throws {
    let writer = try FrameWriter(slots: 3)
    #expect(writer.isWhole(0))
    #expect(!writer.isWhole(1))
    for _ in 0..<7 { writer.publishNext() }
    // Overwritten or not.
    #expect((0...7).allSatisfy { writer.isWhole($0) })
    #expect(!writer.isWhole(8))
    writer.claim()
    #expect(!writer.isWhole(8))
    #expect(!writer.isWhole(10))
  }

  /// A reader that looks at the slot sees the frame an instant before `published` says so, and may report it.
  @Test func frameIsThereAnInstantBeforeTheRingSaysSo() throws {
    let ring = try ServedRing()
    let writer = ring.writer
    writer.publishNext()
    let client = try ring.join()
    let map = Self.map(writer, staticBytes: 3)
    writer.fill(writer.claim().memory, sequence: 2)
    // All that `publish` does but its last store.
    let directory = writer.place(at: 0) - Int(map.placesOffset) + Int(map.directoryOffset)
    (directory + 2 * 64 + 8).storeBytes(of: 2, as: UInt64.self)
    #expect(writer.sequence == 1)
    #expect(writer.isWhole(2))
    #expect(client.reader.published == 1)
    #expect(client.reader.acquire(2).summary == "frame 2")
    client.report(sequence: 2, missed: 0)
    try waitUntil("progress 2, or the end of the lease") {
      ring.report("subscriber")?.progress == 2 || client.isLeaseOver
    }
    #expect(ring.report("subscriber")?.progress == 2)
    #expect(!client.isLeaseOver)
    writer.publish(.test(sequence: 2))
    #expect(client.reader.acquire(2).view?.holdsTestValues(client.reader.layout) == true)
  }
}
