// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryMessages
import OrreryRender
import OrreryText
import Testing

/// Goal: limits hold to the last number, what they refuse is named, and every error says what is wrong.
///
/// Method: a small layout with one number at its limit and one past it; all errors, as text.
@Suite struct LayoutLimitTests {
  /// Sprites with every part that has numbers: clip and mask, and each kind of element.
  private static func layout() -> Orrery_SceneLayout {
    var layout = Scenes.empty(width: 60, height: 40)
    var sprite = Scenes.sprite([
      Scenes.text("x", x: 0, y: 0), Scenes.disc(radius: 1), Scenes.box(width: 1, height: 1),
      Scenes.gradient(width: 1, height: 1, colors: [1]), Scenes.image(width: 1, height: 1),
    ])
    sprite.clip = .with { ($0.width, $0.height) = (1, 1) }
    sprite.mask = Scenes.mask("x")
    // The first sprite is never the one that is wrong.
    layout.sprites = [Scenes.sprite([Scenes.disc(radius: 1)]), sprite]
    layout.images = [PNGHead.data(width: 1, height: 1)]
    layout.fixtures = [Orrery_Fixture(), Orrery_Fixture()]
    layout.batches = [
      Scenes.batch(origins: [(1, 1)], fields: []), Scenes.batch(origins: [(1, 1)], fields: []),
    ]
    return layout
  }

  private static func error(_ layout: Orrery_SceneLayout) -> RenderError? {
    do throws(RenderError) {
      _ = try ScenePainter(layout: layout, width: 60, height: 40)
      return nil
    } catch {
      return error
    }
  }

  /// A number of the second sprite, of one of its elements or of the second fixture.
  struct Part: Sendable, CustomTestStringConvertible {
    enum Owner: Sendable {
      case sprite
      case element(Int)
      case fixture
    }

    let owner: Owner

    /// As errors call it.
    let name: String
    let put: @Sendable (_ layout: inout Orrery_SceneLayout, _ value: Double) -> Void

    var testDescription: String { "\(name) of \(owner)" }

    /// What is thrown for a value that cannot be.
    func expected(_ value: Double) throws -> RenderError {
      let part = try #require(LayoutPart(rawValue: name))
      return switch owner {
      case .sprite: .spriteValue(sprite: 1, part: part, value: value)
      case .element(let number):
        .elementValue(sprite: 1, element: number, part: part, value: value)
      case .fixture: .fixtureNotFinite(fixture: 1, part: part, value: value)
      }
    }

    static func sprite(
      _ name: String, _ put: @escaping @Sendable (inout Orrery_Sprite, Double) -> Void
    ) -> Part {
      Part(owner: .sprite, name: name) { layout, value in put(&layout.sprites[1], value) }
    }

    static func element(
      _ number: Int, _ name: String,
      _ put: @escaping @Sendable (inout Orrery_Element, Double) -> Void
    ) -> Part {
      Part(owner: .element(number), name: name) { layout, value in
        put(&layout.sprites[1].elements[number], value)
      }
    }

    static func fixture(
      _ name: String, _ put: @escaping @Sendable (inout Orrery_Fixture, Double) -> Void
    ) -> Part {
      Part(owner: .fixture, name: name) { layout, value in put(&layout.fixtures[1], value) }
    }
  }

  /// Anything finite.
  static let positions: [Part] = [
    .sprite("clip.x") { $0.clip.x = $1 }, .sprite("clip.y") { $0.clip.y = $1 },
    .sprite("mask.x") { $0.mask.x = $1 }, .sprite("mask.y") { $0.mask.y = $1 },
    .element(0, "x") { $0.x = $1 }, .element(1, "y") { $0.y = $1 },
    .element(2, "x") { $0.x = $1 }, .element(3, "y") { $0.y = $1 },
    .element(4, "x") { $0.x = $1 }, .element(3, "angle") { $0.gradient.angle = $1 },
    .fixture("x") { $0.x = $1 }, .fixture("y") { $0.y = $1 },
  ]

  /// Anything finite from 0 on.
  static let sizes: [Part] = [
    .sprite("clip.width") { $0.clip.width = $1 }, .sprite("clip.height") { $0.clip.height = $1 },
    .sprite("mask.text.width") { $0.mask.text.width = $1 },
    .sprite("mask.text.height") { $0.mask.text.height = $1 },
    .element(0, "width") { $0.text.width = $1 }, .element(0, "height") { $0.text.height = $1 },
    .element(1, "radius") { $0.disc.radius = $1 }, .element(2, "width") { $0.box.width = $1 },
    .element(2, "height") { $0.box.height = $1 },
    .element(2, "corner_radius") { $0.box.cornerRadius = $1 },
    .element(3, "width") { $0.gradient.width = $1 },
    .element(3, "height") { $0.gradient.height = $1 },
    .element(4, "width") { $0.image.width = $1 }, .element(4, "height") { $0.image.height = $1 },
  ]

  /// From 0 to a billion.
  static let periods: [Part] = [
    .sprite("tile_period") { $0.tilePeriod = $1 }, .sprite("tile_period_y") { $0.tilePeriodY = $1 },
  ]

  @Test(arguments: positions + sizes + periods) func infiniteNumbersAreNamed(part: Part) throws {
    for value in [Double.infinity, -.infinity] {
      var layout = Self.layout()
      part.put(&layout, value)
      #expect(try Self.error(layout) == part.expected(value))
    }
  }

  @Test(arguments: sizes + periods) func negativeNumbersAreNamed(part: Part) throws {
    var layout = Self.layout()
    part.put(&layout, -Double.leastNonzeroMagnitude)
    #expect(try Self.error(layout) == part.expected(-Double.leastNonzeroMagnitude))
    // -0 is 0, and a position may be negative: what is refused is then only the file, which has no pixels.
    part.put(&layout, -0.0)
    #expect(Self.error(layout) == .image(0, .damaged))
  }

  @Test(arguments: positions) func positionsMayBeNegative(part: Part) {
    var layout = Self.layout()
    part.put(&layout, -3)
    #expect(Self.error(layout) == .image(0, .damaged))
  }

  @Test(arguments: periods) func periodsEndAtABillion(part: Part) throws {
    var layout = Self.layout()
    part.put(&layout, 1e9)
    #expect(Self.error(layout) == .image(0, .damaged))
    part.put(&layout, 1e9.nextUp)
    #expect(try Self.error(layout) == part.expected(1e9.nextUp))
  }

  // MARK: - Counts and indexes

  @Test(
    arguments: [
      (0.001, 0.001, true), (1e7, 1e7, true), (0.001.nextDown, 40, false),
      (60, 0.001.nextDown, false), (1e7.nextUp, 40, false), (60, 1e7.nextUp, false),
    ] as [(Double, Double, Bool)])
  func sceneHasItsSize(width: Double, height: Double, isAllowed: Bool) {
    let layout = Scenes.empty(width: width, height: height)
    let expected: RenderError? = isAllowed ? nil : .sceneSize(width: width, height: height)
    #expect(Self.error(layout) == expected)
  }

  @Test func batchesMayHaveABillionEntities() throws {
    var layout = Scenes.empty(width: 60, height: 40)
    layout.sprites = [Scenes.sprite([Scenes.disc(radius: 1)])]
    layout.batches = [Scenes.batch(origins: [(1, 1)], fields: [])]
    layout.batches[0].entityCount = 1 << 30
    #expect(Self.error(layout) == nil)
    layout.batches[0].entityCount += 1
    #expect(
      Self.error(layout) == .entityCount(batch: 0, count: (1 << 30) + 1, limit: 1 << 30))
  }

  /// What a batch without entities says is never looked at.
  @Test func batchWithoutEntitiesMaySayAnything() throws {
    var layout = Scenes.empty(width: 60, height: 40)
    layout.sprites = [Scenes.sprite([Scenes.disc(radius: 1)])]
    layout.batches = [Orrery_Batch(), Scenes.batch(origins: [(10, 10)], fields: [])]
    layout.batches[0].sprites = [99, .max]
    layout.batches[0].originX = [.nan]
    layout.batches[0].parents = [1, 2, 3]
    layout.batches[0].fields = [.x, .scale]
    let painter = try ScenePainter(layout: layout, width: 60, height: 40)
    painter.draw([[.x: [1], .scale: [1]], [:]])
    #expect(painter.pixel(10, 10) != 0xFF10_1418)
  }

  @Test func indexesEndAtTheirCounts() {
    var layout = Self.layout()
    layout.batches[1].sprites = [2]
    #expect(
      Self.error(layout) == .entitySprite(batch: 1, entity: 0, sprite: 2, count: 2))
    layout = Self.layout()
    layout.fixtures[1].sprite = 2
    #expect(Self.error(layout) == .fixtureSprite(fixture: 1, sprite: 2, count: 2))
    layout = Self.layout()
    layout.sprites[1].elements[4].image.image = 1
    #expect(
      Self.error(layout) == .elementImage(sprite: 1, element: 4, image: 1, count: 1))
    layout = Self.layout()
    layout.batches[1].originY = [.infinity]
    #expect(
      Self.error(layout)
        == .originNotFinite(batch: 1, entity: 0, part: .originY, value: .infinity))
    layout.batches[1].originX = [-.infinity]
    #expect(
      Self.error(layout)
        == .originNotFinite(batch: 1, entity: 0, part: .originX, value: -.infinity))
  }

  @Test(arguments: [1, 2, 256, 257]) func gradientsHaveUpTo256Colours(count: Int) {
    var layout = Scenes.empty(width: 60, height: 40)
    layout.sprites = [
      Scenes.sprite([
        Scenes.gradient(width: 5, height: 5, colors: Array(repeating: 1, count: count))
      ])
    ]
    let expected: RenderError? =
      count <= 256 ? nil : .colorCount(sprite: 0, element: 0, count: 257, limit: 256)
    #expect(Self.error(layout) == expected)
  }

  /// As far as Cairo's numbers reach, in pixels; the scene is drawn twice as large.
  @Test(arguments: [false, true]) func elementsReachUpToTheLimit(isDown: Bool) throws {
    let limit = 4_194_304.0
    func layout(_ size: Double) -> Orrery_SceneLayout {
      var layout = Scenes.empty(width: 30, height: 20)
      layout.sprites = [
        Scenes.sprite([
          Scenes.box(width: 1, height: 1),
          Scenes.box(width: isDown ? 1 : size, height: isDown ? size : 1),
        ])
      ]
      return layout
    }
    #expect(Self.error(layout(limit / 2)) == nil)
    let more = (limit / 2).nextUp
    #expect(
      Self.error(layout(more))
        == .elementTooFar(sprite: 0, element: 1, pixels: 2 * more, limit: limit))
  }

  /// What has no area shows nothing, however far it would reach.
  @Test(arguments: [(1e300, 0.0), (0, 1e300), (0, 0)])
  func whatHasNoAreaIsNothing(width: Double, height: Double) throws {
    let elements = [
      Scenes.box(width: width, height: height),
      Scenes.gradient(width: width, height: height, colors: [.max]),
      Scenes.disc(x: 1e300, radius: 0), Scenes.text(" ", x: 1e300, y: 0),
    ]
    for element in elements {
      var layout = Scenes.empty(width: 60, height: 40)
      layout.sprites = [Scenes.sprite([element])]
      layout.batches = [Scenes.batch(origins: [(10, 10)], fields: [.x, .scale, .blur])]
      let painter = try ScenePainter(layout: layout, width: 60, height: 40)
      painter.draw([.x: [1], .scale: [2], .blur: [3]])
      #expect(painter.places(of: 0xFF10_1418).count == 2_400)
    }
  }

  // MARK: - Images

  private static func error(png: Data) -> RenderError? {
    var layout = Scenes.empty(width: 60, height: 40)
    layout.images = [Data(), png]
    layout.sprites = [Scenes.sprite([Scenes.image(1, width: 1, height: 1)])]
    return error(layout)
  }

  @Test(
    arguments: [
      (1, 1, true), (32_767, 1, true), (1, 32_767, true), (8_192, 4_096, true),
      (8_192, 4_097, false), (32_768, 1, false), (1, 32_768, false), (0, 1, false), (1, 0, false),
    ] as [(UInt32, UInt32, Bool)])
  func imagesHaveTheirSize(width: UInt32, height: UInt32, isAllowed: Bool) {
    // Of one that may be as large, it is found next that there are no pixels.
    let expected: ImageError =
      isAllowed
      ? .damaged
      : .pictureSize(width: Int(width), height: Int(height), pixelMax: 33_554_432)
    #expect(Self.error(png: PNGHead.data(width: width, height: height)) == .image(1, expected))
  }

  @Test func filesAreKnownByTheirFirst24Bytes() {
    let head = PNGHead.data(width: 1, height: 1)
    #expect(Self.error(png: Data(head.prefix(24))) == .image(1, .damaged))
    #expect(Self.error(png: Data(head.prefix(23))) == .image(1, .notPNG))
    for index in 0..<16 {
      var other = head
      other[index] ^= 1
      #expect(Self.error(png: other) == .image(1, .notPNG), "byte \(index)")
    }
    #expect(Self.error(png: Data(count: 1 << 25)) == .image(1, .notPNG))
    #expect(
      Self.error(png: Data(count: 1 << 25 + 1))
        == .image(1, .byteCount(1 << 25 + 1, limit: 33_554_432)))
  }

  // MARK: - Parents

  /// Four batches whose numbers have gaps; the children name 11, 51 and 101.
  private static func family(_ parents: [UInt32]) -> Orrery_SceneLayout {
    var layout = Scenes.empty(width: 60, height: 40)
    layout.background = 0x0000_00FF
    layout.sprites = [Scenes.sprite([Scenes.box(width: 1, height: 1)]), Scenes.sprite([])]
    var children = Scenes.batch(origins: [(1, 1), (1, 5)], fields: [.x])
    children.parents = parents
    var last = Scenes.batch(origins: [(1, 9)], fields: [])
    last.parents = [102]
    layout.batches = [
      children, Scenes.batch(origins: Array(repeating: (0, 0), count: 3), fields: [.x], sprite: 1),
      Scenes.batch(origins: Array(repeating: (0, 0), count: 2), fields: [.x], sprite: 1), last,
    ]
    for (index, first) in [100, 10, 50, 103].enumerated() {
      layout.batches[index].firstEntity = UInt32(first)
    }
    return layout
  }

  @Test func parentsAreFoundByTheirNumbers() throws {
    let painter = try ScenePainter(layout: Self.family([12, 52]), width: 60, height: 40)
    painter.draw([[.x: [3, 4]], [.x: [10, 20, 30]], [.x: [5, 15]], [:]])
    // The last one's parent is a child itself.
    #expect(
      painter.places(of: 0xFFFF_FFFF) == [[1 + 3 + 20, 1], [1 + 4 + 15, 5], [1 + 4 + 15, 9]])
    let other = try ScenePainter(layout: Self.family([11, 13]), width: 60, height: 40)
    other.draw([[.x: [3, 4]], [.x: [10, 20, 30]], [.x: [5, 15]], [:]])
    #expect(
      other.places(of: 0xFFFF_FFFF) == [[1 + 3 + 10, 1], [1 + 4 + 30, 5], [1 + 4 + 30, 9]])
    // One parent for all, and one that has none.
    let one = try ScenePainter(layout: Self.family([51]), width: 60, height: 40)
    one.draw([[.x: [3, 4]], [:], [.x: [5, 15]], [:]])
    #expect(one.places(of: 0xFFFF_FFFF) == [[1 + 3 + 5, 1], [1 + 4 + 5, 5], [1 + 4 + 5, 9]])
    let none = try ScenePainter(layout: Self.family([0, 51]), width: 60, height: 40)
    none.draw([[.x: [3, 4]], [:], [.x: [5, 15]], [:]])
    #expect(none.places(of: 0xFFFF_FFFF) == [[1 + 3, 1], [1 + 4 + 5, 5], [1 + 4 + 5, 9]])
  }

  @Test(arguments: [0, 9, 13, 49, 52, 99, 102, 104, 4_000_000_000])
  func numbersBetweenBatchesAreNobodys(number: Int) {
    #expect(
      Self.error(Self.family([12, UInt32(number + 1)]))
        == .parentMissing(batch: 0, entity: 1, parent: number))
  }

  @Test func grandparentThatDoesNotExistIsNamed() {
    var layout = Self.family([12, 12])
    layout.batches[1].parents = [0, 8, 0]
    #expect(Self.error(layout) == .parentMissing(batch: 1, entity: 1, parent: 7))
  }

  /// Numbers that touch are right, numbers that overlap by one are not.
  @Test func rangesMayTouch() {
    var layout = Self.family([12, 12])
    layout.batches[1].firstEntity = 97
    layout.batches[0].parents = [98, 98]
    #expect(Self.error(layout) == nil)
    layout.batches[1].firstEntity = 98
    layout.batches[0].parents = [99, 99]
    #expect(Self.error(layout) == .entityNumbers(batch: 0, other: 1, number: 100))
  }

  // MARK: - Texts

  static let texts: [(RenderError, String)] = [
    (
      .pictureSize(width: 1, height: 2, limit: 3),
      "picture of 1x2 pixels: each side must be from 1 to 3"
    ),
    (
      .sceneSize(width: 1, height: 2.5),
      "scene of 1.0x2.5 points: each side must be from 0.001 to 10000000"
    ),
    (.entityCount(batch: 1, count: 2, limit: 3), "batch 1 has 2 entities, limit 3"),
    (
      .valueCount(batch: 1, part: .originX, found: 2, entities: 3),
      "batch 1 has 2 values of origin_x for 3 entities"
    ),
    (
      .originNotFinite(batch: 1, entity: 2, part: .originY, value: .infinity),
      "batch 1, entity 2: origin_y is inf"
    ),
    (
      .entitySprite(batch: 1, entity: 2, sprite: 3, count: 4), "batch 1, entity 2: sprite 3 of 4"
    ),
    (
      .entityNumbers(batch: 1, other: 2, number: 3),
      "batches 2 and 1 both have an entity of number 3"
    ),
    (
      .parentMissing(batch: 1, entity: 2, parent: 3), "batch 1, entity 2: no entity 3, its parent"
    ),
    (.parentCycle(batch: 1, entity: 2), "batch 1, entity 2 is its own ancestor"),
    (
      .parentLevels(batch: 1, entity: 2, limit: 3), "batch 1, entity 2 has more than 3 ancestors"
    ),
    (.fixtureSprite(fixture: 1, sprite: 2, count: 3), "fixture 1: sprite 2 of 3"),
    (
      .fixtureNotFinite(fixture: 1, part: .positionX, value: .infinity), "fixture 1: x is inf"
    ),
    (.spriteValue(sprite: 1, part: .clipX, value: 2), "sprite 1: clip.x is 2.0"),
    (
      .elementValue(sprite: 1, element: 2, part: .radius, value: 3),
      "sprite 1, element 2: radius is 3.0"
    ),
    (
      .elementEmpty(sprite: 1, element: 2), "sprite 1, element 2 shows nothing that is known"
    ),
    (
      .elementImage(sprite: 1, element: 2, image: 3, count: 4),
      "sprite 1, element 2: image 3 of 4"
    ),
    (
      .colorCount(sprite: 1, element: 2, count: 3, limit: 4),
      "sprite 1, element 2: 3 colours, must be from 1 to 4"
    ),
    (
      .elementTooFar(sprite: 1, element: 2, pixels: 3, limit: 4),
      "sprite 1, element 2 reaches 3.0 pixels, limit 4.0"
    ),
    (
      .maskTooFar(sprite: 1, pixels: 3, limit: 4),
      "sprite 1: its mask reaches 3.0 pixels, limit 4.0"
    ),
    (
      .tileOverlap(sprite: 1, copies: 2, limit: 3), "sprite 1: 2.0 repetitions overlap, limit 3"
    ),
    (
      .text(sprite: 1, element: 2, .fontMissing(family: "F")),
      "sprite 1, element 2: \(TextError.fontMissing(family: "F"))"
    ),
    (
      .maskText(sprite: 1, .fontMissing(family: "F")),
      "sprite 1, mask: \(TextError.fontMissing(family: "F"))"
    ),
    (.image(1, .notPNG), "image 1: not a PNG file"),
    (.image(1, .byteCount(2, limit: 3)), "image 1: 2 bytes, limit 3"),
    (
      .image(1, .pictureSize(width: 2, height: 3, pixelMax: 4)),
      "image 1: 2x3 pixels: each side must be from 1 to 32767, and all pixels at most 4"
    ),
    (
      .image(1, .pixelsTogether(limit: 2)),
      "image 1: it and the images before it have more than 2 pixels"
    ),
    (.image(1, .damaged), "image 1: the PNG file is damaged"),
    (.outOfMemory(bytes: 1), "no memory for 1 bytes of pixels"),
    (
      .file(SystemCallError(call: "open", path: "a", errno: ENOENT)),
      "a: open: No such file or directory"
    ),
    (.encoderMissing(program: "e"), "e is not installed or not on PATH"),
    (.encoderFailed(status: 1, lastLine: "l"), "video encoder ended with status 1: l"),
    (.encoderStalled(seconds: 1.5, lastLine: "l"), "video encoder did nothing for 1.5 s: l"),
    (
      .frameRate(numerator: 1, denominator: 2), "frame rate 1/2: each must be from 1 to 2147483647"
    ),
  ]

  @Test(arguments: texts.indices) func everyErrorSaysWhatIsWrong(index: Int) {
    let (error, text) = Self.texts[index]
    #expect("\(error)" == text)
  }
}
