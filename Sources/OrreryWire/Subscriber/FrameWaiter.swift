// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import CZeroMQ
import Glibc
import OrreryBase
import OrreryFrame

/// How a subscriber passes the time until there is something to read.
///
/// Every way ends at once when the sim hangs up or dies, but for the futex's, which nobody wakes then: it
/// looks ten times a second.
final class FrameWaiter {
  private let waiting: Waiting
  private let connection: CInt
  private let socket: Socket?

  /// Whether an announcement ever came.
  private var isAnnouncedTo = false

  /// Longest sleep between two looks at the ring: a wake may get lost.
  private static let pollNs: UInt64 = 100_000_000

  /// The same before the first announcement: ZeroMQ takes some milliseconds to connect, and frames that
  /// are published meanwhile are announced to nobody.
  private static let firstPollNs: UInt64 = 2_000_000

  /// Gets ready, on the thread that is going to wait.
  ///
  /// Unless it spins, that thread gives way from now on when it is woken. Otherwise the sim, which wakes it, would lose its processor to it between two ticks: a wake that takes 7 µs
  /// took up to 180.
  ///
  /// - Parameters:
  ///   - waiting: The way.
  ///   - directory: The run's.
  ///   - connection: The lease: readable when it is over.
  /// - Throws: `WireError.zeroMQ`.
  init(_ waiting: Waiting, directory: RunDirectory, connection: CInt) throws(WireError) {
    self.waiting = waiting
    self.connection = connection
    if waiting != .spin { linux_schedule_as_batch() }
    guard waiting == .announcement else {
      socket = nil
      return
    }
    let socket = try Socket(
      type: ZMQ_SUB, endpoint: "ipc://" + directory.announcePath, isBatch: true)
    for topic in [AnnouncementTopic.frame, .end] { try socket.subscribe(topic.bytes) }
    try socket.connect()
    self.socket = socket
  }

  /// Sleeps, at most so long.
  ///
  /// - Parameters:
  ///   - reader: The ring's.
  ///   - published: What `reader.published` said before the ring was found to hold nothing new.
  ///   - ns: Longest time.
  func wait(for reader: FrameReader, after published: UInt64, ns: UInt64) {
    switch waiting {
    case .spin: nap(ns: ns)
    case .futex: reader.wait(after: published, timeoutNs: min(ns, Self.pollNs))
    case .announcement: waitForAnnouncement(ns: ns)
    }
  }

  /// Sleep between two looks at a ring that stands still: a thousandth of a processor.
  private static let napMilliseconds: CInt = 10

  /// How one that spins waits where nothing has come for long.
  private func nap(ns: UInt64) {
    var polled = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
    poll(&polled, 1, min(Self.napMilliseconds, CInt(clamping: ns / 1_000_000) + 1))
  }

  private func waitForAnnouncement(ns: UInt64) {
    guard let socket else { return }
    var items = [
      zmq_pollitem_t(socket: socket.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0),
      zmq_pollitem_t(socket: nil, fd: connection, events: Int16(ZMQ_POLLIN), revents: 0),
    ]
    let bound = min(ns, isAnnouncedTo ? Self.pollNs : Self.firstPollNs)
    guard zmq_poll(&items, CInt(items.count), Int(max(bound / 1_000_000, 1))) > 0 else { return }
    var message = announcement()
    while zmq_recv(
      socket.handle, &message, MemoryLayout<announcement>.size, ZMQ_DONTWAIT) >= 0
    { isAnnouncedTo = true }
  }
}
