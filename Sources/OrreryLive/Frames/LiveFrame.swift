// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A frame as it is sent: all pages share its bytes.
package struct LiveFrame: Sendable {
  /// Number of the frame.
  package let sequence: UInt64

  /// Whether it has the values as they were published.
  package let isExact: Bool

  /// Whether it is for every page, whichever encoding they want.
  package let isForAll: Bool

  /// What is sent.
  package let bytes: ByteBuffer

  /// What is sent to a page whose last frame was this earlier one of the same encoding; nil: it is not much less.
  package let changes: (base: UInt64, bytes: ByteBuffer)?

  /// A frame of this number.
  package init(
    sequence: UInt64, isExact: Bool, isForAll: Bool, bytes: ByteBuffer,
    changes: (base: UInt64, bytes: ByteBuffer)? = nil
  ) {
    (self.sequence, self.isExact, self.isForAll) = (sequence, isExact, isForAll)
    (self.bytes, self.changes) = (bytes, changes)
  }

  /// What is sent to a page.
  ///
  /// - Parameter last: The frame that it was sent last, if that was of this encoding; 0: it was not.
  /// - Returns: All of the frame, or its changes.
  func bytes(after last: UInt64) -> ByteBuffer {
    if let changes, changes.base == last { return changes.bytes }
    return bytes
  }
}
