// SPDX-License-Identifier: Apache-2.0

import Foundation
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

  /// What stands in the last corner is drawn there, and nothing elsewhere.
  @Test(arguments: [(16_384, 4), (4, 16_384), (1, 1)])
  func largestAndSmallestPicturesAreDrawn(width: Int, height: Int) throws {
    var layout = Scenes.empty(width: Double(width), height: Double(height))
    layout.sprites = [Scenes.sprite([Scenes.box(width: 1, height: 1)])]
    layout.batches = [
      Scenes.batch(origins: [(Float(width - 1), Float(height - 1))], fields: [.x])
    ]
    let painter = try ScenePainter(layout: layout, width: width, height: height)
    painter.draw([.x: [0]])
    let white = (0..<width * height).filter { painter.pixel($0 % width, $0 / width) == 0xFFFF_FFFF }
    #expect(white == [width * height - 1])
    if width == height { return }
    // The same picture of a scene of another form: all of it in the middle.
    let good = try ScenePainter(layout: Self.good(), width: width, height: height)
    good.draw([.x: [0, 0]])
    let drawn = (0..<width * height).filter {
      good.pixel($0 % width, $0 / width) != 0xFF10_1418
    }
    let middle = Double(width * height) / 2
    #expect(drawn.allSatisfy { abs(Double($0) - middle) < Double(width) * 4 })
    #expect(drawn.isEmpty == false)
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
    Change("parent values", .valueCount(batch: 0, part: .parents, found: 3, entities: 2)) {
      $0.batches[0].parents = [0, 0, 1]
    },
    Change("no parent", .parentMissing(batch: 0, entity: 1, parent: 2)) {
      $0.batches[0].parents = [0, 3]
    },
    Change("no parent at all", .parentMissing(batch: 0, entity: 0, parent: 4_294_967_294)) {
      $0.batches[0].parents = [.max]
    },
    Change("its own parent", .parentCycle(batch: 0, entity: 1)) {
      $0.batches[0].parents = [0, 2]
    },
    Change("each other's parent", .parentCycle(batch: 0, entity: 0)) {
      $0.batches[0].parents = [2, 1]
    },
    Change("a parent for all", .parentCycle(batch: 0, entity: 0)) { $0.batches[0].parents = [1] },
    Change("nine ancestors", .parentLevels(batch: 0, entity: 0, limit: 8)) {
      $0.batches[0] = Scenes.batch(origins: Array(repeating: (10, 10), count: 10), fields: [.x])
      $0.batches[0].parents = [2, 3, 4, 5, 6, 7, 8, 9, 10, 0]
    },
    Change("a cycle further up", .parentCycle(batch: 0, entity: 11)) {
      $0.batches[0] = Scenes.batch(origins: Array(repeating: (10, 10), count: 12), fields: [.x])
      $0.batches[0].parents = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12]
    },
    Change("numbers", .entityNumbers(batch: 1, other: 0, number: 1)) {
      $0.batches.append(Scenes.batch(origins: [(1, 1)], fields: []))
      $0.batches[1].firstEntity = 1
      $0.batches[1].parents = [1]
    },
    Change("negative vertical period", .spriteValue(sprite: 1, part: .tilePeriodY, value: -1)) {
      $0.sprites[1].tilePeriodY = -1
    },
    Change("overlap both ways", .tileOverlap(sprite: 1, copies: 251_001, limit: 4096)) {
      ($0.sprites[1].tilePeriod, $0.sprites[1].tilePeriodY) = (0.01, 0.01)
    },
    Change("mask", .spriteValue(sprite: 0, part: .maskY, value: .infinity)) {
      $0.sprites[0].mask = Scenes.mask("x")
      $0.sprites[0].mask.y = .infinity
    },
    Change("mask's width", .spriteValue(sprite: 0, part: .maskWidth, value: -2)) {
      $0.sprites[0].mask = Scenes.mask("x", width: -2)
    },
    Change("mask's font", .maskText(sprite: 0, .fontMissing(family: "Nope"))) {
      $0.sprites[0].mask = Scenes.mask("x", font: "Nope 13")
    },
    Change("mask without font", .maskText(sprite: 0, .fontMissing(family: ""))) {
      $0.sprites[0].mask = Orrery_Mask()
    },
    Change("image index", .elementImage(sprite: 0, element: 0, image: 0, count: 0)) {
      $0.sprites[0].elements[0] = Scenes.image(width: 5, height: 5)
    },
    Change("no PNG file", .image(1, .notPNG)) {
      $0.images = [Data(), Data("GIF89a".utf8)]
      $0.sprites[0].elements[0] = Scenes.image(1, width: 5, height: 5)
    },
    Change("empty file", .image(0, .notPNG)) {
      $0.images = [Data()]
      $0.sprites[0].elements[0] = Scenes.image(width: 0, height: 5)
    },
    Change("file too long", .image(0, .byteCount(33_554_433, limit: 33_554_432))) {
      $0.images = [Data(count: 33_554_433)]
      $0.sprites[0].elements[0] = Scenes.image(width: 5, height: 5)
    },
    Change(
      "image too large",
      .image(0, .pictureSize(width: 32_767, height: 32_767, pixelMax: 33_554_432))
    ) {
      $0.images = [PNGHead.data(width: 32_767, height: 32_767)]
      $0.sprites[0].elements[0] = Scenes.image(width: 5, height: 5)
    },
    Change(
      "image too wide",
      .image(0, .pictureSize(width: 4_294_967_295, height: 1, pixelMax: 33_554_432))
    ) {
      $0.images = [PNGHead.data(width: .max, height: 1)]
      $0.sprites[0].elements[0] = Scenes.image(width: 5, height: 5)
    },
    Change(
      "image without rows",
      .image(0, .pictureSize(width: 9, height: 0, pixelMax: 33_554_432))
    ) {
      $0.images = [PNGHead.data(width: 9, height: 0)]
      $0.sprites[0].elements[0] = Scenes.image(width: 5, height: 5)
    },
    Change("image cut short", .image(0, .damaged)) {
      $0.images = [PNGHead.data(width: 9, height: 9)]
      $0.sprites[0].elements[0] = Scenes.image(width: 5, height: 5)
    },
    Change("no colours", .colorCount(sprite: 0, element: 0, count: 0, limit: 256)) {
      $0.sprites[0].elements[0] = Scenes.gradient(width: 5, height: 5, colors: [])
    },
    Change("too many colours", .colorCount(sprite: 0, element: 0, count: 257, limit: 256)) {
      $0.sprites[0].elements[0] = Scenes.gradient(
        width: 5, height: 5, colors: Array(repeating: 1, count: 257))
    },
    Change("angle", .elementValue(sprite: 0, element: 0, part: .angle, value: .infinity)) {
      $0.sprites[0].elements[0] = Scenes.gradient(
        width: 5, height: 5, colors: [1], angle: .infinity)
    },
    Change(
      "huge gradient", .elementTooFar(sprite: 0, element: 0, pixels: 1e300, limit: 4_194_304)
    ) {
      $0.sprites[0].elements[0] = Scenes.gradient(width: 1e300, height: 5, colors: [1, 2])
    },
    Change("far mask", .maskTooFar(sprite: 0, pixels: 1e300, limit: 4_194_304)) {
      $0.sprites[0].mask = Scenes.mask("x")
      $0.sprites[0].mask.x = 1e300
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
      { $0.sprites[1].tilePeriodY = .nan },
      { $0.sprites[0].mask = Scenes.mask("x", width: .nan) },
      { $0.sprites[0].mask = .with { ($0.x, $0.text) = (.nan, Scenes.mask("x").text) } },
      { $0.sprites[0].elements[0] = Scenes.gradient(width: .nan, height: 5, colors: [1]) },
      {
        $0.sprites[0].elements[0] = Scenes.gradient(width: 5, height: 5, colors: [1], angle: .nan)
      },
    ]
    for change in changes {
      var layout = Self.good()
      change(&layout)
      #expect(throws: RenderError.self) {
        try ScenePainter(layout: layout, width: 60, height: 40)
      }
    }
  }
}

/// PNG files that end after their head.
enum PNGHead {
  static func data(width: UInt32, height: UInt32) -> Data {
    func bytes(_ number: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(number >> $0 & 255) }
    }
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    return Data(
      signature + bytes(13) + "IHDR".utf8 + bytes(width) + bytes(height) + [8, 2, 0, 0, 0])
  }
}
