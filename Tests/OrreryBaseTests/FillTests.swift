// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import TestSupport
import Testing

/// Goal: filling past the caches leaves the same bytes as `memset`.
///
/// Method: every alignment and every short length, with what lies beside it.
@Suite struct FillTests {
  @Test func bytesAreThoseOfMemset() throws {
    let capacity = 128
    for offset in 0..<17 {
      for count in 0...(capacity - 32) {
        var filled = [UInt8](repeating: 7, count: capacity)
        var expected = filled
        filled.withUnsafeMutableBytes { bytes in
          guard let start = bytes.baseAddress else { return }
          linux_fill_past_caches(start + offset, 0x1a3, count)
        }
        expected.withUnsafeMutableBytes { bytes in
          guard let start = bytes.baseAddress else { return }
          memset(start + offset, 0x1a3, count)
        }
        try #require(
          firstDifference(filled, expected) == nil, "\(count) bytes from \(offset)")
      }
    }
  }
}
