// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryRender
import Testing

/// What moves behind a mask is shown where the mask's glyphs are, and nowhere else.
///
/// Method: the mask's text drawn by itself; dashes as masks, which are rectangles.
@Suite struct MaskTests {
  private static let background: UInt32 = 0xFF10_1418

  private static func layout(_ sprite: Orrery_Sprite) -> Orrery_SceneLayout {
    var layout = Scenes.empty(width: 300, height: 60)
    layout.sprites = [sprite]
    layout.batches = [Scenes.batch(origins: [(20, 0)], fields: [.x, .y])]
    return layout
  }

  private static func painter(_ sprite: Orrery_Sprite, scale: Int = 2) throws -> ScenePainter {
    try ScenePainter(layout: layout(sprite), width: 300 * scale, height: 60 * scale)
  }

  /// A rectangle of glyph 250 points wide, at the entity's origin.
  private static func dash(_ elements: [Orrery_Element], tilePeriod: Double = 0) -> Orrery_Sprite {
    var sprite = Scenes.sprite(elements, tilePeriod: tilePeriod)
    sprite.mask = Scenes.mask("—", width: 250, height: 60)
    return sprite
  }

  /// Columns of points in the middle row in which something else than the background is shown.
  private static func shown(_ painter: ScenePainter) -> [Int] {
    (0..<300).filter { painter.pixel(2 * $0 + 1, painter.height / 2) != background }
  }

  @Test(arguments: [1, 2, 3])
  func whiteBehindAMaskIsItsTextInWhite(scale: Int) throws {
    var sprite = Scenes.sprite([Scenes.box(width: 7, height: 7)], tilePeriod: 7)
    sprite.tilePeriodY = 7
    sprite.mask = Scenes.mask("Orrery, 12 µ")
    (sprite.mask.x, sprite.mask.y) = (3, 2)
    let painter = try Self.painter(sprite, scale: scale)
    var text = Scenes.text("Orrery, 12 µ", x: 3, y: 2, font: "Noto Sans Bold 40")
    text.text.color = .max
    let reference = try Self.painter(Scenes.sprite([text]), scale: scale)
    reference.draw([:])
    for (x, y): (Float, Float) in [(0, 0), (1.37, -0.2), (-300, 5)] {
      painter.draw([.x: [x], .y: [y]])
      #expect(Difference(painter.picture, reference.picture).largest == 0)
    }
    painter.draw([.x: [0], .y: [0], .opacity: [0.4]])
    reference.draw([.opacity: [0.4]])
    #expect(Difference(painter.picture, reference.picture).largest <= 1)
  }

  /// [S1-01] A copy 250 wide at 80, seen through a mask from 0 to 250, is drawn from 80 to 250.
  @Test func imageIsShownInsideTheMaskOnly() throws {
    let painter = try Self.painter(
      Self.dash([Scenes.gradient(width: 250, height: 60, colors: [.max])]))
    painter.draw([.x: [80], .y: [0]])
    #expect(Self.shown(painter) == Array(20 + 80..<20 + 250))
  }

  /// [S1-07] [S1-09] At 80, two copies cover the mask; one alone leaves its first 80 points uncovered.
  @Test func twoCopiesLeaveNoHole() throws {
    let copy = Scenes.gradient(width: 250, height: 60, colors: [0xFF00_00FF, 0x00FF_00FF])
    let alone = try Self.painter(Self.dash([copy]))
    let both = try Self.painter(Self.dash([copy], tilePeriod: 250))
    for x in [Float(80), 0, 250, 33.3, 249.9] {
      both.draw([.x: [x], .y: [0]])
      #expect(Self.shown(both) == Array(20..<20 + 250), "x = \(x)")
      // Each pixel is as opaque as if one image lay there: no seam shows the background.
      for column in 2 * 20 + 1..<2 * 270 - 1 {
        let pixel = both.pixel(column, 60)
        let sum = (pixel >> 16 & 255) + (pixel >> 8 & 255)
        #expect((253...256).contains(sum), "x = \(x), column \(column)")
        #expect(pixel & 255 <= 1, "x = \(x), column \(column)")
      }
    }
    alone.draw([.x: [80], .y: [0]])
    #expect(Self.shown(alone).first == 20 + 80)
  }

  /// [S1-08] Shifted by the whole width of 250, nothing changes.
  @Test func aWholePeriodFurtherThePictureIsTheSame() throws {
    let files = [try TestPictures.png(width: 25, height: 6) { x, y in [x * 10, y * 40, 90] }]
    var sprite = Scenes.sprite([Scenes.image(width: 250, height: 37)], tilePeriod: 250)
    sprite.tilePeriodY = 37
    sprite.mask = Scenes.mask("Orrery")
    var layout = Self.layout(sprite)
    layout.images = files
    let painter = try ScenePainter(layout: layout, width: 450, height: 90)
    for (x, y): (Float, Float) in [(0, 0), (80, 0), (33.25, 1.5), (249.875, -3)] {
      painter.draw([.x: [x], .y: [y]])
      let picture = painter.picture
      for (dx, dy): (Float, Float) in [(250, 0), (-250, 0), (0, 37), (500, -74)] {
        painter.draw([.x: [x + dx], .y: [y + dy]])
        let difference = Difference(painter.picture, picture)
        #expect(difference.largest == 0, "\(x), \(y) moved by \(dx), \(dy)")
      }
      painter.draw([.x: [x + 1], .y: [y]])
      #expect(Difference(painter.picture, picture).largest > 0)
    }
  }

  @Test func maskStandsStillWhileElementsScaleAndTurn() throws {
    var sprite = Scenes.sprite([Scenes.box(x: -400, y: -400, width: 800, height: 800)])
    sprite.mask = Scenes.mask("Orrery")
    let painter = try Self.painter(sprite)
    painter.draw([.x: [0], .y: [0]])
    let picture = painter.picture
    painter.draw([.x: [9], .y: [3], .scale: [0.9], .rotation: [0.6]])
    #expect(Difference(painter.picture, picture).largest == 0)
  }

  @Test func maskWithoutGlyphsShowsNothing() throws {
    for text in ["", " "] {
      var sprite = Scenes.sprite([Scenes.box(width: 300, height: 60)])
      sprite.mask = Scenes.mask(text)
      let painter = try Self.painter(sprite)
      painter.draw([.x: [0], .y: [0]])
      #expect(Set(painter.picture.prefix(40_000)).count == 4)
      #expect(Self.shown(painter).isEmpty)
    }
  }

  @Test func fixturesAreMaskedToo() throws {
    var sprite = Scenes.sprite([Scenes.box(width: 300, height: 60)])
    sprite.mask = Scenes.mask("Orrery")
    let entity = try Self.painter(sprite)
    entity.draw([:])
    var layout = Self.layout(sprite)
    layout.batches = []
    layout.fixtures = [.with { $0.x = 20 }]
    let fixture = try ScenePainter(layout: layout, width: 600, height: 120)
    fixture.draw([])
    #expect(Difference(fixture.picture, entity.picture).largest == 0)
  }

  @Test func maskAndClipBothHide() throws {
    var sprite = Self.dash([Scenes.box(width: 300, height: 60)])
    sprite.clip.x = 30
    sprite.clip.width = 40
    sprite.clip.height = 60
    let painter = try Self.painter(sprite)
    painter.draw([.x: [-1], .y: [0]])
    #expect(Self.shown(painter) == Array(20 + 30..<20 + 70))
  }
}
