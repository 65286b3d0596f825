// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryMessages
import OrreryRender
import Testing

/// PNG files for tests.
enum TestPictures {
  /// A picture of 8-bit colours, each pixel drawn as a box and written by the painter.
  static func png(
    width: Int, height: Int, _ color: (_ x: Int, _ y: Int) -> [Int]
  ) throws -> Data {
    var layout = Scenes.empty(width: Double(width), height: Double(height))
    for y in 0..<height {
      for x in 0..<width {
        let value = color(x, y).reduce(0) { $0 << 8 | UInt32($1) } << 8 | 255
        let fixture = Orrery_Fixture.with {
          ($0.x, $0.y, $0.sprite) = (Double(x), Double(y), UInt32(layout.sprites.count))
        }
        layout.sprites.append(Scenes.sprite([Scenes.box(width: 1, height: 1, color: value)]))
        layout.fixtures.append(fixture)
      }
    }
    let painter = try ScenePainter(layout: layout, width: width, height: height)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "orrery-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: file) }
    try painter.writePNG(path: file.path)
    return try Data(contentsOf: file)
  }

  /// Four pixels: red and green over blue and white.
  static func quarters() throws -> Data {
    try png(width: 2, height: 2) { x, y in
      [[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [255, 255, 255]]][y][x]
    }
  }
}

/// Images and gradients fill the rectangle that the layout gives them.
///
/// Method: single pixels; pictures whose colours say where they are.
@Suite struct ImageTests {
  private static func painter(
    _ elements: [Orrery_Element], images: [Data] = [], tilePeriod: Double = 0,
    fields: [Orrery_Field] = [], width: Int = 60, height: Int = 40
  ) throws -> ScenePainter {
    var layout = Scenes.empty(width: 60, height: 40)
    layout.images = images
    layout.sprites = [Scenes.sprite(elements, tilePeriod: tilePeriod)]
    layout.batches = [Scenes.batch(origins: [(10, 10)], fields: fields)]
    return try ScenePainter(layout: layout, width: width, height: height)
  }

  @Test func imageIsStretchedOverItsRectangle() throws {
    let painter = try Self.painter(
      [Scenes.image(x: 2, y: 1, width: 40, height: 20)], images: [TestPictures.quarters()])
    painter.draw([:])
    let corners: [(x: Int, y: Int, color: UInt32)] = [
      (12, 11, 0xFFFF_0000), (51, 11, 0xFF00_FF00), (12, 30, 0xFF00_00FF), (51, 30, 0xFFFF_FFFF),
    ]
    for corner in corners {
      #expect(painter.pixel(corner.x, corner.y) == corner.color)
      // Neither outside nor anything of the background inside.
      #expect(painter.pixel(corner.x + (corner.x < 30 ? -1 : 1), corner.y) == 0xFF10_1418)
      #expect(painter.pixel(corner.x, corner.y + (corner.y < 20 ? -1 : 1)) == 0xFF10_1418)
    }
  }

  @Test func imageOfItsOwnSizeIsItself() throws {
    let file = try TestPictures.png(width: 30, height: 20) { x, y in [x * 8, y * 12, x ^ y] }
    let painter = try Self.painter([Scenes.image(width: 30, height: 20)], images: [file])
    painter.draw([:])
    for y in 0..<20 {
      for x in 0..<30 {
        let wanted = 0xFF << 24 | UInt32(x * 8) << 16 | UInt32(y * 12) << 8 | UInt32(x ^ y)
        #expect(painter.pixel(10 + x, 10 + y) == wanted)
      }
    }
  }

  @Test func imagesOfARowMeetWithoutAGap() throws {
    let file = try TestPictures.png(width: 4, height: 4) { _, _ in [255, 255, 255] }
    let painter = try Self.painter(
      [Scenes.image(width: 7.3, height: 20)], images: [file], tilePeriod: 7.3, fields: [.x])
    for x: Float in [0, -1.37, 0.4] {
      painter.draw([.x: [x]])
      #expect((0..<60).allSatisfy { painter.pixel($0, 20) & 255 >= 254 }, "x = \(x)")
    }
  }

  @Test func sameImageServesManyElements() throws {
    let dark = try TestPictures.png(width: 1, height: 1) { _, _ in [9, 8, 7] }
    let files = [try TestPictures.quarters(), dark]
    let painter = try Self.painter(
      [
        Scenes.image(1, width: 5, height: 5), Scenes.image(0, x: 10, width: 20, height: 20),
        Scenes.image(1, x: 35, width: 5, height: 5), Scenes.image(0, x: 1, width: 0, height: 9),
      ], images: files)
    painter.draw([:])
    #expect(painter.pixel(12, 12) == 0xFF09_0807)
    #expect(painter.pixel(47, 12) == 0xFF09_0807)
    #expect(painter.pixel(20, 10) == 0xFFFF_0000)
  }

  @Test func gradientRunsFromEdgeToEdge() throws {
    let colors: [UInt32] = [0xFF00_00FF, 0x0000_FFFF, 0x00FF_00FF]
    let painter = try Self.painter([Scenes.gradient(width: 40, height: 20, colors: colors)])
    painter.draw([:])
    func parts(_ x: Int, _ y: Int) -> [Int] {
      [16, 8, 0].map { Int(painter.pixel(x, y) >> $0 & 255) }
    }
    // The centre of the first pixel is a 40th of the way to the second colour.
    for y in [10, 29] {
      for (x, wanted) in [
        (10, [249, 0, 6]), (19, [134, 0, 121]), (29, [6, 0, 249]), (49, [0, 249, 6]),
      ] {
        for (found, wanted) in zip(parts(x, y), wanted) { #expect(abs(found - wanted) <= 3) }
      }
    }
  }

  @Test func gradientTurnsClockwiseAndReachesTheCorners() throws {
    let colors: [UInt32] = [0x0000_00FF, 0xFFFF_FFFF]
    for (angle, dark, light) in [
      (Double.pi / 2, (30, 10), (30, 29)), (.pi, (49, 20), (10, 20)),
      (-.pi / 2, (30, 29), (30, 10)), (.pi / 4, (10, 10), (49, 29)),
    ] {
      let painter = try Self.painter([
        Scenes.gradient(width: 40, height: 20, colors: colors, angle: angle)
      ])
      painter.draw([:])
      #expect(painter.pixel(dark.0, dark.1) & 255 < 8, "angle \(angle)")
      #expect(painter.pixel(light.0, light.1) & 255 > 247, "angle \(angle)")
      #expect(abs(Int(painter.pixel(30, 20) & 255) - 128) < 10)
    }
  }

  @Test func oneColourFillsAGradient() throws {
    let painter = try Self.painter([Scenes.gradient(width: 9, height: 9, colors: [0x1234_56FF])])
    painter.draw([:])
    #expect(painter.pixel(10, 10) == 0xFF12_3456)
    #expect(painter.pixel(18, 18) == 0xFF12_3456)
  }

  @Test func roundedBoxHasNoCorners() throws {
    var box = Scenes.box(width: 30, height: 20)
    box.box.cornerRadius = 6
    let painter = try Self.painter([box])
    painter.draw([:])
    for (x, y) in [(10, 10), (39, 10), (10, 29), (39, 29)] {
      #expect(painter.pixel(x, y) == 0xFF10_1418)
    }
    for (x, y) in [(25, 10), (25, 29), (10, 20), (39, 20), (13, 13), (36, 26)] {
      #expect(painter.pixel(x, y) == 0xFFFF_FFFF)
    }
  }

  @Test func invisibleIsNotDrawn() throws {
    let painter = try Self.painter(
      [Scenes.gradient(width: 40, height: 20, colors: [.max])], fields: [.opacity])
    for opacity: Float in [0, -0.0, -1, 0.001, .nan] {
      painter.draw([.opacity: [opacity]])
      #expect(painter.pixel(30, 20) == 0xFF10_1418, "opacity \(opacity)")
    }
    painter.draw([.opacity: [0.01]])
    #expect(painter.pixel(30, 20) != 0xFF10_1418)
  }

  @Test func textAtRestIsAsSharpAsTextThatNeverMoved() throws {
    var layout = Scenes.empty(width: 120, height: 40)
    layout.sprites = [Scenes.sprite([Scenes.text("Sharp text", x: 0, y: 0)])]
    layout.batches = [Scenes.batch(origins: [(10, 10)], fields: [])]
    let painter = try ScenePainter(layout: layout, width: 120, height: 40)
    painter.draw([:])
    let still = painter.picture
    painter.draw([.x: [0], .y: [0], .scale: [1], .rotation: [0], .blur: [0], .opacity: [1]])
    #expect(Difference(painter.picture, still).largest == 0)
    painter.draw([.x: [0], .y: [0], .scale: [1.1], .rotation: [0]])
    #expect(Difference(painter.picture, still).largest > 0)
  }
}
