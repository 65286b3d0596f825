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

extension FrameRing {
  /// The newest frame, to be read in place; nil if there is none, or if it was overtaken just now.
  package var newest: FrameView? {
    let sequence = published
    guard sequence > 0, case .frame(let view) = acquire(sequence) else { return nil }
    return view
  }

  /// Copies the newest frame; if it is overwritten meanwhile, the one that is the newest then.
  ///
  /// - Parameters:
  ///   - triesMax: How often to try.
  ///   - copy: Makes the copy, which counts only if the frame was whole afterwards.
  /// - Returns: Nil if no try succeeded.
  package func copyNewest<Copy>(triesMax: Int = 8, _ copy: (FrameView) -> Copy) -> Copy? {
    for _ in 0..<triesMax {
      guard let view = newest else { continue }
      let result = copy(view)
      if isWhole(view) { return result }
    }
    return nil
  }
}
