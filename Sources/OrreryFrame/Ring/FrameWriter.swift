// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import OrreryBase

/// How frames reach their readers.
package enum Delivery: UInt32, Sendable {
  /// The writer never waits; a reader that is too slow misses frames and learns which.
  case live = 0
  /// The writer waits for every registered reader; nothing is skipped.
  case lockstep = 1
}

/// The numbers that describe a frame, apart from its values.
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

  /// Writes the numbers to the head of a frame, whose tags are there.
  ///
  /// - Parameters:
  ///   - sequence: Number of the frame.
  ///   - frame: Start of the frame.
  @inline(__always)
  package func write(sequence: UInt64, to frame: UnsafeMutableRawPointer) {
    FrameField.sequence.store(sequence, to: frame)
    FrameField.tick.store(tick, to: frame)
    FrameField.simTimeNs.store(simTimeNs, to: frame)
    FrameField.publishTimeNs.store(publishTimeNs, to: frame)
    FrameField.stateHash.store(stateHash, to: frame)
  }
}

/// The places of the frames that a writer has claimed.
package struct Claim {
  /// Sequence of the next frame.
  package let sequence: UInt64

  /// Frames after the next one that are claimed with it.
  package let ahead: Int

  /// The memory of the next frame, to be filled at `layout.columns[…].valuesOffset`.
  package let memory: UnsafeMutableRawPointer

  /// The writer's place of each slot; valid as long as the writer.
  fileprivate let slotPlaces: UnsafeMutableBufferPointer<Int>

  /// The index of the place of a claimed frame.
  ///
  /// - Parameter ahead: Frames after the next one.
  /// - Returns: The index, from 0.
  package func place(ahead: Int = 0) -> Int {
    precondition((0...self.ahead).contains(ahead), "\(ahead) slots ahead of \(self.ahead)")
    return slotPlaces[Int((sequence + UInt64(ahead)) % UInt64(slotPlaces.count))]
  }
}

/// The writing end of a ring: claim a slot, fill its place, publish it.
///
/// It owns the segment; readers that hold the descriptor keep the memory alive after the writer is
/// gone. One thread writes; other threads may read `sequence`. The writer reads nothing that a
/// reader writes, so no reader can delay it: lockstep delivery waits outside, before a claim.
///
/// Another thread may send frames directly from the ring: it pins them (`pin`), and the writer
/// takes a spare place for the slot instead of waiting.
package final class FrameWriter: @unchecked Sendable {
  /// Layout of all frames.
  package let layout: FrameLayout

  /// Drawn at random for the run.
  package let generation: UInt64

  /// How frames reach their readers.
  package let delivery: Delivery

  /// The descriptor that readers map.
  package let descriptor: FileDescriptor

  /// Count of slots in the ring, and so of the frames that it holds.
  package let slotCount: UInt64

  /// Count of places beyond the slots: frames that may be pinned at once.
  package let spareCount: UInt64

  /// Stamps' `publishTimeNs` minus `Clock.monotonicNs()`: fixed when the run begins, so that dates
  /// never go back.
  package let clockOffsetNs: Int64

  /// Count of slots after the next one that may be claimed with it.
  package let lookAhead: UInt64

  /// The kind of file that holds the ring.
  package let carrier: Carrier

  /// The ring's name, if it has one.
  private let name: SegmentName?

  private let segment: SharedSegment
  private let publishedWord: UnsafeMutablePointer<UInt64>
  private let endedWord: UnsafeMutablePointer<UInt64>
  private let directory: UnsafeMutableRawPointer
  private let places: UnsafeMutableRawPointer
  private let placeStride: UInt64
  private let pins: PlacePins

  /// The place of each slot, a copy of the directory: a load from the directory would wait for a
  /// cache line that readers hold.
  private let slotPlaces: UnsafeMutableBufferPointer<Int>

  /// Places that no slot uses; the last one was in use last and is still in a cache.
  private var spares: [Int]

  /// Sequence of the frame being filled, or of the newest whole one.
  private var claimed: UInt64 = 0

  /// The highest sequence that a slot is marked for.
  private var marked: UInt64 = 0

  /// Makes a ring.
  ///
  /// - Parameters:
  ///   - layout: Of every frame.
  ///   - slotCount: 2 … 65,536.
  ///   - spareCount: Frames that may be pinned at once, 0 … 65,536.
  ///   - staticPart: The encoded `orrery.SceneLayout`.
  ///   - generation: Drawn at random for the run.
  ///   - delivery: How frames reach their readers.
  ///   - clockOffsetNs: Stamps' `publishTimeNs` minus `Clock.monotonicNs()`.
  ///   - lookAhead: Slots that may be claimed beyond the next; at most `slotCount` − 2, so that the
  ///     newest frame is never overwritten.
  ///   - carrier: The kind of file that holds the ring.
  /// - Throws: `FrameError.notEnoughMemory` or `system`; for a named carrier also `notEnoughSpace`, `segmentTaken`,
  ///   `unsafeSegment` and `notARing`.
  package init(
    layout: FrameLayout, slotCount: UInt64, spareCount: UInt64 = 0, staticPart: [UInt8],
    generation: UInt64, delivery: Delivery, clockOffsetNs: Int64 = 0, lookAhead: UInt64 = 0,
    carrier: Carrier = .memory
  ) throws(FrameError) {
    precondition((2...65_536).contains(slotCount), "slot count \(slotCount)")
    precondition(spareCount <= 65_536, "spare count \(spareCount)")
    precondition(lookAhead <= slotCount - 2, "look-ahead \(lookAhead) of \(slotCount) slots")
    let map = SegmentMap(
      columnCount: UInt64(layout.columns.count), slotCount: slotCount, spareCount: spareCount,
      staticBytes: UInt64(staticPart.count), frameBytes: layout.frameBytes)
    let segment: SharedSegment
    switch carrier {
    case .memory:
      let file = try SharedSegment.makeFile(bytes: map.segmentBytes)
      segment = try SharedSegment(writing: file, bytes: map.segmentBytes)
      descriptor = file
      name = nil
    case .named(let text):
      let name = try SegmentName(text, bytes: map.segmentBytes)
      segment = try SharedSegment(writing: name.file, bytes: map.segmentBytes, isSealed: false)
      descriptor = try name.readOnly()
      self.name = name
    }
    self.carrier = carrier
    self.layout = layout
    self.generation = generation
    self.delivery = delivery
    self.clockOffsetNs = clockOffsetNs
    self.slotCount = slotCount
    self.spareCount = spareCount
    self.lookAhead = lookAhead
    let placeCount = Int(slotCount + spareCount)
    pins = PlacePins(placeCount: placeCount, limit: spareCount)
    slotPlaces = .allocate(capacity: Int(slotCount))
    _ = slotPlaces.initialize(from: 0..<Int(slotCount))
    spares = Array(Int(slotCount)..<placeCount)
    placeStride = map.placeStride
    let base = segment.base
    publishedWord = (base + RingWord.published).assumingMemoryBound(to: UInt64.self)
    endedWord = (base + RingWord.ended).assumingMemoryBound(to: UInt64.self)
    directory = base + Int(map.directoryOffset)
    places = base + Int(map.placesOffset)
    self.segment = segment

    for (offset, part) in [
      (map.columnsOffset, layout.columnTable), (map.staticOffset, staticPart),
    ] {
      UnsafeMutableRawBufferPointer(start: base + Int(offset), count: part.count)
        .copyBytes(from: part)
    }
    let template = FrameTemplate(layout, generation: generation)
    for place in 0..<placeCount { template.write(to: self.place(at: place)) }
    for slot in 0..<slotCount { word_store_relaxed(word(.place, of: slot), slot) }
    base.storeBytes(of: header(map, delivery: delivery), as: ring_header.self)
    try name?.link()
  }

  deinit { slotPlaces.deallocate() }

  /// Numbers the first frame `sequence` + 1: the run went on while this writer was not there.
  ///
  /// Readers find that the frames before it are overwritten.
  ///
  /// - Precondition: No frame was claimed, and no reader has the ring yet.
  package func begin(after sequence: UInt64) {
    precondition(claimed == 0 && sequence <= FrameReader.sequenceMax, "\(claimed), \(sequence)")
    guard sequence > 0 else { return }
    for past in sequence - min(slotCount, sequence) + 1...sequence {
      word_store_relaxed(word(.sequenceEnd, of: past), past)
    }
    (claimed, marked) = (sequence, sequence)
    word_store_release(publishedWord, sequence)
  }

  /// Length of the segment in bytes.
  package var segmentBytes: UInt64 { segment.bytes }

  /// Sequence of the newest whole frame; 0 before the first.
  ///
  /// A thread that reads this sees everything that the publishing thread did before it published
  /// that frame.
  package var sequence: UInt64 { word_load_acquire(publishedWord) }

  /// Whether readers may have seen this frame, which is possible an instant before `sequence`
  /// includes it.
  package func isWhole(_ sequence: UInt64) -> Bool {
    sequence <= self.sequence
      || word_load_acquire(word(.sequenceEnd, of: sequence)) == sequence
  }

  /// Count of places in the ring: those of the slots, and the spare ones.
  package var placeCount: Int { Int(slotCount + spareCount) }

  /// The memory of a place, for as long as the writer lives.
  ///
  /// It holds the bytes that were last written there, of whichever frame.
  package func place(at index: Int) -> UnsafeMutableRawPointer {
    precondition(index >= 0 && index < placeCount, "place \(index) of \(placeCount)")
    return places + index * Int(placeStride)
  }

  /// The index of the place that begins at an address.
  package func place(of frame: UnsafeRawPointer) -> Int {
    (frame - UnsafeRawPointer(places)) / Int(placeStride)
  }

  /// Takes the slot of the next frame, and the slots of later frames that will be written early;
  /// their old frames are lost to readers from now on.
  ///
  /// - Parameter ahead: Slots beyond the next, 0 … `lookAhead`. Their frames are claimed again, and
  ///   published, in their turn.
  /// - Returns: The places of these frames.
  @discardableResult
  package func claim(ahead: Int = 0) -> Claim {
    precondition(claimed == sequence, "frame \(claimed) was claimed and not published")
    precondition(ahead >= 0 && ahead <= lookAhead, "\(ahead) slots ahead of \(lookAhead)")
    claimed += 1
    let last = claimed + UInt64(ahead)
    if marked < last {
      let fresh = (marked + 1)...last
      for sequence in fresh { word_store_relaxed(word(.sequenceBegin, of: sequence), sequence) }
      marked = last
      if spareCount == 0 {
        // Pairs with the acquire fence in `FrameReader.isWhole`: a reader that saw a byte of a new
        // frame also sees that the old one has ended.
        fence_release()
      } else {
        // The same, and pairs with the fence in `pin`: either `pin` sees the mark, or this thread
        // sees the pin.
        fence_full()
        for sequence in fresh { leavePinnedPlace(of: sequence) }
      }
    }
    return Claim(
      sequence: claimed, ahead: ahead, memory: claimedMemory, slotPlaces: slotPlaces)
  }

  /// The memory of the frame being filled.
  private var claimedMemory: UnsafeMutableRawPointer {
    place(at: slotPlaces[Int(claimed % slotCount)])
  }

  /// Gives a slot a spare place if its own is pinned.
  private func leavePinnedPlace(of sequence: UInt64) {
    let slot = Int(sequence % slotCount)
    let pinned = slotPlaces[slot]
    guard pins.isPinned(pinned) else { return }
    guard let index = spares.lastIndex(where: { !pins.isPinned($0) }) else {
      preconditionFailure("\(pins.count) of \(spareCount) spare places are pinned")
    }
    slotPlaces[slot] = spares.remove(at: index)
    word_store_relaxed(word(.place, of: sequence), UInt64(slotPlaces[slot]))
    spares.append(pinned)
  }

  /// Prefetches the memory that `publish` will write.
  ///
  /// The values of a large frame push this memory out of the caches, and its pages out of the
  /// translation buffer. Call this if other work remains between the last value and `publish`.
  package func prefetchForPublish() {
    linux_prefetch(claimedMemory)
    linux_prefetch(word(.sequenceEnd, of: claimed))
    linux_prefetch(publishedWord)
  }

  /// Makes the claimed frame visible.
  ///
  /// - Returns: Its sequence.
  @discardableResult
  package func publish(_ stamp: FrameStamp) -> UInt64 {
    precondition(claimed == sequence + 1, "nothing was claimed after frame \(sequence)")
    let frame = claimedMemory
    stamp.write(sequence: claimed, to: frame)
    // Pairs with the acquire load in `FrameReader.acquire`.
    word_store_release(word(.sequenceEnd, of: claimed), claimed)
    // Pairs with the acquire load in `FrameReader.published`.
    word_store_release(publishedWord, claimed)
    return claimed
  }

  /// Marks the ring as ended: no frame will follow.
  package func end() {
    // Pairs with the acquire load in `FrameReader.hasEnded`.
    word_store_release(endedWord, 1)
  }

  /// Wakes all readers that sleep in `FrameReader.wait`; a system call.
  package func wakeReaders() {
    linux_futex_wake_shared(UnsafeRawPointer(publishedWord).assumingMemoryBound(to: UInt32.self))
  }

  private func word(
    _ word: RingWord.Slot, of sequence: UInt64
  ) -> UnsafeMutablePointer<UInt64> {
    (directory + RingWord.offset(word, slot: sequence % slotCount))
      .assumingMemoryBound(to: UInt64.self)
  }

  private func header(_ map: SegmentMap, delivery: Delivery) -> ring_header {
    var header = ring_header()
    header.magic = RING_MAGIC
    header.layout_version = UInt32(FRAME_LAYOUT_VERSION)
    header.delivery = delivery.rawValue
    header.segment_bytes = map.segmentBytes
    header.generation = generation
    header.layout_hash = layout.layoutHash
    header.columns_offset = map.columnsOffset
    header.column_count = UInt32(layout.columns.count)
    header.slot_count = UInt32(slotCount)
    header.directory_offset = map.directoryOffset
    header.static_offset = map.staticOffset
    header.static_bytes = map.staticBytes
    header.places_offset = map.placesOffset
    header.place_stride = map.placeStride
    header.frame_bytes = map.frameBytes
    header.look_ahead = UInt32(lookAhead)
    header.spare_count = UInt32(spareCount)
    header.clock_offset_ns = clockOffsetNs
    return header
  }
}

// MARK: - Frames that are being sent

extension FrameWriter {
  /// Keeps a frame in its place until it is unpinned.
  ///
  /// Call it on one thread, which need not be the writer's.
  ///
  /// - Parameter sequence: From 1.
  /// - Returns: Nil if the ring does not hold the frame, or if as many places are pinned as there
  ///   are spare ones.
  package func pin(_ sequence: UInt64) -> PinnedFrame? {
    // Pairs with the release store in `publish`.
    guard word_load_acquire(word(.sequenceEnd, of: sequence)) == sequence else { return nil }
    let place = Int(word_load_relaxed(word(.place, of: sequence)))
    guard pins.pin(place) else { return nil }
    // Pairs with the full fence in `claim`.
    fence_full()
    guard word_load_relaxed(word(.sequenceBegin, of: sequence)) == sequence else {
      pins.unpin(place)
      return nil
    }
    return PinnedFrame(
      sequence: sequence, place: place,
      bytes: UnsafeRawBufferPointer(start: self.place(at: place), count: Int(layout.frameBytes)))
  }

  /// Removes one pin of a place; any thread may call it, once for each pin.
  package func unpin(place: Int) { pins.unpin(place) }

  /// Count of pinned places.
  package var pinnedPlaceCount: UInt64 { pins.count }
}
