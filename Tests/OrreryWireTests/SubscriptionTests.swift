// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: a subscriber gets the frames it wants, knows exactly what it missed, and learns the end.
///
/// Method: a run by hand in the same process. Most runs have no announcer at all: announcements may get
/// lost, so nothing may depend on them.
@Suite struct SubscriptionTests {
  @Test(arguments: [false, true])
  func everyFrameComesOnceInOrder(announces: Bool) throws {
    let run = try LiveRun(slots: 16, announces: announces)
    let follower = Follower(try run.join())
    #expect(follower.next() == .idle)
    run.publish(10)
    for sequence in 1...10 as ClosedRange<UInt64> {
      #expect(follower.next() == .frame(sequence: sequence))
    }
    #expect(follower.next() == .idle)
    run.publish(2)
    #expect(follower.next() == .frame(sequence: 11))
    run.end()
    // What was published before the end comes before the end.
    #expect(follower.next() == .frame(sequence: 12))
    #expect(follower.next() == .ended)
    #expect(follower.next() == .ended)
    #expect(follower.tornCount == 0)
    #expect(follower.accountIsExact(upTo: 12))
    #expect(follower.subscription.losses.gaps.isEmpty)
    #expect(follower.subscription.ages.histogram.count == 12)
  }

  @Test(arguments: Waiting.allCases)
  func latencyIsByTheClockThatNobodySets(waiting: Waiting) throws {
    let run = try LiveRun(slots: 16, announces: true)
    let follower = Follower(try run.join(waiting: waiting))
    #expect(follower.next() == .idle)
    run.publish()
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 20_000_000)
    #expect(follower.next() == .frame(sequence: 1))
    let latencyNs = follower.subscription.ages.histogram.max
    #expect(latencyNs >= 20_000_000, "\(latencyNs)")
    #expect(latencyNs < 60_000_000_000, "\(latencyNs)")
  }

  /// A slow user is not what frames are late for.
  @Test func latencyEndsWhereReadingBegins() throws {
    let run = try LiveRun(slots: 16)
    let follower = Follower(try run.join())
    // A time over which the counter that latencies are measured by can be held against the clock.
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 50_000_000)
    let beforeNs = Clock.monotonicNs()
    run.publish()
    var beganNs: UInt64 = 0
    let event = follower.next {
      beganNs = Clock.monotonicNs()
      Clock.sleep(untilMonotonicNs: beganNs + 100_000_000)
    }
    #expect(event == .frame(sequence: 1))
    // Half of the time of use: the counter may be wrong by some hundredths.
    let latencyNs = follower.subscription.ages.histogram.max
    #expect(latencyNs < beganNs - beforeNs + 50_000_000, "\(latencyNs)")
  }

  @Test func newestSkipsToTheNewestAndSaysWhatItSkipped() throws {
    let run = try LiveRun(slots: 16)
    let follower = Follower(try run.join(.newest))
    run.publish(10)
    #expect(follower.next() == .missed(1...9))
    #expect(follower.next() == .frame(sequence: 10))
    #expect(follower.next() == .idle)
    run.publish(1)
    #expect(follower.next() == .frame(sequence: 11))
    // Further than the ring is long.
    run.publish(100)
    #expect(follower.next() == .missed(12...110))
    // A newer one has come between the two calls.
    run.publish(1)
    #expect(follower.next() == .missed(111...111))
    #expect(follower.next() == .frame(sequence: 112))
    run.end()
    #expect(follower.next() == .ended)
    #expect(follower.accountIsExact(upTo: 112))
  }

  @Test func lateSubscriberBeginsAtTheNextFrame() throws {
    let run = try LiveRun(slots: 8)
    run.publish(5)
    let follower = Follower(try run.join())
    #expect(follower.subscription.losses.joinedAfter == 5)
    #expect(follower.next() == .idle)
    run.publish(1)
    #expect(follower.next() == .frame(sequence: 6))
    #expect(follower.accountIsExact(upTo: 6))
    #expect(follower.subscription.ages.histogram.count == 1)
  }

  /// A paused run has no next frame.
  @Test(arguments: [.live, .lockstep] as [Delivery])
  func lateSubscriberOfTheNewestBeginsWithTheNewestThereIs(delivery: Delivery) throws {
    let run = try LiveRun(slots: 8, delivery: delivery)
    run.publish(5)
    let follower = Follower(try run.join(.newest))
    #expect(follower.subscription.losses.joinedAfter == 4)
    #expect(run.subscribers.reports.map(\.joinedAfter) == [4])
    #expect(follower.next() == .frame(sequence: 5))
    // How long it lay there says nothing of the way of a frame.
    #expect(follower.subscription.ages.lastNs == nil)
    #expect(follower.next() == .idle)
    run.publish(1)
    #expect(follower.next() == .frame(sequence: 6))
    #expect(follower.accountIsExact(upTo: 6))
    #expect(follower.subscription.ages.histogram.count == 1)
    #expect(follower.subscription.ages.lastNs == follower.subscription.ages.histogram.max)
  }

  /// It is told of one gap, as long as the slots that the writer has taken early make it.
  @Test(arguments: [(3, 1), (8, 5), (9, 7)] as [(UInt64, Int)])
  func lappedSubscriberOfAWriterThatLooksAheadGoesOnAtTheOldestSafeFrame(
    slots: UInt64, ahead: Int
  ) throws {
    let run = try LiveRun(slots: slots, ahead: ahead)
    let follower = Follower(try run.join())
    run.publish(40)
    let oldest = 42 + UInt64(ahead) - slots
    #expect(follower.next() == .missed(1...(oldest - 1)))
    // The next claim does not take it.
    #expect(follower.next(meanwhile: { run.publish() }) == .frame(sequence: oldest))
    run.publish(1)
    try waitUntil("nothing more to read") { follower.next() == .idle }
    #expect(follower.tornCount == 0)
    #expect(follower.accountIsExact(upTo: 42))
  }

  @Test func lappedSubscriberGoesOnAtTheOldestSafeFrame() throws {
    let run = try LiveRun(slots: 4)
    let follower = Follower(try run.join())
    run.publish(20)
    #expect(follower.next() == .missed(1...17))
    for sequence in 18...20 as ClosedRange<UInt64> {
      #expect(follower.next() == .frame(sequence: sequence))
    }
    #expect(follower.next() == .idle)
    #expect(follower.accountIsExact(upTo: 20))
    #expect(follower.subscription.losses.gaps == [1...17])
  }

  @Test func frameThatIsOvertakenWhileItIsUsedIsMissed() throws {
    for reading in [.every, .newest] as [Reading] {
      let run = try LiveRun(slots: 2)
      let follower = Follower(try run.join(reading))
      run.publish(1)
      #expect(follower.next(meanwhile: { run.publish(2) }) == .missed(1...1))
      try waitUntil("nothing more to read") { follower.next() == .idle }
      #expect(follower.accountIsExact(upTo: 3))
      #expect(follower.tornCount == 0)
      #expect(
        follower.subscription.ages.histogram.count == follower.subscription.losses.receivedCount)
    }
  }

  @Test func errorOfTheUserIsHandedOnAndTheFrameIsNotCounted() throws {
    let run = try LiveRun()
    let subscription = try run.join()
    run.publish(1)
    #expect(throws: Failure.self) {
      _ = try subscription.next(timeoutNs: 0) { (_) throws(Failure) -> Bool in
        throw Failure(.inputOutput, "disk full")
      }
    }
    #expect(subscription.losses.receivedCount == 0)
    #expect(Follower(subscription).next() == .frame(sequence: 1))
  }

  @Test func deathOfTheSimIsToldApartFromItsEnd() throws {
    let run = try LiveRun(slots: 8)
    let dying = Follower(try run.join())
    run.publish(3)
    run.server.stop()
    // What it had completed is still read.
    for sequence in 1...3 as ClosedRange<UInt64> {
      #expect(dying.next() == .frame(sequence: sequence))
    }
    #expect(dying.next() == .simDied)
    #expect(dying.accountIsExact(upTo: 3))

    let orderly = try LiveRun(slots: 8)
    let ending = Follower(try orderly.join())
    orderly.publish(1)
    orderly.end()
    orderly.server.stop()
    #expect(ending.next() == .frame(sequence: 1))
    #expect(ending.next() == .ended)
  }

  @Test func deathWakesASubscriberThatWaits() throws {
    let run = try LiveRun()
    let follower = Follower(try run.join())
    let thread = try TestThread("the join server's end") {
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 20_000_000)
      run.server.stop()
    }
    #expect(follower.next(timeoutNs: endlessNs) == .simDied)
    try thread.join()
  }

  @Test(
    arguments: [(.every, 4, 1), (.every, 2, 2), (.newest, 3, 3)] as [(Reading, UInt64, UInt64)])
  func slowSubscriberOfALiveRunHasAnExactAccount(
    reading: Reading, slots: UInt64, seed: UInt64
  ) throws {
    let run = try LiveRun(slots: slots)
    let follower = Follower(try run.join(reading))
    let count = 20_000 * testEffort
    let thread = try TestThread("\(count) frames to be published") {
      for index in 0..<count {
        run.publish()
        if index % 64 == 0 { Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 1_000) }
      }
      run.end()
    }
    var random = SeededRandom(seed: seed)
    follower.readToTheEnd {
      guard Int.random(in: 0..<50, using: &random) == 0 else { return }
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 500_000)
    }
    try thread.join()
    #expect(follower.events.last == .ended)
    #expect(follower.accountIsExact(upTo: UInt64(count)), "seed \(seed)")
    #expect(follower.tornCount == 0, "seed \(seed)")
    #expect(follower.subscription.losses.missedCount > 0)
    #expect(follower.subscription.losses.receivedCount > 0)
  }

  @Test func liveReportsAreSeldom() throws {
    let run = try LiveRun(slots: 64)
    let follower = Follower(try run.join())
    run.publish(2)
    #expect(follower.next() == .frame(sequence: 1))
    follower.subscription.report()
    try waitUntil("progress 1") { run.subscribers.reports.first?.progress == 1 }
    #expect(follower.next() == .frame(sequence: 2))
    follower.subscription.report()
    // Two in a row would be dropped if the second came; so the count stands until 100 ms have passed.
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 110_000_000)
    #expect(run.subscribers.reports.first?.progress == 1)
    follower.subscription.report()
    try waitUntil("progress 2") { run.subscribers.reports.first?.progress == 2 }
  }
}

// MARK: - Lockstep

extension SubscriptionTests {
  @Test(arguments: [.every, .newest] as [Reading])
  func lockstepSkipsNothing(reading: Reading) throws {
    let run = try LiveRun(slots: 2, delivery: .lockstep)
    let fast = Follower(try run.join(reading, name: "fast"))
    let slow = Follower(try run.join(reading, name: "slow"))
    let count: UInt64 = 300
    let thread = try TestThread("\(count) frames to be taken by both") {
      for next in 1...count {
        if next > 2 { try #require(run.subscribers.waitForProgress(next - 2)) }
        run.publish()
      }
      run.end()
    }
    nonisolated(unsafe) let unsafeFast = fast
    let other = try TestThread("the fast one's end") { unsafeFast.readToTheEnd() }
    var frames = 0
    slow.readToTheEnd {
      frames += 1
      if frames % 100 == 0 { Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 10_000_000) }
    }
    try other.join()
    try thread.join()
    for follower in [fast, slow] {
      #expect(follower.accountIsExact(upTo: count))
      #expect(follower.subscription.losses.receivedCount == count)
      #expect(follower.tornCount == 0)
      #expect(follower.events.last == .ended)
    }
  }

  @Test func subscriberThatJoinsALockstepRunMissesNothingFromThen() throws {
    let run = try LiveRun(slots: 2, delivery: .lockstep)
    let isDone = Flag()
    defer { isDone.set() }
    let thread = try TestThread("the publisher's end") {
      while !isDone.isSet {
        if run.writer.sequence >= 2 {
          try #require(run.subscribers.waitForProgress(run.writer.sequence - 1))
        }
        run.publish()
      }
      run.end()
    }
    for round in 0..<20 {
      let follower = Follower(try run.join(name: "\(round)"))
      try waitUntil("twenty frames in round \(round)") {
        if case .missed(let gap) = follower.next() { Issue.record("missed \(gap)") }
        follower.subscription.report()
        return follower.subscription.losses.receivedCount >= 20
      }
      #expect(follower.tornCount == 0)
    }
    isDone.set()
    try thread.join()
  }
}

// MARK: - Connecting

extension SubscriptionTests {
  @Test func runThatIsNotThereIsAnError() throws {
    let base = try TemporaryBase()
    let directory = try RunDirectory(name: "nobody", base: base.path)
    #expect(throws: WireError.noRun(name: "nobody", waitedSeconds: 0)) {
      _ = try Subscription.connect(to: directory, waitSeconds: 0)
    }
    var asked = 0
    #expect(throws: WireError.noRun(name: "nobody", waitedSeconds: 3_600)) {
      _ = try Subscription.connect(to: directory, waitSeconds: 3_600) {
        asked += 1
        return asked == 3
      }
    }
    #expect(asked == 3)
  }

  /// Who would wait for nothing waits for a sim that has the name, until that is gone.
  @Test func simThatPreparesIsWaitedFor() throws {
    let base = try TemporaryBase()
    let directory = try RunDirectory(name: "large", base: base.path)
    var lock: RunLock? = try RunLock(directory)
    var attempts: [Bool] = []
    #expect(throws: WireError.noRun(name: "large", waitedSeconds: 0)) {
      _ = try Subscription.connect(to: directory, waitSeconds: 0) {
        attempts.count == 1_000
      } waiting: { simPrepares in
        attempts.append(simPrepares)
        if attempts.count == 4 { lock = nil }
      }
    }
    #expect(lock == nil)
    #expect(attempts == [true, true, true, true])
  }

  /// It may never go on.
  @Test func stoppedSimIsNotWaitedForAnyLonger() throws {
    let run = try FalseRun()
    run.child.signal(SIGSTOP)
    try waitUntil("the child to be stopped") { !run.directory.isPreparing }
    var attempts = 0
    #expect(throws: WireError.noRun(name: "test", waitedSeconds: 0)) {
      _ = try Subscription.connect(to: run.directory, waitSeconds: 0) {
        attempts == 1_000
      } waiting: { _ in
        attempts += 1
      }
    }
    #expect(attempts == 0)
  }

  @Test func runThatAppearsLaterIsJoined() throws {
    let base = try TemporaryBase()
    let directory = try RunDirectory(name: "late", base: base.path)
    let isDone = Flag()
    let thread = try TestThread("the late run's end") {
      do {
        Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 50_000_000)
        let lock = try RunLock(directory)
        let writer = try FrameWriter(
          layout: FrameLayout(columns: []), slotCount: 2, staticPart: [], generation: 1,
          delivery: .live)
        let server = try JoinServer(
          writer: writer, directory: directory, subscribers: Subscribers(directory))
        try waitUntil("the subscriber") { isDone.isSet }
        server.stop()
        withExtendedLifetime(lock) {}
      } catch {
        Issue.record("\(error)")
      }
    }
    let connection = try Subscription.connect(to: directory, waitSeconds: 50)
    let subscription = try Subscription(
      connection, directory: directory, name: "early", reading: .every)
    #expect(subscription.losses.joinedAfter == 0)
    isDone.set()
    try thread.join()
  }
}

// MARK: - What the sim hears

extension SubscriptionTests {
  /// What a sim knows of one that has gone.
  private static func reportOfWhoLeaves(
    _ run: LiveRun, _ body: (Follower) -> Void
  ) throws -> SubscriberReport {
    do {
      let follower = Follower(try run.join(.newest, name: "leaver", waiting: .futex, from: 2))
      body(follower)
    }
    try waitUntil("the subscriber's leave") { run.subscribers.reports.first?.departure != nil }
    return try #require(run.subscribers.reports.first)
  }

  @Test func whoLeavesTellsItsAccount() throws {
    let run = try LiveRun(slots: 8)
    run.publish(5)
    let report = try Self.reportOfWhoLeaves(run) { follower in
      #expect(follower.next() == .missed(2...4))
      #expect(follower.next() == .frame(sequence: 5))
    }
    #expect(report.departure == .left)
    #expect(report.name == "leaver")
    #expect(report.waiting == .futex)
    #expect(report.reading == .newest)
    #expect(report.joinedAfter == 1)
    #expect(report.progress == 5)
    #expect(report.missed == 3)
  }

  /// It need not leave for that: a run that has ended asks for the last reports.
  @Test func whoHasReadTheEndHasReportedAll() throws {
    let run = try LiveRun(slots: 8)
    let follower = Follower(try run.join())
    run.publish(3)
    run.end()
    for sequence in UInt64(1)...3 { #expect(follower.next() == .frame(sequence: sequence)) }
    #expect(run.subscribers.reports.first?.progress == 0)
    #expect(follower.next() == .ended)
    try waitUntil("progress 3") { run.subscribers.reports.first?.progress == 3 }
    #expect(run.subscribers.reports.first?.departure == nil)
    #expect(follower.next() == .ended)
  }

  /// A quarter of two slots is none: each frame is.
  @Test(arguments: [(2, 1), (4, 1), (8, 2), (12, 3)] as [(UInt64, UInt64)])
  func lockstepHearsOfEachQuarterOfItsRing(slots: UInt64, quarter: UInt64) throws {
    let run = try LiveRun(slots: slots, delivery: .lockstep)
    let follower = Follower(try run.join())
    run.publish(Int(quarter))
    for sequence in 1...quarter {
      #expect(run.subscribers.reports.first?.progress == 0)
      #expect(follower.next() == .frame(sequence: sequence))
      follower.subscription.report()
    }
    try waitUntil("progress \(quarter)") { run.subscribers.reports.first?.progress == quarter }
  }

  /// What a program prepares may take longer than the sim waits for a word.
  @Test func connectionThatHasWaitedTooLongIsReplaced() throws {
    let run = try LiveRun(slots: 8)
    let connection = try Subscription.connect(to: run.directory, waitSeconds: 0)
    // The sim waits for a second.
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 1_500_000_000)
    let subscription = try Subscription(
      connection, directory: run.directory, name: "late", reading: .newest, waiting: .spin, from: 1)
    #expect(subscription.waiting == .spin)
    #expect(subscription.localWaiting == .spin)
    #expect(subscription.reading == .newest)
    let report = try #require(run.subscribers.reports.first(where: { $0.name == "late" }))
    #expect(report.waiting == .spin)
    #expect(report.reading == .newest)
    #expect(report.joinedAfter == 0)
  }

  /// The notice comes before the sim closes the connection; in between nothing else is read.
  @Test func whoWasDroppedReadsNothingUntilTheConnectionIsClosed() throws {
    let run = try LiveRun(slots: 16)
    let base = try TemporaryBase()
    let lock = try RunLock(RunDirectory(name: "false", base: base.path))
    let listener = FileDescriptor(owning: linux_listen(lock.directory.joinPath, 4))
    let connection = try JoinConnection(lock.directory)
    let sim = FileDescriptor(owning: linux_accept(listener.number))
    var reply = join_reply()
    (reply.magic, reply.layout_version) = (JOIN_MAGIC, UInt32(FRAME_LAYOUT_VERSION))
    (reply.generation, reply.segment_bytes) = (run.writer.generation, run.writer.segmentBytes)
    reply.layout_hash = run.writer.layout.layoutHash
    // To the request for the ring, and to the one for frames.
    for _ in 0..<2 {
      linux_send(
        sim.number, &reply, MemoryLayout<join_reply>.size, run.writer.descriptor.number)
    }
    let follower = Follower(
      try Subscription(
        connection, directory: lock.directory, name: "x", reading: .every, waiting: .futex,
        from: 0))
    run.publish(3)
    var notice = join_notice()
    (notice.magic, notice.reason) = (JOIN_MAGIC, UInt32(NOTICE_STALLED))
    linux_send(sim.number, &notice, MemoryLayout<join_notice>.size, -1)
    for _ in 0..<3 { #expect(follower.next() == .dropped(.stalled)) }
    #expect(follower.subscription.losses.receivedCount == 0)
  }

  /// A sim that has gone leaves its socket behind.
  @Test func runWhoseSimIsGoneIsNotThere() throws {
    let base = try TemporaryBase()
    let lock = try RunLock(RunDirectory(name: "gone", base: base.path))
    do {
      let server = try JoinServer(
        writer: LiveRun.writer(), directory: lock.directory,
        subscribers: Subscribers(lock.directory))
      server.stop()
    }
    #expect(throws: WireError.noRun(name: "gone", waitedSeconds: 0)) {
      _ = try Subscription.connect(to: lock.directory, waitSeconds: 0)
    }
    withExtendedLifetime((lock, base)) {}
  }

  /// What waiting does not mend is not waited for.
  @Test func placeThatCannotBeARunIsAnErrorAtOnce() throws {
    let base = try TemporaryBase()
    try Array("x".utf8).withUnsafeBytes { bytes in
      let number = open(base.path + "/file", O_WRONLY | O_CREAT, 0o600)
      try #require(number >= 0)
      #expect(write(number, bytes.baseAddress, 1) == 1)
      close(number)
    }
    let directory = try RunDirectory(name: "file", base: base.path)
    var askedCount = 0
    let error = #expect(throws: WireError.self) {
      _ = try Subscription.connect(to: directory, waitSeconds: 3_600) {
        askedCount += 1
        return true
      }
    }
    guard case .frame(.system(let system))? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(system.errno == ENOTDIR)
    #expect(askedCount == 0)
    withExtendedLifetime(base) {}
  }
}
