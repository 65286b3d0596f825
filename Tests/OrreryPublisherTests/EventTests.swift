// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryPublisher
import OrreryScene
import OrrerySim
import OrreryWire
import TestSupport
import Testing

/// Goal: what happens in a run reaches its subscribers as numbered messages, in order, each event once, or they
/// know exactly how many they missed.
///
/// Method: runs under names of this process alone whose events a receiver takes; what a world tells that is
/// asked directly is the oracle. Messages are read with the generated type.
@Suite struct EventTests {
  /// Views that are set in motion together, with a completion, every second.
  private static func plan(views: Int) -> ScenePlan {
    var plan = ViewsPlan(
      views: (0..<views).map { ViewPlan(name: "view \($0)", initial: [0, 0, 1, 1, 0, 0]) },
      completions: ["there"])
    plan.commands = [
      CommandPlan(
        time: 0.1, every: 1,
        transaction: TransactionPlan(
          (0..<views).map { .set(view: $0, .x, Double($0 + 1)) },
          animation: .linear(duration: 0.5), completion: 0))
    ]
    plan.commands.append(
      CommandPlan(
        time: 0.7, every: 1,
        transaction: TransactionPlan((0..<views).map { .set(view: $0, .x, 0) })))
    var layout = Orrery_SceneLayout()
    layout.batches = [Orrery_Batch(), Orrery_Batch()]
    let orbits = Specs(count: 3) { _ in OrbitSpec(radius: 1, period: 1, phase: 0) }
    return ScenePlan(
      name: "events", seed: 1, rate: 60, batches: [.orbit(orbits), .views(plan)], layout: layout)
  }

  /// Runs and takes all events of the run, which begins paused and in which `play` says what comes.
  private func messages(
    _ name: String, views: Int, ticks: UInt64, events: RecordedEvents,
    _ play: @escaping @Sendable (CommandQueueClient) -> Void = { $0.done(.resume) }
  ) throws -> (messages: [Orrery_Events], account: EventLosses) {
    var options = SimOptions(test: name, ticks: ticks)
    options.events = events
    let simulation = try Simulation(Self.plan(views: views), options: options)
    let receiver = try EventReceiver(directory: RunDirectory(name: options.run))
    let client = CommandQueueClient(queue: simulation.commands)
    _ = client.post(.pause)
    let kept = Monitor<(messages: [Orrery_Events], account: EventLosses)>(([], EventLosses()))
    let thread = try TestThread("the last event") {
      #expect(receiver.waitUntilKnown(timeoutNs: patienceNs))
      play(client)
      var isFinal = false
      var found = (messages: [Orrery_Events](), account: EventLosses())
      while !isFinal {
        let isThere = receiver.next(timeoutNs: patienceNs) { bytes in
          guard let head = EventsHead(bytes),
            let message = try? Orrery_Events(serializedBytes: Array(bytes))
          else {
            Issue.record("not a message: \(bytes.count) bytes")
            return
          }
          #expect(head.count == UInt64(message.events.count))
          #expect(head.firstNumber == message.firstNumber)
          #expect(head.tick == message.tick)
          #expect(head.generation == message.generation)
          found.account.receive(head)
          found.messages.append(message)
        }
        isFinal = !isThere || found.account.isFinal
      }
      let result = found
      kept.change { $0 = result }
    }
    _ = try finish(simulation)
    try thread.join()
    return kept.read { $0 }
  }

  @Test(arguments: [RecordedEvents.completions, .all])
  func everyEventComesOnceAndInOrder(records: RecordedEvents) throws {
    let (views, ticks) = (40, UInt64(200))
    let found = try messages("events-\(records)", views: views, ticks: ticks, events: records)
    #expect(found.account.isFinal)
    #expect(found.account.missedCount(isFromStart: true) == 0)
    let world = try World(
      Self.plan(views: views), instructionSet: .baseline, threadCount: 1, records: records)
    var expected: [(tick: UInt64, event: DirectorEvent)] = []
    for tick in 1...ticks {
      _ = Values(of: world, tick: tick)
      expected += world.takeEvents().map { (tick, $0) }
    }
    #expect(expected.count == (records == .all ? 3 * 3 * views + 3 : 3))
    var (next, index) = (UInt64(1), 0)
    for message in found.messages {
      #expect(message.firstNumber == next)
      next += UInt64(message.events.count)
      for event in message.events where index < expected.count {
        try check(event, message.tick, expected[index])
        index += 1
      }
    }
    #expect(index == expected.count)
    #expect(next == UInt64(expected.count) + 1)
    #expect(found.messages.last?.events.isEmpty == true)
  }

  private func check(
    _ event: Orrery_Event, _ tick: UInt64, _ expected: (tick: UInt64, event: DirectorEvent)
  ) throws {
    try #require(event.time == expected.event.time)
    try #require(tick == expected.tick)
    switch expected.event.kind {
    case .legEnded(let view, let channel, let leg):
      try #require(event.kind == .legEnded)
      try #require(event.leg == UInt32(leg))
      try checkView(event, view, channel)
    case .logicallyComplete(let view, let channel):
      try #require(event.kind == .logicallyComplete)
      try checkView(event, view, channel)
    case .removed(let view, let channel, let isFinished):
      try #require(event.kind == .removed)
      try #require(event.cancelled == !isFinished)
      try checkView(event, view, channel)
    case .completed(let index):
      try #require(event.kind == .completed)
      try #require(event.completion == "there")
      try #require(index == 0)
    }
  }

  /// Three orbits come before the views.
  private func checkView(_ event: Orrery_Event, _ view: Int, _ channel: ViewChannel) throws {
    try #require(event.view == "view \(view)")
    try #require(event.entity == UInt32(view + 3))
    try #require(event.field.rawValue == Int(channel.property?.fieldNumber ?? 0))
  }

  /// Back to before the completion it is told again; back to a tick after it, or ahead, it is not.
  @Test(arguments: [(10, 2), (35, 2), (40, 1), (70, 1)] as [(UInt64, Int)])
  func seekTellsAgainWhatHappensFromThereOn(tick: UInt64, toldCount: Int) throws {
    let found = try messages("events-seek-\(tick)", views: 3, ticks: 1_000, events: .completions) {
      // The first completion is at 0.6 s, the second at 1.6 s.
      $0.done(.step, ["ticks": .integer(60)])
      $0.done(.seek, ["tick": .count(tick)])
      $0.done(.step, ["ticks": .integer(20)])
      $0.done(.seek, ["tick": .integer(45)])
      $0.done(.step)
      $0.done(.quit)
    }
    #expect(found.account.isFinal)
    #expect(found.account.missedCount(isFromStart: true) == 0)
    let times = found.messages.flatMap { $0.events.map(\.time) }
    #expect(times.count == toldCount)
    #expect(Set(times).count == 1)
  }

  /// Many messages for one tick: none is lost for a subscriber that takes them.
  @Test func floodIsReceivedWhole() throws {
    let views = 20_000 * testEffort
    let found = try messages("events-flood", views: views, ticks: 80, events: .all)
    #expect(found.account.isFinal)
    #expect(found.account.missedCount(isFromStart: true) == 0)
    #expect(found.account.receivedCount == UInt64(3 * views + 1))
    #expect(found.messages.count > 30)
  }

  @Test func runWithoutEventsSaysSo() throws {
    let found = try messages("events-none", views: 3, ticks: 80, events: .none)
    #expect(found.account.isFinal)
    #expect(found.account.receivedCount == 0)
    #expect(found.messages.map(\.firstNumber) == [1])
  }

  @Test func gapsAreCounted() throws {
    func head(_ first: UInt64, _ count: Int) throws -> EventsHead {
      var message = Orrery_Events()
      (message.generation, message.firstNumber, message.tick) = (7, first, 3)
      message.events = (0..<count).map { _ in Orrery_Event() }
      let bytes: [UInt8] = try message.serializedBytes()
      return try #require(bytes.withUnsafeBytes { EventsHead($0) })
    }
    var account = EventLosses()
    account.receive(try head(4, 2))
    account.receive(try head(9, 1))
    // What is older than what was counted is not counted again.
    account.receive(try head(5, 3))
    #expect(account.receivedCount == 3)
    #expect(!account.isFinal)
    #expect(account.missedCount(isFromStart: false) == 3)
    #expect(account.missedCount(isFromStart: true) == 6)
    account.receive(try head(12, 0))
    #expect(account.isFinal)
    #expect(account.missedCount(isFromStart: false) == 5)
  }

  /// Whatever the bytes: a head, or none, and no access outside them.
  @Test func damagedMessagesAreRefusedOrHarmless() throws {
    var message = Orrery_Events()
    (message.generation, message.firstNumber) = (1, 2)
    message.events = (0..<5).map { index in
      var event = Orrery_Event()
      event.completion = String(repeating: "x", count: 60 * index)
      return event
    }
    let whole: [UInt8] = try message.serializedBytes()
    for count in 0..<whole.count {
      let head = whole[..<count].withUnsafeBytes { EventsHead($0) }
      #expect(head.map { $0.count < 5 } ?? true)
    }
    var random = SeededRandom(seed: 5)
    for _ in 0..<2_000 * testEffort {
      var bytes = whole
      bytes[Int(random.next(upperBound: UInt64(bytes.count)))] = UInt8(
        truncatingIfNeeded: random.next())
      _ = bytes.withUnsafeBytes { EventsHead($0) }
    }
  }
}
