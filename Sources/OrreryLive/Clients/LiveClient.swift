// SPDX-License-Identifier: Apache-2.0

import NIOWebSocket

/// One open page: its socket, and what it was sent.
///
/// Used on the server's thread only.
final class LiveClient: ClientSocket {
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

  /// Whether it could take a frame now: a frame that has not left keeps the next one back.
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
    send(frame: [WebSocketFrame(fin: true, opcode: .binary, data: bytes)])
  }
}
