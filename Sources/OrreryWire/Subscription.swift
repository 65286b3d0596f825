// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CZeroMQ
import Glibc
import OrreryBase
import OrreryFrame

/// A subscriber's end of a run: joins, waits for announcements, reads frames in place, and keeps
/// account of what it missed.
package final class Subscription {
  /// The ring.
  package var reader: FrameReader { client.reader }

  /// What was received and missed so far.
  package var losses: Losses { cursor.losses }

  /// Nanoseconds from publishing to the start of reading, of every frame read.
  package private(set) var latency = Histogram()

  private let client: JoinClient
  private let socket: Socket
  private var cursor: FrameCursor
  private var reportedNs: UInt64 = 0

  /// Joins a run.
  ///
  /// - Parameters:
  ///   - connection: From `connect`.
  ///   - directory: The run's.
  ///   - name: What to be called in reports.
  ///   - reading: Which frames are wanted.
  /// - Throws: `WireError`.
  package init(
    _ connection: JoinConnection, directory: RunDirectory, name: String, reading: Reading
  ) throws(WireError) {
    do throws(FrameError) {
      client = try JoinClient(connection, name: name)
    } catch {
      throw .frame(error)
    }
    let socket = try Socket(type: ZMQ_SUB, endpoint: "ipc://" + directory.announcePath)
    for topic in AnnouncementTopic.allCases { try socket.subscribe(topic.bytes) }
    try socket.connect()
    self.socket = socket
    cursor = FrameCursor(
      joinedAfter: client.joinedAfter,
      reading: client.reader.delivery == .lockstep ? .every : reading)
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
    let deadline = Clock.monotonicNs() + timeoutNs
    while true {
      // The lease and the end mark are looked at before `published`: what is published afterwards
      // was whole when the sim ended.
      let isLeaseOver = client.isLeaseOver
      let hasEnded = reader.hasEnded
      if let event = try readNext(use) { return event }
      if hasEnded { return .ended }
      if isLeaseOver { return .simDied }
      let now = Clock.monotonicNs()
      if now >= deadline { return .idle }
      wait(ns: min(deadline - now, isConnected ? Self.pollNs : Self.firstPollNs))
    }
  }

  /// Reads the frame that is wanted next, if it is there.
  private func readNext<Failure: Error>(
    _ use: (FrameView) throws(Failure) -> Bool
  ) throws(Failure) -> SubscriptionEvent? {
    var waitedNs: UInt64 = 0
    let event = try cursor.next(from: reader) { (view) throws(Failure) -> Bool in
      let publishedNs = view.stamp().publishTimeNs
      let nowNs = Clock.wallNs()
      waitedNs = nowNs > publishedNs ? nowNs - publishedNs : 0
      return try use(view)
    }
    if case .frame = event { latency.record(waitedNs) }
    return event
  }

  /// Longest sleep between two looks at the ring: an announcement may get lost.
  private static let pollNs: UInt64 = 100_000_000

  /// The same before the first announcement: ZeroMQ takes some milliseconds to connect, and frames that
  /// are published meanwhile are announced to nobody.
  private static let firstPollNs: UInt64 = 2_000_000

  /// Whether an announcement ever came.
  private var isConnected = false

  /// Sleeps until an announcement comes, the lease ends, or the time is over.
  private func wait(ns: UInt64) {
    var items = [
      zmq_pollitem_t(
        socket: socket.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0),
      zmq_pollitem_t(
        socket: nil, fd: client.connection, events: Int16(ZMQ_POLLIN), revents: 0),
    ]
    guard zmq_poll(&items, CInt(items.count), Int(max(ns / 1_000_000, 1))) > 0 else { return }
    var message = announcement()
    while zmq_recv(
      socket.handle, &message, MemoryLayout<announcement>.size, ZMQ_DONTWAIT) >= 0
    { isConnected = true }
  }

  /// Time between two reports in live delivery.
  private static let reportNs: UInt64 = 100_000_000

  /// Tells the sim that every frame up to the last one is done with.
  ///
  /// In lockstep delivery it may then overwrite them. In live delivery it only counts, so it is told now
  /// and then.
  package func report() {
    let now = Clock.monotonicNs()
    guard reader.delivery == .lockstep || now >= reportedNs + Self.reportNs else { return }
    reportedNs = now
    client.report(sequence: losses.last, missed: losses.missedCount)
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
