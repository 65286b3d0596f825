// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryWire

/// A simulated ring as a frame consumer sees it: it can lose the processor while it looks whether a frame is whole.
final class SimulatedSource: FrameSource {
  private let ring: InterruptedRing

  init(_ ring: InterruptedRing) { self.ring = ring }

  var layout: FrameLayout { ring.reader.layout }
  var staticPart: UnsafeRawBufferPointer { ring.reader.staticPart }
  var generation: UInt64 { ring.reader.generation }
  var delivery: Delivery { ring.reader.delivery }

  var overwrittenAfter: UInt64? { ring.reader.overwrittenAfter }
  var frames: (any FrameRing)? { ring.reader }

  func isWhole(_ view: FrameView) -> Bool { ring.isWhole(view) }
}
