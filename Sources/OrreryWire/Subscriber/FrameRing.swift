// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// The source of a subscriber's frames: a ring in shared memory, or a model of one in tests.
package protocol FrameRing {
  /// Sequence of the newest whole frame; 0 before the first.
  var published: UInt64 { get }

  /// Looks for a frame, without copying it.
  ///
  /// - Parameter sequence: From 1.
  /// - Returns: The frame, or why it is not available.
  func acquire(_ sequence: UInt64) -> FrameAcquisition

  /// Whether the frame has not been overwritten, so that everything read from it so far is valid.
  func isWhole(_ view: FrameView) -> Bool
}

extension FrameReader: FrameRing {}
