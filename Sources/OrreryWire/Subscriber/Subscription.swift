// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import CZeroMQ
import Glibc
import OrreryBase
import OrreryFrame

/// A subscriber's side of a run on this machine: joins, waits for frames, reads them in place, and
/// keeps account of missed frames.
package final class Subscription {
  /// The ring.
  package let reader: FrameReader

  /// Frames received and missed so far.
  package var losses: Losses { cursor.losses }

  package private(set) var ages: FrameAges

  /// Which frames are wanted.
  package var reading: Reading { cursor.reading }

  /// How it waits for frames.
  package let waiting: Waiting

  private var counter = CounterClock()
  private let client: JoinClient
  private let waiter: FrameWaiter
  private var cursor: FrameCursor
  private var schedule: ReportSchedule

  /// Joins a run.
  ///
  /// - Parameters:
  ///   - guest: From `visit`: it has the ring, and is ready for frames.
  ///   - directory: The run's directory.
  ///   - reading: Which frames are wanted.
  ///   - waiting: How to wait for them.
  ///   - from: The first frame that is wanted; 0 for the next one.
  /// - Throws: `WireError`.
  package init(
    _ guest: JoinGuest, directory: RunDirectory, reading: Reading,
    waiting: Waiting = .announcement, from: UInt64 = 0
  ) throws(WireError) {
    do throws(FrameError) {
      client = try JoinClient(guest, waiting: waiting, reading: reading, from: from)
    } catch {
      throw .frame(error)
    }
    reader = client.reader
    waiter = try FrameWaiter(waiting, directory: directory, connection: client.connection)
    self.waiting = waiting
    cursor = FrameCursor(
      joinedAfter: client.joinedAfter,
      reading: reader.delivery == .lockstep ? .every : reading)
    ages = FrameAges(
      reading, from: from, newest: min(reader.published, client.joinedAfter + 1))
    schedule = ReportSchedule(joinedAfter: client.joinedAfter)
  }

  /// Joins a run without preparing.
  ///
  /// - Parameters:
  ///   - connection: From `connect`; replaced if the sim has closed it meanwhile.
  ///   - directory: The run's directory.
  ///   - name: The subscriber's name in reports.
  ///   - reading: Which frames are wanted.
  ///   - waiting: How to wait for them.
  ///   - from: The first frame that is wanted; 0 for the next one.
  /// - Throws: `WireError`.
  package convenience init(
    _ connection: JoinConnection, directory: RunDirectory, name: String, reading: Reading,
    waiting: Waiting = .announcement, from: UInt64 = 0
  ) throws(WireError) {
    try self.init(
      Self.visit(connection, directory: directory, name: name), directory: directory,
      reading: reading, waiting: waiting, from: from)
  }

  deinit { client.report(sequence: losses.last, missed: losses.missedCount, isLast: true) }

  /// Gets a run's ring, in order to prepare for its frames.
  ///
  /// - Parameters:
  ///   - connection: From `connect`; replaced if the sim has closed it meanwhile.
  ///   - directory: The run's directory.
  ///   - name: The subscriber's name in reports.
  /// - Returns: The ring, and the connection over which to join.
  /// - Throws: `WireError.frame`.
  package static func visit(
    _ connection: JoinConnection, directory: RunDirectory, name: String
  ) throws(WireError) -> JoinGuest {
    do throws(FrameError) {
      return try JoinGuest(connection, name: name)
    } catch .refused(UInt32(JOIN_REFUSED_SILENT)) {
      // Between the connection and this message passed more time than the sim waits: connect again.
    } catch {
      throw .frame(error)
    }
    do throws(FrameError) {
      return try JoinGuest(JoinConnection(directory), name: name)
    } catch {
      throw .frame(error)
    }
  }

  /// Waits for the next frame or event.
  ///
  /// - Parameter timeoutNs: How long to wait.
  /// - Returns: A frame, which the caller reads and then records, or an event.
  package func find(timeoutNs: UInt64) -> Finding {
    // The sim sends the notice before it closes the connection, so the lease may not yet be over.
    if let droppedBecause { return .event(.dropped(droppedBecause)) }
    // The quick path, except once in `leaseCheckFrames` frames: a subscriber that always finds
    // frames must also learn that it was dropped.
    if losses.last % Self.leaseCheckFrames != 0 {
      // Checking the lease may take longer than the time between two frames.
      if let finding = waiting == .spin ? lookRepeatedly() : look() { return finding }
    }
    let startNs = Clock.monotonicNs()
    counter.calibrate(nowNs: startNs)
    if idleSinceNs == 0 { idleSinceNs = startNs }
    while true {
      // The lease and the end mark are read before `published`, so that `published` includes every
      // frame that the sim completed.
      let isLeaseOver = client.isLeaseOver
      if isLeaseOver {
        droppedBecause = client.takeNotice()
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
      // A run in lockstep waits for this report, so it is sent before this thread sleeps.
      if reader.delivery == .lockstep { flush() }
      let nowNs = Clock.monotonicNs()
      let waitedNs = nowNs - startNs
      if waitedNs >= timeoutNs { return .event(.idle) }
      let restNs = timeoutNs - waitedNs
      if waiting == .spin, nowNs - idleSinceNs < Self.patienceNs {
        if let finding = spin(untilNs: nowNs + min(restNs, Self.spinNs)) { return finding }
      } else {
        waiter.wait(for: reader, after: published, ns: restNs)
        // Look for the frame that ended the wait before checking the lease: the check takes longer
        // than handing a frame over.
        if let finding = look() { return finding }
      }
    }
  }

  /// Frames between two checks of the lease; a check is a system call.
  private static let leaseCheckFrames: UInt64 = 64

  /// When the ring was first found to hold nothing new; 0 after a frame or a gap was found.
  private var idleSinceNs: UInt64 = 0

  /// Why the sim dropped this subscriber; the sim says so once.
  private var droppedBecause: DropReason?

  /// The frame found last: when it was found, by the counter, and when it was published.
  private var found: (ticks: UInt64, publishedNs: UInt64) = (0, 0)

  /// Looks in a row before the clock is read or the lease is checked: about two microseconds.
  private static let looksPerTurn = 64

  /// Looks for a frame `looksPerTurn` times.
  ///
  /// Each time runs all the code that finds a frame, not only a loop on its word. A processor must
  /// fetch code that it has not run for a millisecond; frames would be found 100 to 200 ns later.
  private func lookRepeatedly() -> Finding? {
    for _ in 0..<Self.looksPerTurn {
      if let finding = look() { return finding }
      linux_spin_hint()
    }
    return nil
  }

  /// While spinning: time between two checks of the lease and the end mark.
  private static let spinNs: UInt64 = 1_000_000

  /// Time without frames after which spinning gives way to naps, until a frame comes: three frames
  /// of a run at 60 Hz.
  private static let patienceNs: UInt64 = 50_000_000

  private func spin(untilNs: UInt64) -> Finding? {
    repeat {
      if let finding = lookRepeatedly() { return finding }
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

  /// Records a frame that was found as received or missed; until then `find` returns it again.
  ///
  /// - Parameters:
  ///   - view: The frame.
  ///   - isWhole: Result of `FrameReader.isWhole` after the frame was read.
  /// - Returns: `.frame` or `.missed`.
  package func record(_ view: FrameView, isWhole: Bool) -> SubscriptionEvent {
    if isWhole {
      // The monotonic clock plus the run's offset, as the sim dated the frame. The clock is read
      // here, after the frame was used, where it delays nothing.
      let nowNs = Clock.monotonicNs()
      let beganNs = nowNs - min(counter.ns(since: found.ticks), nowNs)
      ages.record(
        view.sequence, publishedNs: found.publishedNs, beganNs: reader.dateNs(monotonicNs: beganNs))
    }
    return cursor.record(view.sequence, isWhole: isWhole)
  }

  /// Reports this subscriber's progress to the sim from time to time; call it after each frame.
  ///
  /// In lockstep delivery the sim may then overwrite those frames. A report is sent after a quarter
  /// of the ring, or when there is nothing more to read. In live delivery the sim only counts.
  package func report() {
    if schedule.isDue(losses.last, reader.delivery, slotCount: reader.slotCount) { flush() }
  }

  /// Reports progress that was not reported yet.
  private func flush() {
    guard losses.last > schedule.reported else { return }
    schedule.reported = losses.last
    client.report(sequence: losses.last, missed: losses.missedCount)
  }

  /// Time between two attempts to connect.
  private static let retryNs: UInt64 = 20_000_000

  /// Waits for a run to appear, and connects to it.
  ///
  /// A run has appeared when its sim has taken the name. The sim then prepares its scene, which takes
  /// seconds for many millions of entities, and is waited for however long that is.
  ///
  /// - Parameters:
  ///   - directory: The run's directory.
  ///   - waitSeconds: How long to wait for the run to appear; 0 looks once.
  ///   - deadlineNs: When that wait ends; nil: it begins now.
  ///   - isCancelled: Called after each failed attempt; true ends the wait.
  ///   - waiting: Called after each failed attempt.
  /// - Returns: A connection that has not joined yet.
  /// - Throws: `WireError.noRun`, or `frame` for other errors of connecting.
  package static func connect(
    to directory: RunDirectory, waitSeconds: Double, deadlineNs: UInt64? = nil,
    isCancelled: () -> Bool = { false }, waiting: (_ simPrepares: Bool) -> Void = { _ in }
  ) throws(WireError) -> JoinConnection {
    let deadline = deadlineNs ?? Clock.monotonicNs() + UInt64(waitSeconds * 1e9)
    while true {
      do {
        return try JoinConnection(directory)
      } catch .system(let error) where error.errno == ENOENT || error.errno == ECONNREFUSED {
        let now = Clock.monotonicNs()
        let simPrepares = directory.isPreparing
        if (now >= deadline && !simPrepares) || isCancelled() {
          throw .noRun(name: directory.name, waitedSeconds: waitSeconds)
        }
        waiting(simPrepares)
        Clock.sleep(untilMonotonicNs: simPrepares ? now + retryNs : min(now + retryNs, deadline))
      } catch {
        throw .frame(error)
      }
    }
  }
}
