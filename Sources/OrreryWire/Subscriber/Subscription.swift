// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import CZeroMQ
import Glibc
import OrreryBase
import OrreryFrame

/// A subscriber's end of a run: joins, waits for frames, reads them in place, and keeps account of what it
/// missed.
package final class Subscription {
  /// The ring.
  package let reader: FrameReader

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
  private let sleeper: FrameWaiter
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
    reader = client.reader
    sleeper = try FrameWaiter(waiting, directory: directory, connection: client.connection)
    self.waiting = waiting
    cursor = FrameCursor(
      joinedAfter: client.joinedAfter,
      reading: reader.delivery == .lockstep ? .every : reading)
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

  /// Waits for what happens next.
  ///
  /// - Parameter timeoutNs: How long.
  /// - Returns: A frame that is to be read and settled, or what else happened.
  package func find(timeoutNs: UInt64) -> Finding {
    // The quick way, all but now and then: a subscriber that always finds frames must learn too that it was
    // dropped.
    if losses.last % Self.quickLooks != 0 {
      // Frames may follow each other faster than the lease can be looked at.
      if let finding = waiting == .spin ? glance() : look() { return finding }
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
        if let droppedBecause { return .event(.dropped(droppedBecause)) }
      }
      let hasEnded = reader.hasEnded
      let published = reader.published
      if let finding = look() { return finding }
      if hasEnded {
        flush()
        return .event(.ended)
      }
      if isLeaseOver { return .event(.simDied) }
      // A run in lockstep waits for this, and must never wait for a sleeper.
      if reader.delivery == .lockstep { flush() }
      let nowNs = Clock.monotonicNs()
      let waitedNs = nowNs - startNs
      if waitedNs >= timeoutNs { return .event(.idle) }
      let restNs = timeoutNs - waitedNs
      if waiting == .spin, nowNs - idleSinceNs < Self.patienceNs {
        if let finding = spin(untilNs: nowNs + min(restNs, Self.spinNs)) { return finding }
      } else {
        sleeper.wait(for: reader, after: published, ns: restNs)
        // What ended the wait is read before the lease is looked at: that takes longer than handing a frame over.
        if let finding = look() { return finding }
      }
    }
  }

  /// Frames between two looks at the lease, which is a system call.
  private static let quickLooks: UInt64 = 64

  /// Since when there has been nothing to read; 0 while there is.
  private var idleSinceNs: UInt64 = 0

  /// Why the sim has hung up; it says so once.
  private var droppedBecause: DropReason?

  /// Of the frame that was found last: when, by the counter, and when it was published.
  private var found: (ticks: UInt64, publishedNs: UInt64) = (0, 0)

  /// Looks in a row before the clock is read, or the lease looked at: about two microseconds.
  private static let glanceLooks = 64

  /// Looks again and again.
  ///
  /// All of the way to a frame is gone each time, not only a loop around its word: what a processor has not run for a
  /// millisecond it has to fetch, and frames would be had 100 to 200 ns later.
  private func glance() -> Finding? {
    for _ in 0..<Self.glanceLooks {
      if let finding = look() { return finding }
      linux_spin_hint()
    }
    return nil
  }

  /// Between two looks of one that spins at the lease and the end mark.
  private static let spinNs: UInt64 = 1_000_000

  /// A ring that stands still for so long, three frames of a run at 60 Hz, is not worth a processor: from
  /// then on it is looked at now and then, until it moves again.
  private static let patienceNs: UInt64 = 50_000_000

  private func spin(untilNs: UInt64) -> Finding? {
    repeat {
      if let finding = glance() { return finding }
    } while Clock.monotonicNs() < untilNs
    return nil
  }

  /// Looks for the frame that is wanted next.
  private func look() -> Finding? {
    guard let finding = cursor.find(in: reader) else { return nil }
    idleSinceNs = 0
    if case .frame(let view) = finding {
      found = (counter.ticks, view.stamp().publishTimeNs)
    }
    return finding
  }

  /// Counts a frame that was found; until then it is found again.
  ///
  /// - Parameters:
  ///   - view: The frame.
  ///   - isWhole: What `FrameReader.isWhole` said once it had been read.
  /// - Returns: `.frame` or `.missed`.
  package func settle(_ view: FrameView, isWhole: Bool) -> SubscriptionEvent {
    if isWhole {
      // By the clock that nobody sets, as the sim dated the frame, and read when nobody waits for it.
      let nowNs = Clock.monotonicNs()
      let beganNs = nowNs - min(counter.ns(since: found.ticks), nowNs)
      let dateNs = UInt64(bitPattern: Int64(bitPattern: beganNs) &+ reader.clockOffsetNs)
      latency.record(dateNs > found.publishedNs ? dateNs - found.publishedNs : 0)
    }
    return cursor.settle(view.sequence, isWhole: isWhole)
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
