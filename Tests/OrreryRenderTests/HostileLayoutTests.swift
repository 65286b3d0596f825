// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryRender
import OrreryText
import Testing

/// A layout that cannot be drawn is refused with what is wrong in it; it never traps.
///
/// Method: a good layout with one number changed.
@Suite struct HostileLayoutTests {
  /// A name for the report, the change, and what must be thrown.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: RenderError
    let apply: @Sendable (inout Orrery_SceneLayout) -> Void

    init(
      _ name: String, _ expected: RenderError,
      _ apply: @escaping @Sendable (inout Orrery_SceneLayout) -> Void
    ) {
      testDescription = name
      self.expected = expected
      self.apply = apply
    }
  }

  private static func good() -> Orrery_SceneLayout {
    var layout = Scenes.empty(width: 60, height: 40)
    layout.sprites = [
      Scenes.sprite([Scenes.disc(radius: 2)]),
      Scenes.sprite([Scenes.box(width: 5, height: 5)], tilePeriod: 20),
    ]
    layout.sprites[1].clip = .with { ($0.width, $0.height) = (20, 20) }
    layout.batches = [Scenes.batch(origins: [(10, 10), (20, 10)], fields: [.x])]
    layout.fixtures = [Orrery_Fixture.with { $0.sprite = 1 }]
    return layout
  }

  @Test func goodLayoutIsDrawn() throws {
    let painter = try ScenePainter(layout: Self.good(), width: 60, height: 40)
    painter.draw([.x: [0, 0]])
    #expect(painter.pixel(10, 10) == 0xFFFF_FFFF)
    #expect(painter.pixel(2, 2) == 0xFFFF_FFFF)
  }

  @Test(arguments: [
    (0, 10), (10, 0), (-1, 10), (16_385, 10), (10, 16_385), (Int.max, Int.max), (Int.min, 1),
  ])
  func pictureOfImpossibleSizeIsRefused(width: Int, height: Int) {
    #expect(throws: RenderError.pictureSize(width: width, height: height, limit: 16_384)) {
      try ScenePainter(layout: Self.good(), width: width, height: height)
    }
  }

  @Test func largestAndSmallestPicturesAreDrawn() throws {
    for (width, height) in [(16_384, 4), (4, 16_384), (1, 1)] {
      let painter = try ScenePainter(layout: Self.good(), width: width, height: height)
      painter.draw([.x: [0, 0]])
    }
  }

  static let changes = [
    Change("no width", .sceneSize(width: 0, height: 40)) { $0.width = 0 },
    Change("negative height", .sceneSize(width: 60, height: -1)) { $0.height = -1 },
    Change("infinite height", .sceneSize(width: 60, height: .infinity)) { $0.height = .infinity },
    Change("tiny", .sceneSize(width: 1e-300, height: 40)) { $0.width = 1e-300 },
    Change("huge", .sceneSize(width: 1e300, height: 40)) { $0.width = 1e300 },
    Change("too many entities", .entityCount(batch: 0, count: 4_294_967_295, limit: 1 << 30)) {
      $0.batches[0].entityCount = .max
      ($0.batches[0].originX, $0.batches[0].originY) = ([0], [0])
    },
    Change("origins", .valueCount(batch: 0, part: .originX, found: 3, entities: 2)) {
      $0.batches[0].originX = [1, 2, 3]
    },
    Change("no origins", .valueCount(batch: 0, part: .originY, found: 0, entities: 2)) {
      $0.batches[0].originY = []
    },
    Change("no sprites", .valueCount(batch: 0, part: .sprites, found: 0, entities: 2)) {
      $0.batches[0].sprites = []
    },
    Change(
      "infinite origin",
      .originNotFinite(batch: 0, entity: 1, part: .originY, value: -.infinity)
    ) { $0.batches[0].originY[1] = -.infinity },
    Change("sprite index", .entitySprite(batch: 0, entity: 1, sprite: 2, count: 2)) {
      $0.batches[0].sprites = [0, 2]
    },
    Change("fixture index", .fixtureSprite(fixture: 0, sprite: 4_294_967_295, count: 2)) {
      $0.fixtures[0].sprite = .max
    },
    Change("fixture", .fixtureNotFinite(fixture: 0, part: .positionX, value: .infinity)) {
      $0.fixtures[0].x = .infinity
    },
    Change("negative period", .spriteValue(sprite: 1, part: .tilePeriod, value: -1)) {
      $0.sprites[1].tilePeriod = -1
    },
    Change("huge period", .spriteValue(sprite: 1, part: .tilePeriod, value: 1e300)) {
      $0.sprites[1].tilePeriod = 1e300
    },
    Change("clip", .spriteValue(sprite: 1, part: .clipWidth, value: -3)) {
      $0.sprites[1].clip.width = -3
    },
    Change("infinite clip", .spriteValue(sprite: 1, part: .clipX, value: .infinity)) {
      $0.sprites[1].clip.x = .infinity
    },
    Change("radius", .elementValue(sprite: 0, element: 0, part: .radius, value: -1)) {
      $0.sprites[0].elements[0].disc.radius = -1
    },
    Change("box", .elementValue(sprite: 1, element: 0, part: .height, value: .infinity)) {
      $0.sprites[1].elements[0].box.height = .infinity
    },
    Change("element", .elementEmpty(sprite: 0, element: 0)) {
      $0.sprites[0].elements[0].content = nil
    },
    Change("far", .elementTooFar(sprite: 1, element: 0, pixels: 1e300, limit: 4_194_304)) {
      $0.sprites[1].elements[0].box.width = 1e300
    },
    Change("overlap", .tileOverlap(sprite: 1, copies: 500_001, limit: 4096)) {
      $0.sprites[1].tilePeriod = 1e-5
    },
    Change("font", .text(sprite: 0, element: 0, .fontMissing(family: "Nope"))) {
      $0.sprites[0].elements[0] = Scenes.text("x", x: 0, y: 0, font: "Nope 13")
    },
    Change(
      "glyph", .text(sprite: 0, element: 0, .glyphMissing(text: "\u{E123}", scalar: "\u{E123}"))
    ) { $0.sprites[0].elements[0] = Scenes.text("\u{E123}", x: 0, y: 0) },
  ]

  @Test(arguments: changes)
  func badLayoutIsRefused(change: Change) throws {
    var layout = Self.good()
    change.apply(&layout)
    #expect(throws: change.expected) { try ScenePainter(layout: layout, width: 60, height: 40) }
  }

  @Test func numbersThatAreNoneAreRefused() {
    // NaN is not equal to itself, so only the case can be compared.
    let changes: [(inout Orrery_SceneLayout) -> Void] = [
      { $0.width = .nan }, { $0.batches[0].originX[0] = .nan }, { $0.fixtures[0].y = .nan },
      { $0.sprites[1].tilePeriod = .nan }, { $0.sprites[1].clip.y = .nan },
      { $0.sprites[1].clip.height = .nan }, { $0.sprites[0].elements[0].x = .nan },
      { $0.sprites[0].elements[0].disc.radius = .nan },
      { $0.sprites[1].elements[0].box.cornerRadius = .nan },
      { $0.sprites[0].elements[0] = Scenes.text("x", x: 0, y: 0, width: .nan) },
    ]
    for change in changes {
      var layout = Self.good()
      change(&layout)
      #expect(throws: RenderError.self) {
        try ScenePainter(layout: layout, width: 60, height: 40)
      }
    }
  }

  @Test func extremeButLegalLayoutsAreDrawn() throws {
    let changes: [(inout Orrery_SceneLayout) -> Void] = [
      { $0.sprites[1].tilePeriod = 0.01 }, { $0.sprites[1].tilePeriod = 1e9 },
      { $0.sprites[1].clip.x = -1e308 }, { $0.sprites[1].clip.width = 1e308 },
      { $0.sprites[1].elements[0].box.width = 60_000 }, { $0.fixtures[0].x = 1e300 },
      { $0.batches[0].originX = [3e38] }, { $0.batches[0].fields = [] },
      { $0.sprites[0].elements = [] }, { ($0.width, $0.height) = (1e7, 1e7) },
      { ($0.width, $0.height) = (0.001, 0.001) }, { $0.background = 0 },
    ]
    for change in changes {
      var layout = Self.good()
      change(&layout)
      layout.batches.append(Scenes.batch(origins: [(10, 10)], fields: [.x], sprite: 1))
      let painter = try ScenePainter(layout: layout, width: 60, height: 40)
      painter.draw([.x: [0, 0]])
      painter.draw([.x: [-3e38, 0], .scale: [1e-30, 1], .rotation: [1e30, 0]])
      painter.draw([.scale: [20, 1e5], .opacity: [0.5, 1]])
    }
  }
}
