// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOWebSocket
import OrreryBase
import OrreryDocument

/// One open page: its socket, and what it was sent.
///
/// Used on the server's thread only.
final class LiveClient {
  /// A number of its own, from 1.
  let number: Int

  private let channel: any Channel

  /// Frames that it was sent.
  var credit = Credit()

  /// The frame that it was sent last, and whether its values were as published; 0: none of this run.
  private var last = (sequence: UInt64(0), isExact: false)

  /// Bytes of all frames that it was sent.
  private(set) var byteCount: UInt64 = 0

  /// Whether it wants values as they were published.
  var wantsExact = false

  /// What it measured last.
  var figures: PageFigures?

  /// Since when a frame waits for the kernel to take it; nil: none does.
  private(set) var stalledSinceNs: UInt64?

  /// Called when a frame has gone to the kernel.
  var whenWritten: () -> Void = {}

  /// Messages that came in the present second.
  private var rate = (second: UInt64(0), count: 0)

  /// Messages of a page in a second, at most; one that draws 240 frames a second sends 250.
  private static let messagesMax = 1000

  init(number: Int, channel: any Channel) {
    (self.number, self.channel) = (number, channel)
  }

  /// Whether it could take a frame now.
  ///
  /// A frame that has not left keeps the next one back, so that a page whose socket
  /// is full holds one frame in memory.
  var isFree: Bool { credit.isFree && stalledSinceNs == nil }

  /// Begins again, for another run.
  func beginRun() {
    credit.beginRun()
    last = (0, false)
  }

  /// Sends a frame, or what has changed in it.
  func send(_ frame: LiveFrame) {
    let bytes = frame.bytes(after: last.isExact == frame.isExact ? last.sequence : 0)
    credit.send(frame.sequence)
    last = (frame.sequence, frame.isExact)
    byteCount += UInt64(bytes.readableBytes)
    stalledSinceNs = Clock.monotonicNs()
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .binary, data: bytes))
      .assumeIsolated().whenComplete { [weak self] _ in
        self?.stalledSinceNs = nil
        self?.whenWritten()
      }
  }

  /// Sends a text, or leaves it out if earlier ones wait: their number is bounded, and the next one says more.
  ///
  /// - Parameters:
  ///   - text: JSON in UTF-8.
  ///   - isNeeded: Whether it must come, as answers must.
  func send(text: [UInt8], isNeeded: Bool = false) {
    guard isNeeded || channel.isWritable else { return }
    let bytes = channel.allocator.buffer(bytes: text)
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .text, data: bytes), promise: nil)
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

  /// Counts a message.
  ///
  /// - Returns: False if there are too many in a second.
  func countMessage() -> Bool {
    let second = Clock.monotonicNs() / 1_000_000_000
    rate = second == rate.second ? (second, rate.count + 1) : (second, 1)
    return rate.count <= Self.messagesMax
  }
}
