// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryMessages
import SwiftProtobuf

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

  /// Ticks after which the sim overwrites a frame, whether it is being used or not; nil: it does not.
  var overwrittenAfter: UInt64? { get }

  /// The ring in which frames stay until they are overwritten; nil if each takes the last one's place.
  var frames: (any FrameRing)? { get }

  /// Whether the frame has not been overwritten, so that everything read from it so far is valid.
  func isWhole(_ view: FrameView) -> Bool

  /// The shards whose part of the frame that was found last did not come; of one sim's run: none.
  func missingShards(of view: FrameView) -> [Int]
}

extension FrameSource {
  /// None: one sim publishes whole frames.
  package func missingShards(of view: FrameView) -> [Int] { [] }

  /// Decodes the scene's layout, of which nothing is trusted.
  ///
  /// - Parameter part: Whose it is, for the error.
  /// - Returns: The layout.
  /// - Throws: `WireError`: it is no message.
  package func sceneLayout(of part: String = "the scene") throws(WireError) -> Orrery_SceneLayout {
    do {
      return try Orrery_SceneLayout(serializedBytes: Array(staticPart))
    } catch {
      throw .badMessage("\(part)'s static part cannot be read: \(messageFault(error))")
    }
  }
}

extension FrameReader: FrameSource {
  package var overwrittenAfter: UInt64? {
    // In lockstep the sim waits for this subscriber.
    delivery == .live ? slotCount - min(lookAhead, slotCount - 1) : nil
  }

  package var frames: (any FrameRing)? { self }
}
