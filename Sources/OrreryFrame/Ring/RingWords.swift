// SPDX-License-Identifier: Apache-2.0

import CFrameLayout

/// The words of a ring that its writer stores while readers load them; CFrameLayout.h asserts their
/// offsets.
enum RingWord {
  /// Offset of `ring_header.published`.
  static let published = 128

  /// Offset of `ring_header.ended`.
  static let ended = 192

  /// The words of a `ring_slot`, in its order.
  enum Slot: Int {
    case sequenceBegin
    case sequenceEnd
    case place
  }

  /// Offset of a slot's word in the directory.
  static func offset(_ word: Slot, slot: UInt64) -> Int {
    Int(slot) * MemoryLayout<ring_slot>.stride + word.rawValue * MemoryLayout<UInt64>.stride
  }
}
