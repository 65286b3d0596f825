// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOWebSocket
import OrreryBase

/// One open WebSocket: what leaves by it, and what waits for that.
///
/// Used on the server's thread only.
class ClientSocket {
  /// A number of its own, from 1.
  let number: Int

  let channel: any Channel

  /// Since when a frame of the run waits for the kernel to take it; nil: none does.
  private(set) var stalledSinceNs: UInt64?

  /// Called when a frame has gone to the kernel.
  var whenWritten: () -> Void = {}

  /// Messages that came in the present second.
  private var rate = (second: UInt64(0), count: 0)

  /// Messages of a client in a second, at most; a page that draws 240 frames a second sends 250.
  private static let messagesMax = 1000

  /// How long a frame may wait for a socket: a client that reads nothing for longer is gone.
  private static let stallMaxNs: UInt64 = 10_000_000_000

  init(number: Int, channel: any Channel) {
    (self.number, self.channel) = (number, channel)
  }

  /// Sends a frame of the run, in one piece or more.
  ///
  /// It is for the caller to wait with the next one until this one has left, so that a client whose socket is full holds
  /// one frame in memory.
  func send(frame pieces: [WebSocketFrame]) {
    guard let last = pieces.last else { return }
    stalledSinceNs = Clock.monotonicNs()
    for piece in pieces.dropLast() { channel.write(piece, promise: nil) }
    channel.writeAndFlush(last).assumeIsolated().whenComplete { [weak self] _ in
      self?.stalledSinceNs = nil
      self?.whenWritten()
    }
  }

  /// Sends a small message, or leaves it out if earlier ones wait: their number is bounded, and the next one says more.
  ///
  /// - Parameters:
  ///   - pieces: The message.
  ///   - isNeeded: Whether it must come, as answers must.
  func send(small pieces: [WebSocketFrame], isNeeded: Bool = false) {
    guard isNeeded || channel.isWritable else { return }
    for piece in pieces { channel.write(piece, promise: nil) }
    channel.flush()
  }

  /// Sends a text: JSON in UTF-8.
  func send(text: [UInt8], isNeeded: Bool = false) {
    let bytes = channel.allocator.buffer(bytes: text)
    send(small: [WebSocketFrame(fin: true, opcode: .text, data: bytes)], isNeeded: isNeeded)
  }

  /// Ends the connection, once what it was sent has left; at once if its socket takes nothing.
  ///
  /// - Parameter code: Why.
  /// - Returns: Completes when it is closed.
  @discardableResult
  func close(_ code: WebSocketErrorCode) -> EventLoopFuture<Void> {
    if stalledSinceNs != nil, code == .policyViolation { return channel.close() }
    var bytes = channel.allocator.buffer(capacity: 2)
    bytes.write(webSocketErrorCode: code)
    let channel = channel
    return channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: bytes))
      .recover { _ in }.flatMap { channel.close() }
  }

  /// Ends the connection of a client that has read nothing for long.
  ///
  /// - Returns: Whether it has.
  func closeIfStalled(nowNs: UInt64) -> Bool {
    guard let sinceNs = stalledSinceNs, nowNs > sinceNs + Self.stallMaxNs else { return false }
    close(.policyViolation)
    return true
  }

  /// Counts a message.
  ///
  /// - Returns: False if there are too many in a second.
  func countMessage() -> Bool {
    let second = Clock.monotonicNs() / 1_000_000_000
    rate = second == rate.second ? (second, rate.count + 1) : (second, 1)
    return rate.count <= Self.messagesMax
  }
}
