// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryMessages
import OrreryRender
import Testing

/// What a parent does to its children is what they would do by themselves.
///
/// Method: the same picture drawn without parents, byte for byte where the arithmetic is exact.
@Suite struct ParentTests {
  /// What stands at an entity: everything that is drawn in a way of its own.
  private static func sprites() throws -> [Orrery_Sprite] {
    var row = try Scenes.currencyRow()
    row.clip.width = 50
    row.clip.height = 20
    var masked = Scenes.sprite(
      [Scenes.gradient(width: 30, height: 30, colors: [0xFF00_00FF, 0x0000_FFFF])], tilePeriod: 30)
    masked.mask = Scenes.mask("Pa", font: "Noto Sans Bold 24")
    return [
      Scenes.sprite([Scenes.disc(radius: 0.6)]), Scenes.sprite([Scenes.disc(radius: 6)]),
      Scenes.sprite([Scenes.text("Kind", x: 0, y: 0)]), row, masked,
      Scenes.sprite([Scenes.box(width: 9, height: 7), Scenes.disc(x: 4, y: 3, radius: 2)]),
    ]
  }

  /// One child at a whole place and one between the pixels.
  ///
  /// Of the parents, which show nothing, the first is the children's, the next its parent, and so on.
  /// `isFirst` puts the children's batch before theirs.
  private static func family(
    _ sprite: Orrery_Sprite, parents: [(Float, Float)], isFirst: Bool = false
  ) throws -> ScenePainter {
    var layout = Scenes.empty(width: 100, height: 80)
    layout.sprites = [sprite, Scenes.sprite([])]
    var children = Scenes.batch(origins: [(30, 20), (40.4, 41.3)], fields: [.x])
    children.parents = [UInt32(isFirst ? 3 : 1)]
    var elders = Scenes.batch(origins: parents, fields: [.x, .y], sprite: 1)
    let first = isFirst ? 3 : 1
    elders.parents = parents.indices.map { index in
      index + 1 < parents.count ? UInt32(first + index + 1) : 0
    }
    layout.batches = isFirst ? [children, elders] : [elders, children]
    Scenes.number(&layout)
    return try ScenePainter(layout: layout, width: 200, height: 160)
  }

  /// The same children without parents, at other origins.
  private static func alone(
    _ sprite: Orrery_Sprite, origins: [(Float, Float)] = [(30, 20), (40.4, 41.3)]
  ) throws -> ScenePainter {
    var layout = Scenes.empty(width: 100, height: 80)
    layout.sprites = [sprite]
    layout.batches = [Scenes.batch(origins: origins, fields: [.x, .y])]
    return try ScenePainter(layout: layout, width: 200, height: 160)
  }

  @Test(arguments: 0..<6, [(3.0, 0.0), (-7.25, 4.5), (0.3, -0.7), (55.5, 0)])
  func translationOfAParentMovesItsChildren(sprite: Int, translation: (Double, Double)) throws {
    let sprite = try Self.sprites()[sprite]
    let (x, y) = (Float(translation.0), Float(translation.1))
    let family = try Self.family(sprite, parents: [(12.3, 70)])
    family.draw([[.x: [x], .y: [y]], [.x: [2.5, 2.5]]])
    // As if they stood elsewhere: clip and mask with them.
    let elsewhere = try Self.alone(sprite, origins: [(30 + x, 20 + y), (40.4 + x, 41.3 + y)])
    elsewhere.draw([.x: [2.5, 2.5], .y: [0, 0]])
    #expect(Difference(family.picture, elsewhere.picture).largest == 0)
    let direct = try Self.alone(sprite)
    if !sprite.hasClip && !sprite.hasMask {
      direct.draw([.x: [2.5 + x, 2.5 + x], .y: [y, y]])
      #expect(Difference(family.picture, direct.picture).largest == 0)
    }
    direct.draw([.x: [2.5, 2.5], .y: [0, 0]])
    #expect(Difference(family.picture, direct.picture).largest > 0)
  }

  @Test(arguments: 0..<6)
  func aParentAtRestChangesNothing(sprite: Int) throws {
    let sprite = try Self.sprites()[sprite]
    let family = try Self.family(sprite, parents: [(12.3, 70)])
    family.draw([[.x: [0], .y: [0], .scale: [1], .rotation: [0], .opacity: [1], .blur: [0]]])
    let alone = try Self.alone(sprite)
    alone.draw([.x: [0, 0], .y: [0, 0]])
    #expect(Difference(family.picture, alone.picture).largest == 0)
  }

  @Test(arguments: [false, true])
  func eightAncestorsAddUp(childrenFirst: Bool) throws {
    let sprite = Scenes.sprite([Scenes.text("Kind", x: 0, y: 0)])
    let parents = Array(repeating: (Float(9), Float(7)), count: 8)
    let family = try Self.family(sprite, parents: parents, isFirst: childrenFirst)
    let steps: [Float] = [1, 0.5, 2, 0.25, 1, 0.125, 3, 1]
    let elders: Values = [.x: steps, .y: steps.map { -$0 / 2 }]
    family.draw(childrenFirst ? [[:], elders] : [elders, [:]])
    let sum = steps.reduce(0, +)
    let direct = try Self.alone(sprite)
    direct.draw([.x: [sum, sum], .y: [-sum / 2, -sum / 2]])
    #expect(Difference(family.picture, direct.picture).largest == 0)
  }

  /// Two levels: P + (x, y) + scale * rotation (q - P), first by the parent, then by its parent.
  @Test(arguments: [
    (1.0, 0.0, 1.0, 0.0), (0.5, Double.pi / 2, 1, 0), (1.5, 0.4, 0.8, -1.1), (-1, 0.2, 0.3, 3),
  ])
  func childIsScaledAndTurnedAboutItsParentsOrigin(
    values: (Double, Double, Double, Double)
  ) throws {
    var layout = Scenes.empty(width: 100, height: 80)
    layout.background = 0x0000_00FF
    layout.sprites = [Scenes.sprite([Scenes.disc(x: 5, radius: 3)]), Scenes.sprite([])]
    var elders = Scenes.batch(
      origins: [(45, 38), (50, 40)], fields: [.x, .y, .scale, .rotation], sprite: 1)
    elders.parents = [2, 0]
    var child = Scenes.batch(origins: [(52, 36)], fields: [.scale])
    child.parents = [1]
    layout.batches = [elders, child]
    Scenes.number(&layout)
    let painter = try ScenePainter(layout: layout, width: 200, height: 160)
    let (scale, angle, scale2, angle2) = values
    painter.draw([
      [
        .x: [2, -4], .y: [-3, 5], .scale: [Float(scale), Float(scale2)],
        .rotation: [Float(angle), Float(angle2)],
      ], [.scale: [0.75]],
    ])
    func land(
      _ q: (Double, Double), _ p: (Double, Double), _ t: (Double, Double), _ s: Double, _ a: Double
    ) -> (Double, Double) {
      let (dx, dy) = (q.0 - p.0, q.1 - p.1)
      return (
        p.0 + t.0 + s * (cos(a) * dx - sin(a) * dy), p.1 + t.1 + s * (sin(a) * dx + cos(a) * dy)
      )
    }
    let own = (52 + 0.75 * 5, 36.0)
    let first = land(own, (45, 38), (2, -3), scale, angle)
    let second = land(first, (50, 40), (-4, 5), scale2, angle2)
    let center = try centerOfMass(painter)
    #expect(abs(center.x - 2 * second.0) < 0.1)
    #expect(abs(center.y - 2 * second.1) < 0.1)
    let radius = 3 * 2 * 0.75 * abs(scale * scale2)
    #expect(abs(center.mass - .pi * radius * radius) < 0.06 * .pi * radius * radius)
  }

  @Test func opacitiesMultiply() throws {
    for sprite in try Self.sprites() {
      let family = try Self.family(sprite, parents: [(0, 0), (9, 9)])
      family.draw([[.opacity: [0.5, 0.25]], [.opacity: [0.5, 3]]])
      let alone = try Self.alone(sprite)
      alone.draw([.opacity: [0.0625, 0.125]])
      #expect(Difference(family.picture, alone.picture).largest == 0)
      // More than opaque is opaque, at each level.
      family.draw([[.opacity: [7, 0.25]], [.opacity: [1, 1]]])
      alone.draw([.opacity: [0.25, 0.25]])
      #expect(Difference(family.picture, alone.picture).largest == 0)
    }
  }

  @Test func blursAddUp() throws {
    let sprite = Scenes.sprite([Scenes.text("Kind", x: 0, y: 0)])
    let family = try Self.family(sprite, parents: [(0, 0), (9, 9)])
    family.draw([[.blur: [0.5, 1]], [.blur: [0.5, -3]]])
    let alone = try Self.alone(sprite)
    alone.draw([.blur: [2, 1.5]])
    #expect(Difference(family.picture, alone.picture).largest == 0)
  }

  @Test func childrenOfWhatIsNotDrawnAreNotDrawn() throws {
    let sprites = try Self.sprites()
    for sprite in sprites {
      let family = try Self.family(sprite, parents: [(0, 0), (9, 9)])
      family.draw([[.opacity: [1, 1]], [.opacity: [0, 0]]])
      let empty = family.picture
      let bad: [Values] = [
        [.opacity: [0, 1]], [.opacity: [1, 0]], [.opacity: [.nan, 1]], [.opacity: [1, -1]],
        [.x: [1, .nan]], [.x: [.infinity, 1]], [.y: [1, .nan]], [.scale: [0, 1]],
        [.scale: [1, .nan]], [.scale: [1e30, 1e30]], [.rotation: [.infinity, 1]],
        [.rotation: [0, .nan]], [.blur: [.nan, 0]], [.blur: [0, .infinity]],
        // Columns that are too short for the second parent.
        [.x: [1]], [.x: []], [.x: [0, 0], .y: [0]],
      ]
      for values in bad {
        family.draw([values])
        #expect(Difference(family.picture, empty).largest == 0, "\(values)")
      }
      family.draw([])
      #expect(Difference(family.picture, empty).largest > 0)
    }
  }

  @Test func parentsDoNotChangeTheOrderOfDrawing() throws {
    var layout = Scenes.empty(width: 60, height: 40)
    layout.sprites = [
      Scenes.sprite([Scenes.disc(radius: 4, color: 0xFF00_00FF)]),
      Scenes.sprite([Scenes.disc(radius: 4, color: 0x00FF_00FF)]),
    ]
    var batch = Scenes.batch(origins: [(30, 20), (30, 20)], fields: [])
    batch.sprites = [0, 1]
    // The first one's parent is the second, which lies over it all the same.
    batch.parents = [2, 0]
    layout.batches = [batch]
    let painter = try ScenePainter(layout: layout, width: 60, height: 40)
    painter.draw([])
    #expect(painter.pixel(30, 20) == 0xFF00_FF00)
  }

  @Test func clipTurnsWithTheParent() throws {
    var sprite = Scenes.sprite([Scenes.box(width: 10, height: 10)], tilePeriod: 10)
    sprite.tilePeriodY = 10
    sprite.clip.width = 20
    sprite.clip.height = 4
    var layout = Scenes.empty(width: 60, height: 40)
    layout.background = 0x0000_00FF
    layout.sprites = [sprite, Scenes.sprite([])]
    var child = Scenes.batch(origins: [(30, 20)], fields: [])
    child.parents = [2]
    layout.batches = [child, Scenes.batch(origins: [(30, 20)], fields: [.rotation], sprite: 1)]
    Scenes.number(&layout)
    let painter = try ScenePainter(layout: layout, width: 120, height: 80)
    for angle in [0, 0.3, Double.pi / 2, 2, -2.5] {
      painter.draw([[:], [.rotation: [Float(angle)]]])
      let center = try centerOfMass(painter)
      // The clip's middle is (10, 2) from the origin.
      #expect(abs(center.x - 2 * (30 + 10 * cos(angle) - 2 * sin(angle))) < 0.1, "\(angle)")
      #expect(abs(center.y - 2 * (20 + 10 * sin(angle) + 2 * cos(angle))) < 0.1, "\(angle)")
      #expect(abs(center.mass - 320) < 5, "\(angle)")
    }
  }
}
