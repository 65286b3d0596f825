// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryPublisher
import OrreryScene
import OrrerySim
import OrreryWire
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: every event of a run has its number, also where more happens than can be sent or kept.
///
/// Method: a sender whose thread a test holds up, while more and more waits; commands, and events of worlds of so many
/// views that a limit is met exactly.
@Suite(.serialized) struct EventSenderTests {
  /// A sender, and what its listener was told.
  private final class Sending {
    private let base: TemporaryBase
    private let lock: RunLock
    let sender: EventSender

    /// All heads, and the first messages.
    private let told: Monitor<(heads: [EventsHead], messages: [Orrery_Events])>

    private let isHeld: Flag
    private let mayGoOn: Flag

    /// Starts a sender, whose thread stands still with its first message if it is to be held up.
    init(_ plan: ScenePlan, isHeldUp: Bool = false) throws {
      let (isHeld, mayGoOn) = (Flag(), Flag())
      let told = Monitor<(heads: [EventsHead], messages: [Orrery_Events])>(([], []))
      (self.isHeld, self.mayGoOn, self.told) = (isHeld, mayGoOn, told)
      base = try TemporaryBase()
      lock = try RunLock(RunDirectory(name: "events", base: base.path))
      sender = try EventSender(
        plan, generation: 7, announcer: EventAnnouncer(directory: lock.directory))
      if !isHeldUp { mayGoOn.set() }
      sender.setListener { bytes in
        isHeld.set()
        do {
          try waitUntil("the sender to be let go on") { mayGoOn.isSet }
          let head = try #require(bytes.withUnsafeBytes { EventsHead($0) })
          let count = told.read { $0.messages.count }
          let message = try count < 10 ? Orrery_Events(serializedBytes: bytes) : nil
          told.change { told in
            told.heads.append(head)
            if let message { told.messages.append(message) }
          }
        } catch {
          Issue.record("\(error)")
        }
      }
    }

    deinit {
      mayGoOn.set()
      sender.finish()
    }

    func waitUntilHeld() throws { try waitUntil("the sender to stand still") { isHeld.isSet } }

    /// Has the thread stand still with the timings of a frame, before it has taken any event.
    func holdUpWithTimings() throws {
      let (isHeld, mayGoOn) = (isHeld, mayGoOn)
      sender.setAudience {
        isHeld.set()
        try? waitUntil("the sender to be let go on") { mayGoOn.isSet }
        return false
      }
      sender.timings.add(
        FrameTiming(waitNs: 1, computeNs: 1, publishNs: 1), sequence: 1, nowNs: 0, lateTicks: 0)
      sender.timings.close()
      try waitUntilHeld()
    }

    /// Lets it go on, and ends it.
    func finish() throws {
      mayGoOn.set()
      let sender = sender
      try within("the sender's end") { sender.finish() }
    }

    var heads: [EventsHead] { told.read { $0.heads } }
    var messages: [Orrery_Events] { told.read { $0.messages } }
    var total: UInt64? { sender.stats.count("events_total") }
    var dropped: UInt64? { sender.stats.count("events_dropped") }
  }

  /// Views that move for half a second in each second, behind a batch of three orbits.
  private static func plan(views: Int) -> ScenePlan {
    var plan = ViewsPlan(
      views: (0..<views).map { ViewPlan(name: "\($0)", initial: [0, 0, 1, 1, 0, 0]) },
      completions: ["there", "gone"])
    plan.commands = [
      CommandPlan(
        time: 0.1, every: 1,
        transaction: TransactionPlan(
          (0..<views).map { .set(view: $0, .x, Double($0 + 1)) },
          animation: .linear(duration: 0.5), completion: 0)),
      CommandPlan(
        time: 0.7, every: 1,
        transaction: TransactionPlan((0..<views).map { .set(view: $0, .x, 0) })),
    ]
    var layout = Orrery_SceneLayout()
    layout.batches = [Orrery_Batch(), Orrery_Batch()]
    let orbits = Specs(count: 3) { _ in OrbitSpec(radius: 1, period: 1, phase: 0) }
    return ScenePlan(
      name: "events", seed: 1, rate: 60, batches: [.orbit(orbits), .views(plan)], layout: layout)
  }

  @Test func commandsAreNumberedAndToldInTheirOrder() throws {
    let sending = try Sending(Self.plan(views: 1))
    #expect(sending.total == 0)
    #expect(sending.dropped == 0)
    for number in 1...3 as ClosedRange<UInt64> {
      sending.sender.send(command: "c\(number)", tick: number + 9, seconds: Double(number) / 4)
    }
    try sending.finish()
    // And once more.
    try sending.finish()
    #expect(sending.messages.map(\.generation) == [7, 7, 7, 7])
    #expect(sending.messages.map(\.firstNumber) == [1, 2, 3, 4])
    #expect(sending.messages.map(\.tick) == [10, 11, 12, 0])
    let events = sending.messages.map(\.events)
    #expect(events.map { $0.map(\.command) } == [["c1"], ["c2"], ["c3"], []])
    #expect(events.map { $0.map(\.time) } == [[0.25], [0.5], [0.75], []])
    #expect(events.map { $0.map(\.kind) } == [[.command], [.command], [.command], []])
    #expect(sending.total == 3)
    #expect(sending.dropped == 0)
  }

  @Test func sceneWithoutViewsHasNoEventsButCommands() throws {
    var plan = Self.plan(views: 1)
    plan.batches.removeLast()
    let sending = try Sending(plan)
    let world = try World(plan, instructionSet: .baseline, threadCount: 1, records: .all)
    _ = Values(of: world, tick: 100)
    sending.sender.send(world, tick: 100)
    #expect(sending.sender.index(ofCompletion: "there") == 0)
    try sending.finish()
    #expect(sending.messages.map(\.firstNumber) == [1])
    #expect(sending.total == 0)
  }

  @Test func completionsOfCommandsAreBounded() throws {
    let sending = try Sending(Self.plan(views: 1))
    let sender = sending.sender
    #expect(sender.index(ofCompletion: "gone") == 1)
    for number in 0..<10_000 {
      try #require(sender.index(ofCompletion: "new \(number)") == 2 + number)
    }
    #expect(sender.index(ofCompletion: "one more") == nil)
    #expect(sender.index(ofCompletion: "there") == 0)
    #expect(sender.index(ofCompletion: "new 0") == 2)
    #expect(sender.index(ofCompletion: "new 9999") == 10_001)
  }

  /// The names of completions that commands brought are told with their ends.
  @Test func eventsTellTheirViewsAndCompletions() throws {
    let plan = Self.plan(views: 2)
    let sending = try Sending(plan)
    let index = try #require(sending.sender.index(ofCompletion: "mine"))
    let world = try World(plan, instructionSet: .baseline, threadCount: 1, records: .all)
    let transaction = TransactionPlan(
      [.set(view: 1, .x, 5)], animation: .linear(duration: 0.05), completion: index)
    #expect(world.apply(transaction, atSeconds: 1, batch: 1))
    _ = Values(of: world, tick: 42)
    sending.sender.send(world, tick: 42)
    _ = Values(of: world, tick: 80)
    sending.sender.send(world, tick: 80)
    try sending.finish()
    #expect(sending.messages.map(\.tick) == [42, 80, 0])
    #expect(sending.messages.map(\.firstNumber) == [1, 8, 12])
    let first = sending.messages[0].events
    #expect(Set(first.filter { $0.kind == .legEnded }.map(\.view)) == ["0", "1"])
    #expect(Set(first.filter { $0.kind == .legEnded }.map(\.entity)) == [3, 4])
    #expect(first.filter { $0.kind == .completed }.map(\.completion) == ["there"])
    let second = sending.messages[1].events
    #expect(second.filter { $0.kind == .removed }.map(\.entity) == [4])
    #expect(second.filter { $0.kind == .completed }.map(\.completion) == ["mine"])
  }

  @Test func itemsThatWaitAreBounded() throws {
    let sending = try Sending(Self.plan(views: 1), isHeldUp: true)
    func send(_ count: Int) {
      for _ in 0..<count { sending.sender.send(command: "x", tick: 1, seconds: 0) }
    }
    send(1)
    try sending.waitUntilHeld()
    send(16_384)
    #expect(sending.dropped == 0)
    send(3)
    #expect(sending.dropped == 3)
    #expect(sending.total == 16_388)
    try sending.finish()
    // The numbers of what was dropped are used up.
    let expected = Array(UInt64(1)...16_385) + [16_389]
    #expect(firstDifference(sending.heads.map(\.firstNumber), expected) == nil)
  }

  /// Of each view three events in a period, and one of all: a power of two, and eight periods are the limit.
  private static let viewsAtTheLimit = 87_381
  private static let periodCount: UInt64 = 1 << 18

  /// As many wait before the first one is sent as later.
  @Test(arguments: [1, 0] as [UInt64]) func eventsThatWaitAreBounded(sent: UInt64) throws {
    let plan = Self.plan(views: Self.viewsAtTheLimit)
    let sending = try Sending(plan, isHeldUp: true)
    let world = try World(plan, instructionSet: .best, threadCount: 1, records: .all)
    if sent > 0 {
      sending.sender.send(command: "x", tick: 1, seconds: 0)
      try sending.waitUntilHeld()
    } else {
      try sending.holdUpWithTimings()
    }
    for period in 0..<8 as Range<UInt64> {
      let tick = period * 60 + 40
      _ = Values(of: world, tick: tick)
      sending.sender.send(world, tick: tick)
      try #require(sending.total == sent + (period + 1) * Self.periodCount)
      try #require(sending.dropped == 0, "period \(period)")
    }
    sending.sender.send(command: "one more", tick: 500, seconds: 0)
    #expect(sending.total == sent + 1 + 8 * Self.periodCount)
    #expect(sending.dropped == 1)
    try sending.finish()
    let heads = sending.heads
    #expect(heads.reduce(0) { $0 + $1.count } == sent + 8 * Self.periodCount)
    for (head, next) in zip(heads, heads.dropFirst(1)).dropLast() {
      try #require(head.firstNumber + head.count == next.firstNumber)
    }
    #expect(heads.last?.firstNumber == sent + 2 + 8 * Self.periodCount)
  }

  /// A world keeps a million events and eight of each view that nobody takes; the oldest are lost.
  @Test func eventsThatAWorldLostHaveNumbers() throws {
    let plan = Self.plan(views: Self.viewsAtTheLimit)
    let sending = try Sending(plan)
    let world = try World(plan, instructionSet: .best, threadCount: 1, records: .all)
    for period in 0..<8 as Range<UInt64> { _ = Values(of: world, tick: period * 60 + 40) }
    let lost = 8 * Self.periodCount - (1 << 20) - 8 * UInt64(Self.viewsAtTheLimit)
    #expect(world.lostEventCount == lost)
    sending.sender.send(world, tick: 460)
    #expect(sending.total == 8 * Self.periodCount)
    #expect(sending.dropped == lost)
    // They are counted once.
    _ = Values(of: world, tick: 520)
    sending.sender.send(world, tick: 520)
    #expect(sending.total == 9 * Self.periodCount)
    #expect(sending.dropped == lost)
    try sending.finish()
    #expect(sending.heads.first?.firstNumber == lost + 1)
    #expect(sending.heads.reduce(0) { $0 + $1.count } == 9 * Self.periodCount - lost)
    #expect(sending.heads.last?.firstNumber == 9 * Self.periodCount + 1)
  }

  /// Whoever listens is let go of with the end, or a sim and its sender would keep each other alive.
  @Test func listenerIsLetGoOfAtTheEnd() throws {
    final class Ear: Sendable {}
    let base = try TemporaryBase()
    let lock = try RunLock(RunDirectory(name: "ear", base: base.path))
    let sender = try EventSender(
      Self.plan(views: 1), generation: 7, announcer: EventAnnouncer(directory: lock.directory))
    weak var ear: Ear?
    do {
      let listening = Ear()
      ear = listening
      sender.setListener { _ in withExtendedLifetime(listening) {} }
    }
    #expect(ear != nil)
    sender.finish()
    #expect(ear == nil)
  }
}
