// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import TestSupport
import Testing

/// Goal: in every state of the ring a reader gets a whole frame, or learns why not.
///
/// Method: no threads. The writer's operations are separate calls, so each state is made by hand.
@Suite struct RingTests {
  @Test func nothingIsThereBeforeTheFirstFrame() throws {
    let writer = try FrameWriter()
    let reader = try writer.makeReader()
    #expect(reader.published == 0)
    #expect(writer.sequence == 0)
    #expect(!reader.hasEnded)
    for sequence in [1, 2, 4, 5, .max] as [UInt64] {
      #expect(reader.acquire(sequence).summary == "not yet")
    }
  }

  @Test func claimedFrameIsNotThereUntilItIsPublished() throws {
    let writer = try FrameWriter()
    let reader = try writer.makeReader()
    let slot = writer.claim().memory
    #expect(reader.acquire(1).summary == "not yet")
    writer.fill(slot, sequence: 1)
    #expect(reader.acquire(1).summary == "not yet")
    #expect(reader.published == 0)
    #expect(writer.sequence == 0)
    #expect(writer.publish(.test(sequence: 1)) == 1)
    #expect(reader.published == 1)
    let view = try #require(reader.acquire(1).view)
    #expect(view.holdsTestValues(reader.layout))
    #expect(reader.isWhole(view))
    #expect(reader.acquire(2).summary == "not yet")
  }

  @Test(arguments: [2, 3, 4, 5, 16] as [UInt64])
  func everyFrameOfManyLapsIsThereOrLapped(slots: UInt64) throws {
    let writer = try FrameWriter(counts: [5, 9], slots: slots)
    let reader = try writer.makeReader()
    for newest in 1...(slots * 5 + 1) {
      writer.publishNext()
      #expect(reader.published == newest)
      for sequence in 1...newest {
        // Between two frames every slot holds a whole one.
        if sequence + slots > newest {
          let view = try #require(reader.acquire(sequence).view)
          #expect(view.holdsTestValues(reader.layout))
          #expect(reader.isWhole(view))
        } else {
          // The oldest frame is not offered: it is the next that the writer overwrites.
          #expect(reader.acquire(sequence).summary == "lapped, oldest \(newest + 2 - slots)")
        }
      }
      #expect(reader.acquire(newest + 1).summary == "not yet")
    }
  }

  @Test func placesAreFoundByWhatLiesInThem() throws {
    let writer = try FrameWriter(counts: [5, 9], slots: 4, spares: 3)
    for index in 0..<writer.placeCount {
      #expect(writer.place(of: writer.place(at: index)) == index)
      #expect(
        writer.place(of: writer.place(at: index) + Int(writer.layout.frameBytes) - 1) == index)
    }
  }

  /// What the world relies on that leaves out what a slot holds already.
  @Test(arguments: [2, 3, 7] as [UInt64])
  func slotsKeepTheirPlaceAndWhatWasWritten(slots: UInt64) throws {
    let writer = try FrameWriter(counts: [40], slots: slots)
    let offset = Int(writer.layout.columns[0].valuesOffset)
    var places: [Int: UnsafeMutableRawPointer] = [:]
    for round in 0..<Int(slots) * 3 {
      let claim = writer.claim()
      let (slot, index) = (claim.memory, claim.place())
      let values = (slot + offset).assumingMemoryBound(to: Float.self)
      if round >= Int(slots) {
        #expect(places[index] == slot)
        #expect((0..<40).allSatisfy { values[$0] == Float(index + $0) })
      }
      places[index] = slot
      for place in 0..<40 { values[place] = Float(index + place) }
      writer.publish(.test(sequence: writer.sequence + 1))
    }
    #expect(Set(places.keys) == Set(0..<Int(slots)))
    #expect(Set(places.values).count == Int(slots))
  }

  @Test(arguments: [2, 3, 7] as [UInt64])
  func claimTakesTheOldestFrameAndNoOther(slots: UInt64) throws {
    let writer = try FrameWriter(slots: slots)
    let reader = try writer.makeReader()
    writer.publishNext()
    for newest in 1...(slots * 3) {
      let slot = writer.claim().memory
      // The first lap claims slots that hold nothing.
      if newest >= slots {
        let taken = newest + 1 - slots
        #expect(reader.acquire(taken).summary == "lapped, oldest \(taken + 1)")
      }
      for sequence in (newest >= slots ? newest + 2 - slots : 1)...newest {
        #expect(reader.acquire(sequence).view?.holdsTestValues(reader.layout) == true)
      }
      #expect(reader.acquire(newest + 1).summary == "not yet")
      writer.fill(slot, sequence: newest + 1)
      writer.publish(.test(sequence: newest + 1))
    }
  }

  /// The writer fills slots before their turn; what they held is gone, and nothing else.
  @Test(arguments: [(3, 1), (4, 2), (5, 3), (5, 1), (9, 7), (16, 7)] as [(UInt64, Int)])
  func claimTakesTheSlotsAheadAndNoOthers(slots: UInt64, ahead: Int) throws {
    let writer = try FrameWriter(counts: [5, 9], slots: slots, lookAhead: UInt64(ahead))
    let reader = try writer.makeReader()
    #expect(reader.lookAhead == UInt64(ahead))
    func check(newest: UInt64, taken last: UInt64) throws {
      let end = newest + 2 + UInt64(ahead)
      let oldest = end > slots + 1 ? end - slots : 1
      for sequence in 1...newest {
        let found = reader.acquire(sequence)
        if sequence + slots > last {
          let view = try #require(found.view, "\(sequence) of \(newest)")
          #expect(view.holdsTestValues(reader.layout))
          #expect(reader.isWhole(view))
        } else {
          #expect(found.summary == "lapped, oldest \(oldest)")
        }
      }
      #expect(reader.acquire(newest + 1).summary == "not yet")
    }
    for newest in 1...(slots * 4) {
      writer.publishNext(ahead: ahead)
      try check(newest: newest, taken: newest + UInt64(ahead))
      // A writer that goes on without looking ahead takes no slot that it has not taken before.
      if newest == slots * 2 {
        writer.claim()
        try check(newest: newest, taken: newest + UInt64(ahead))
        writer.publish(.test(sequence: newest + 1))
        try check(newest: newest + 1, taken: newest + UInt64(ahead))
        return
      }
    }
  }

  /// A lapped reader is told of one gap: the frame that it is sent to is not taken by the next claim.
  @Test(arguments: [(3, 1), (5, 3), (9, 7), (64, 7)] as [(UInt64, Int)])
  func oldestOfferedFrameOutlastsTheNextClaimAhead(slots: UInt64, ahead: Int) throws {
    let writer = try FrameWriter(slots: slots, lookAhead: UInt64(ahead))
    let reader = try writer.makeReader()
    for _ in 0..<(slots * 2 + 1) { writer.publishNext(ahead: ahead) }
    guard case .lapped(let oldest) = reader.acquire(1) else {
      Issue.record("frame 1 is not lapped")
      return
    }
    #expect(oldest == writer.sequence + 2 + UInt64(ahead) - slots)
    #expect(oldest <= writer.sequence)
    writer.claim(ahead: ahead)
    let view = try #require(reader.acquire(oldest).view)
    #expect(view.holdsTestValues(reader.layout))
    #expect(reader.isWhole(view))
    #expect(reader.acquire(oldest - 1).summary == "lapped, oldest \(oldest)")
  }

  @Test func slotsCanBeFilledBeforeTheirTurn() throws {
    let writer = try FrameWriter(counts: [40], slots: 6, lookAhead: 4)
    let reader = try writer.makeReader()
    for sequence in 1...21 as ClosedRange<UInt64> {
      if sequence % 5 == 1 {
        writer.claim(ahead: 4)
        for early in sequence...(sequence + 4) {
          writer.fill(writer.place(at: Int(early % 6)), sequence: early)
        }
      } else {
        #expect(writer.claim().memory == writer.place(at: Int(sequence % 6)))
      }
      writer.publish(.test(sequence: sequence))
      #expect(reader.acquire(sequence).view?.holdsTestValues(reader.layout) == true)
      #expect(reader.acquire(sequence + 1).summary == "not yet")
    }
  }

  @Test(arguments: [2, 3, 8] as [UInt64])
  func readerThatIsOvertakenWhileItReadsLearnsIt(slots: UInt64) throws {
    let writer = try FrameWriter(slots: slots)
    let reader = try writer.makeReader()
    for _ in 0..<(slots + 1) { writer.publishNext() }
    let newest = writer.sequence
    let view = try #require(reader.acquire(newest).view)
    for _ in 0..<(slots - 1) {
      writer.publishNext()
      #expect(reader.isWhole(view))
      #expect(view.holdsTestValues(reader.layout))
    }
    // The claim alone, before a byte is written, ends the frame.
    let slot = writer.claim().memory
    #expect(!reader.isWhole(view))
    writer.fill(slot, sequence: newest + slots)
    #expect(!reader.isWhole(view))
    writer.publish(.test(sequence: newest + slots))
    #expect(!reader.isWhole(view))
    // Later frames in the same slot do not bring it back.
    for _ in 0..<(slots * 3) {
      writer.publishNext()
      #expect(!reader.isWhole(view))
    }
  }

  @Test(arguments: [2, 3, 5, 64] as [UInt64])
  func oldestOfferedFrameCanBeReadWhileTheNextIsWritten(slots: UInt64) throws {
    let writer = try FrameWriter(slots: slots)
    let reader = try writer.makeReader()
    for _ in 0..<(slots * 2 + 1) { writer.publishNext() }
    guard case .lapped(let oldest) = reader.acquire(1) else {
      Issue.record("frame 1 is not lapped")
      return
    }
    #expect(oldest == writer.sequence + 2 - slots)
    _ = writer.claim()
    let view = try #require(reader.acquire(oldest).view)
    #expect(view.holdsTestValues(reader.layout))
    #expect(reader.isWhole(view))
    #expect(reader.acquire(oldest - 1).summary == "lapped, oldest \(oldest)")
  }

  @Test func readerWithTwoSlotsHasOnlyTheNewestFrameWhileTheNextIsWritten() throws {
    let writer = try FrameWriter(slots: 2)
    let reader = try writer.makeReader()
    writer.publishNext()
    writer.publishNext()
    #expect(reader.acquire(1).summary == "frame 1")
    let slot = writer.claim().memory
    #expect(reader.acquire(1).summary == "lapped, oldest 2")
    #expect(reader.acquire(2).summary == "frame 2")
    writer.fill(slot, sequence: 3)
    writer.publish(.test(sequence: 3))
    #expect(reader.acquire(2).summary == "frame 2")
    #expect(reader.acquire(3).summary == "frame 3")
  }

  @Test func endIsSeenByEveryReaderAndFramesStay() throws {
    let writer = try FrameWriter()
    let first = try writer.makeReader()
    writer.publishNext()
    writer.end()
    let late = try writer.makeReader()
    for reader in [first, late] {
      #expect(reader.hasEnded)
      #expect(reader.published == 1)
      #expect(reader.acquire(1).view?.holdsTestValues(reader.layout) == true)
      #expect(reader.acquire(2).summary == "not yet")
    }
  }

  @Test func ringOutlivesItsWriterForReaders() throws {
    var writer: FrameWriter? = try FrameWriter()
    let reader = try #require(try writer?.makeReader())
    writer?.publishNext()
    writer = nil
    #expect(reader.acquire(1).view?.holdsTestValues(reader.layout) == true)
  }

  @Test func readerKnowsWhatTheWriterWasMadeWith() throws {
    for delivery in [.live, .lockstep] as [Delivery] {
      let part = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
      let writer = try FrameWriter(
        counts: [3, 0, 70_000], slots: 5, staticPart: part, delivery: delivery)
      let reader = try writer.makeReader()
      #expect(firstDifference(reader.staticPart, part) == nil)
      #expect(reader.layout == writer.layout)
      #expect(reader.generation == writer.generation)
      #expect(reader.delivery == delivery)
      #expect(reader.slotCount == 5)
    }
  }

  /// The most slots, spare places and columns that there may be; one more is refused.
  @Test func largestRingsCanBeRead() async throws {
    for (slots, spares) in [(65_536, 0), (2, 65_536)] as [(UInt64, UInt64)] {
      let writer = try FrameWriter(counts: [], slots: slots, spares: spares)
      writer.publishNext()
      let reader = try writer.makeReader()
      #expect(reader.slotCount == slots)
      #expect(reader.acquire(1).view?.stamp() == .test(sequence: 1))
    }
    await #expect(processExitsWith: .failure) {
      _ = try FrameWriter(counts: [], slots: 2, spares: 65_537)
    }
    let most = try FrameWriter(counts: [UInt32](repeating: 0, count: 65_536), slots: 2)
    #expect(try most.makeReader().layout.columns.count == 65_536)
    let more = try FrameWriter(counts: [UInt32](repeating: 0, count: 65_537), slots: 2)
    #expect(throws: FrameError.corruptHeader(field: "column_count", value: 65_537)) {
      _ = try more.makeReader()
    }
    let table = [UInt8](repeating: 0, count: 65_537 * 32)
    #expect(throws: FrameError.corruptHeader(field: "columns", value: 65_537 * 32)) {
      _ = try table.withUnsafeBytes { bytes throws(FrameError) in
        try FrameLayout(columnTable: bytes)
      }
    }
  }

  @Test func writerThatBreaksTheOrderTraps() async {
    await #expect(processExitsWith: .failure) {
      let writer = try FrameWriter()
      _ = writer.claim()
      _ = writer.claim()
    }
    await #expect(processExitsWith: .failure) {
      _ = try FrameWriter().publish(.test(sequence: 1))
    }
    await #expect(processExitsWith: .failure) { _ = try FrameWriter(slots: 1) }
    await #expect(processExitsWith: .failure) { _ = try FrameWriter(slots: 65_537) }
    await #expect(processExitsWith: .failure) { _ = try FrameWriter(slots: 2, lookAhead: 1) }
    await #expect(processExitsWith: .failure) { _ = try FrameWriter(slots: 9, lookAhead: 8) }
    await #expect(processExitsWith: .failure) {
      try FrameWriter(slots: 9, lookAhead: 3).claim(ahead: 4)
    }
    await #expect(processExitsWith: .failure) { try FrameWriter().claim(ahead: -1) }
    await #expect(processExitsWith: .failure) { _ = try FrameWriter(slots: 4).place(at: 4) }
    await #expect(processExitsWith: .failure) { _ = try FrameWriter(slots: 4).place(at: -1) }
    await #expect(processExitsWith: .failure) {
      _ = try FrameWriter().makeReader().acquire(0)
    }
  }

  @Test func ringLargerThanTheMemoryIsAnError() throws {
    let layout = try FrameLayout(counts: [500_000_000])
    let error = #expect(throws: FrameError.self) {
      _ = try FrameWriter(
        layout: layout, slotCount: 65_536, staticPart: [], generation: 1, delivery: .live)
    }
    guard case .notEnoughMemory(let needed, let available)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(needed > 65_536 * 2_000_000_000)
    #expect(available < needed)
  }
}
