// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import TestSupport
import Testing

/// Goal: no order of a writer's and its readers' steps makes a torn frame be accepted.
///
/// Method: the protocol as a model, in every order that its fences allow, with faults that the search
/// must find; the real writer and readers as step lists, in every order (small) and in seeded random
/// order (large); and two real threads for a while, with values that tell their frame.
@Suite struct FrameInterleavingTests {
  @Test(arguments: [(2, 2, 5), (2, 3, 4), (3, 2, 5), (3, 1, 7)])
  func modelNeverAcceptsATornFrame(slots: Int, words: Int, frames: Int) {
    for frame in 1...frames {
      let outcome = RingModel(slots: slots, words: words, frames: frames).explore(readerOf: frame)
      #expect(outcome.torn == 0, "\(slots) slots, frame \(frame): \(outcome)")
      #expect(outcome.accepted > 0)
      #expect(outcome.refused > 0)
      #expect(outcome.states > 100)
    }
  }

  @Test(
    arguments: [(3, 2, 1), (4, 1, 1), (4, 2, 2), (5, 1, 2), (5, 1, 3)])
  func modelThatLooksAheadNeverAcceptsATornFrame(slots: Int, words: Int, ahead: Int) {
    for frame in 1...5 {
      let model = RingModel(slots: slots, words: words, frames: 5, ahead: ahead)
      let outcome = model.explore(readerOf: frame)
      #expect(outcome.torn == 0, "\(slots) slots, \(ahead) ahead, frame \(frame): \(outcome)")
      #expect(outcome.accepted > 0)
      #expect(outcome.refused > 0)
      #expect(outcome.states > 100)
    }
  }

  @Test(arguments: [(2, 2, 5, 0), (3, 2, 7, 0), (3, 2, 5, 1)])
  func modelWhosePlacesMoveNeverAcceptsATornFrame(
    slots: Int, words: Int, frames: Int, ahead: Int
  ) {
    for frame in 1...frames {
      let model = RingModel(
        slots: slots, words: words, frames: frames, ahead: ahead, moves: true)
      let outcome = model.explore(readerOf: frame)
      #expect(outcome.torn == 0, "\(slots) slots, \(ahead) ahead, frame \(frame): \(outcome)")
      #expect(outcome.accepted > 0)
      #expect(outcome.refused > 0)
      #expect(outcome.states > 100)
    }
  }

  @Test(arguments: RingModel.Fault.allCases)
  func modelWithAFaultTears(fault: RingModel.Fault) {
    var models = [
      RingModel(slots: 2, words: 2, frames: 4, fault: fault),
      RingModel(slots: 3, words: 2, frames: 4, ahead: 1, fault: fault),
      RingModel(slots: 2, words: 1, frames: 4, moves: true, fault: fault),
    ]
    // Without look-ahead there is nothing but the next slot to mark, and what does not move never moves early.
    if fault == .writerMarksOnlyTheNextSlot { models.removeAll { $0.ahead == 0 } }
    if fault == .writerMovesBeforeTheFence { models.removeAll { !$0.moves } }
    for model in models {
      let torn = (1...4).reduce(0) { $0 + model.explore(readerOf: $1).torn }
      #expect(torn > 0, "\(model.ahead) ahead")
    }
  }

  @Test(arguments: 0...3)
  func everyOrderOfRealStepsGivesWholeFrames(ahead: Int) throws {
    var orders = 0
    var outcomes: [RingSteps.Outcome: Int] = [:]
    for wanted in 1...2 as ClosedRange<UInt64> {
      for order in Self.orders(of: RingSteps.writerSteps * 3, with: RingSteps.readerSteps) {
        let steps = try RingSteps(slots: UInt64(ahead) + 2, wanted: [wanted], ahead: ahead)
        for isReader in order { isReader ? steps.stepReader(0) : steps.stepWriter() }
        outcomes[steps.outcomes[0], default: 0] += 1
        orders += 1
        guard steps.outcomes[0] != .torn else {
          Issue.record("frame \(wanted), reader's turns \(order)")
          return
        }
      }
    }
    #expect(orders == 2 * 1820)
    for outcome in [.whole, .notYet, .overtaken, .lapped] as [RingSteps.Outcome] {
      #expect(outcomes[outcome, default: 0] > 0, "\(outcome)")
    }
  }

  /// Every way to spread the reader's turns over the writer's: true is the reader's turn.
  private static func orders(of writer: Int, with reader: Int) -> [[Bool]] {
    if writer == 0 { return [[Bool](repeating: true, count: reader)] }
    if reader == 0 { return [[Bool](repeating: false, count: writer)] }
    return orders(of: writer - 1, with: reader).map { [false] + $0 }
      + orders(of: writer, with: reader - 1).map { [true] + $0 }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func randomOrdersOfManyReadersGiveWholeFrames(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var wholeCount = 0
    for round in 0..<(20 * testEffort) {
      let slots = UInt64.random(in: 2...5, using: &random)
      let wanted = (0..<3).map { _ in UInt64.random(in: 1...10, using: &random) }
      let ahead = Int.random(in: 0...Int(min(slots - 2, 3)), using: &random)
      let steps = try RingSteps(slots: slots, wanted: wanted, ahead: ahead)
      // Readers that come seldom are overtaken, busy ones are early.
      let readerShare = Int.random(in: 1...60, using: &random)
      for _ in 0..<2_000 {
        if Int.random(in: 0..<100, using: &random) < readerShare {
          let reader = Int.random(in: 0..<wanted.count, using: &random)
          steps.stepReader(reader)
          if steps.outcomes[reader] != .reading {
            let newest = steps.writer.sequence
            let from = newest > slots + 1 ? newest - slots - 1 : 1
            try #require(steps.outcomes[reader] != .torn, "seed \(seed), round \(round)")
            steps.restart(reader, wanted: .random(in: from...(newest + 2), using: &random))
          }
        } else {
          steps.ahead = Int.random(in: 0...ahead, using: &random)
          steps.stepWriter()
        }
      }
      wholeCount += steps.wholeCount
    }
    #expect(wholeCount > 100, "seed \(seed)")
  }

  @Test(
    arguments: [(2, 700, 0), (2, 9, 0), (3, 300, 0), (8, 40, 0), (3, 9, 1), (9, 40, 7)]
      as [(UInt64, UInt32, Int)])
  func twoThreadsNeverShareATornFrame(slots: UInt64, values: UInt32, ahead: Int) throws {
    let writer = try FrameWriter(
      counts: [values, values], slots: slots, lookAhead: UInt64(ahead))
    let reader = try writer.makeReader()
    let isDone = Flag()
    let deadline = Clock.monotonicNs() + 250_000_000 * UInt64(testEffort)
    defer { isDone.set() }
    let thread = try TestThread("the writer's end") {
      while !isDone.isSet { writer.publishNext(ahead: ahead) }
      writer.end()
    }
    var whole = 0
    var torn = 0
    var overtaken = 0
    var last: UInt64 = 0
    while Clock.monotonicNs() < deadline || whole == 0 {
      try #require(Clock.monotonicNs() < deadline + patienceNs, "waited for a whole frame")
      let newest = reader.published
      try #require(newest >= last)
      last = newest
      // The newest, or one that the writer is about to take.
      let held = slots - UInt64(ahead)
      let wanted = newest > slots && whole % 2 == 0 ? newest + 1 - held : newest
      guard wanted >= 1, let view = reader.acquire(wanted).view else { continue }
      let isRight = view.holdsTestValues(reader.layout)
      if reader.isWhole(view) {
        whole += 1
        torn += isRight ? 0 : 1
      } else {
        overtaken += 1
      }
    }
    isDone.set()
    try thread.join()
    #expect(torn == 0, "\(whole) whole and \(overtaken) overtaken frames of \(reader.published)")
    #expect(reader.hasEnded)
  }
}
