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

  /// A frame of this number.
  package init(sequence: UInt64, isExact: Bool, isForAll: Bool, bytes: ByteBuffer) {
    (self.sequence, self.isExact, self.isForAll) = (sequence, isExact, isForAll)
    self.bytes = bytes
  }
}
