// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: a subscriber asks for what its program wants, tells the sim how far it is, and accounts for everything that
/// the sim ever told it of.
///
/// Method: a false sim, which says what a test likes and notes what it is asked.
@Suite struct RemoteSubscriptionTests {
  private static func options(_ reading: Reading = .every) -> RemoteOptions {
    var options = RemoteOptions(name: "test")
    options.reading = reading
    return options
  }

  /// The next event that is not idle.
  private static func next(
    _ subscription: RemoteSubscription, use: (FrameView) -> Bool = { _ in true }
  ) throws -> SubscriptionEvent {
    var event = SubscriptionEvent.idle
    try waitUntil("what happens next") {
      event = subscription.next(timeoutNs: 20_000_000) { use($0) }
      return event != .idle
    }
    return event
  }

  // MARK: - The account

  @Test func framesThatADeadSimToldOfAreMissed() throws {
    let sim = try FalseSim([
      try FalseSim.welcome(), [try FalseSim.frame(1)],
      FalseSim.told("alive", ["sequence": .integer(9)]), [try FalseSim.frame(2)],
    ])
    let subscription = try sim.join(Self.options(), waitSeconds: 0.3)
    #expect(try Self.next(subscription) == .frame(sequence: 1))
    #expect(try Self.next(subscription) == .frame(sequence: 2))
    sim.stop()
    #expect(try Self.next(subscription) == .missed(3...9))
    #expect(try Self.next(subscription) == .simDied)
    #expect(subscription.losses.missedCount == 7)
    #expect(subscription.rejoinCount == 1)
  }

  @Test func olderWordIsNoStepBack() throws {
    let sim = try FalseSim([
      try FalseSim.welcome(), FalseSim.told("alive", ["sequence": .integer(9)]),
      FalseSim.told("alive", ["sequence": .integer(4)]), [try FalseSim.frame(1)],
      FalseSim.told("end", ["sequence": .integer(1)]),
    ])
    defer { sim.stop() }
    let subscription = try sim.join(Self.options())
    #expect(try Self.next(subscription) == .frame(sequence: 1))
    #expect(try Self.next(subscription) == .missed(2...9))
    #expect(try Self.next(subscription) == .ended)
  }

  /// The sim's reason, if it has one, is why the run goes on without this subscriber.
  @Test(arguments: ["", "it was too slow"])
  func framesUpToTheEndAreMissed(reason: String) throws {
    let sim = try FalseSim([
      try FalseSim.welcome(joinedAfter: 4), [try FalseSim.frame(5)], [try FalseSim.frame(8)],
      [try FalseSim.frame(7)],
      FalseSim.told("end", ["sequence": .integer(10), "reason": .string(reason)]),
    ])
    defer { sim.stop() }
    let subscription = try sim.join(Self.options())
    #expect(subscription.losses.joinedAfter == 4)
    #expect(try Self.next(subscription) == .frame(sequence: 5))
    #expect(try Self.next(subscription) == .missed(6...7))
    #expect(try Self.next(subscription) == .frame(sequence: 8))
    // Frame 7 comes too late to be anything but missed.
    #expect(try Self.next(subscription) == .missed(9...10))
    for _ in 0..<2 {
      #expect(
        try Self.next(subscription) == (reason.isEmpty ? .ended : .dropped(.remote(reason))))
    }
    #expect(subscription.losses.receivedCount == 2)
    #expect(subscription.losses.missedCount == 4)
    #expect(subscription.failure == nil)
  }

  @Test func frameThatItsUserRefusesIsMissed() throws {
    let sim = try FalseSim(FalseSim.messages())
    defer { sim.stop() }
    let subscription = try sim.join(Self.options())
    #expect(try Self.next(subscription) { _ in false } == .missed(1...1))
    #expect(try Self.next(subscription) == .frame(sequence: 2))
    #expect(subscription.ages.histogram.count == 1)
  }

  /// A slow user is not what frames are late for.
  @Test func latencyEndsWhereReadingBegins() throws {
    let publishedNs = Clock.wallNs()
    let sim = try FalseSim([
      try FalseSim.welcome(), [try FalseSim.frame(1, publishedNs: publishedNs)],
    ])
    defer { sim.stop() }
    let subscription = try sim.join(Self.options())
    var beganNs: UInt64 = 0
    let event = try Self.next(subscription) { _ in
      beganNs = Clock.wallNs()
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 50_000_000)
      return true
    }
    #expect(event == .frame(sequence: 1))
    #expect(subscription.ages.histogram.count == 1)
    #expect(subscription.ages.histogram.max > 0)
    #expect(subscription.ages.histogram.max <= beganNs - publishedNs)
  }

  /// Clocks of two machines differ.
  @Test func frameFromTheFutureHasNoLatency() throws {
    let sim = try FalseSim([
      try FalseSim.welcome(), [try FalseSim.frame(1, publishedNs: .max)],
    ])
    defer { sim.stop() }
    let subscription = try sim.join(Self.options())
    #expect(try Self.next(subscription) == .frame(sequence: 1))
    #expect(subscription.ages.histogram.count == 1)
    #expect(subscription.ages.histogram.max == 0)
  }

  // MARK: - What is asked

  /// 0 asks for the next frame, and is not said.
  @Test(arguments: Reading.allCases, [0, 1, 12])
  func joinAsksForWhatIsWished(reading: Reading, from: UInt64) throws {
    let isAsked = from > 0
    let sim = try FalseSim(FalseSim.messages())
    defer { sim.stop() }
    var options = Self.options(reading)
    options.isCompressed = isAsked
    options.wantsEvents = isAsked
    options.from = from
    let subscription = try sim.join(options)
    #expect(subscription.reading == reading)
    var fields: [String: DocumentValue] = [
      "name": .string("test"), "frames": .string(reading == .every ? "every" : "latest"),
      "compression": .string(isAsked ? "lz4" : "none"), "events": .bool(isAsked),
    ]
    if isAsked { fields["from"] = .count(from) }
    #expect(sim.requests.first == ControlRequest(verb: .join, id: 1, fields: fields))
  }

  /// Frames 1 … 8 of a run with 16 slots, each reported; what the sim hears of it.
  private static func reported(
    _ reading: Reading, _ delivery: Delivery
  ) throws -> [ControlRequest] {
    var messages = [try FalseSim.welcome(delivery: delivery, slots: 16)]
    for sequence in UInt64(1)...8 where sequence != 3 {
      messages.append([try FalseSim.frame(sequence)])
    }
    let sim = try FalseSim(messages)
    do {
      let subscription = try sim.join(options(reading))
      while subscription.losses.last < 8 {
        if case .frame = try next(subscription) { subscription.report() }
      }
    }
    try waitUntil("the subscriber's goodbye") { sim.requests.last?.verb == .leave }
    sim.stop()
    return sim.requests
  }

  /// What was reported: up to which frame, and how many were missed.
  private static func said(_ requests: [ControlRequest]) -> [[UInt64]] {
    requests.filter { $0.verb == .progress }.map { request in
      ["sequence", "missed"].map { name in
        if case .integer(let count) = request.fields[name] { UInt64(clamping: count) } else { .max }
      }
    }
  }

  @Test func lockstepHearsOfEachQuarterOfItsRing() throws {
    let requests = try Self.reported(.every, .lockstep)
    let said = Self.said(requests)
    #expect(said.last == [8, 1])
    // Also whenever nothing comes for a moment, which no test can rule out.
    for (before, after) in zip([[0, 0]] + said, said) {
      #expect(after[0] - before[0] <= 4, "\(said)")
    }
    // Each request has a number of its own.
    #expect(requests.map(\.id) == Array(1...Int64(requests.count)))
  }

  @Test func whoWantsTheNewestSaysSoForEachFrame() throws {
    let requests = try Self.reported(.newest, .live)
    #expect(
      Self.said(requests) == [[1, 0], [2, 0], [4, 1], [5, 1], [6, 1], [7, 1], [8, 1]])
  }

  @Test func whoWantsEveryFrameReportsSeldomAndAtTheEnd() throws {
    let requests = try Self.reported(.every, .live)
    let said = Self.said(requests)
    #expect(said.first == [1, 0])
    #expect(said.last == [8, 1])
    #expect(requests.last?.fields == [:])
  }

  /// A sim must not wait for a subscriber that waits for the sim.
  @Test func subscriberThatFindsNothingReportsBeforeItWaits() throws {
    let sim = try FalseSim([
      try FalseSim.welcome(delivery: .lockstep, slots: 64), [try FalseSim.frame(1)],
    ])
    defer { sim.stop() }
    let subscription = try sim.join(Self.options())
    #expect(try Self.next(subscription) == .frame(sequence: 1))
    subscription.report()
    #expect(Self.said(sim.requests) == [])
    #expect(subscription.next(timeoutNs: 30_000_000) { _ in true } == .idle)
    try waitUntil("the report of frame 1") {
      Self.said(sim.requests) == [[1, 0]]
    }
  }
}
