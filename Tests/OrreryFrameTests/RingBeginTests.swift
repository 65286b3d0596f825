// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import Testing

/// Goal: a ring whose first frame has a high number is one whose earlier frames are overwritten.
///
/// Method: begin after a frame, and ask for every frame around it.
@Suite struct RingBeginTests {
  @Test(arguments: [1, 3, 4, 1_000_003] as [UInt64], [0, 2] as [UInt64])
  func framesBeforeTheFirstAreOverwritten(before: UInt64, spares: UInt64) throws {
    let writer = try FrameWriter(slots: 4, spares: spares)
    writer.begin(after: before)
    let reader = try writer.makeReader()
    #expect(reader.published == before)
    #expect(writer.sequence == before)
    for sequence in max(before, 6) - 5...before {
      guard case .lapped(let oldest) = reader.acquire(sequence) else {
        Issue.record("frame \(sequence): \(reader.acquire(sequence).summary)")
        continue
      }
      #expect(oldest <= before + 1)
    }
    guard case .notYet = reader.acquire(before + 1) else {
      Issue.record("\(reader.acquire(before + 1).summary)")
      return
    }
    for next in before + 1...before + 9 {
      #expect(writer.publishNext() == next)
      let view = try #require(reader.acquire(next).view)
      #expect(view.holdsTestValues(reader.layout))
      #expect(reader.isWhole(view))
    }
  }

  @Test func beginningAtTheFirstChangesNothing() throws {
    let writer = try FrameWriter(slots: 4)
    writer.begin(after: 0)
    #expect(writer.publishNext() == 1)
  }
}
