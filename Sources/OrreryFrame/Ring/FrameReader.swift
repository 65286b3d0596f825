// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Glibc
import OrreryBase

/// One frame in the ring, used in place.
///
/// It keeps neither its reader nor the frame's memory alive. The bytes may be overwritten at any
/// moment: a result computed from them counts only if `FrameReader.isWhole` returns true
/// afterwards.
///
/// A frame that is joined from several shards lies in pieces: heads in one memory, values in the rings.
package struct FrameView {
  /// Number of the frame.
  package let sequence: UInt64

  /// The `orrery.Frame` message; of a frame in pieces, its head.
  package let bytes: UnsafeRawBufferPointer

  /// The pieces of a joined frame, in order; empty if `bytes` has all.
  private let joined: [UnsafeRawBufferPointer]

  /// A view of a frame outside a ring.
  package init(sequence: UInt64, bytes: UnsafeRawBufferPointer) {
    (self.sequence, self.bytes, joined) = (sequence, bytes, [])
  }

  /// A view of a frame in pieces.
  ///
  /// - Parameters:
  ///   - sequence: Number of the frame.
  ///   - pieces: They make the message together; the first contains its head.
  package init(sequence: UInt64, pieces: [UnsafeRawBufferPointer]) {
    precondition(!pieces.isEmpty, "a frame without a head")
    (self.sequence, bytes, joined) = (sequence, pieces[0], pieces)
  }

  /// What makes the message together, in order.
  package var pieces: [UnsafeRawBufferPointer] { joined.isEmpty ? [bytes] : joined }

  /// Length of the message.
  package var byteCount: Int {
    joined.isEmpty ? bytes.count : joined.reduce(0) { $0 + $1.count }
  }

  /// The numbers at the head of the frame.
  package func stamp() -> FrameStamp { FrameStamp(frame: bytes) }

  /// The values of a column of floats in place.
  ///
  /// - Precondition: They lie in one piece.
  package func values(_ column: FrameLayout.Column) -> UnsafeBufferPointer<Float> {
    column.values(in: self)
  }

  /// A part of the message.
  ///
  /// - Precondition: It lies in one piece.
  func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    var start = 0
    for piece in joined {
      if range.lowerBound < start + piece.count || range.isEmpty {
        return UnsafeRawBufferPointer(
          rebasing: piece[range.lowerBound - start..<range.upperBound - start])
      }
      start += piece.count
    }
    return UnsafeRawBufferPointer(rebasing: bytes[range])
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

/// The answer to a request for a frame.
package enum FrameAcquisition {
  /// The frame; check `isWhole` after use.
  case frame(FrameView)
  /// The frame is not published yet.
  case notYet
  /// The frame was overwritten; `oldest` is the oldest frame that is still available.
  case lapped(oldest: UInt64)
}

/// The reading end of a ring.
///
/// The mapping is read-only, and a memory file is sealed against truncation. The header is copied
/// once and checked against the segment's size before use, so a corrupt segment is an error and
/// never an access outside it.
package final class FrameReader: @unchecked Sendable {
  /// Layout of all frames.
  package let layout: FrameLayout
  /// Drawn at random for the run.
  package let generation: UInt64
  /// Whether the writer waits for subscribers.
  package let delivery: Delivery
  /// Count of slots: the frames that the ring holds.
  package let slotCount: UInt64

  /// Stamps' `publishTimeNs` minus `Clock.monotonicNs()` of this machine.
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
  ///   - segmentBytes: Its length, from the sim.
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

  /// Maps a named ring without joining, for tools that only watch.
  ///
  /// - Parameter name: As given to the sim.
  /// - Throws: `FrameError`: as above; `unsafeSegment` when it belongs to another user or others
  ///   can access it; `system` when there is none.
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

  /// A time of this machine's monotonic clock as stamps have it.
  package func dateNs(monotonicNs: UInt64) -> UInt64 {
    UInt64(bitPattern: Int64(bitPattern: monotonicNs) &+ clockOffsetNs)
  }

  /// Sequence of the newest whole frame; 0 before the first.
  package var published: UInt64 {
    // Pairs with the release store in `FrameWriter.publish`.
    min(word_load_acquire(publishedWord), Self.sequenceMax)
  }

  /// Whether no frame will follow `published`.
  ///
  /// Read this before the last read of `published`.
  package var hasEnded: Bool {
    // Pairs with the release store in `FrameWriter.end`.
    word_load_acquire(endedWord) != 0
  }

  /// Finds a frame, without copying it.
  ///
  /// A frame can be available an instant before `published` includes it.
  ///
  /// - Parameter sequence: From 1.
  /// - Returns: The frame, or why it is not available.
  package func acquire(_ sequence: UInt64) -> FrameAcquisition {
    precondition(sequence >= 1, "sequences begin at 1")
    let slot = sequence % slotCount
    // A waiting reader loads only the slot's line: `published` is a second line that two processors
    // would contend for. Pairs with the release store of sequence_end in `FrameWriter.publish`.
    let end = word_load_acquire(word(.sequenceEnd, of: slot))
    guard end >= sequence else {
      // Loads the frame's head into the cache together with that line, not after it.
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
  /// It may return early. A writer that dies wakes no reader.
  ///
  /// - Parameters:
  ///   - sequence: The newest frame known, as `published` gave it.
  ///   - timeoutNs: The longest sleep.
  package func wait(after sequence: UInt64, timeoutNs: UInt64) {
    linux_futex_wait_shared(
      UnsafeRawPointer(publishedWord).assumingMemoryBound(to: UInt32.self),
      UInt32(truncatingIfNeeded: sequence), timeoutNs)
  }

  /// Whether all bytes read from the frame so far belong to it.
  package func isWhole(_ view: FrameView) -> Bool {
    // Pairs with the release fence in `FrameWriter.claim`. With look-ahead, the word is set early
    // and to a later frame: the old frame is gone from that moment.
    fence_acquire()
    return word_load_relaxed(word(.sequenceBegin, of: view.sequence % slotCount)) == view.sequence
  }

  /// Sequence of the oldest frame that the writer will not overwrite next.
  private var oldest: UInt64 {
    // The writer may already write to the slot after the newest frame's, and to the slots of its
    // look-ahead.
    let end = published + 2 + lookAhead
    return end > slotCount + 1 ? end - slotCount : 1
  }

  /// The bytes of a slot's place; nil if the place does not exist.
  private func frame(in slot: UInt64) -> UnsafeRawBufferPointer? {
    // Without spare places a slot keeps its own place: the frame's address then does not depend on
    // a load of the slot's line.
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

  /// The highest sequence that is accepted: no ring reaches it, and a corrupt segment must not make
  /// arithmetic overflow.
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
    guard header.column_count <= FrameLayout.columnsMax else {
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

  /// Computes the layout from the column table and compares it with the header.
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
