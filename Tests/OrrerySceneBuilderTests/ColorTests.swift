// SPDX-License-Identifier: Apache-2.0

import OrrerySceneBuilder
import Testing

/// Goal: colours are the bytes that were meant.
///
/// Method: make them in every way and compare 0xRRGGBBAA.
@Suite struct ColorTests {
  @Test(
    arguments: [
      ("#12aBcD", 0x12ab_cdff), ("#12abcd80", 0x12ab_cd80), ("black", 0xff), ("teal", 0x30b0_c7ff),
    ] as [(String, UInt32)])
  func textIsRead(text: String, rgba: UInt32) {
    #expect(Color(text)?.rgba == rgba)
  }

  @Test(arguments: [
    "", "#", "#123", "#1234567", "#123456789", "#+12345", "123456", "Black", "#12345g",
  ])
  func otherTextIsRefused(text: String) {
    #expect(Color(text) == nil)
  }

  @Test func partsAreRoundedAndClamped() {
    #expect(Color(red: 1, green: 0.5, blue: 0).rgba == 0xff80_00ff)
    #expect(Color(red: .nan, green: -1, blue: .infinity, opacity: 0.5).rgba == 0x0000_ff80)
    #expect(Color.white.opacity(0.5).opacity(0.5).rgba == 0xffff_ff40)
  }
}
