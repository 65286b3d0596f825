// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CZeroMQ
import OrreryBase
import OrreryFrame

/// Tells subscribers that frames are there.
///
/// Announcements only wake: a subscriber that misses some learns from the ring what there is. So the
/// socket drops what a slow subscriber does not take, and never blocks.
package final class Announcer: Sendable {
  private let socket: Socket
  private let generation: UInt64

  /// Announcements kept for one subscriber: 64 KiB.
  private static let highWaterMark: CInt = 1000

  /// Binds the socket of announcements.
  ///
  /// - Throws: `WireError.zeroMQ`.
  package init(directory: RunDirectory, generation: UInt64) throws(WireError) {
    self.generation = generation
    let socket = try Socket(type: ZMQ_PUB, endpoint: "ipc://" + directory.announcePath)
    try socket.set(ZMQ_SNDHWM, Self.highWaterMark)
    try socket.bind()
    self.socket = socket
  }

  /// Announces a frame that was just published.
  package func announce(sequence: UInt64, _ stamp: FrameStamp) {
    var message = announcement(topic: .frame, generation: generation)
    message.sequence = sequence
    message.tick = stamp.tick
    message.sim_time_ns = stamp.simTimeNs
    message.publish_clock_ns = Clock.monotonicNs()
    message.state_hash = stamp.stateHash
    send(&message)
  }

  /// Announces that no frame follows.
  package func announceEnd(sequence: UInt64) {
    var message = announcement(topic: .end, generation: generation)
    message.sequence = sequence
    send(&message)
  }

  private func send(_ message: inout announcement) {
    _ = zmq_send(socket.handle, &message, MemoryLayout<announcement>.size, ZMQ_DONTWAIT)
  }
}
