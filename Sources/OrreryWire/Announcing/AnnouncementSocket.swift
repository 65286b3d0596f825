// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CZeroMQ
import OrreryFrame

/// The socket that sends announcements; one thread at a time uses it.
package final class AnnouncementSocket: @unchecked Sendable {
  /// A ZeroMQ XPUB.
  package let socket: Socket
  private let generation: UInt64

  /// Message prefixes that have a subscriber.
  private var topics: Set<[UInt8]> = []

  /// Announcements queued for one subscriber: 64 KiB.
  private static let highWaterMark: CInt = 1000

  /// Binds the socket.
  ///
  /// - Throws: `WireError.zeroMQ`.
  package init(directory: RunDirectory, generation: UInt64) throws(WireError) {
    self.generation = generation
    let socket = try Socket(
      type: ZMQ_XPUB, endpoint: "ipc://" + directory.announcePath, isBatch: true)
    try socket.set(ZMQ_SNDHWM, Self.highWaterMark)
    try socket.limitHandshake()
    try socket.bind()
    self.socket = socket
  }

  /// The fields of an announcement of a frame.
  struct Frame {
    let sequence: UInt64
    let tick: UInt64
    let simTimeNs: UInt64
    let clockNs: UInt64
    let hash: UInt64
  }

  /// Announces a frame.
  func announce(_ frame: Frame) {
    var message = announcement(topic: .frame, generation: generation)
    message.sequence = frame.sequence
    message.tick = frame.tick
    message.sim_time_ns = frame.simTimeNs
    message.publish_clock_ns = frame.clockNs
    message.state_hash = frame.hash
    send(&message)
  }

  /// Announces that no frame will follow.
  func announceEnd(sequence: UInt64) {
    var message = announcement(topic: .end, generation: generation)
    message.sequence = sequence
    send(&message)
  }

  /// Reads the subscriptions and unsubscriptions since the last call.
  ///
  /// - Returns: Whether there is any subscription; nil if that has not changed.
  package func takeSubscriptions() -> Bool? {
    let hadTopics = !topics.isEmpty
    // ZeroMQ reports the first subscription to a topic and the end of the last one.
    socket.takeSubscriptions { isSubscribed, topic in
      if isSubscribed { topics.insert(topic) } else { topics.remove(topic) }
    }
    return topics.isEmpty == hadTopics ? !hadTopics : nil
  }

  private func send(_ message: inout announcement) {
    _ = zmq_send(socket.handle, &message, MemoryLayout<announcement>.size, ZMQ_DONTWAIT)
  }
}
