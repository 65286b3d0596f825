// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages
import OrreryPublisher
import OrrerySim
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: messages of events are, byte by byte, what the generated type writes.
///
/// Method: the same events through both, with numbers and lengths around those where one more byte is needed.
@Suite struct EventEncoderTests {
  /// What the generated type makes of events.
  private static func message(
    _ events: [Orrery_Event], generation: UInt64 = 7, firstNumber: UInt64 = 3, tick: UInt64 = 2
  ) throws -> [UInt8] {
    var message = Orrery_Events()
    (message.generation, message.firstNumber) = (generation, firstNumber)
    (message.tick, message.events) = (tick, events)
    return try message.serializedBytes()
  }

  /// Such an event of a view.
  private static func event(
    _ kind: Orrery_Event.Kind, time: Double, view: String, entity: Int, _ channel: ViewChannel
  ) -> Orrery_Event {
    var event = Orrery_Event()
    (event.time, event.kind, event.view) = (time, kind, view)
    event.entity = UInt32(entity)
    if let field = channel.property.map({ Orrery_Field($0) }) {
      event.field = field
    }
    return event
  }

  private static func completion(_ name: String, time: Double) -> Orrery_Event {
    var event = Orrery_Event()
    (event.time, event.kind, event.completion) = (time, .completed, name)
    return event
  }

  private static func command(_ text: String, time: Double) -> Orrery_Event {
    var event = Orrery_Event()
    (event.time, event.kind, event.command) = (time, .command, text)
    return event
  }

  @Test(arguments: [0, 1, 127, 128, 129, 255, 256, 16_383, 16_384, 2_097_151, 2_097_152])
  func numbersAreWrittenAsTheGeneratedTypeDoes(number: Int) throws {
    let firstEntity = number % 2
    for channel in ViewChannel.allCases {
      for isFinished in [false, true] {
        var encoder = EventEncoder(generation: 7)
        encoder.begin(firstNumber: 3, tick: UInt64(number))
        for kind in [
          .legEnded(view: 5, channel, index: number), .logicallyComplete(view: number, channel),
          .removed(view: 6, channel, isFinished: isFinished), .completed(2),
        ] as [DirectorEvent.Kind] {
          encoder.append(DirectorEvent(time: 1.5, kind), name: "name", firstEntity: firstEntity)
        }
        encoder.append(command: "{}", time: 0)
        var leg = Self.event(
          .legEnded, time: 1.5, view: "name", entity: 5 + firstEntity, channel)
        leg.leg = UInt32(number)
        let complete = Self.event(
          .logicallyComplete, time: 1.5, view: "name", entity: number + firstEntity, channel)
        var removed = Self.event(
          .removed, time: 1.5, view: "name", entity: 6 + firstEntity, channel)
        removed.cancelled = !isFinished
        let expected = try Self.message(
          [
            leg, complete, removed, Self.completion("name", time: 1.5),
            Self.command("{}", time: 0),
          ], tick: UInt64(number))
        let difference = firstDifference(encoder.bytes, expected)
        try #require(difference == nil, "\(channel), finished: \(isFinished)")
      }
    }
  }

  /// Lengths of texts, and with them of events, of one byte, two and three.
  @Test func textsOfEveryLengthAreWrittenAsTheGeneratedTypeDoes() throws {
    for length in Array(0...140) + Array(16_360...16_400) {
      for text in [
        String(repeating: "x", count: length), String(repeating: "é", count: length / 2),
      ] {
        var encoder = EventEncoder(generation: 7)
        encoder.begin(firstNumber: 3, tick: 2)
        let ended = DirectorEvent(time: 0, .legEnded(view: 0, .y, index: 0))
        encoder.append(ended, name: text, firstEntity: 0)
        encoder.append(DirectorEvent(time: 2.25, .completed(0)), name: text, firstEntity: 0)
        encoder.append(command: text, time: 0.5)
        let expected = try Self.message([
          Self.event(.legEnded, time: 0, view: text, entity: 0, .y),
          Self.completion(text, time: 2.25), Self.command(text, time: 0.5),
        ])
        let difference = firstDifference(encoder.bytes, expected)
        try #require(difference == nil, "\(length) bytes")
      }
    }
  }

  @Test(
    arguments: [(0, 0, 0), (7, 0, 0), (0, 8, 0), (0, 0, 9), (7, 8, 9), (.max, .max, .max)]
      as [(UInt64, UInt64, UInt64)])
  func headsAreWrittenAsTheGeneratedTypeDoes(
    generation: UInt64, firstNumber: UInt64, tick: UInt64
  ) throws {
    var encoder = EventEncoder(generation: generation)
    #expect(encoder.bytes == [])
    encoder.begin(firstNumber: firstNumber, tick: tick)
    #expect(
      try encoder.bytes
        == Self.message([], generation: generation, firstNumber: firstNumber, tick: tick))
    // What was there before is gone.
    encoder.append(command: "x", time: 1)
    encoder.begin(firstNumber: 1, tick: 2)
    #expect(try encoder.bytes == Self.message([], generation: generation, firstNumber: 1, tick: 2))
  }

  /// Three numbers of nine bytes, and the heads of an event and of its text: 46 bytes.
  @Test func messageIsFullAt32KiB() {
    #expect(EventEncoder.fullBytes == 32_768)
    for (length, isFull) in [(0, false), (32_721, false), (32_722, true), (40_000, true)] {
      var encoder = EventEncoder(generation: 7)
      encoder.begin(firstNumber: 1, tick: 1)
      #expect(!encoder.isFull)
      encoder.append(command: String(repeating: "x", count: length), time: 1)
      #expect(encoder.isFull == isFull, "\(length) characters, \(encoder.bytes.count) bytes")
      encoder.begin(firstNumber: 2, tick: 1)
      #expect(!encoder.isFull)
    }
  }
}
