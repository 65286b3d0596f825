// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryLive
import OrreryMessages
import OrreryWire
import Testing

/// Pages hear how much happened, and the newest of it.
@Suite struct RecentEventsTests {
  private static func message(_ events: [Orrery_Event]) throws -> [UInt8] {
    var message = Orrery_Events()
    (message.generation, message.firstNumber, message.events) = (7, 1, events)
    return try message.serializedBytes()
  }

  private static func add(_ bytes: [UInt8], to recent: inout RecentEvents) throws {
    try bytes.withUnsafeBytes { bytes in
      recent.add(bytes, try #require(EventsHead(bytes)))
    }
  }

  @Test func theNewestAreListedAndAllAreCounted() throws {
    var recent = RecentEvents()
    let none = recent.take()
    #expect(none == nil)
    for part in 0..<3 {
      let events = (0..<15).map { index in
        var event = Orrery_Event()
        (event.kind, event.time) = (.completed, Double(part * 15 + index))
        event.completion = "c\(part * 15 + index)"
        return event
      }
      try Self.add(Self.message(events), to: &recent)
    }
    var command = Orrery_Event()
    (command.kind, command.time, command.command) = (.command, 50, #"{"do":"pause"}"#)
    try Self.add(Self.message([command]), to: &recent)
    let all = recent.take()
    let taken = try #require(all)
    #expect(taken["count"]?.countValue == 46)
    let lines = try #require(taken["newest"]?.array)
    #expect(lines.count == RecentEvents.newestMax)
    #expect(lines.first?.table?["text"]?.string == "completed c26")
    #expect(lines.last?.table?["text"]?.string == #"command {"do":"pause"}"#)
    #expect(lines.last?.table?["at"]?.number == 50)
    let rest = recent.take()
    #expect(rest == nil)
  }

  /// A burst is counted and not listed; messages without events say nothing.
  @Test func aBurstIsCounted() throws {
    var event = Orrery_Event()
    (event.kind, event.completion) = (.completed, "a name of some length")
    var recent = RecentEvents()
    try Self.add(Self.message([]), to: &recent)
    let none = recent.take()
    #expect(none == nil)
    try Self.add(Self.message(Array(repeating: event, count: 10_000)), to: &recent)
    let all = recent.take()
    let taken = try #require(all)
    #expect(taken["count"]?.countValue == 10_000)
    #expect(taken["newest"]?.array?.isEmpty == true)
  }
}
