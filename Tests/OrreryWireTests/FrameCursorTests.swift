// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryWire
import Testing

/// Goal: a cursor asks for the right frame, and its account is exact whatever it finds.
///
/// Method: a ring that is only a list of answers.
@Suite struct FrameCursorTests {
  /// Frames `oldest` … `published`, without bytes.
  private struct Frames: FrameRing {
    var published: UInt64
    var oldest: UInt64 = 1

    func acquire(_ sequence: UInt64) -> FrameAcquisition {
      if sequence > published { return .notYet }
      if sequence < oldest { return .lapped(oldest: oldest) }
      return .frame(
        FrameView(sequence: sequence, bytes: UnsafeRawBufferPointer(start: nil, count: 0)))
    }

    func isWhole(_ view: FrameView) -> Bool { view.sequence >= oldest }
  }

  private func next(_ cursor: inout FrameCursor, _ ring: some FrameRing) -> SubscriptionEvent? {
    switch cursor.find(in: ring) {
    case .frame(let view): cursor.record(view.sequence, isWhole: ring.isWhole(view))
    case .event(let event): event
    case nil: nil
    }
  }

  @Test func everyFrameFollowsTheOneBefore() {
    var cursor = FrameCursor(joinedAfter: 4, reading: .every)
    #expect(next(&cursor, Frames(published: 4)) == nil)
    #expect(next(&cursor, Frames(published: 6)) == .frame(sequence: 5))
    #expect(next(&cursor, Frames(published: 6)) == .frame(sequence: 6))
    #expect(next(&cursor, Frames(published: 6)) == nil)
    #expect(next(&cursor, Frames(published: 90, oldest: 80)) == .missed(7...79))
    #expect(next(&cursor, Frames(published: 90, oldest: 80)) == .frame(sequence: 80))
    #expect(cursor.losses.receivedCount == 3)
    #expect(cursor.losses.missedCount == 73)
  }

  @Test func newestFrameIsPrecededByTheGapToIt() {
    var cursor = FrameCursor(joinedAfter: 0, reading: .newest)
    #expect(next(&cursor, Frames(published: 0)) == nil)
    #expect(next(&cursor, Frames(published: 9)) == .missed(1...8))
    #expect(next(&cursor, Frames(published: 9)) == .frame(sequence: 9))
    #expect(next(&cursor, Frames(published: 9)) == nil)
    #expect(cursor.losses.gaps == [1...8])
  }

  @Test func cursorThatIsAheadOfTheRunWaitsForItsFirstFrame() {
    for reading in Reading.allCases {
      var cursor = FrameCursor(joinedAfter: 7, reading: reading)
      #expect(next(&cursor, Frames(published: 5)) == nil)
      #expect(next(&cursor, Frames(published: 7)) == nil)
      #expect(next(&cursor, Frames(published: 8)) == .frame(sequence: 8))
    }
  }

  @Test func frameThatWasOvertakenInUseIsMissed() {
    var cursor = FrameCursor(joinedAfter: 0, reading: .every)
    guard case .frame(let view) = cursor.find(in: Frames(published: 1)) else {
      Issue.record("no frame")
      return
    }
    #expect(cursor.record(view.sequence, isWhole: false) == .missed(1...1))
    #expect(cursor.losses.receivedCount == 0)
    #expect(cursor.losses.last == 1)
  }

  /// A lapped reader may be told of an oldest frame that is not newer than the one it asked for: the
  /// frame it asked for is gone all the same.
  @Test func lappedCursorAlwaysMovesOn() {
    struct Lapped: FrameRing {
      let published: UInt64 = 10
      func acquire(_ sequence: UInt64) -> FrameAcquisition { .lapped(oldest: 3) }
      func isWhole(_ view: FrameView) -> Bool { false }
    }
    var cursor = FrameCursor(joinedAfter: 4, reading: .every)
    #expect(next(&cursor, Lapped()) == .missed(5...5))
  }

  @Test func frameThatIsNotSettledIsFoundAgain() {
    var cursor = FrameCursor(joinedAfter: 0, reading: .every)
    for _ in 0..<3 {
      guard case .frame(let view) = cursor.find(in: Frames(published: 2)) else {
        Issue.record("no frame")
        return
      }
      #expect(view.sequence == 1)
    }
    #expect(cursor.losses == Losses(joinedAfter: 0))
  }
}
