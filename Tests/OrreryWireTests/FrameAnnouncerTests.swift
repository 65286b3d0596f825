// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: whoever waits is woken, in each of the ways, and who is dropped learns it.
///
/// Method: subscribers on threads of their own that wait for longer than the test does.
@Suite struct FrameAnnouncerTests {
  /// One reader that the publishing thread wakes by itself, several that the announcer wakes, and both kinds.
  @Test(
    arguments: [
      [.futex], [.announcement], [.spin], [.futex, .futex], [.futex, .announcement],
      [.spin, .futex, .futex, .announcement],
    ] as [[Waiting]])
  func everyWaitEndsWithTheNextFrame(waitings: [Waiting]) throws {
    let run = try LiveRun(slots: 64, announces: true)
    let count: UInt64 = 20
    let done = Monitor(0)
    var threads: [TestThread] = []
    for waiting in waitings {
      let subscription = try run.join(waiting: waiting)
      nonisolated(unsafe) let follower = Follower(subscription)
      threads.append(
        try TestThread("\(count) frames and the end, by \(waiting)") {
          for sequence in 1...count {
            try #require(follower.next(timeoutNs: endlessNs) == .frame(sequence: sequence))
            done.change { $0 += 1 }
          }
          #expect(follower.next(timeoutNs: endlessNs) == .ended)
          #expect(follower.tornCount == 0)
        })
    }
    for frame in 1...Int(count) {
      run.publish()
      try waitUntil("frame \(frame) to be seen by all") {
        done.read { $0 } == frame * waitings.count
      }
      // Long enough that everybody sleeps again, for the spinning one even past its patience.
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + (frame == 10 ? 80_000_000 : 2_000_000))
    }
    run.end()
    for thread in threads { try thread.join() }
  }

  /// A subscription's own sleep is short, and would hide a wake that does not come: these sleep for longer than the
  /// test waits.
  @Test(arguments: [1, 3], [false, true])
  func sleepersOnTheWordAreWokenByTheNextFrame(count: Int, isBesideOthers: Bool) throws {
    let run = try LiveRun(slots: 64, announces: true)
    let other = isBesideOthers ? try run.join(waiting: .announcement) : nil
    defer { withExtendedLifetime(other) {} }
    let clients = try (0..<count).map { _ in
      try JoinClient(JoinConnection(run.directory), name: "sleeper", waiting: .futex)
    }
    let seen = Monitor(0)
    let threads = try clients.map { client in
      try TestThread("twenty frames") {
        for sequence in 0..<20 as Range<UInt64> {
          while client.reader.published <= sequence {
            client.reader.wait(after: sequence, timeoutNs: endlessNs)
          }
          seen.change { $0 += 1 }
        }
      }
    }
    for frame in 1...20 {
      // Long enough that all of them sleep.
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 2_000_000)
      run.publish()
      try waitUntil("frame \(frame) to be seen by \(count)") {
        seen.read { $0 } == frame * count
      }
    }
    for thread in threads { try thread.join() }
  }

  /// The announcer looks ten times a second by itself, which would hide that nobody else wakes the only reader: it is
  /// held up.
  @Test func onlyReaderIsWokenWithoutTheAnnouncer() throws {
    let run = try LiveRun(slots: 64, announces: true)
    let client = try JoinClient(JoinConnection(run.directory), name: "sleeper", waiting: .futex)
    let (isHeld, isOver) = (Flag(), Flag())
    defer {
      isOver.set()
      withExtendedLifetime(run) {}
    }
    run.announcer?.setListener {
      isHeld.set()
      while !isOver.isSet { usleep(1_000) }
    }
    run.publish()
    try waitUntil("the announcer to be held up") { isHeld.isSet }
    run.announcer?.setListener(nil)
    let seen = Monitor(1)
    let thread = try TestThread("ten frames") {
      for sequence in 1...10 as ClosedRange<UInt64> {
        while client.reader.published <= sequence {
          client.reader.wait(after: sequence, timeoutNs: endlessNs)
        }
        seen.change { $0 += 1 }
      }
    }
    for frame in 2...11 {
      // Long enough that the reader sleeps.
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 2_000_000)
      run.publish()
      try waitUntil("frame \(frame) to be seen") { seen.read { $0 } == frame }
    }
    try thread.join()
  }

  @Test(arguments: Waiting.allCases)
  func deathOfTheSimEndsEveryWait(waiting: Waiting) throws {
    let run = try LiveRun(announces: true)
    let follower = Follower(try run.join(waiting: waiting))
    let thread = try TestThread("the join server's end") {
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 100_000_000)
      run.server.stop()
    }
    #expect(follower.next(timeoutNs: endlessNs) == .simDied)
    try thread.join()
  }

  @Test(arguments: Waiting.allCases)
  func timeOutsOfEveryWaitAreIdle(waiting: Waiting) throws {
    let run = try LiveRun(announces: true)
    let follower = Follower(try run.join(waiting: waiting))
    for timeoutNs in [0, 1, 1_000_000, 120_000_000] as [UInt64] {
      #expect(follower.next(timeoutNs: timeoutNs) == .idle)
    }
  }

  /// Only who spins takes a processor, and only while frames come: fifty milliseconds without one are enough.
  @Test(arguments: [(.futex, 45), (.announcement, 45), (.spin, 400)] as [(Waiting, UInt64)])
  func whoWaitsInVainLeavesTheProcessorToOthers(waiting: Waiting, milliseconds: UInt64) throws {
    let run = try LiveRun(announces: true)
    let follower = Follower(try run.join(waiting: waiting))
    let beganNs = processorNs(CLOCK_THREAD_CPUTIME_ID)
    #expect(follower.next(timeoutNs: milliseconds * 1_000_000) == .idle)
    let usedNs = processorNs(CLOCK_THREAD_CPUTIME_ID) - beganNs
    #expect(usedNs < milliseconds * 200_000, "\(usedNs) ns of \(milliseconds) ms")
  }

  @Test func droppedSubscriberIsToldThoughThereIsMoreToRead() throws {
    let run = try LiveRun(slots: 64, delivery: .lockstep, stallLimitNs: 50_000_000)
    let follower = Follower(try run.join())
    run.publish(3)
    try run.waitForProgress(3)
    #expect(run.subscribers.reports.first?.departure == .stalled)
    #expect(follower.next() == .dropped(.stalled))
    #expect(follower.next() == .dropped(.stalled))
    #expect(follower.subscription.losses.receivedCount == 0)
  }

  @Test func lockstepReportsAreFew() throws {
    let run = try LiveRun(slots: 64, delivery: .lockstep)
    let follower = Follower(try run.join())
    run.publish(40)
    for sequence in 1...15 as ClosedRange<UInt64> {
      #expect(follower.next() == .frame(sequence: sequence))
      follower.subscription.report()
    }
    #expect(run.subscribers.reports.first?.progress == 0)
    // A quarter of the ring.
    #expect(follower.next() == .frame(sequence: 16))
    follower.subscription.report()
    try waitUntil("progress 16") { run.subscribers.reports.first?.progress == 16 }
    for _ in 17...40 { follower.next() }
    // Nothing more to read: whatever is unreported is said before it waits.
    #expect(follower.next() == .idle)
    try waitUntil("progress 40") { run.subscribers.reports.first?.progress == 40 }
  }

  @Test(arguments: [(0, 6), (1, 1), (3, 3), (6, 6), (8, 8)] as [(UInt64, UInt64)])
  func subscriptionBeginsWhereItAsks(from: UInt64, first: UInt64) throws {
    let run = try LiveRun(slots: 64)
    run.publish(5)
    let follower = Follower(try run.join(from: from))
    run.publish(5)
    #expect(follower.next() == .frame(sequence: first))
  }

  @Test func framesThatAreGoneCountAsMissed() throws {
    let run = try LiveRun(slots: 4)
    run.publish(20)
    let follower = Follower(try run.join(from: 3))
    #expect(follower.next() == .missed(3...17))
    try waitUntil("nothing more to read") { follower.next() == .idle }
    #expect(follower.accountIsExact(upTo: 20))
    #expect(follower.subscription.losses.joinedAfter == 2)
  }

  @Test func listenerIsCalledForFrames() throws {
    let run = try LiveRun(announces: true)
    let here = pthread_self()
    let (own, others) = (Monitor(0), Monitor(0))
    run.announcer?.setListener {
      (pthread_equal(pthread_self(), here) != 0 ? own : others).change { $0 += 1 }
    }
    // Nobody else is to be told: one thread less to be woken.
    run.publish()
    #expect(own.read { $0 } == 1)
    let follower = Follower(try run.join(waiting: .futex))
    run.publish()
    try waitUntil("a call on the announcer's thread") { others.read { $0 } >= 1 }
    #expect(own.read { $0 } == 1)
    #expect(follower.next() == .frame(sequence: 2))
    run.announcer?.setListener(nil)
  }

  /// Who joined and does not subscribe yet is announced to, and so is who subscribes and never joins: then the
  /// publishing thread calls no listener itself.
  @Test(arguments: [true, false])
  func whoTakesAnnouncementsKeepsTheAnnouncerBusy(joins: Bool) throws {
    let run = try LiveRun(slots: 64, announces: true)
    let here = pthread_self()
    let own = Monitor(0)
    run.announcer?.setListener {
      if pthread_equal(pthread_self(), here) != 0 { own.change { $0 += 1 } }
    }
    run.publish()
    #expect(own.read { $0 } == 1)
    let client =
      joins
      ? try JoinClient(JoinConnection(run.directory), name: "silent", waiting: .announcement) : nil
    let listener =
      !joins ? try RawSubscriber("ipc://" + run.directory.announcePath, topics: [[]]) : nil
    try waitUntil("a frame that this thread tells nobody of") {
      let before = own.read { $0 }
      run.publish()
      return own.read { $0 } == before
    }
    withExtendedLifetime((client, listener)) {}
    run.announcer?.setListener(nil)
  }

  /// The announcer looks ten times a second by itself, which would hide that nobody wakes it.
  @Test(arguments: [[.futex], [.announcement], [.futex, .futex]] as [[Waiting]])
  func listenerIsCalledInTimeBesideOthers(waitings: [Waiting]) throws {
    let run = try LiveRun(slots: 64, announces: true)
    let calls = Monitor(0)
    run.announcer?.setListener { calls.change { $0 += 1 } }
    let subscriptions = try waitings.map { try run.join(waiting: $0) }
    let before = calls.read { $0 }
    var count = 0
    // A busy machine is slow now and then; looks alone would need nine tenths of a second each time.
    try waitUntil("ten calls within half a second, beside \(waitings)") {
      let beganNs = Clock.monotonicNs()
      for _ in 0..<10 {
        run.publish()
        count += 1
        guard calls.wait(atMostNs: 1_000_000_000, { $0 >= before + count ? true : nil }) == true
        else { return false }
      }
      return Clock.monotonicNs() - beganNs < 500_000_000
    }
    // Each frame was told once.
    #expect(calls.read { $0 } == before + count)
    withExtendedLifetime(subscriptions) {}
    run.announcer?.setListener(nil)
  }
}
