// SPDX-License-Identifier: Apache-2.0

import OrreryCommandLine
import Testing

/// Goal: an amount of memory means what it says, or is refused.
@Suite struct ByteCountTests {
  @Test(
    arguments: [
      ("1", 1), ("512M", 512_000_000), ("1.5G", 1_500_000_000), ("2GiB", 2 << 30), ("3KiB", 3_072),
      ("0.5MiB", 1 << 19), ("7K", 7_000), ("1T", 1_000_000_000_000), ("4TiB", 4 << 40),
      ("4503599627370496", 1 << 52),
    ] as [(String, UInt64)])
  func wordMeansBytes(word: String, bytes: UInt64) {
    let count = ByteCount(argument: word)
    #expect(count?.bytes == bytes)
    #expect(count?.argument == word)
  }

  @Test(arguments: [
    "", "M", "0", "0.5", "-1M", "+1M", "1e3", "512m", "512 M", "1.2.3G", "1GB", "1Gi", "nan", "inf",
    "4503599627370497", "4097TiB", "٣M", "99999999999999999999999999T",
  ])
  func otherWordsAreRefused(word: String) {
    #expect(ByteCount(argument: word) == nil)
  }
}
