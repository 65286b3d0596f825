// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: nothing that a sim answers to `join` is believed unchecked, and each contradiction is said by its name.
///
/// Method: a false sim whose welcome is right but for one field.
@Suite struct WelcomeTests {
  /// Joins a sim whose answer to `join` was changed.
  private static func join(
    _ change: (inout [String: DocumentValue]) -> Void, parts: ([[UInt8]]) -> [[UInt8]] = { $0 }
  ) throws -> RemoteSubscription {
    let welcome = try FalseSim.welcome()
    var fields = try welcome[1].withUnsafeBytes { try [String: DocumentValue](json: $0) }
    change(&fields)
    let sim = try FalseSim([parts([welcome[0], fields.json] + welcome[2...])])
    defer { sim.stop() }
    return try sim.join(RemoteOptions(name: "test"), waitSeconds: 20)
  }

  @Test func trueWelcomeIsTaken() throws {
    let subscription = try Self.join { _ in }
    #expect(subscription.source.generation == 7)
    #expect(subscription.source.delivery == .live)
    #expect(subscription.source.layout == (try FalseSim.layout()))
    #expect(Array(subscription.source.staticPart) == [1])
    #expect(subscription.losses.joinedAfter == 0)
    let lockstep = try Self.join { $0["delivery"] = .string("lockstep") }
    #expect(lockstep.source.delivery == .lockstep)
  }

  /// A field, what stands there instead (nil: nothing), and what is wrong with it.
  static let bad: [(field: String, value: DocumentValue?, what: String)] = [
    ("layout_version", nil, "no 'layout_version'"),
    ("layout_version", .integer(-1), "no 'layout_version'"),
    ("layout_version", .integer(1 << 62), "no 'layout_version'"),
    ("layout_version", .number(3.5), "no 'layout_version'"),
    ("layout_hash", nil, "no 'layout_hash'"),
    ("layout_hash", .word(1), "the layout is not what it says it is"),
    ("layout_hash", .string("123"), "no 'layout_hash'"),
    ("layout_hash", .string("000000000000000g"), "no 'layout_hash'"),
    ("frame_bytes", .integer(161), "the layout is not what it says it is"),
    ("frame_bytes", .string("160"), "no 'frame_bytes'"),
    ("generation", nil, "no 'generation'"), ("generation", .integer(7), "no 'generation'"),
    ("generation", .string("00000000000000007"), "no 'generation'"),
    ("sequence", nil, "no 'sequence'"), ("sequence", .integer(-1), "no 'sequence'"),
    ("sequence", .integer(1 << 62), "no 'sequence'"),
    ("newest", nil, "no 'newest'"), ("newest", .integer(-1), "no 'newest'"),
    ("slots", nil, "no 'slots'"), ("slots", .integer(-8), "no 'slots'"),
    ("delivery", nil, "no delivery"), ("delivery", .string("soon"), "no delivery"),
    ("ok", nil, "a reply without 'ok'"), ("ok", .integer(1), "a reply without 'ok'"),
    ("ok", .bool(false), "a reply without 'ok'"),
  ]

  @Test(arguments: bad.indices)
  func contradictionIsSaid(index: Int) {
    let (field, value, what) = Self.bad[index]
    #expect(throws: WireError.badMessage(what), "\(field)") {
      _ = try Self.join { $0[field] = value }
    }
  }

  @Test func largestNumbersThatCanBeAreTaken() throws {
    let subscription = try Self.join { $0["sequence"] = .integer(1 << 62 - 1) }
    #expect(subscription.losses.joinedAfter == 1 << 62 - 1)
  }

  @Test func anotherLayoutVersionIsSaidWithBoth() {
    let expected = UInt32(FrameLayout.version)
    for version in [Int64(expected) + 1, Int64(expected) - 1, 1 << 40] {
      let found = UInt32(clamping: version)
      #expect(throws: WireError.frame(.layoutVersion(found: found, expected: expected))) {
        _ = try Self.join { $0["layout_version"] = .integer(version) }
      }
    }
  }

  @Test func refusalIsHandedOnShortened() {
    #expect(throws: WireError.refused(reason: "64 subscribers are there")) {
      _ = try Self.join { fields in
        fields = [
          "id": .integer(1), "ok": .bool(false), "reason": .string("64 subscribers are there"),
        ]
      }
    }
    #expect(throws: WireError.refused(reason: String(repeating: "x", count: 1001))) {
      _ = try Self.join { fields in
        fields["ok"] = .bool(false)
        fields["reason"] = .string(String(repeating: "x", count: 1002))
      }
    }
  }

  @Test func welcomeWithoutItsPartsIsNone() {
    for count in 2...3 {
      #expect(throws: WireError.badMessage("no scene was sent")) {
        _ = try Self.join({ _ in }, parts: { Array($0.prefix(count)) })
      }
    }
    // The last part, which describes messages, is for others.
    #expect(throws: Never.self) { _ = try Self.join({ _ in }, parts: { Array($0.prefix(4)) }) }
  }

  @Test func columnsThatCannotBeAreRefused() throws {
    let table = try FalseSim.layout().columnTable
    for bad in [Array(table.dropLast()), table + table, [UInt8](repeating: 0, count: 32)] {
      #expect(throws: WireError.self) {
        _ = try Self.join({ _ in }, parts: { $0[..<3] + [bad] + $0[4...] })
      }
    }
  }

  /// It is the next run at this address that is waited for.
  @Test func welcomeOfARunThatHasEndedIsWaitedOut() {
    #expect(throws: WireError.self) {
      let sim = try FalseSim([
        [
          Array("reply".utf8),
          ([
            "id": .integer(1), "ok": .bool(false), "ended": .bool(true), "generation": .word(7),
            "newest": .integer(4),
          ] as [String: DocumentValue]).json,
        ]
      ])
      defer { sim.stop() }
      do {
        _ = try sim.join(RemoteOptions(name: "test"), waitSeconds: 0.2)
      } catch let error as WireError {
        #expect(error == .noAnswer(endpoint: sim.address.endpoint, waitedSeconds: 0.2))
        throw error
      }
    }
  }

  /// Answers to other requests are none to this one.
  @Test func answerToAnotherRequestIsNoWelcome() {
    #expect(throws: WireError.self) {
      let sim = try FalseSim([try FalseSim.welcome(id: 2)])
      defer { sim.stop() }
      _ = try sim.join(RemoteOptions(name: "test"), waitSeconds: 0.2)
    }
  }
}

// MARK: - What comes afterwards

extension WelcomeTests {
  /// Messages that the protocol does not know, and what is wrong with them.
  static let strange: [(message: [[UInt8]], what: String)] = [
    (FalseSim.told("hello", [:]), "a message named 'hello'"),
    ([Array(String(repeating: "n", count: 40).utf8), []], "a message named 'nnnnnnnnnnnnnnnn'"),
    (FalseSim.told("alive", [:]), "no 'sequence'"),
    (FalseSim.told("alive", ["sequence": .integer(-1)]), "no 'sequence'"),
    (FalseSim.told("end", ["sequence": .string("9")]), "no 'sequence'"),
    ([Array("alive".utf8), Array("[]".utf8)], "not a JSON object in UTF-8"),
    ([Array("end".utf8), []], "not a JSON object in UTF-8"),
    (
      [Array("reply".utf8), Array("{".utf8)],
      "not a JSON object of texts, numbers, booleans, lists and objects"
    ),
  ]

  @Test(arguments: strange.indices)
  func strangeMessageEndsTheSubscription(index: Int) throws {
    let (message, what) = Self.strange[index]
    let sim = try FalseSim([
      try FalseSim.welcome(), [try FalseSim.frame(1)], message, [try FalseSim.frame(2)],
    ])
    defer { sim.stop() }
    let subscription = try sim.join(RemoteOptions(name: "test"))
    var events: [SubscriptionEvent] = []
    try waitUntil("the end of the subscription") {
      let event = subscription.next(timeoutNs: 20_000_000) { _ in true }
      if event != .idle { events.append(event) }
      if case .dropped = event { return true }
      return false
    }
    #expect(
      events == [
        .frame(sequence: 1), .dropped(.remote(WireError.badMessage(what).description)),
      ])
    #expect(subscription.failure == .badMessage(what))
  }

  /// Replies to what was asked before, and events that nobody asked for, are no offence.
  @Test func repliesAndEventsArePassedOver() throws {
    let sim = try FalseSim([
      try FalseSim.welcome(), FalseSim.told("reply", ["id": .integer(9), "ok": .bool(false)]),
      [Array("events".utf8), [1, 2]], [try FalseSim.frame(1)],
    ])
    defer { sim.stop() }
    let subscription = try sim.join(RemoteOptions(name: "test"))
    try waitUntil("frame 1") {
      subscription.next(timeoutNs: 20_000_000) { _ in true } == .frame(sequence: 1)
    }
    #expect(subscription.failure == nil)
  }

  @Test func longReasonOfAnEndIsShortened() throws {
    let reason = DocumentValue.string(String(repeating: "r", count: 1002))
    let sim = try FalseSim([
      try FalseSim.welcome(), FalseSim.told("end", ["sequence": .integer(0), "reason": reason]),
    ])
    defer { sim.stop() }
    let subscription = try sim.join(RemoteOptions(name: "test"))
    try waitUntil("the shortened reason") {
      subscription.next(timeoutNs: 20_000_000) { _ in true }
        == .dropped(.remote(String(repeating: "r", count: 1001)))
    }
  }
}
