// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import Testing

/// Goal: a picture's size is two whole numbers from 1 to 16384, and nothing else.
@Suite struct PictureSizeTests {
  @Test(arguments: [
    ("1x1", 1, 1), ("1280x720", 1_280, 720), ("16384x1", 16_384, 1), ("1x16384", 1, 16_384),
  ])
  func sizeIsRead(text: String, width: Int, height: Int) throws {
    let size = try #require(PictureSize(text))
    #expect(size.width == width)
    #expect(size.height == height)
    #expect(size.description == text)
  }

  @Test(
    arguments: [
      "", "x", "7", "7x", "x7", "0x7", "7x0", "16385x7", "7x16385", "-7x7", "7x-7", "7x7x7", "7 x7",
      "7X7", "7.0x7", "axb", "99999999999999999999x7",
    ])
  func whatIsNoSizeIsNotRead(text: String) {
    #expect(PictureSize(text) == nil)
  }
}
