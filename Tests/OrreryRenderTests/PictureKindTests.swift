// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryMessages
import OrreryRender
import TestSupport
import Testing

/// Goal: pictures that are made of pictures, and those of crowds, show what they say.
///
/// Method: pictures of few pixels whose values are known.
@Suite struct PictureKindTests {
  private static func picture(_ width: Int, _ height: Int, _ pixels: [UInt32]) throws -> PixelBuffer
  {
    let buffer = try PixelBuffer(width: width, height: height)
    for (index, pixel) in pixels.enumerated() { buffer.pixels[index] = pixel }
    return buffer
  }

  private static func pixels(_ buffer: PixelBuffer) -> [UInt32] {
    Array(UnsafeBufferPointer(start: buffer.pixels, count: buffer.width * buffer.height))
  }

  private static let (black, white, red): (UInt32, UInt32, UInt32) = (
    0xFF00_0000, 0xFFFF_FFFF, 0xFFFF_0000
  )

  /// A dot that moves over the background, and over what stands still in most pictures.
  @Test func whatMovesIsFainterTheOlderItIs() throws {
    let (black, white, red) = (Self.black, Self.white, Self.red)
    let background = try Self.picture(4, 1, [black, black, black, black])
    let pictures = try [
      [white, black, black, black], [black, white, black, red], [black, black, white, red],
    ].map { try Self.picture(4, 1, $0) }
    let result = try OnionSkin.compose(pictures, on: background)
    // Opacities 64, 160 and 256 of 256; the last pixel is red in most, and was black at first.
    #expect(Self.pixels(result) == [0xFF40_4040, 0xFF9F_9F9F, white, 0xFFBF_0000])
    #expect(Self.pixels(try OnionSkin.compose([], on: background)) == Self.pixels(background))
  }

  @Test func sheetHasAllPicturesInTheirOrder() throws {
    let colors: [UInt32] = [0xFF11_1111, 0xFF22_2222, 0xFF33_3333, 0xFF44_4444, 0xFF55_5555]
    let pictures = try colors.map { color in
      (try Self.picture(40, 20, Array(repeating: color, count: 800)), "1.25 s")
    }
    let sheet = try ContactSheet.compose(pictures, columns: 3)
    #expect(sheet.width == 3 * 48 + 8 && sheet.height == 2 * 46 + 8)
    for (index, color) in colors.enumerated() {
      let (left, top) = (8 + index % 3 * 48, 8 + index / 3 * 46)
      for (x, y) in [(0, 0), (39, 19), (0, 19)] {
        #expect(sheet.pixels[(top + y) * sheet.width + left + x] == color)
      }
      // Letters below it.
      let below = (top + 20..<top + 38).flatMap { row in
        (left..<left + 40).map { sheet.pixels[row * sheet.width + $0] & 255 }
      }
      #expect(below.contains { $0 > 150 })
    }
    #expect(sheet.pixels[sheet.width * sheet.height - 1] == 0xFF18_181B)
    let wide = try Self.picture(9000, 1, [])
    #expect(throws: RenderError.pictureSize(width: 18_024, height: 35, limit: 16_384)) {
      try ContactSheet.compose([(wide, "1 s"), (wide, "2 s")], columns: 2)
    }
  }

  @Test func crowdIsCountedByThePixel() throws {
    var layout = Scenes.empty(width: 8, height: 4)
    var sprite = Orrery_Sprite()
    sprite.elements = [Scenes.disc(radius: 2)]
    layout.sprites = [sprite]
    // One entity at a pixel, four at another, sixteen at a third; one is outside.
    let places: [(Float, Float)] =
      [(0.5, 0.5)] + Array(repeating: (2.5, 1.5), count: 4)
      + Array(repeating: (7.5, 3.5), count: 16) + [(9, 1)]
    layout.batches = [Scenes.batch(origins: places, fields: [])]
    let painter = try DensityPainter(layout: layout, width: 8, height: 4)
    painter.draw { _, _ in nil }
    let found = Self.pixels(painter.picture)
    let empty = Self.pixels(painter.background)[0]
    let (one, four, sixteen) = (found[0], found[8 + 2], found[24 + 7])
    #expect(found.filter { $0 != empty }.count == 3)
    #expect(one == 0xFF40_48B0 && four == 0xFF24_A096 && sixteen == 0xFFFD_E73C, "\(found)")
    // One entity alone is the most of its frame, and one that is invisible is none.
    layout.batches = [Scenes.batch(origins: [(0.5, 0.5), (1.5, 0.5)], fields: [.opacity])]
    let pair = try DensityPainter(layout: layout, width: 8, height: 4)
    [Float(1), 0].withUnsafeBufferPointer { values in
      pair.draw { _, field in field == .opacity ? values : nil }
    }
    #expect(Self.pixels(pair.picture)[0] == sixteen && Self.pixels(pair.picture)[1] == empty)
  }

  @Test func differenceHasPlaceAndSize() throws {
    let a = try Self.picture(4, 2, Array(repeating: Self.black, count: 8))
    let b = try Self.picture(4, 2, Array(repeating: Self.black, count: 8))
    #expect(try PictureDifference(a, b, tolerance: 0).report.isEqual)
    b.pixels[2] = 0xFF00_0300
    b.pixels[7] = 0xFF80_0000
    let found = try PictureDifference(a, b, tolerance: 0)
    let report = found.report
    #expect(report.pixels == 8 && report.differentPixels == 2 && report.largestDifference == 128)
    #expect(report.area == [2, 0, 2, 2])
    #expect(found.picture.pixels[7] == 0xFFFF_8000 && found.picture.pixels[2] == 0xFFFF_0300)
    #expect(found.picture.pixels[0] == 0xFF40_4040)
    let near = try PictureDifference(a, b, tolerance: 3).report
    #expect(near.differentPixels == 1 && near.area == [3, 1, 1, 1])
    #expect(try PictureDifference(a, b, tolerance: 128).report.isEqual)
  }

  /// Every pixel of a file that was written is read again; what is no such file is refused with its name.
  @Test func filesAreReadAsTheyWereWritten() throws {
    let base = try TemporaryBase()
    let path = base.path + "/a.png"
    var random = SeededRandom(seed: 7)
    let opaque = (0..<77).map { _ in 0xFF00_0000 | UInt32.random(in: 0..<1 << 24, using: &random) }
    let picture = try Self.picture(11, 7, opaque)
    try picture.writePNG(path: path)
    #expect(Self.pixels(try PixelBuffer(pngFile: path)) == opaque)
    #expect(Data(try picture.png()) == FileManager.default.contents(atPath: path))
    try Data("no picture".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: RenderError.picture(path: path, .notPNG)) { try PixelBuffer(pngFile: path) }
    #expect(RenderError.picture(path: "a.png", .notPNG).exitStatus == .badData)
    #expect { try PixelBuffer(pngFile: base.path + "/none.png") } throws: { error in
      (error as? RenderError)?.exitStatus == .inputOutput
    }
  }
}
