// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import CZeroMQ
import Glibc
import OrreryBase
import OrreryFrame

/// Blocks a subscriber until there may be something to read.
///
/// When the sim closes the connection or dies, a wait ends at once, except on the futex: nobody
/// wakes it then, so it times out ten times a second.
final class FrameWaiter {
  private let waiting: Waiting
  private let connection: CInt
  private let socket: Socket?

  /// Whether any announcement has arrived.
  private var isAnnouncedTo = false

  /// Longest sleep before the ring is checked again: a wake may get lost.
  private static let pollNs: UInt64 = 100_000_000

  /// The same before the first announcement: ZeroMQ takes some milliseconds to connect, and
  /// announcements sent meanwhile do not arrive.
  private static let firstPollNs: UInt64 = 2_000_000

  /// Creates a waiter; called on the thread that will wait.
  ///
  /// Unless it spins, that thread becomes a batch thread, which preempts no other when it wakes.
  /// Otherwise it could take the processor from the sim, which wakes it, between two ticks: a wake
  /// that takes 7 µs took up to 180.
  ///
  /// - Parameters:
  ///   - waiting: How to wait.
  ///   - directory: The run's directory.
  ///   - connection: The lease's socket; it becomes readable when the lease is over.
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

  /// Sleeps until there may be a new frame.
  ///
  /// - Parameters:
  ///   - reader: The ring's reader.
  ///   - published: `reader.published`, read before the ring was found to hold nothing new.
  ///   - ns: Longest sleep.
  func wait(for reader: FrameReader, after published: UInt64, ns: UInt64) {
    switch waiting {
    case .spin: nap(ns: ns)
    case .futex: reader.wait(after: published, timeoutNs: min(ns, Self.pollNs))
    case .announcement: waitForAnnouncement(ns: ns)
    }
  }

  /// Sleep between two checks of a ring that stands still: it costs a thousandth of a processor.
  private static let napMilliseconds: CInt = 10

  /// Sleeps in place of spinning, after a long time without frames.
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
