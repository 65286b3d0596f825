// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryWire

/// Reads every byte of each frame in place, and does nothing else with it.
package final class FrameSum: FrameConsumer {
  /// The sum of all frames that were read, so that the compiler cannot leave the reading out.
  package private(set) var sum: UInt64 = 0

  package init() {}

  /// Reads the frame.
  package func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool {
    sum &+= Self.sum(of: frame.bytes)
    return source.isWhole(frame)
  }

  /// Does nothing.
  package func keep(sequence: UInt64) throws(Failure) {}

  /// Does nothing.
  package func miss(_ gap: ClosedRange<UInt64>) throws(Failure) {}

  /// Does nothing.
  package func idle() throws(Failure) {}

  /// Writes no file.
  package func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] { [] }

  /// The sum of the bytes' words of eight, and of the bytes after the last whole line of 64.
  ///
  /// One load and one addition for each line: bound by memory.
  package static func sum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var lanes = SIMD8<UInt64>.zero
    let wholeCount = bytes.count / 64 * 64
    for offset in stride(from: 0, to: wholeCount, by: 64) {
      lanes &+= bytes.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt64>.self)
    }
    return bytes[wholeCount...].reduce(lanes.wrappedSum()) { $0 &+ UInt64($1) }
  }
}
