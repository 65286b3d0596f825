// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import OrreryFrame
import Testing

/// What is published while it is timed is there to be read.
@Suite struct TimedPublishingTests {
  /// A reader of another ring, which holds as many frames as were timed, of ticks that are later by so many.
  private static func isRead(_ publishing: TimedPublishing, ticksLater: UInt64) throws -> Bool {
    let writer = try FrameWriter(
      layout: try FrameShape(bytes: 256).layout, slotCount: 8, staticPart: [], generation: 1,
      delivery: .live)
    let reader = try FrameReader(
      descriptor: writer.descriptor, segmentBytes: UInt64(writer.segmentBytes))
    let own = try publishing.reader().published
    for number in 1...own {
      _ = writer.claim()
      let tick = number + ticksLater
      writer.publish(
        FrameStamp(tick: tick, simTimeNs: tick, publishTimeNs: tick, stateHash: tick))
    }
    return publishing.isRead(by: reader)
  }

  /// The newest frame is read, and no other that is whole.
  @Test func onlyTheNewestTickIsRead() throws {
    let publishing = try TimedPublishing()
    let reader = try publishing.reader()
    #expect(publishing.isRead(by: reader))
    publishing.publish()
    #expect(publishing.isRead(by: reader))
    #expect(try Self.isRead(publishing, ticksLater: 0))
    #expect(try !Self.isRead(publishing, ticksLater: 1))
  }
}
