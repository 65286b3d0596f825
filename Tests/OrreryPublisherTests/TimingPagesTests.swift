// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryPublisher
import OrreryWire
import SwiftProtobuf
import Testing

/// Goal: each frame's timing gets to the sender once and in order, or its number is missing.
///
/// Method: pages that are filled and taken by hand, with a clock of their own; then what is sent of them is decoded.
@Suite struct TimingPagesTests {
  private static func timing(_ number: UInt64) -> FrameTiming {
    FrameTiming(waitNs: number, computeNs: 2 * number, publishNs: 3 * number)
  }

  private static func take(_ pages: TimingPages) -> [(head: TimingPages.Head, waits: [UInt32])] {
    var taken: [(TimingPages.Head, [UInt32])] = []
    pages.take { head, frames in taken.append((head, frames.map(\.waitNs))) }
    return taken
  }

  @Test func pageIsCompleteAfterASecond() {
    let pages = TimingPages()
    for number in 1...60 as ClosedRange<UInt64> {
      pages.add(
        Self.timing(number), sequence: number, nowNs: number * 16_666_667, lateTicks: number / 10)
    }
    #expect(Self.take(pages).isEmpty)
    pages.add(Self.timing(61), sequence: 61, nowNs: 61 * 16_666_667, lateTicks: 6)
    let taken = Self.take(pages)
    #expect(taken.map(\.head) == [.init(firstSequence: 1, count: 61, lateTicks: 6)])
    #expect(taken.first?.waits == Array(1...61))
    #expect(Self.take(pages).isEmpty)
  }

  @Test func lastPageIsClosedByHand() {
    let pages = TimingPages()
    pages.close()
    pages.add(Self.timing(5), sequence: 5, nowNs: 0, lateTicks: 0)
    pages.close()
    pages.close()
    #expect(Self.take(pages).map(\.head.firstSequence) == [5])
  }

  /// Frames that find no page are missing, and the numbers say which.
  @Test func whatFindsNoRoomIsMissing() {
    let pages = TimingPages()
    let all = TimingPages.pageCount * TimingPages.pageFrames
    for number in 1...UInt64(all + 100) {
      pages.add(Self.timing(number), sequence: number, nowNs: 0, lateTicks: 0)
    }
    let taken = Self.take(pages)
    #expect(taken.count == TimingPages.pageCount)
    #expect(taken.reduce(0) { $0 + $1.head.count } == all)
    pages.add(Self.timing(9), sequence: UInt64(all + 101), nowNs: 0, lateTicks: 0)
    pages.close()
    #expect(Self.take(pages).map(\.head.firstSequence) == [UInt64(all + 101)])
  }

  @Test func timesHaveALimit() {
    let timing = FrameTiming(waitNs: 1 << 40, computeNs: 1, publishNs: 2)
    #expect(timing.waitNs == .max && timing.computeNs == 1 && timing.publishNs == 2)
  }

  /// The bytes are those of the generated type; the head finds the timings in them.
  @Test(arguments: [1, 3, 200, 8192])
  func messageIsAnEventsWithoutEvents(count: Int) throws {
    let pages = TimingPages()
    var timings = Orrery_Timings()
    (timings.generation, timings.firstSequence, timings.lateTicks) = (7, 1000, 5)
    for number in 0..<UInt64(count) {
      let timing = Self.timing(number * 300)
      pages.add(timing, sequence: 1000 + number, nowNs: 0, lateTicks: 5)
      timings.waitNs.append(UInt64(timing.waitNs))
      timings.computeNs.append(UInt64(timing.computeNs))
      timings.publishNs.append(UInt64(timing.publishNs))
    }
    pages.close()
    var expected = Orrery_Events()
    (expected.generation, expected.firstNumber, expected.timings) = (7, 12, timings)
    var encoder = EventEncoder(generation: 7)
    pages.take { head, frames in
      encoder.begin(firstNumber: 12, tick: 0)
      encoder.append(frames, of: head)
    }
    let bytes: [UInt8] = try expected.serializedBytes()
    #expect(encoder.bytes == bytes)
    #expect(bytes.count < 256 << 10)
    let head = try #require(bytes.withUnsafeBytes { EventsHead($0) })
    #expect(head.generation == 7 && head.firstNumber == 12 && head.count == 0)
    let range = try #require(head.timings)
    #expect(try Orrery_Timings(serializedBytes: Array(bytes[range])) == timings)
    // Timings are not the run's last message, and no events.
    var account = EventLosses()
    account.receive(head)
    #expect(account == EventLosses())
  }

  @Test func keepIsAnEventThatTheHeadKnows() throws {
    for (time, others) in [(0.0, 0), (1.5, 2)] {
      var encoder = EventEncoder(generation: 7)
      encoder.begin(firstNumber: 3, tick: 90)
      for _ in 0..<others { encoder.append(command: "{\"do\":\"set\"}", time: time) }
      var head = try #require(encoder.bytes.withUnsafeBytes { EventsHead($0) })
      #expect(!head.asksToKeep)
      encoder.appendKeep(time: time)
      head = try #require(encoder.bytes.withUnsafeBytes { EventsHead($0) })
      #expect(head.asksToKeep && head.count == UInt64(others) + 1)
      let message = try Orrery_Events(serializedBytes: encoder.bytes)
      #expect(message.events.last?.kind == .keep && message.events.last?.time == time)
    }
  }
}
