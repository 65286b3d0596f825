// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryMessages

/// Draws a run's frames as the messages that viewers read.
///
/// `live` hands it in: what draws needs libraries of fonts and pictures, which nothing else here does.
package protocol FoxgloveFeed: AnyObject {
  /// Whether something was composed that can be taken.
  var isComposed: Bool { get }

  /// The time of day that is scene time 0, in nanoseconds since 1970; nil before the first frame.
  var zeroNs: UInt64? { get }

  /// Composes what is wanted of a frame that is read in place, if it is its turn.
  func use(_ frame: FrameView, stamp: FrameStamp, nowNs: UInt64, wanted: Set<Topic>)

  /// Composes what is wanted of a frame in any case.
  func compose(_ frame: FrameView, wanted: Set<Topic>)

  /// Forgets what was composed: the frame was overwritten meanwhile.
  func discard()

  /// Sets scene time 0 by the first frame.
  ///
  /// - Returns: Where points and views stand; nil if that was done.
  func begin(_ stamp: FrameStamp) -> [UInt8]?

  /// Takes what was composed, each topic's message in parts.
  func take<Fault>(
    _ stamp: FrameStamp,
    _ use: (_ topic: Topic, _ parts: [UnsafeRawBufferPointer]) throws(Fault) -> Void
  ) throws(Fault)
}
