// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import OrreryBase

/// How frames reach their readers.
package enum Delivery: UInt32, Sendable {
  /// The writer never waits; a reader that is too slow misses frames and learns which.
  case live = 0
  /// The writer waits for every registered reader; nothing is skipped.
  case lockstep = 1
}

/// What a frame says of itself, apart from its values.
package struct FrameStamp: Equatable, Sendable {
  /// Ticks since the scene began.
  package var tick: UInt64
  /// Tick divided by the tick rate, ns.
  package var simTimeNs: UInt64
  /// Wall time, ns since 1970.
  package var publishTimeNs: UInt64
  /// Hash of all values.
  package var stateHash: UInt64

  package init(tick: UInt64, simTimeNs: UInt64, publishTimeNs: UInt64, stateHash: UInt64) {
    self.tick = tick
    self.simTimeNs = simTimeNs
    self.publishTimeNs = publishTimeNs
    self.stateHash = stateHash
  }
}

/// The writing end of a ring: claim a slot, fill it, publish it.
///
/// It owns the segment; readers that hold the descriptor keep the memory alive after it has gone.
/// One thread writes; `sequence` may be read by others. It reads nothing that a reader writes, so no
/// reader can delay it: the waiting of lockstep delivery happens outside, before a claim.
package final class FrameWriter: @unchecked Sendable {
  package let layout: FrameLayout

  /// Drawn at random for the run.
  package let generation: UInt64

  /// The descriptor that readers map.
  package let descriptor: FileDescriptor

  /// Slots in the ring.
  package let slotCount: UInt64

  /// Slots after the next one that may be claimed with it.
  package let lookAhead: UInt64

  private let segment: SharedSegment
  private let header: UnsafeMutablePointer<ring_header>
  private let directory: UnsafeMutablePointer<ring_slot>
  private let slots: UnsafeMutableRawPointer
  private let slotStride: UInt64

  /// Sequence of the frame being filled, or of the newest whole one.
  private var claimed: UInt64 = 0

  /// The last sequence that a slot is marked for.
  private var marked: UInt64 = 0

  /// Makes a ring.
  ///
  /// - Parameters:
  ///   - layout: Of every frame.
  ///   - slotCount: 2 … 65,536.
  ///   - staticPart: The encoded `orrery.SceneLayout`.
  ///   - generation: Drawn at random for the run.
  ///   - delivery: How frames reach their readers.
  ///   - lookAhead: Slots that may be claimed beyond the next; at most `slotCount` − 2, so that the
  ///     newest frame is never overwritten.
  /// - Throws: `FrameError.notEnoughMemory` or `system`.
  package init(
    layout: FrameLayout, slotCount: UInt64, staticPart: [UInt8], generation: UInt64,
    delivery: Delivery, lookAhead: UInt64 = 0
  ) throws(FrameError) {
    precondition((2...65_536).contains(slotCount), "slot count \(slotCount)")
    precondition(lookAhead <= slotCount - 2, "look-ahead \(lookAhead) of \(slotCount) slots")
    let map = SegmentMap(
      columnCount: UInt64(layout.columns.count), slotCount: slotCount,
      staticBytes: UInt64(staticPart.count), frameBytes: layout.frameBytes)
    let descriptor = try SharedSegment.makeFile(bytes: map.segmentBytes)
    let segment = try SharedSegment(writing: descriptor, bytes: map.segmentBytes)
    self.layout = layout
    self.generation = generation
    self.slotCount = slotCount
    self.lookAhead = lookAhead
    self.descriptor = descriptor
    slotStride = map.slotStride
    header = segment.base.bindMemory(to: ring_header.self, capacity: 1)
    directory = (segment.base + Int(map.directoryOffset))
      .bindMemory(to: ring_slot.self, capacity: Int(slotCount))
    slots = segment.base + Int(map.slotsOffset)
    let base = segment.base
    self.segment = segment

    writeColumnTable(at: base + Int(map.columnsOffset))
    staticPart.withUnsafeBytes { bytes in
      UnsafeMutableRawBufferPointer(
        start: base + Int(map.staticOffset), count: staticPart.count
      ).copyMemory(from: bytes)
    }
    for slot in 0..<slotCount {
      layout.writeConstantPart(
        to: slots + Int(slot * slotStride), generation: generation)
    }
    writeHeader(map, delivery: delivery)
  }

  /// Length of the segment in bytes.
  package var segmentBytes: UInt64 { segment.bytes }

  /// Sequence of the newest whole frame; 0 before the first.
  package var sequence: UInt64 { word_load_relaxed(pointer(to: \.published)) }

  /// Index of the slot that was claimed last; 0 before the first.
  ///
  /// A slot lies at the same place as long as the writer lives, and holds what was written there when it
  /// was claimed before.
  package var claimedSlot: Int { Int(claimed % slotCount) }

  /// The slot of an index, for as long as the writer lives; frame n lies in slot n mod `slotCount`.
  package func slot(at index: Int) -> UnsafeMutableRawPointer {
    precondition(index >= 0 && index < slotCount, "slot \(index) of \(slotCount)")
    return slots + index * Int(slotStride)
  }

  /// Takes the slot of the next frame, and those of frames after it that are going to be written
  /// early; whatever they held is gone for readers from now on.
  ///
  /// - Parameter ahead: Slots beyond the next, 0 … `lookAhead`. Their frames are claimed again, and
  ///   published, in their turn.
  /// - Returns: The next slot, to be filled at `layout.columns[…].valuesOffset`.
  @discardableResult
  package func claim(ahead: Int = 0) -> UnsafeMutableRawPointer {
    precondition(claimed == sequence, "frame \(claimed) was claimed and not published")
    precondition(ahead >= 0 && ahead <= lookAhead, "\(ahead) slots ahead of \(lookAhead)")
    claimed += 1
    let last = claimed + UInt64(ahead)
    if marked < last {
      for sequence in (marked + 1)...last {
        let state = directory + Int(sequence % slotCount)
        word_store_relaxed(Self.pointer(to: \.sequence_begin, in: state), sequence)
      }
      marked = last
      // Pairs with the acquire fence in `FrameReader.isWhole`: who saw a byte of a new frame also
      // sees that the old one has ended.
      fence_release()
    }
    return slot(at: claimedSlot)
  }

  /// Makes the claimed frame visible.
  ///
  /// - Returns: Its sequence.
  @discardableResult
  package func publish(_ stamp: FrameStamp) -> UInt64 {
    precondition(claimed == sequence + 1, "nothing was claimed after frame \(sequence)")
    let frame = slot(at: claimedSlot)
    FrameField.sequence.store(claimed, to: frame)
    FrameField.tick.store(stamp.tick, to: frame)
    FrameField.simTimeNs.store(stamp.simTimeNs, to: frame)
    FrameField.publishTimeNs.store(stamp.publishTimeNs, to: frame)
    FrameField.stateHash.store(stamp.stateHash, to: frame)
    // Pairs with the acquire load in `FrameReader.acquire`.
    word_store_release(
      Self.pointer(to: \.sequence_end, in: directory + claimedSlot), claimed)
    // Pairs with the acquire load in `FrameReader.published`.
    word_store_release(pointer(to: \.published), claimed)
    return claimed
  }

  /// Says that no frame will follow.
  package func end() {
    // Pairs with the acquire load in `FrameReader.hasEnded`.
    word_store_release(pointer(to: \.ended), 1)
  }

  private func pointer(
    to field: WritableKeyPath<ring_header, UInt64>
  ) -> UnsafeMutablePointer<UInt64> {
    Self.pointer(to: field, in: header)
  }

  private static func pointer<Root>(
    to field: WritableKeyPath<Root, UInt64>, in root: UnsafeMutablePointer<Root>
  ) -> UnsafeMutablePointer<UInt64> {
    guard let offset = MemoryLayout<Root>.offset(of: field) else {
      preconditionFailure("\(field) has no offset")
    }
    return (UnsafeMutableRawPointer(root) + offset).assumingMemoryBound(to: UInt64.self)
  }

  private func writeColumnTable(at start: UnsafeMutableRawPointer) {
    let table = start.bindMemory(to: ring_column.self, capacity: layout.columns.count)
    for (index, column) in layout.columns.enumerated() {
      table[index] = ring_column(
        batch: column.description.batch, field: column.description.field,
        first_entity: column.description.firstEntity,
        value_count: column.description.valueCount, values_offset: column.valuesOffset,
        format: column.description.format.code, unit: column.description.format.unit)
    }
  }

  private func writeHeader(_ map: SegmentMap, delivery: Delivery) {
    header.pointee.layout_version = UInt32(FRAME_LAYOUT_VERSION)
    header.pointee.delivery = delivery.rawValue
    header.pointee.segment_bytes = map.segmentBytes
    header.pointee.generation = generation
    header.pointee.layout_hash = layout.layoutHash
    header.pointee.columns_offset = map.columnsOffset
    header.pointee.column_count = UInt32(layout.columns.count)
    header.pointee.slot_count = UInt32(slotCount)
    header.pointee.directory_offset = map.directoryOffset
    header.pointee.static_offset = map.staticOffset
    header.pointee.static_bytes = map.staticBytes
    header.pointee.slots_offset = map.slotsOffset
    header.pointee.slot_stride = map.slotStride
    header.pointee.frame_bytes = map.frameBytes
    header.pointee.look_ahead = UInt32(lookAhead)
    header.pointee.magic = RING_MAGIC
  }
}
