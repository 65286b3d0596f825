// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryBench
import OrreryFrame
import TestSupport
import Testing

/// A reader of a row says how many frames it had, and how many it missed.
///
/// Method: this build's own bench reads a ring whose frames are there before its rounds begin.
@Suite struct HandoverReaderTests {
  /// A reader that comes late goes on with the oldest frame that is not overwritten next.
  @Test func framesThatAreGoneAreMissed() throws {
    var task = HandoverTask(.rate, frameBytes: 64)
    (task.slotCount, task.waiting) = (16, .futex)
    let writer = try FrameWriter(
      layout: try FrameShape(bytes: task.frameBytes).layout, slotCount: task.slotCount,
      staticPart: [], generation: 1, delivery: .live)
    for tick in 1...100 as ClosedRange<UInt64> {
      _ = writer.claim()
      writer.publish(FrameStamp(tick: tick, simTimeNs: tick, publishTimeNs: 0, stateHash: tick))
    }
    let memory = try HandoverMemory()
    let reader = try ChildProcess(
      StartedProgram.bench,
      [
        "transport-part", task.text, "--reader", "0", "--board", memory.path, "--source",
        "/proc/\(getpid())/fd/\(writer.descriptor.number)",
      ])
    defer { reader.kill() }
    func words(ofRound round: UInt64, count: UInt64) throws -> [UInt64] {
      memory.count = count
      memory.beginRound()
      try waitUntil("round \(round)") {
        memory.read(.done, of: 0) == round || reader.status != nil
      }
      return [.ready, .received, .missed, .had].map { memory.read($0, of: 0) }
    }
    // Its round is over before the first frame that is there, which is 86: 85 has the next one's slot.
    #expect(try words(ofRound: 1, count: 10) == [2, 0, 10, 10])
    #expect(try words(ofRound: 2, count: 90) == [3, 15, 75, 100])
  }
}
