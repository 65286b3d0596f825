// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryRender
import Testing

/// A blurred sprite is spread as a Gaussian spreads it, and no more of it is there than before.
///
/// Method: mass, centre and variance of what is drawn in white on black.
@Suite struct BlurTests {
  private static func painter(
    _ sprite: Orrery_Sprite, origin: (Float, Float) = (60, 50), scale: Int = 2
  ) throws -> ScenePainter {
    var layout = Scenes.empty(width: 120, height: 100)
    layout.background = 0x0000_00FF
    layout.sprites = [sprite]
    layout.batches = [Scenes.batch(origins: [origin], fields: [.x, .y, .blur])]
    return try ScenePainter(layout: layout, width: 120 * scale, height: 100 * scale)
  }

  /// The mean square distance to the right of the centre, in pixels.
  private static func variance(_ painter: ScenePainter) throws -> Double {
    let center = try centerOfMass(painter)
    var sum = 0.0
    for y in 0..<painter.height {
      for x in 0..<painter.width {
        let distance = Double(x) + 0.5 - center.x
        sum += distance * distance * Double(painter.pixel(x, y) & 0xFF) / 255
      }
    }
    return sum / center.mass
  }

  static let sprites = [
    Scenes.sprite([Scenes.disc(radius: 6)]),
    Scenes.sprite([Scenes.disc(x: 3, radius: 2.5)]),
    Scenes.sprite([Scenes.box(x: -9, y: -4, width: 18, height: 8)]),
    Scenes.sprite([Scenes.box(x: -9, y: -4, width: 8, height: 8), Scenes.disc(radius: 5)]),
  ]

  @Test(arguments: sprites.indices, [0.15, 0.4, 1.0, 2.5, 7])
  func blurKeepsMassAndCentreAndAddsItsVariance(sprite: Int, radius: Double) throws {
    let painter = try Self.painter(Self.sprites[sprite])
    painter.draw([.x: [0.3], .y: [0.1]])
    let (sharp, sharpVariance) = (try centerOfMass(painter), try Self.variance(painter))
    painter.draw([.x: [0.3], .y: [0.1], .blur: [Float(radius)]])
    let soft = try centerOfMass(painter)
    #expect(abs(soft.mass - sharp.mass) < 0.01 * sharp.mass)
    #expect(abs(soft.x - sharp.x) < 0.1 + 0.01 * radius)
    #expect(abs(soft.y - sharp.y) < 0.1 + 0.01 * radius)
    let added = try Self.variance(painter) - sharpVariance
    let wanted = 4 * radius * radius
    // Radii are steps of a 17th apart; a pixel is a square, whose variance is a twelfth.
    #expect(abs(added - wanted) < 0.08 * wanted + 0.2)
  }

  @Test func blurIsAsStrongWhateverTheScale() throws {
    let painter = try Self.painter(Scenes.sprite([Scenes.disc(radius: 8)]))
    for scale: Float in [0.25, 0.9, 2] {
      painter.draw([.x: [0], .y: [0], .scale: [scale]])
      let (mass, sharp) = (try centerOfMass(painter).mass, try Self.variance(painter))
      painter.draw([.x: [0], .y: [0], .scale: [scale], .blur: [3]])
      #expect(abs(try centerOfMass(painter).mass - mass) < 0.015 * mass)
      #expect(abs(try Self.variance(painter) - sharp - 36) < 4)
    }
  }

  @Test func noBlurIsSharp() throws {
    let painter = try Self.painter(Scenes.sprite([Scenes.text("Blur", x: 0, y: 0)]))
    painter.draw([.x: [0.3], .y: [0.1]])
    let sharp = painter.picture
    for radius: Float in [0, -0.0, -5, 1e-9, 0.05] {
      painter.draw([.x: [0.3], .y: [0.1], .blur: [radius]])
      #expect(Difference(painter.picture, sharp).largest == 0, "blur \(radius)")
    }
    painter.draw([.x: [0.3], .y: [0.1], .blur: [1]])
    #expect(Difference(painter.picture, sharp).largest > 0)
  }

  @Test func whatIsNoRadiusIsNotDrawn() throws {
    for sprite in Self.sprites {
      let painter = try Self.painter(sprite)
      for radius: Float in [.nan, .infinity, -.infinity] {
        painter.draw([.x: [0], .y: [0], .blur: [radius]])
        #expect(painter.picture.allSatisfy { $0 == 0 || $0 == 255 })
        #expect((0..<240).allSatisfy { painter.pixel($0, 100) == 0xFF00_0000 })
      }
      // A huge one is so weak that little of it is in the picture.
      painter.draw([.x: [0], .y: [0], .blur: [3e38]])
      #expect(painter.pixel(120, 100) & 255 < 4)
    }
  }

  @Test func blurredRowHasItsPeriod() throws {
    var row = try Scenes.currencyRow()
    let period = Float(row.tilePeriod)
    row.clip.width = 100
    row.clip.height = 30
    let painter = try Self.painter(row, origin: (10, 10))
    painter.draw([.x: [-7.25], .y: [0], .blur: [1.5]])
    let picture = painter.picture
    painter.draw([.x: [-7.25 - period], .y: [0], .blur: [1.5]])
    #expect(Difference(painter.picture, picture).largest == 0)
    painter.draw([.x: [-7.25], .y: [0]])
    #expect(Difference(painter.picture, picture).largest > 0)
  }

  @Test func blurredRowHasNoSeam() throws {
    let row = Scenes.sprite([Scenes.box(width: 7.3, height: 30)], tilePeriod: 7.3)
    let painter = try Self.painter(row, origin: (0, 35))
    for x: Float in [0, -0.37, 3.1] {
      painter.draw([.x: [x], .y: [0], .blur: [2]])
      // Rounding errors are handed on, so that neighbours differ by 1.
      let middle = (0..<240).map { painter.pixel($0, 100) & 255 }
      #expect(middle.allSatisfy { $0 >= 253 }, "x = \(x)")
    }
  }

  @Test func maskOfABlurredParentIsBlurred() throws {
    var layout = Scenes.empty(width: 120, height: 100)
    layout.background = 0x0000_00FF
    var sprite = Scenes.sprite([Scenes.box(width: 120, height: 100)])
    sprite.mask = Scenes.mask("II", font: "Noto Sans Bold 40")
    layout.sprites = [sprite, Scenes.sprite([])]
    var child = Scenes.batch(origins: [(40, 20)], fields: [])
    child.parents = [2]
    layout.batches = [child, Scenes.batch(origins: [(0, 0)], fields: [.blur], sprite: 1)]
    Scenes.number(&layout)
    let painter = try ScenePainter(layout: layout, width: 240, height: 200)
    painter.draw([])
    let (sharp, sharpVariance) = (try centerOfMass(painter), try Self.variance(painter))
    painter.draw([[:], [.blur: [3]]])
    let soft = try centerOfMass(painter)
    #expect(abs(soft.mass - sharp.mass) < 0.01 * sharp.mass)
    #expect(abs(soft.x - sharp.x) < 0.1)
    #expect(abs(try Self.variance(painter) - sharpVariance - 36) < 3)
  }
}
