// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryRender
import Testing

/// Goal: a blurred picture has at every pixel what three running means in each direction leave there.
///
/// Method: boxes that are repeated and blurred, and the same means taken one after another in double precision.
@Suite struct BlurPixelTests {
  /// The weights of a running mean that has a third of the variance.
  private static func mean(radius: Double) -> [Double] {
    let variance = radius * radius / 3
    let half = ((12 * variance + 1).squareRoot() / 2 - 0.5).rounded(.down)
    let (length, next) = (2 * half + 1, (half + 1) * (half + 1))
    let outer = length * (variance - half * (half + 1) / 3) / (2 * (next - variance))
    let sum = length + 2 * outer
    return [outer / sum] + Array(repeating: 1 / sum, count: Int(length)) + [outer / sum]
  }

  /// A line of covered and uncovered pixels, blurred; beyond its ends it goes on as `isCovered` says.
  private static func line(
    _ count: Int, radius: Double, _ isCovered: (Int) -> Bool
  ) -> [Double] {
    let weights = mean(radius: radius)
    let half = weights.count / 2
    let margin = 3 * half
    var values = (-margin..<count + margin).map { isCovered($0) ? 1.0 : 0 }
    for _ in 0..<3 {
      var means = [Double](repeating: 0, count: values.count)
      for place in means.indices {
        for (index, weight) in weights.enumerated() {
          let other = place - half + index
          if values.indices.contains(other) { means[place] += weight * values[other] }
        }
      }
      values = means
    }
    return Array(values[margin..<margin + count])
  }

  /// The radius of a step, as images are blurred: a twelfth of a doubling apart from a fifth of a pixel on.
  private static func radius(_ step: Int) -> Double {
    var radius = 0.2
    for _ in 0..<(step / 12) { radius *= 2 }
    return radius
  }

  /// Radii of a fifth of a pixel, and of it doubled up to five times.
  @Test(arguments: [0, 12, 24, 36, 48, 60], [false, true])
  func blurredRowsAreWhatThreeMeansLeave(step: Int, isDown: Bool) throws {
    let radius = Self.radius(step)
    var sprite = Scenes.sprite([Scenes.box(width: isDown ? 8 : 10, height: isDown ? 10 : 8)])
    if isDown { sprite.tilePeriodY = 40 } else { sprite.tilePeriod = 40 }
    var layout = Scenes.empty(width: 64, height: 64)
    layout.background = 0x0000_00FF
    layout.sprites = [sprite]
    layout.batches = [Scenes.batch(origins: [(28, 28)], fields: [.blur])]
    let painter = try ScenePainter(layout: layout, width: 64, height: 64)
    painter.draw([.blur: [Float(radius)]])
    // Along the row, boxes of 10 every 40; across, one of 8.
    let along = Self.line(64, radius: radius) { (($0 - 28) % 40 + 40) % 40 < 10 }
    let across = Self.line(64, radius: radius) { (28..<36).contains($0) }
    for y in 0..<64 {
      for x in 0..<64 {
        let wanted = 255 * (isDown ? across[x] * along[y] : along[x] * across[y])
        let found = painter.pixel(x, y)
        // What is rounded away from one pixel, the next one gets.
        try #require(abs(Double(found & 255) - wanted) < 1.3, "at (\(x), \(y)): \(wanted)")
        try #require(found >> 24 == 255, "at (\(x), \(y))")
      }
    }
  }

  /// Colours stay what they are, however weak: none is more than its opacity.
  @Test func blurredColoursKeepTheirParts() throws {
    var layout = Scenes.empty(width: 64, height: 64)
    layout.background = 0
    layout.sprites = [
      Scenes.sprite([Scenes.box(width: 12, height: 12, color: 0xFF80_40FF)], tilePeriod: 64)
    ]
    layout.batches = [Scenes.batch(origins: [(26, 26)], fields: [.blur])]
    let painter = try ScenePainter(layout: layout, width: 64, height: 64)
    painter.draw([.blur: [3.2]])
    for y in 0..<64 {
      for x in 0..<64 {
        let pixel = painter.pixel(x, y)
        let parts = [24, 16, 8, 0].map { Int(pixel >> UInt32($0) & 255) }
        try #require(parts.max() == parts[0], "at (\(x), \(y))")
        try #require(abs(parts[1] - parts[0]) <= 1, "red at (\(x), \(y))")
        try #require(abs(parts[2] - parts[0] * 128 / 255) <= 2, "green at (\(x), \(y))")
        try #require(abs(parts[3] - parts[0] * 64 / 255) <= 2, "blue at (\(x), \(y))")
      }
    }
    #expect(painter.pixel(32, 32) >> 24 > 200)
    #expect(painter.pixel(0, 0) == 0)
  }

  /// From a fifth of a pixel on a blur is seen, whatever the picture's scale.
  @Test(arguments: [1, 2, 5]) func blurBeginsAtAFifthOfAPixel(scale: Int) throws {
    for sprite in [
      Scenes.sprite([Scenes.box(width: 10, height: 10)]), Scenes.sprite([Scenes.disc(radius: 5)]),
      Scenes.sprite([Scenes.box(width: 10, height: 10)], tilePeriod: 20),
    ] {
      var layout = Scenes.empty(width: 20, height: 20)
      layout.background = 0x0000_00FF
      layout.sprites = [sprite]
      layout.batches = [Scenes.batch(origins: [(6, 6)], fields: [.blur])]
      let painter = try ScenePainter(layout: layout, width: 20 * scale, height: 20 * scale)
      painter.draw([.blur: [0]])
      let sharp = painter.picture
      painter.draw([.blur: [Float(0.19 / Double(scale))]])
      #expect(Difference(painter.picture, sharp).largest == 0)
      painter.draw([.blur: [Float(0.25 / Double(scale))]])
      #expect(Difference(painter.picture, sharp).largest > 0)
    }
  }

  /// What is blurred over more than 128 pixels is drawn as if it were 128.
  @Test(arguments: [false, true]) func blurEndsAt128Pixels(isRow: Bool) throws {
    let box = Scenes.box(width: 60, height: 60)
    var layout = Scenes.empty(width: 60, height: 60)
    layout.background = 0x0000_00FF
    layout.sprites = [Scenes.sprite([box], tilePeriod: isRow ? 120 : 0)]
    layout.batches = [Scenes.batch(origins: [(0, 0)], fields: [.blur])]
    let painter = try ScenePainter(layout: layout, width: 60, height: 60)
    var pictures: [[UInt8]] = []
    for radius: Float in [64, 128, 129, 5_000] {
      painter.draw([.blur: [radius]])
      pictures.append(painter.picture)
    }
    #expect(pictures[0] != pictures[1])
    #expect(pictures[1] == pictures[2])
    #expect(pictures[1] == pictures[3])
  }

  /// Blurred and shown through a clip, nothing of it is beyond the clip.
  @Test(arguments: [Float(0), 0.4]) func blurDoesNotLeaveItsClip(rotation: Float) throws {
    var sprite = Scenes.sprite([Scenes.box(width: 5, height: 5)], tilePeriod: 8)
    sprite.tilePeriodY = 8
    sprite.clip = .with { ($0.x, $0.y, $0.width, $0.height) = (-10, -6, 22, 13) }
    var layout = Scenes.empty(width: 40, height: 30)
    layout.background = 0x0000_00FF
    layout.sprites = [sprite]
    layout.batches = [Scenes.batch(origins: [(20, 15)], fields: [.blur, .rotation])]
    let painter = try ScenePainter(layout: layout, width: 40, height: 30)
    painter.draw([.blur: [2.5], .rotation: [rotation]])
    for y in 0..<30 {
      for x in 0..<40 {
        let isInside = (10..<32).contains(x) && (9..<22).contains(y)
        let value = painter.pixel(x, y) & 255
        // A pattern that covers 25 of 64 is nearly even when it is blurred.
        if isInside {
          try #require(abs(Int(value) - 100) < 45, "at (\(x), \(y)): \(value)")
        } else {
          try #require(value == 0, "at (\(x), \(y)): \(value)")
        }
      }
    }
  }

  /// A parent's blur goes beyond its child's clip, and takes nothing away.
  @Test func parentsBlurGoesBeyondTheClip() throws {
    var sprite = Scenes.sprite([Scenes.box(x: -20, y: -20, width: 40, height: 40)])
    sprite.clip = .with { ($0.x, $0.y, $0.width, $0.height) = (-5, -4, 10, 8) }
    var layout = Scenes.empty(width: 60, height: 60)
    layout.background = 0x0000_00FF
    layout.sprites = [sprite, Scenes.sprite([])]
    var child = Scenes.batch(origins: [(30, 30)], fields: [])
    child.parents = [2]
    layout.batches = [
      child, Scenes.batch(origins: [(0, 0)], fields: [.blur, .opacity], sprite: 1),
    ]
    Scenes.number(&layout)
    let painter = try ScenePainter(layout: layout, width: 60, height: 60)
    painter.draw([[:], [:]])
    #expect(painter.places(of: 0xFFFF_FFFF).count == 80)
    for opacity: Float in [1, 0.5] {
      painter.draw([[:], [.blur: [3.2], .opacity: [opacity]]])
      let along = Self.line(60, radius: 3.2) { (25..<35).contains($0) }
      let across = Self.line(60, radius: 3.2) { (26..<34).contains($0) }
      let strength = opacity == 1 ? 1.0 : 128.0 / 255
      for y in 0..<60 {
        for x in 0..<60 {
          let wanted = 255 * along[x] * across[y] * strength
          let found = Double(painter.pixel(x, y) & 255)
          try #require(abs(found - wanted) < 1.8, "at (\(x), \(y)): \(found), \(wanted)")
        }
      }
    }
  }
}
