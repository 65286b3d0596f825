// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// A frame in memory of its own, which nothing overwrites, read like one in the ring.
package final class FrameCopy: FrameSource {
  private let source: any FrameSource
  private let room: FrameRoom

  /// Takes memory for one frame; nil if there is none.
  ///
  /// - Parameter source: The run whose frames will be copied.
  package init?(of source: any FrameSource) {
    guard let room = FrameRoom(byteCount: Int(source.layout.frameBytes)) else { return nil }
    (self.source, self.room) = (source, room)
  }

  /// Copies a frame over the last one.
  ///
  /// - Returns: The copy, valid until the next call; nil if the frame was overwritten meanwhile.
  package func take(_ frame: FrameView) -> FrameView? {
    guard frame.byteCount == room.bytes.count else { return nil }
    var start = 0
    for piece in frame.pieces {
      UnsafeMutableRawBufferPointer(rebasing: room.bytes[start...]).copyMemory(from: piece)
      start += piece.count
    }
    guard source.isWhole(frame) else { return nil }
    return FrameView(sequence: frame.sequence, bytes: UnsafeRawBufferPointer(room.bytes))
  }

  package var layout: FrameLayout { source.layout }
  package var staticPart: UnsafeRawBufferPointer { source.staticPart }
  package var generation: UInt64 { source.generation }
  package var delivery: Delivery { source.delivery }
  package var overwrittenAfter: UInt64? { nil }
  package var frames: (any FrameRing)? { source.frames }

  /// Those of the frame that was copied.
  package func missingShards(of view: FrameView) -> [Int] { source.missingShards(of: view) }

  /// Always true: nothing overwrites a copy.
  package func isWhole(_ view: FrameView) -> Bool { true }
}
