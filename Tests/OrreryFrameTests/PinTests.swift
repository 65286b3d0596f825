// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import TestSupport
import Testing

/// Goal: a frame that is pinned keeps its bytes, and costs neither the writer a wait nor a reader a frame.
///
/// Method: the protocol as a model in every order that its fences allow, with faults that the search must
/// find; the real writer with frames pinned and unpinned in seeded random order; and a thread that pins while
/// another writes.
@Suite struct PinTests {
  @Test func modelNeverOverwritesWhatIsSent() {
    let outcome = PinModel().explore()
    #expect(outcome.torn == 0, "\(outcome)")
    #expect(outcome.sent > 0, "\(outcome)")
    #expect(outcome.refused > 0, "\(outcome)")
  }

  @Test(arguments: PinModel.Fault.allCases)
  func modelWithAFaultOverwrites(fault: PinModel.Fault) {
    #expect(PinModel(fault: fault).explore().torn > 0)
  }

  /// Whether a pinned frame's bytes are the ones that were published.
  private static func isRight(_ pinned: PinnedFrame, _ layout: FrameLayout) -> Bool {
    FrameView(sequence: pinned.sequence, bytes: pinned.bytes).holdsTestValues(layout)
  }

  @Test(
    arguments: [(2, 1, 0), (3, 2, 1), (5, 3, 3), (9, 4, 7)] as [(UInt64, UInt64, Int)],
    1...4 as ClosedRange<UInt64>)
  func pinnedFramesKeepTheirBytes(ring: (UInt64, UInt64, Int), seed: UInt64) throws {
    let (slots, spares, ahead) = ring
    let writer = try FrameWriter(
      counts: [40, 7], slots: slots, spares: spares, lookAhead: UInt64(ahead))
    let reader = try writer.makeReader()
    var random = SeededRandom(seed: seed)
    var held: [PinnedFrame] = []
    var refused = 0
    for _ in 0..<(400 * testEffort) {
      let newest = writer.publishNext(ahead: .random(in: 0...ahead, using: &random))
      try #require(reader.acquire(newest).view?.holdsTestValues(reader.layout) == true)
      if Bool.random(using: &random) {
        let wanted = max(newest, 2) - UInt64.random(in: 0...1, using: &random)
        if let pinned = writer.pin(wanted) {
          held.append(pinned)
        } else {
          refused += 1
          let isThere = reader.acquire(wanted).view != nil
          try #require(!isThere || writer.pinnedPlaceCount == spares)
        }
      }
      for pinned in held { try #require(Self.isRight(pinned, writer.layout), "seed \(seed)") }
      try #require(writer.pinnedPlaceCount == UInt64(Set(held.map(\.place)).count))
      if Int.random(in: 0..<3, using: &random) == 0, !held.isEmpty {
        writer.unpin(place: held.remove(at: .random(in: held.indices, using: &random)).place)
      }
    }
    #expect(refused > 0, "seed \(seed)")
    for pinned in held { writer.unpin(place: pinned.place) }
    #expect(writer.pinnedPlaceCount == 0)
  }

  @Test func onlyFramesThatAreThereCanBePinned() throws {
    let writer = try FrameWriter(slots: 3, spares: 2)
    #expect(writer.pin(1) == nil)
    for _ in 0..<5 { writer.publishNext() }
    #expect(writer.pin(2) == nil)
    #expect(writer.pin(6) == nil)
    #expect(writer.pinnedPlaceCount == 0)
    let first = try #require(writer.pin(4))
    let again = try #require(writer.pin(4))
    #expect(first.place == again.place)
    #expect(writer.pinnedPlaceCount == 1)
    writer.claim()
    #expect(writer.pin(3) == nil)
    #expect(try FrameWriter(slots: 3).pin(1) == nil)
  }

  @Test func pinThatComesTooLateHoldsNothing() throws {
    let writer = try FrameWriter(slots: 3, spares: 2)
    for _ in 0..<5 { writer.publishNext() }
    // Frame 3 is whole still, but its slot has been taken for frame 6.
    writer.claim()
    #expect(writer.pin(3) == nil)
    #expect(writer.pinnedPlaceCount == 0)
    writer.publish(.test(sequence: 6))
    let held = ([4, 5] as [UInt64]).compactMap { writer.pin($0) }
    #expect(held.map(\.sequence) == [4, 5])
    // As many places are pinned as there are spare ones; one of them may be once more.
    #expect(writer.pin(6) == nil)
    let again = try #require(writer.pin(5))
    #expect(again.place == held[1].place)
    #expect(writer.pinnedPlaceCount == 2)
    writer.unpin(place: again.place)
    #expect(writer.pinnedPlaceCount == 2)
    writer.unpin(place: again.place)
    #expect(writer.pinnedPlaceCount == 1)
    #expect(writer.pin(6) != nil)
  }

  @Test func placeThatIsNoneCannotBeUnpinned() async {
    await #expect(processExitsWith: .failure) {
      try FrameWriter(slots: 4, spares: 2).unpin(place: 6)
    }
    await #expect(processExitsWith: .failure) {
      try FrameWriter(slots: 4, spares: 2).unpin(place: -1)
    }
  }

  @Test func whatWasWrittenStaysInItsPlace() throws {
    let writer = try FrameWriter(counts: [40], slots: 2, spares: 1)
    var lastIn: [Int: UInt64] = [:]
    var held: [PinnedFrame] = []
    for round in 0..<40 {
      let next = writer.sequence + 1
      let claim = writer.claim()
      let frame = UnsafeRawBufferPointer(
        start: claim.memory, count: Int(writer.layout.frameBytes))
      let place = claim.place()
      if let last = lastIn[place] {
        #expect(
          FrameView(sequence: last, bytes: frame).holdsTestValues(writer.layout), "\(place)")
      }
      writer.fill(writer.place(at: place), sequence: next)
      writer.publish(.test(sequence: next))
      lastIn[place] = next
      guard round % 3 == 0 else { continue }
      for pinned in held { writer.unpin(place: pinned.place) }
      held = [try #require(writer.pin(next))]
    }
    #expect(Set(lastIn.keys) == [0, 1, 2])
  }

  @Test(arguments: [(2, 1, 0), (4, 2, 2)] as [(UInt64, UInt64, Int)])
  func threadThatPinsNeverSeesAnotherFrame(slots: UInt64, spares: UInt64, ahead: Int) throws {
    let writer = try FrameWriter(
      counts: [300], slots: slots, spares: spares, lookAhead: UInt64(ahead))
    let isDone = Flag()
    let deadline = Clock.monotonicNs() + 250_000_000 * UInt64(testEffort)
    defer { isDone.set() }
    let thread = try TestThread("the writer's end") {
      while !isDone.isSet { writer.publishNext(ahead: ahead) }
    }
    var (sent, refused, torn) = (0, 0, 0)
    while Clock.monotonicNs() < deadline || sent == 0 {
      try #require(Clock.monotonicNs() < deadline + patienceNs, "waited for a pin")
      guard let pinned = writer.pin(max(writer.sequence, 1)) else {
        refused += 1
        continue
      }
      torn += Self.isRight(pinned, writer.layout) ? 0 : 1
      sent += 1
      writer.unpin(place: pinned.place)
    }
    isDone.set()
    try thread.join()
    #expect(torn == 0, "\(sent) sent, \(refused) refused")
    #expect(writer.pinnedPlaceCount == 0)
  }

  @Test func sleepingReaderIsWokenByTheNextFrame() throws {
    let writer = try FrameWriter()
    let reader = try writer.makeReader()
    let isAwake = Flag()
    let thread = try TestThread("a sleeping reader to wake") {
      while reader.published == 0 { reader.wait(after: 0, timeoutNs: endlessNs) }
      isAwake.set()
    }
    // Time to fall asleep; if it takes longer it does not sleep, which is right as well.
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 20_000_000)
    #expect(!isAwake.isSet)
    writer.publishNext()
    writer.wakeReaders()
    try thread.join()
    #expect(isAwake.isSet)
    // What is published already is no reason to sleep.
    try within("a sleep that nothing is to begin") {
      reader.wait(after: 0, timeoutNs: endlessNs)
    }
  }
}
