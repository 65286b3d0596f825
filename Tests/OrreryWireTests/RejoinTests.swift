// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: a subscriber whose connection broke goes on where it stopped if the same run answers, and ends with an exact
/// account whatever else does.
///
/// Method: a false sim that dies after frame 1, and another one at its address.
@Suite struct RejoinTests {
  /// What comes up to the end of a subscription, or up to a frame.
  private static func events(
    _ subscription: RemoteSubscription, until last: SubscriptionEvent? = nil
  ) throws -> [SubscriptionEvent] {
    var events: [SubscriptionEvent] = []
    try waitUntil("the end of the subscription") {
      let event = subscription.next(timeoutNs: 20_000_000) { _ in true }
      if event != .idle { events.append(event) }
      switch event {
      case .ended, .simDied, .dropped: return true
      case .frame, .missed, .idle: return event == last
      }
    }
    return events
  }

  /// What another sim answers to one that has read frame 1, and what that one comes to.
  private static func follow(
    _ answer: [[[UInt8]]]
  ) throws -> (events: [SubscriptionEvent], subscription: RemoteSubscription, asked: ControlRequest)
  {
    let first = try FalseSim([try FalseSim.welcome(), [try FalseSim.frame(1)]])
    let subscription = try first.join(RemoteOptions(name: "test"), waitSeconds: 40)
    try #require(
      try events(subscription, until: .frame(sequence: 1)) == [.frame(sequence: 1)])
    first.stop()
    let second = try FalseSim(answer, at: first.address.endpoint)
    defer { second.stop() }
    let found = try events(subscription)
    return (found, subscription, try #require(second.requests.first))
  }

  private static func reply(_ fields: [String: DocumentValue]) -> [[UInt8]] {
    FalseSim.told("reply", fields.merging(["id": .integer(2)]) { $1 })
  }

  @Test func sameRunIsFollowedFromTheNextFrameOn() throws {
    let (events, subscription, asked) = try Self.follow([
      try FalseSim.welcome(id: 2, joinedAfter: 1), [try FalseSim.frame(1)], [try FalseSim.frame(3)],
      FalseSim.told("end", ["sequence": .integer(3)]),
    ])
    // Frame 1 comes twice and is read once.
    #expect(events == [.missed(2...2), .frame(sequence: 3), .ended])
    #expect(subscription.rejoinCount == 1)
    #expect(subscription.losses.receivedCount == 2)
    #expect(asked.verb == .join)
    #expect(asked.id == 2)
    #expect(asked.fields["from"] == .integer(2))
    #expect(asked.fields["name"] == .string("test"))
  }

  /// The same number, drawn by chance, of another scene.
  @Test func anotherLayoutIsAnotherRun() throws {
    let other = try FrameLayout(columns: [
      ColumnDescription(batch: 0, field: 1, firstEntity: 0, valueCount: 9)
    ])
    let (events, subscription, _) = try Self.follow([
      try FalseSim.welcome(id: 2, joinedAfter: 1, layout: other),
      [try FalseSim.frame(2, layout: other)],
    ])
    #expect(events == [.simDied])
    #expect(subscription.losses.last == 1)
    #expect(subscription.failure == nil)
  }

  /// An answer's fields, and what they are to one that has read frame 1.
  static let answers: [(fields: [String: DocumentValue], events: [SubscriptionEvent])] = [
    (
      [
        "ok": .bool(false), "ended": .bool(true), "generation": .word(7), "newest": .integer(4),
      ], [.missed(2...4), .ended]
    ),
    (
      [
        "ok": .bool(false), "ended": .bool(true), "generation": .word(7), "newest": .integer(1),
      ], [.ended]
    ),
    // Less than was received is no step back.
    (
      [
        "ok": .bool(false), "ended": .bool(true), "generation": .word(7), "newest": .integer(0),
      ], [.ended]
    ),
    (
      [
        "ok": .bool(false), "ended": .bool(true), "generation": .word(8), "newest": .integer(4),
      ], [.simDied]
    ),
    // It has not published so much.
    (["ok": .bool(false), "reason": .string("'from' is 2; the newest frame is 0")], [.simDied]),
    ([:], [.dropped(.remote(WireError.badMessage("a reply without 'ok'").description))]),
    (
      ["ended": .bool(true), "newest": .integer(4)],
      [.dropped(.remote(WireError.badMessage("no 'generation'").description))]
    ),
  ]

  @Test(arguments: answers.indices)
  func answerThatIsNoWelcomeEndsTheSubscription(index: Int) throws {
    let (fields, expected) = Self.answers[index]
    let (events, subscription, _) = try Self.follow([Self.reply(fields)])
    #expect(events == expected)
    let isFailure = if case .dropped? = expected.last { true } else { false }
    #expect((subscription.failure != nil) == isFailure)
    #expect(subscription.losses.receivedCount == 1)
    // It stays over.
    #expect(subscription.next(timeoutNs: 0) { _ in true } == expected.last)
  }

  /// What the old connection was answered is nothing to the new one.
  @Test func onlyTheAnswerToThisJoinCounts() throws {
    let (events, _, _) = try Self.follow([
      try FalseSim.welcome(id: 1, joinedAfter: 1),
      FalseSim.told("alive", ["sequence": .integer(9)]),
      Self.reply(["ok": .bool(false), "reason": .string("another run")]),
    ])
    #expect(events == [.simDied])
  }

  /// Silence is counted from the welcome on.
  @Test func whoWasJoinedAgainIsGivenItsTime() throws {
    let sim = try FalseSim(
      [try FalseSim.welcome()], again: [try FalseSim.welcome(id: 2)])
    defer { sim.stop() }
    let subscription = try sim.join(RemoteOptions(name: "test"), waitSeconds: 40)
    try waitUntil("two and a half seconds of silence to be noticed") {
      #expect(subscription.next(timeoutNs: 20_000_000) { _ in true } == .idle)
      return subscription.rejoinCount > 0
    }
    let beganNs = Clock.monotonicNs()
    for _ in 0..<40 {
      #expect(subscription.next(timeoutNs: 25_000_000) { _ in true } == .idle)
    }
    // A machine that stood still meanwhile has heard nothing for too long again.
    if Clock.monotonicNs() < beganNs + 2_400_000_000 {
      #expect(subscription.rejoinCount == 1)
    }
    let joins = sim.requests.filter { $0.verb == .join }
    #expect(joins.first?.fields["from"] == nil)
    #expect(joins.dropFirst().first?.fields["from"] == .integer(1))
  }
}
