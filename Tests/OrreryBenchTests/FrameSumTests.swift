// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import TestSupport
import Testing

/// Goal: the subscriber that only reads has read every byte.
///
/// Method: the sum by one byte after the other, for lengths around whole lines; one byte is changed.
@Suite struct FrameSumTests {
  /// Words of eight bytes as far as lines of 64 go, and single bytes after them.
  private static func oracle(_ bytes: [UInt8]) -> UInt64 {
    let whole = bytes.count - bytes.count % 64
    return bytes.enumerated().reduce(0) { sum, element in
      let (index, byte) = element
      return sum &+ UInt64(byte) &<< UInt64(index < whole ? index % 8 * 8 : 0)
    }
  }

  @Test(arguments: [0, 1, 63, 64, 65, 127, 128, 1000])
  func everyByteCounts(count: Int) {
    var random = SeededRandom(seed: UInt64(count))
    var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    func sum() -> UInt64 { bytes.withUnsafeBytes { FrameSum.sum(of: $0) } }
    #expect(sum() == Self.oracle(bytes))
    let before = sum()
    for index in bytes.indices {
      bytes[index] ^= 1
      #expect(sum() != before, "byte \(index)")
      bytes[index] ^= 1
    }
  }

  /// A frame begins where its column does, which is not at a line's begin.
  @Test func bytesMayBeginAnywhere() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 37) }
    bytes.withUnsafeBytes { all in
      for offset in 0..<65 {
        let part = UnsafeRawBufferPointer(rebasing: all[offset...])
        #expect(FrameSum.sum(of: part) == Self.oracle(Array(bytes[offset...])), "\(offset)")
      }
    }
  }
}
