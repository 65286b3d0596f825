// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// Where a subscriber's frames come from: a ring in shared memory, or what stands for one.
package protocol FrameRing {
  /// Sequence of the newest whole frame; 0 before the first.
  var published: UInt64 { get }

  /// Looks for a frame, without copying it.
  ///
  /// - Parameter sequence: From 1.
  /// - Returns: The frame, or why it cannot be had.
  func acquire(_ sequence: UInt64) -> FrameAcquisition

  /// Whether everything that was read from the frame up to now belongs to it.
  func isWhole(_ view: FrameView) -> Bool
}

extension FrameReader: FrameRing {}
