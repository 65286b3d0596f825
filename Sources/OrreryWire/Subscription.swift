// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CZeroMQ
import Glibc
import OrreryBase
import OrreryFrame

/// A subscriber's end of a run: joins, waits for frames, reads them in place, and keeps account of what it
/// missed.
package final class Subscription {
  /// The ring.
  package var reader: FrameReader { client.reader }

  /// What was received and missed so far.
  package var losses: Losses { cursor.losses }

  /// Nanoseconds from publishing to the start of reading, of every frame read.
  package private(set) var latency = Histogram()

  /// Which frames it gets.
  package var reading: Reading { cursor.reading }

  /// How it learns of frames.
  package let waiting: Waiting

  private var counter = CounterClock()
  private let client: JoinClient
  private let sleeper: Sleeper
  private var cursor: FrameCursor
  private var reported: UInt64
  private var reportedNs: UInt64 = 0

  /// Joins a run.
  ///
  /// - Parameters:
  ///   - connection: From `connect`; one that has waited for too long is replaced.
  ///   - directory: The run's.
  ///   - name: What to be called in reports.
  ///   - reading: Which frames are wanted.
  ///   - waiting: How to learn of them.
  ///   - from: The first that is wanted; 0 for the next one.
  /// - Throws: `WireError`.
  package init(
    _ connection: JoinConnection, directory: RunDirectory, name: String, reading: Reading,
    waiting: Waiting = .announcement, from: UInt64 = 0
  ) throws(WireError) {
    client = try Self.join(
      connection, directory: directory, name: name, reading: reading, waiting: waiting, from: from)
    sleeper = try Sleeper(waiting, directory: directory, connection: client.connection)
    self.waiting = waiting
    cursor = FrameCursor(
      joinedAfter: client.joinedAfter,
      reading: client.reader.delivery == .lockstep ? .every : reading)
    reported = client.joinedAfter
  }

  deinit { client.report(sequence: losses.last, missed: losses.missedCount, isLast: true) }

  private static func join(
    _ connection: JoinConnection, directory: RunDirectory, name: String, reading: Reading,
    waiting: Waiting, from: UInt64
  ) throws(WireError) -> JoinClient {
    do throws(FrameError) {
      return try JoinClient(
        connection, name: name, waiting: waiting, reading: reading, from: from)
    } catch .refused(UInt32(JOIN_REFUSED_SILENT)) {
      // What the program had to prepare took longer than the sim waits for a word.
    } catch {
      throw .frame(error)
    }
    do throws(FrameError) {
      return try JoinClient(
        JoinConnection(directory), name: name, waiting: waiting, reading: reading, from: from)
    } catch {
      throw .frame(error)
    }
  }

  /// Waits for the next frame and lets `use` read it.
  ///
  /// - Parameters:
  ///   - timeoutNs: How long to wait.
  ///   - use: Reads the frame in place, then asks `FrameReader.isWhole` and returns what it says: in
  ///     live delivery the frame may be overwritten meanwhile, and then the event is `.missed`.
  /// - Returns: What happened.
  /// - Throws: What `use` throws.
  package func next<Failure: Error>(
    timeoutNs: UInt64, use: (FrameView) throws(Failure) -> Bool
  ) throws(Failure) -> SubscriptionEvent {
    // The quick way, all but now and then: a subscriber that always finds frames must learn too that it was
    // dropped.
    if losses.last % Self.quickLooks != 0 {
      if let event = try readNext(use) { return event }
      // Frames may follow each other faster than the lease can be looked at.
      if waiting == .spin, sleeper.glance(until: hasNext), let event = try readNext(use) {
        return event
      }
    }
    let startNs = Clock.monotonicNs()
    counter.calibrate(nowNs: startNs)
    if idleSinceNs == 0 { idleSinceNs = startNs }
    while true {
      // The lease and the end mark are looked at before `published`: what is published afterwards
      // was whole when the sim ended.
      let isLeaseOver = client.isLeaseOver
      if isLeaseOver {
        droppedBecause = droppedBecause ?? client.takeNotice()
        if let droppedBecause { return .dropped(droppedBecause) }
      }
      let hasEnded = reader.hasEnded
      let published = reader.published
      if let event = try readNext(use) { return event }
      if hasEnded {
        flush()
        return .ended
      }
      if isLeaseOver { return .simDied }
      // A run in lockstep waits for this, and must never wait for a sleeper.
      if reader.delivery == .lockstep { flush() }
      let nowNs = Clock.monotonicNs()
      let waitedNs = nowNs - startNs
      if waitedNs >= timeoutNs { return .idle }
      sleeper.wait(
        for: reader, after: published, ns: timeoutNs - waitedNs, idleNs: nowNs - idleSinceNs,
        isThere: hasNext)
      // What ended the wait is read before the lease is looked at: that takes longer than handing a frame over.
      if losses.last % Self.quickLooks != 0, let event = try readNext(use) { return event }
    }
  }

  /// Frames between two looks at the lease, which is a system call.
  private static let quickLooks: UInt64 = 64

  /// Since when there has been nothing to read; 0 while there is.
  private var idleSinceNs: UInt64 = 0

  /// Why the sim has hung up; it says so once.
  private var droppedBecause: DropReason?

  private func hasNext() -> Bool { reader.hasReached(cursor.losses.last + 1) }

  /// Reads the frame that is wanted next, if it is there.
  private func readNext<Failure: Error>(
    _ use: (FrameView) throws(Failure) -> Bool
  ) throws(Failure) -> SubscriptionEvent? {
    var (publishedNs, beganTicks): (UInt64, UInt64) = (0, 0)
    let event = try cursor.next(from: reader) { (view) throws(Failure) -> Bool in
      beganTicks = counter.ticks
      publishedNs = view.stamp().publishTimeNs
      return try use(view)
    }
    if case .frame = event {
      // By the clock that nobody sets, as the sim dated the frame, and read when nobody waits for it.
      let nowNs = Clock.monotonicNs()
      let beganNs = nowNs - min(counter.ns(since: beganTicks), nowNs)
      let dateNs = UInt64(bitPattern: Int64(bitPattern: beganNs) &+ reader.clockOffsetNs)
      latency.record(dateNs > publishedNs ? dateNs - publishedNs : 0)
    }
    if event != nil { idleSinceNs = 0 }
    return event
  }

  /// Time between two reports in live delivery.
  private static let reportNs: UInt64 = 100_000_000

  /// Tells the sim now and then how far this subscriber is; to be called after each frame.
  ///
  /// In lockstep delivery the sim may then overwrite those frames. It hears of them a quarter of the ring at
  /// a time, or when there is nothing more to read. In live delivery it only counts.
  package func report() {
    if reader.delivery == .lockstep {
      if losses.last - reported >= max(reader.slotCount / 4, 1) { flush() }
      return
    }
    let now = Clock.monotonicNs()
    guard now >= reportedNs + Self.reportNs else { return }
    reportedNs = now
    flush()
  }

  /// Reports what was not reported yet.
  private func flush() {
    guard losses.last > reported else { return }
    reported = losses.last
    client.report(sequence: reported, missed: losses.missedCount)
  }

  /// Time between two tries to join.
  private static let retryNs: UInt64 = 20_000_000

  /// Waits for a run to appear, and connects to it.
  ///
  /// - Parameters:
  ///   - directory: The run's.
  ///   - waitSeconds: How long to try; 0 tries once.
  ///   - isCancelled: Asked between tries.
  /// - Returns: A connection that has not joined yet.
  /// - Throws: `WireError.noRun`, or what else connecting met.
  package static func connect(
    to directory: RunDirectory, waitSeconds: Double, isCancelled: () -> Bool = { false }
  ) throws(WireError) -> JoinConnection {
    let deadline = Clock.monotonicNs() + UInt64(waitSeconds * 1e9)
    while true {
      do {
        return try JoinConnection(directory)
      } catch .system(let error) where error.errno == ENOENT || error.errno == ECONNREFUSED {
        let now = Clock.monotonicNs()
        if now >= deadline || isCancelled() {
          throw .noRun(name: directory.name, waitedSeconds: waitSeconds)
        }
        Clock.sleep(untilMonotonicNs: min(now + retryNs, deadline))
      } catch {
        throw .frame(error)
      }
    }
  }
}
