// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// A run as its subscribers see it: through shared memory, or from another machine.
package protocol FrameSource: AnyObject {
  /// The layout of every frame.
  var layout: FrameLayout { get }

  /// The encoded `orrery.SceneLayout`; valid while the source lives.
  var staticPart: UnsafeRawBufferPointer { get }

  /// A random number that identifies the run.
  var generation: UInt64 { get }

  /// How frames reach their readers.
  var delivery: Delivery { get }

  /// Whether the frame has not been overwritten, so that everything read from it so far is valid.
  func isWhole(_ view: FrameView) -> Bool
}

extension FrameReader: FrameSource {}
