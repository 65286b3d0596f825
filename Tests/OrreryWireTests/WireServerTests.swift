// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire
import Synchronization
import TestSupport
import Testing

/// Goal: a subscriber on another machine gets the bytes that the sim published, and both sides count alike.
///
/// Method: a ring that the test fills, a server on the loopback address, and the real subscriber.
@Suite struct WireServerTests {
  @Test(arguments: [false, true]) func everyFrameArrivesInOrder(compressed: Bool) throws {
    let run = try ServedRun(slots: 64, spares: 64)
    run.publish(3)
    let subscription = try run.join(compressed: compressed)
    #expect(subscription.source.generation == 77)
    #expect(Array(subscription.source.staticPart) == [1, 2, 3])
    #expect(subscription.losses.joinedAfter == 3)
    run.publish(40)
    for sequence in UInt64(4)...43 {
      #expect(subscription.nextEvent() == .frame(sequence: sequence))
    }
    try waitUntil("40 frames to be sent") { run.subscribers.reports.first?.sent == 40 }
    let ending = try TestThread("the run's end") { run.end() }
    #expect(subscription.readToEnd() == .ended)
    try ending.join()
    // The sim has waited for it.
    #expect(run.subscribers.reports.first?.departure == .left)
  }

  /// The sim sends to it all the while, and finds the connection closed before or after it reads the goodbye.
  @Test func goodbyeIsHeardHoweverSoonTheConnectionIsClosed() throws {
    let run = try ServedRun(slots: 64, spares: 64)
    let hasEnough = Atomic(false)
    let publishing = try TestThread("the publisher's end") {
      while !hasEnough.load(ordering: .relaxed) {
        run.server.send(events: [1])
        run.publish()
        usleep(20)
      }
    }
    // No more than may be there at once.
    let count = 60
    let outcome = Result {
      for _ in 0..<count { _ = try run.join(.newest, events: true).nextEvent() }
      try waitUntil("all to have left") {
        run.subscribers.reports.count { $0.departure != nil } == count
      }
    }
    hasEnough.store(true, ordering: .relaxed)
    try publishing.join()
    try outcome.get()
    #expect(run.subscribers.reports.map(\.departure) == Array(repeating: .left, count: count))
  }

  @Test(arguments: [false, true]) func eventsComeToWhoAsksForThem(asks: Bool) throws {
    let run = try ServedRun()
    let subscription = try run.join(events: asks)
    var heard: [[UInt8]] = []
    subscription.whenEvents = { heard.append(Array($0)) }
    let sent = [1, 100_000, 3].map { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) } }
    for events in sent { run.server.send(events: events) }
    // Told before what is published afterwards.
    run.publish()
    #expect(subscription.nextEvent() == .frame(sequence: 1))
    let isRight = heard == (asks ? sent : [])
    #expect(isRight, "\(heard.map(\.count))")
  }

  @Test func eventsComeBeforeTheFramesThatArePublishedAfterThem() throws {
    let run = try ServedRun()
    let subscription = try run.join(events: true)
    var heardCount: UInt64 = 0
    subscription.whenEvents = { _ in heardCount += 1 }
    // A few at a time are under way: the wire's thread is somewhere else in its round each time.
    let underWay: UInt64 = 3
    for told in UInt64(1)...10_000 {
      run.server.send(events: [1])
      run.publish()
      guard told > underWay else { continue }
      let sequence = told - underWay
      try #require(subscription.nextEvent() == .frame(sequence: sequence))
      try #require(heardCount >= sequence)
    }
  }

  @Test func whoeverJoinsARunThatHasEndedGetsTheNextOne() throws {
    let run = try ServedRun()
    // It takes its time, and the sim waits for it.
    let slow = try run.join()
    run.publish(5)
    let ending = try TestThread("the run's end") { run.end() }
    try run.waitUntilJoinsAreRefused()
    let joined = Monitor<UInt64?>(nil)
    let joining = try TestThread("the next run to be joined") {
      let subscription = try? run.join()
      joined.change { $0 = subscription?.source.generation }
    }
    #expect(slow.readToEnd() == .ended)
    withExtendedLifetime(slow) {}
    try ending.join()
    let next = try ServedRun(generation: 78, listen: run.server.endpoint)
    try joining.join()
    #expect(joined.read { $0 } == 78)
    withExtendedLifetime(next) {}
  }

  @Test func slowSubscriberMissesExactlyWhatTheSimSkipped() throws {
    // 256 KiB frames: the window and the kernel's buffers hold some dozens.
    let run = try ServedRun(slots: 8, spares: 16, values: 65_536)
    let subscription = try run.join()
    run.publish(300)
    // Nothing was read meanwhile.
    let ending = try TestThread("the run's end") { run.end() }
    #expect(subscription.readToEnd() == .ended)
    try ending.join()
    #expect(subscription.isExact)
    #expect(subscription.losses.last == 300)
    let report = try #require(run.subscribers.reports.first)
    #expect(report.sent == subscription.losses.receivedCount)
    #expect(report.skipped == subscription.losses.missedCount)
    #expect(report.sent + report.skipped == 300)
    #expect(report.skipped > 0)
    #expect(report.sent > 0)
    #expect(run.writer.pinnedPlaceCount == 0)
  }

  /// A paused run has no next frame.
  @Test(arguments: [.live, .lockstep] as [Delivery])
  func latestSubscriberBeginsWithTheNewestThereIs(delivery: Delivery) throws {
    let run = try ServedRun(delivery: delivery)
    run.publish(5)
    let subscription = try run.join(.newest)
    #expect(subscription.nextEvent() == .frame(sequence: 5))
    #expect(subscription.ages.lastNs == nil)
    run.publish(1)
    #expect(subscription.nextEvent() == .frame(sequence: 6))
    #expect(subscription.ages.histogram.count == 1)
    #expect(run.subscribers.reports.map(\.joinedAfter) == [4])
    #expect(subscription.isExact)
    // Who asks for that frame is told how long it lay there.
    let asking = try run.join(.newest, from: 6)
    #expect(asking.nextEvent() == .frame(sequence: 6))
    #expect(asking.ages.histogram.count == 1)
  }

  @Test func latestSubscriberGetsTheNewestAndCountsTheRest() throws {
    let run = try ServedRun()
    let subscription = try run.join(.newest)
    run.publish(1)
    #expect(subscription.nextEvent() == .frame(sequence: 1))
    for _ in 0..<20 {
      run.publish(50)
      _ = subscription.nextEvent()
    }
    let ending = try TestThread("the run's end") { run.end() }
    #expect(subscription.readToEnd() == .ended)
    try ending.join()
    #expect(subscription.isExact)
    #expect(subscription.losses.last == 1001)
    let report = try #require(run.subscribers.reports.first)
    #expect(report.sent == subscription.losses.receivedCount)
    #expect(report.sent + report.skipped == 1001)
    #expect(report.skipped > 500)
  }

  @Test func subscriberBeginsWhereItAsksTo() throws {
    let run = try ServedRun(slots: 8)
    run.publish(20)
    let subscription = try run.join(from: 10)
    // Frames 14 … 20 are still there; the slot of 13 may be written next.
    #expect(subscription.nextEvent() == .missed(10...13))
    for sequence in UInt64(14)...20 {
      #expect(subscription.nextEvent() == .frame(sequence: sequence))
    }
    #expect(throws: WireError.self) { try run.join(from: 30) }
  }

  @Test func lockstepWaitsForSubscribersOnOtherMachines() throws {
    let run = try ServedRun(slots: 4, delivery: .lockstep)
    let subscription = try run.join()
    let publishing = try TestThread("500 frames to be taken") {
      for sequence in UInt64(1)...500 {
        if sequence > 4 { try #require(run.subscribers.waitForProgress(sequence - 4)) }
        run.publish()
      }
      #expect(run.subscribers.waitForProgress(500))
      run.end()
    }
    #expect(subscription.readToEnd() == .ended)
    try publishing.join()
    #expect(subscription.losses.receivedCount == 500)
    #expect(subscription.losses.missedCount == 0)
  }

  @Test func lockstepDropsASubscriberThatStallsAndSaysSo() throws {
    let run = try ServedRun(slots: 4, delivery: .lockstep, stallLimitSeconds: 1)
    let subscription = try run.join()
    run.publish(4)
    // It never reads, so it never reports.
    try run.waitForProgress(1)
    guard case .dropped(.remote(let reason)) = subscription.readToEnd() else {
      Issue.record("was not dropped")
      return
    }
    #expect(reason == "it took nothing for 1.0 s (--stall-limit)")
    #expect(run.subscribers.reports.first?.departure == .dropped(reason))
  }

  /// In a process of its own, which is asked to stop while somebody owes a report.
  @Test func lockstepWaitEndsWithAnInterruptionOrAStopSignal() async {
    await #expect(processExitsWith: .success) {
      StopSignals.installHandlers()
      let run = try ServedRun(delivery: .lockstep, stallLimitSeconds: 1_000)
      let dealer = try RawDealer(run.local)
      let answer = try dealer.ask(.join)
      precondition(answer["ok"] == .bool(true), "\(answer)")
      run.publish(1)
      let subscribers = run.subscribers
      let wasDone = try within("the end of an interrupted wait") {
        subscribers.waitForProgress(1, orUntil: { true })
      }
      precondition(!wasDone)
      kill(getpid(), SIGTERM)
      try waitUntil("the signal") { StopSignals.count == 1 }
      let isDone = try within("the end of a wait after a signal") {
        subscribers.waitForProgress(1)
      }
      precondition(!isDone)
      dealer.leave()
      run.end()
      withExtendedLifetime(dealer) {}
    }
  }

  @Test func framesAreNotServedWithoutPlacesToSpare() throws {
    let run = try ServedRun(spares: 0)
    #expect(
      throws: WireError.refused(
        reason: "this sim serves no frames by messages; start it with --listen")
    ) {
      try run.join()
    }
  }

  @Test func requestsAreAnsweredOrRefused() throws {
    let run = try ServedRun()
    let client = try ControlClient(run.local)
    let answer = try client.ask(.stats)
    #expect(answer.fields["did"] == .string("stats"))
    #expect(answer.attachments == [[1, 2, 3]])
    #expect(throws: WireError.refused(reason: "'seek' has no field 'tock'; it knows seconds, tick"))
    {
      try client.ask(.seek, ["tock": .integer(1)])
    }
    #expect(throws: WireError.refused(reason: "join first")) {
      try client.ask(.progress, ["sequence": .integer(1)])
    }
    #expect(try client.ask(.quit).fields["did"] == .string("quit"))
    // An answer may come later, and from another thread.
    #expect(throws: WireError.noAnswer(endpoint: run.local.endpoint, waitedSeconds: 0.2)) {
      try client.ask(.pause, timeoutSeconds: 0.2)
    }
    let held = run.handler.held.read { $0 }
    held[0](.refused("too late"))
    #expect(try client.ask(.stats).fields["did"] == .string("stats"))
  }

  @Test func controlOverTCPNeedsKeys() throws {
    let run = try ServedRun()
    let client = try ControlClient(run.address())
    #expect(try client.ask(.stats).fields["did"] == .string("stats"))
    #expect(throws: WireError.self) { try client.ask(.quit) }
    #expect(run.handler.requests.read { $0.map(\.verb) } == [.stats])
  }

  @Test func impossibleReportsAreRefused() throws {
    let run = try ServedRun()
    run.publish(5)
    let client = try ControlClient(run.address())
    _ = try client.ask(.join)
    for (sequence, missed) in [(6, 0), (4, 0), (5, 1)] as [(Int64, Int64)] {
      #expect(throws: WireError.self) {
        try client.ask(
          .progress, ["sequence": .integer(sequence), "missed": .integer(missed)],
          timeoutSeconds: 5)
      }
    }
    #expect(run.subscribers.reports.first?.progress == 5)
  }
}
