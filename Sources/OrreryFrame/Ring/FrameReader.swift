// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Glibc
import OrreryBase

/// One frame in the ring, used in place.
///
/// It does not keep its reader alive, nor the memory that it looks at. Its bytes may be overwritten at
/// any moment: what was computed from them counts only if `FrameReader.isWhole` says so afterwards.
package struct FrameView {
  package let sequence: UInt64

  /// The `orrery.Frame` message.
  package let bytes: UnsafeRawBufferPointer

  /// Looks at a frame that lies somewhere else than in a ring.
  package init(sequence: UInt64, bytes: UnsafeRawBufferPointer) {
    self.sequence = sequence
    self.bytes = bytes
  }

  /// What the frame says of itself.
  package func stamp() -> FrameStamp { FrameStamp(frame: bytes) }

  /// The values of a column of floats in place.
  package func values(_ column: FrameLayout.Column) -> UnsafeBufferPointer<Float> {
    column.values(in: bytes)
  }
}

extension FrameStamp {
  /// Reads the numbers at the head of a frame.
  ///
  /// - Precondition: `frame` is at least as long as the head.
  package init(frame: UnsafeRawBufferPointer) {
    guard let start = frame.baseAddress, frame.count >= FrameField.allBytes else {
      preconditionFailure("a frame of \(frame.count) bytes")
    }
    self.init(
      tick: FrameField.tick.load(from: start), simTimeNs: FrameField.simTimeNs.load(from: start),
      publishTimeNs: FrameField.publishTimeNs.load(from: start),
      stateHash: FrameField.stateHash.load(from: start))
  }
}

/// What a reader finds when it asks for a frame.
package enum FrameAcquisition {
  /// Here it is; check `isWhole` after use.
  case frame(FrameView)
  /// It was not published yet.
  case notYet
  /// It was overwritten; the oldest frame that can still be had is given.
  case lapped(oldest: UInt64)
}

/// The reading end of a ring.
///
/// It can only read: the mapping is read-only and the file is sealed. Everything that the header says is copied once and checked against the segment's size before it
/// is used, so a corrupt segment is an error and never an access outside it.
package final class FrameReader: @unchecked Sendable {
  package let layout: FrameLayout
  package let generation: UInt64
  package let delivery: Delivery
  package let slotCount: UInt64

  /// Stamps' `publishTimeNs` less `Clock.monotonicNs()` of this machine.
  package let clockOffsetNs: Int64

  /// Slots after the next one that the writer may be writing already.
  package let lookAhead: UInt64

  private let segment: SharedSegment
  private let map: SegmentMap
  private let publishedWord: UnsafePointer<UInt64>
  private let endedWord: UnsafePointer<UInt64>

  /// Maps the ring behind a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: Of the ring's file.
  ///   - segmentBytes: Its length, as it was told.
  ///   - isSealed: Whether it must be sealed against truncation.
  /// - Throws: `FrameError` when it is not a ring, of another version, not sealed, or corrupt.
  package init(
    descriptor: borrowing FileDescriptor, segmentBytes: UInt64, isSealed: Bool = true
  ) throws(FrameError) {
    let headerBytes = UInt64(MemoryLayout<ring_header>.size)
    guard segmentBytes >= headerBytes, segmentBytes <= UInt64(Int.max) else {
      throw .corruptHeader(field: "segment_bytes", value: segmentBytes)
    }
    let segment = try SharedSegment(
      reading: descriptor, bytes: segmentBytes, isSealed: isSealed)
    let header = segment.base.load(as: ring_header.self)
    let parts = try Self.checked(header, segmentBytes: segmentBytes)
    self.map = parts.map
    self.delivery = parts.delivery
    self.layout = try Self.readLayout(header, map: parts.map, base: segment.base)
    generation = header.generation
    clockOffsetNs = header.clock_offset_ns
    slotCount = UInt64(header.slot_count)
    lookAhead = UInt64(header.look_ahead)
    publishedWord = UnsafeRawPointer(segment.base + RingWord.published)
      .assumingMemoryBound(to: UInt64.self)
    endedWord = UnsafeRawPointer(segment.base + RingWord.ended)
      .assumingMemoryBound(to: UInt64.self)
    self.segment = segment
  }

  /// Maps a ring that its sim has given a name, without joining: for tools that look on.
  ///
  /// - Parameter name: As given to the sim.
  /// - Throws: `FrameError`: as above, `unsafeSegment` when it is somebody else's or open to others, and `system` when there
  ///   is none.
  package convenience init(named name: String) throws(FrameError) {
    let path = Carrier.path(of: name)
    let file = try SegmentName.open(path)
    let bytes = lseek(file.number, 0, SEEK_END)
    guard bytes >= 0 else {
      throw .system(SystemCallError(call: "lseek", path: path, errno: errno))
    }
    try self.init(descriptor: file, segmentBytes: UInt64(bytes), isSealed: false)
  }

  /// The encoded `orrery.SceneLayout`.
  package var staticPart: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: segment.base + Int(map.staticOffset), count: Int(map.staticBytes))
  }

  /// Sequence of the newest whole frame; 0 before the first.
  package var published: UInt64 {
    // Pairs with the release store in `FrameWriter.publish`.
    min(word_load_acquire(publishedWord), Self.sequenceMax)
  }

  /// Whether no frame will follow `published`.
  ///
  /// Ask before reading `published` for the last time.
  package var hasEnded: Bool {
    // Pairs with the release store in `FrameWriter.end`.
    word_load_acquire(endedWord) != 0
  }

  /// Looks for a frame, without copying it.
  ///
  /// A frame can be there an instant before `published` says so.
  ///
  /// - Parameter sequence: From 1.
  /// - Returns: The frame, or why it cannot be had.
  package func acquire(_ sequence: UInt64) -> FrameAcquisition {
    precondition(sequence >= 1, "sequences begin at 1")
    let slot = sequence % slotCount
    // The slot's line alone tells a reader that waits that the frame is there: `published` is one line more that
    // two processors would contend for. Pairs with the release store of sequence_end in `FrameWriter.publish`.
    let end = word_load_acquire(word(.sequenceEnd, of: slot))
    guard end >= sequence else {
      // The frame's head comes on its way together with that line, not after it.
      linux_prefetch_for_reading(segment.base + offset(ofPlace: slot))
      return .notYet
    }
    guard end == sequence else { return .lapped(oldest: oldest) }
    guard sequence <= Self.sequenceMax, let bytes = frame(in: slot) else {
      return .lapped(oldest: oldest)
    }
    let view = FrameView(sequence: sequence, bytes: bytes)
    return isWhole(view) ? .frame(view) : .lapped(oldest: oldest)
  }

  /// Sleeps until a frame after this one is published, or `FrameWriter.wakeReaders` is called for another reason.
  ///
  /// It may return early. A writer that dies wakes nobody.
  ///
  /// - Parameters:
  ///   - sequence: The newest frame known, as `published` gave it.
  ///   - timeoutNs: The longest sleep.
  package func wait(after sequence: UInt64, timeoutNs: UInt64) {
    linux_futex_wait_shared(
      UnsafeRawPointer(publishedWord).assumingMemoryBound(to: UInt32.self),
      UInt32(truncatingIfNeeded: sequence), timeoutNs)
  }

  /// Whether everything that was read from the frame up to now belongs to it.
  package func isWhole(_ view: FrameView) -> Bool {
    // Pairs with the release fence in `FrameWriter.claim`. Look-ahead sets the word early, and to a
    // later frame: what was there is gone as much as if that frame's turn had come.
    fence_acquire()
    return word_load_relaxed(word(.sequenceBegin, of: view.sequence % slotCount)) == view.sequence
  }

  /// Sequence of the oldest frame that the writer will not overwrite next.
  private var oldest: UInt64 {
    // The slot after the newest frame's may be under the writer's hands already, and those that it
    // looks ahead to.
    let end = published + 2 + lookAhead
    return end > slotCount + 1 ? end - slotCount : 1
  }

  /// The place that a slot names; nil if there is none of that number.
  private func frame(in slot: UInt64) -> UnsafeRawBufferPointer? {
    // Without spare places a slot keeps its own: the frame's address does not have to wait for the slot's line.
    let place = map.placeCount == slotCount ? slot : word_load_relaxed(word(.place, of: slot))
    guard place < map.placeCount else { return nil }
    return UnsafeRawBufferPointer(
      start: segment.base + offset(ofPlace: place), count: Int(map.frameBytes))
  }

  private func offset(ofPlace place: UInt64) -> Int {
    Int(map.placesOffset + place * map.placeStride)
  }

  private func word(_ word: RingWord.Slot, of slot: UInt64) -> UnsafePointer<UInt64> {
    UnsafeRawPointer(segment.base + Int(map.directoryOffset) + RingWord.offset(word, slot: slot))
      .assumingMemoryBound(to: UInt64.self)
  }

  /// No ring gets there; a corrupt segment that says so must not make arithmetic overflow.
  package static let sequenceMax: UInt64 = 1 << 62
}

extension FrameReader {
  /// Checks a local copy of the header: every part must lie where this program would put it.
  private static func checked(
    _ header: ring_header, segmentBytes: UInt64
  ) throws(FrameError) -> (map: SegmentMap, delivery: Delivery) {
    guard header.magic == RING_MAGIC else { throw .notARing(found: header.magic) }
    guard header.layout_version == UInt32(FRAME_LAYOUT_VERSION) else {
      throw .layoutVersion(
        found: header.layout_version, expected: UInt32(FRAME_LAYOUT_VERSION))
    }
    guard let delivery = Delivery(rawValue: header.delivery) else {
      throw .corruptHeader(field: "delivery", value: UInt64(header.delivery))
    }
    guard (2...65_536).contains(header.slot_count) else {
      throw .corruptHeader(field: "slot_count", value: UInt64(header.slot_count))
    }
    guard header.look_ahead <= header.slot_count - 2 else {
      throw .corruptHeader(field: "look_ahead", value: UInt64(header.look_ahead))
    }
    guard header.spare_count <= 65_536 else {
      throw .corruptHeader(field: "spare_count", value: UInt64(header.spare_count))
    }
    guard header.column_count <= 65_536 else {
      throw .corruptHeader(field: "column_count", value: UInt64(header.column_count))
    }
    guard header.frame_bytes <= FrameLayout.frameBytesMax else {
      throw .corruptHeader(field: "frame_bytes", value: header.frame_bytes)
    }
    guard header.static_bytes <= segmentBytes else {
      throw .corruptHeader(field: "static_bytes", value: header.static_bytes)
    }
    let map = SegmentMap(
      columnCount: UInt64(header.column_count), slotCount: UInt64(header.slot_count),
      spareCount: UInt64(header.spare_count), staticBytes: header.static_bytes,
      frameBytes: header.frame_bytes)
    let expected: [(String, UInt64, UInt64)] = [
      ("segment_bytes", header.segment_bytes, map.segmentBytes),
      ("segment_bytes", header.segment_bytes, segmentBytes),
      ("columns_offset", header.columns_offset, map.columnsOffset),
      ("directory_offset", header.directory_offset, map.directoryOffset),
      ("static_offset", header.static_offset, map.staticOffset),
      ("places_offset", header.places_offset, map.placesOffset),
      ("place_stride", header.place_stride, map.placeStride),
    ]
    for (field, found, computed) in expected where found != computed {
      throw .corruptHeader(field: field, value: found)
    }
    return (map, delivery)
  }

  /// Computes the layout from the column table and compares it with what the header says.
  private static func readLayout(
    _ header: ring_header, map: SegmentMap, base: UnsafeMutableRawPointer
  ) throws(FrameError) -> FrameLayout {
    let layout = try FrameLayout(
      columnTable: UnsafeRawBufferPointer(
        start: base + Int(map.columnsOffset),
        count: Int(header.column_count) * MemoryLayout<ring_column>.stride))
    guard layout.layoutHash == header.layout_hash else {
      throw .corruptHeader(field: "layout_hash", value: header.layout_hash)
    }
    guard layout.frameBytes == header.frame_bytes else {
      throw .corruptHeader(field: "frame_bytes", value: header.frame_bytes)
    }
    return layout
  }
}
