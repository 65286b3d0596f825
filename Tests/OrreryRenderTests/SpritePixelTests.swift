// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryMessages
import OrreryRender
import Testing

/// Goal: boxes are where they should be to a 64th of a pixel, as opaque as they should be, whatever draws them.
///
/// Method: boxes whose sides are known, and for every pixel how much of it they cover.
@Suite struct SpritePixelTests {
  private static let black: UInt32 = 0xFF00_0000
  private static let white: UInt32 = 0xFFFF_FFFF

  private static func layout(
    _ sprites: [Orrery_Sprite], width: Double = 20, height: Double = 20
  ) -> Orrery_SceneLayout {
    var layout = Scenes.empty(width: width, height: height)
    layout.background = 0x0000_00FF
    layout.sprites = sprites
    return layout
  }

  /// A rectangle of white over black, whose sides may lie between the pixels.
  private static func picture(
    left: Double, top: Double, right: Double, bottom: Double, width: Int = 20, height: Int = 20
  ) -> Oracle {
    var picture = Oracle(width: width, height: height)
    func covered(_ pixel: Int, _ from: Double, _ to: Double) -> Double {
      max(0, min(to, Double(pixel) + 1) - max(from, Double(pixel)))
    }
    for y in 0..<height {
      for x in 0..<width {
        let coverage = covered(x, left, right) * covered(y, top, bottom)
        picture.lay(white, strength: Int((coverage * 255).rounded()), x: x, y: y)
      }
    }
    return picture
  }

  // MARK: - Between the pixels

  @Test(arguments: [(7, 8), (-2, 5), (16, -3), (6, 17)])
  func movingSpritesStandAtEvery64thOfAPixel(place: (Int, Int)) throws {
    var layout = Self.layout([Scenes.sprite([Scenes.box(width: 6, height: 5)])])
    layout.batches = [
      Scenes.batch(origins: [(Float(place.0), Float(place.1))], fields: [.x, .y])
    ]
    let painter = try ScenePainter(layout: layout, width: 20, height: 20)
    for stepX in 0...64 {
      for stepY in [0, 1, 16, 31, 32, 49, 63] {
        let (x, y) = (Double(stepX) / 64 - 1, Double(stepY) / 64)
        painter.draw([.x: [Float(x)], .y: [Float(y)]])
        let (left, top) = (Double(place.0) + x, Double(place.1) + y)
        let expected = Self.picture(left: left, top: top, right: left + 6, bottom: top + 5)
        try #require(
          expected.difference(painter, tolerance: 3) == nil, "\(stepX), \(stepY) 64ths")
      }
    }
  }

  /// What rests is drawn at the nearest quarter; ties go to the right and down.
  @Test func restingSpritesStandAtQuarters() throws {
    for step in 0...32 {
      let offset = Double(step) / 32
      var layout = Self.layout([Scenes.sprite([Scenes.box(width: 6, height: 5)])])
      layout.batches = [
        Scenes.batch(origins: [(Float(7 + offset), Float(9 - offset))], fields: [])
      ]
      let painter = try ScenePainter(layout: layout, width: 20, height: 20)
      painter.draw([:])
      let left = 7 + (offset * 4 + 0.5).rounded(.down) / 4
      let top = 9 + (-offset * 4 + 0.5).rounded(.down) / 4
      let expected = Self.picture(left: left, top: top, right: left + 6, bottom: top + 5)
      try #require(expected.difference(painter, tolerance: 2) == nil, "\(step) 32nds")
    }
  }

  /// Only the axis on which something moves is drawn to a 64th.
  @Test(arguments: [[.x], [.y], [.x, .y], []] as [[Orrery_Field]])
  func onlyTheAxisThatMovesIsExact(fields: [Orrery_Field]) throws {
    var layout = Self.layout([Scenes.sprite([Scenes.box(width: 6, height: 5)])])
    layout.batches = [Scenes.batch(origins: [(7.0625, 9.0625)], fields: fields)]
    let painter = try ScenePainter(layout: layout, width: 20, height: 20)
    painter.draw(Dictionary(uniqueKeysWithValues: fields.map { ($0, [Float(0)]) }))
    let left = fields.contains(.x) ? 7.0625 : 7
    let top = fields.contains(.y) ? 9.0625 : 9
    let expected = Self.picture(left: left, top: top, right: left + 6, bottom: top + 5)
    #expect(expected.difference(painter, tolerance: 3) == nil)
  }

  /// Whoever stands in the coordinates of what moves, turns or grows moves on both axes.
  @Test(arguments: [.x, .y, .scale, .rotation, .opacity, .blur] as [Orrery_Field])
  func childrenOfWhatMovesAreExact(field: Orrery_Field) throws {
    var layout = Self.layout([
      Scenes.sprite([Scenes.box(width: 6, height: 5)]), Scenes.sprite([]),
    ])
    var child = Scenes.batch(origins: [(7.0625, 9.0625)], fields: [])
    child.parents = [2]
    layout.batches = [child, Scenes.batch(origins: [(3, 2)], fields: [field], sprite: 1)]
    Scenes.number(&layout)
    let painter = try ScenePainter(layout: layout, width: 20, height: 20)
    let rest: Float = field == .scale || field == .opacity ? 1 : 0
    painter.draw([[:], [field: [rest]]])
    let shift = field == .opacity || field == .blur ? 0 : 0.0625
    let expected = Self.picture(
      left: 7 + shift, top: 9 + shift, right: 13 + shift, bottom: 14 + shift)
    #expect(expected.difference(painter, tolerance: 3) == nil)
  }

  /// In a picture of another form, the scene is scaled alike in both directions and stands in the middle.
  @Test(arguments: [(100, 40, 30, 0), (40, 100, 0, 30), (60, 61, 0, 0)])
  func sceneStandsInTheMiddle(size: (Int, Int, Int, Int)) throws {
    let (width, height, left, top) = size
    var layout = Self.layout([Scenes.sprite([Scenes.box(width: 200, height: 200)])])
    layout.background = 0x2040_60FF
    layout.batches = [Scenes.batch(origins: [(-50, -50)], fields: [.x])]
    let painter = try ScenePainter(layout: layout, width: width, height: height)
    painter.draw([.x: [0]])
    let side = min(width, height)
    // Half a pixel above and below counts as a whole one of the scene.
    let bottom = top + side + (height == 61 ? 1 : 0)
    let wrong = (0..<width * height).first { index in
      let (x, y) = (index % width, index / width)
      let isInside = (left..<left + side).contains(x) && (top..<bottom).contains(y)
      return painter.pixel(x, y) != (isInside ? Self.white : 0xFF20_4060)
    }
    #expect(wrong == nil, "the first wrong pixel, row by row of \(width)")
  }

  // MARK: - Opacity

  /// What an opacity is in 255ths.
  static let opacities: [(Float, Int)] = [
    (0.0019, 0), (0.002, 1), (0.25, 64), (0.5, 128), (0.91, 232), (0.998, 254), (0.9981, 255),
    (1, 255), (40, 255),
  ]

  /// Rows of every length up to three vectors, over a background of their own.
  @Test(arguments: opacities.indices) func everyPixelOfARowHasItsOpacity(index: Int) throws {
    let (opacity, strength) = Self.opacities[index]
    var layout = Self.layout([], width: 14, height: 60)
    layout.background = 0x90C0_30FF
    var expected = Oracle(width: 14, height: 60, background: 0xFF90_C030)
    var batch = Orrery_Batch()
    for length in 1...13 {
      let color: UInt32 = 0x10FF_50FF &+ UInt32(length) << 24
      layout.sprites.append(
        Scenes.sprite([
          Scenes.box(width: Double(length), height: 2, color: color),
          Scenes.box(width: 1, height: 1, color: 0x0102_03FF),
        ]))
      batch.originX.append(0)
      batch.originY.append(Float(4 * length))
      batch.sprites.append(UInt32(length - 1))
      for y in 0..<2 {
        for x in 0..<length {
          let shown = x == 0 && y == 0 ? 0x0102_03FF : color
          expected.lay(Oracle.pixel(shown), strength: strength, x: x, y: 4 * length + y)
        }
      }
    }
    batch.entityCount = 13
    layout.batches = [batch]
    let painter = try ScenePainter(layout: layout, width: 14, height: 60)
    painter.draw([.opacity: Array(repeating: opacity, count: 13)])
    #expect(expected.difference(painter) == nil)
  }

  /// The same of all other ways: repeated, turned, masked, large discs, and drawn by Cairo.
  @Test(arguments: 0..<5, opacities.indices)
  func everyWayOfDrawingHasItsOpacity(way: Int, index: Int) throws {
    let (opacity, strength) = Self.opacities[index]
    let box = Scenes.box(x: -30, y: -30, width: 60, height: 60, color: 0x4080_C0FF)
    var sprite = Scenes.sprite([way == 3 ? Scenes.disc(radius: 30, color: 0x4080_C0FF) : box])
    if way == 0 { sprite.tilePeriod = 60 }
    if way == 2 { sprite.mask = Scenes.mask("—", width: 400, height: 20) }
    if way == 4 { (sprite.tilePeriod, sprite.tilePeriodY) = (60, 60) }
    if way == 2 { sprite.mask.x = -200 }
    var layout = Self.layout([sprite])
    layout.background = 0xF0E0_D0FF
    layout.batches = [Scenes.batch(origins: [(10, 0)], fields: [.opacity, .rotation])]
    let painter = try ScenePainter(layout: layout, width: 20, height: 20)
    let turn: Float = way == 1 || way == 4 ? 0.3 : 0
    painter.draw([.opacity: [opacity], .rotation: [turn]])
    var expected = Oracle(width: 1, height: 1, background: 0xFFF0_E0D0)
    expected.lay(0xFF40_80C0, strength: strength, x: 0, y: 0)
    let (found, wanted) = (painter.pixel(10, 10), expected.pixels[0])
    // Cairo rounds in its own way.
    let tolerance: UInt32 = way == 4 ? 2 : 0
    for shift in [0, 8, 16] as [UInt32] {
      let (one, other) = (found >> shift & 255, wanted >> shift & 255)
      #expect(max(one, other) - min(one, other) <= tolerance, "bit \(shift)")
    }
    #expect(found >> 24 == 255)
  }

  @Test(
    arguments: [
      (0x0000_0000, 0), (0x1234_56FF, 0xFF12_3456), (0xFFFF_FF80, 0x8080_8080),
      (0x8040_2080, 0x8040_2010), (0xFF00_7F01, 0x0101_0000), (0x0102_03FE, 0xFE01_0203),
      (0xFF80_0133, 0x3333_1A00),
    ] as [(UInt32, UInt32)])
  func backgroundIsPremultiplied(color: UInt32, pixel: UInt32) throws {
    var layout = Scenes.empty(width: 3, height: 2)
    layout.background = color
    let painter = try ScenePainter(layout: layout, width: 5, height: 4)
    #expect(painter.places(of: pixel).count == 20)
    painter.draw([])
    #expect(painter.places(of: pixel).count == 20)
    #expect(painter.stride == 20)
    #expect(painter.pixels.count == 80)
  }

  // MARK: - Repetition

  /// Ways to show the same pattern: as a fixture, at rest, moving, shifted by periods, turned and clipped.
  enum Way: CaseIterable { case fixture, rest, moving, far, turned, halfTurned, mirrored }

  /// Boxes of 3x2 every 5x4, with a blue corner that lies over whatever hangs over from the left.
  private static func pattern() -> Orrery_Sprite {
    var sprite = Scenes.sprite([
      Scenes.box(x: 1, y: 1, width: 3, height: 2, color: 0xFF00_00FF),
      Scenes.box(x: 4, y: 1, width: 2, height: 1, color: 0x00FF_00FF),
      Scenes.box(x: 0, y: 1, width: 1, height: 1, color: 0x0000_FFFF),
    ])
    (sprite.tilePeriod, sprite.tilePeriodY) = (5, 4)
    return sprite
  }

  /// What the pattern shows at a place counted from its origin.
  private static func color(_ x: Int, _ y: Int) -> UInt32 {
    let (column, row) = ((x % 5 + 5) % 5, (y % 4 + 4) % 4)
    if row == 1, column == 0 { return 0xFF00_00FF }
    if row == 1, column == 4 { return 0xFF00_FF00 }
    return (1...2).contains(row) && (1...3).contains(column) ? 0xFFFF_0000 : black
  }

  @Test(arguments: Way.allCases, [false, true])
  func patternIsTheSameWhateverDrawsIt(way: Way, isClipped: Bool) throws {
    var sprite = Self.pattern()
    if isClipped {
      sprite.clip = .with { ($0.x, $0.y, $0.width, $0.height) = (-7, -5, 12, 11) }
    }
    var layout = Self.layout([sprite], width: 33, height: 27)
    if way == .fixture {
      layout.fixtures = [.with { ($0.x, $0.y) = (13, 9) }]
    } else {
      let fields: [Orrery_Field] =
        switch way {
        case .moving, .far: [.x, .y]
        case .turned, .halfTurned, .mirrored: [.rotation, .scale]
        default: []
        }
      layout.batches = [Scenes.batch(origins: [(13, 9)], fields: fields)]
    }
    let painter = try ScenePainter(layout: layout, width: 33, height: 27)
    let values: [Way: Values] = [
      .moving: [.x: [2], .y: [-3]], .far: [.x: [502], .y: [-403]],
      .turned: [.rotation: [Float.pi / 2]], .halfTurned: [.rotation: [Float.pi]],
      .mirrored: [.scale: [-1]],
    ]
    painter.draw(values[way] ?? [:])
    let wrong = (0..<33 * 27).first { index in
      let (x, y) = (index % 33 - 13, index / 33 - 9)
      let isShown = !isClipped || (-7..<5).contains(x) && (-5..<6).contains(y)
      let wanted =
        switch way {
        case .fixture, .rest: Self.color(x, y)
        case .moving, .far: Self.color(x - 2, y + 3)
        // A pixel's place is its corner: turned, it is another corner.
        case .turned: Self.color(y, -x - 1)
        case .halfTurned, .mirrored: Self.color(-x - 1, -y - 1)
        }
      return painter.pixel(x + 13, y + 9) != (isShown ? wanted : Self.black)
    }
    #expect(wrong == nil, "the first wrong pixel, row by row of 33")
  }

  /// Rows and columns that are repeated on one axis only.
  @Test(arguments: [false, true], [false, true])
  func repetitionOnOneAxisLeavesTheOther(isRow: Bool, isFixture: Bool) throws {
    var sprite = Scenes.sprite([Scenes.box(x: 1, y: 1, width: 3, height: 2)])
    if isRow { sprite.tilePeriod = 5 } else { sprite.tilePeriodY = 4 }
    var layout = Self.layout([sprite])
    if isFixture {
      layout.fixtures = [.with { ($0.x, $0.y) = (8, 7) }]
    } else {
      layout.batches = [Scenes.batch(origins: [(8, 7)], fields: [.x, .y])]
    }
    let painter = try ScenePainter(layout: layout, width: 20, height: 20)
    painter.draw([.x: [0], .y: [0]])
    var expected: Set<[Int]> = []
    for y in 0..<20 {
      for x in 0..<20 {
        let column = isRow ? (x - 8 + 10) % 5 : x - 8
        let row = isRow ? y - 7 : (y - 7 + 8) % 4
        if (1...3).contains(column), (1...2).contains(row) { expected.insert([x, y]) }
      }
    }
    #expect(painter.places(of: Self.white) == expected)
    #expect(painter.places(of: Self.black).count == 400 - expected.count)
  }

  /// A row with a period below a quarter of a pixel has no image, and is drawn without one.
  @Test(arguments: [0.05, 0.1, 0.24], [false, true])
  func finestRowsAreDrawn(period: Double, isDown: Bool) throws {
    var sprite = Scenes.sprite([
      Scenes.box(width: isDown ? 4 : period, height: isDown ? period : 4)
    ])
    if isDown { sprite.tilePeriodY = period } else { sprite.tilePeriod = period }
    var layout = Self.layout([sprite])
    layout.batches = [Scenes.batch(origins: [(8, 8)], fields: [.x, .y])]
    let painter = try ScenePainter(layout: layout, width: 20, height: 20)
    painter.draw([.x: [0], .y: [0]])
    var expected: Set<[Int]> = []
    for along in 0..<20 {
      for across in 8..<12 { expected.insert(isDown ? [across, along] : [along, across]) }
    }
    #expect(painter.places(of: Self.white) == expected)
    #expect(painter.places(of: Self.black).count == 400 - expected.count)
  }

  /// Pictures and gradients that meet leave no line, those that overlap hide each other, others stand apart.
  ///
  /// A billionth more or less than the period is the most with which they still meet.
  @Test(
    arguments: [
      (8, 5), (5, 5), (4, 5), (5 * (1 + 1e-9), 5), (5 * (1 - 1e-9), 5),
    ] as [(Double, Double)], [false, true])
  func gradientsOfARowMeetOrOverlap(size: (Double, Double), isDown: Bool) throws {
    let (length, period) = size
    let gradient = Scenes.gradient(
      width: isDown ? 20 : length, height: isDown ? length : 20, colors: [.max])
    var sprite = Scenes.sprite([gradient], tilePeriod: isDown ? 0 : period)
    sprite.tilePeriodY = isDown ? period : 0
    var layout = Self.layout([sprite])
    layout.fixtures = [.with { ($0.x, $0.y) = isDown ? (0, 0.5) : (0.5, 0) }]
    let painter = try ScenePainter(layout: layout, width: 20, height: 20)
    painter.draw([])
    for place in 2..<18 {
      let pixel = isDown ? painter.pixel(9, place) : painter.pixel(place, 9)
      if length == 4 {
        // From a half to four and a half of five.
        let wanted = place % 5 == 4 ? 128 : place % 5 == 0 ? 128 : 255
        #expect(abs(Int(pixel & 255) - wanted) <= 3, "at \(place)")
      } else {
        #expect(pixel & 255 >= 254, "at \(place)")
      }
    }
  }

  /// As many overlapping repetitions as can be drawn, and one more.
  @Test(arguments: [false, true]) func overlapHasALimit(isDown: Bool) throws {
    for (length, copies): (Double, Double?) in [(4_095, nil), (4_096, 4_097)] {
      var sprite = Scenes.sprite([
        Scenes.box(width: isDown ? 1 : length, height: isDown ? length : 1)
      ])
      if isDown { sprite.tilePeriodY = 1 } else { sprite.tilePeriod = 1 }
      let layout = Self.layout([sprite])
      if let copies {
        #expect(
          throws: RenderError.tileOverlap(sprite: 0, copies: copies, limit: 4_096)
        ) { try ScenePainter(layout: layout, width: 20, height: 20) }
      } else {
        _ = try ScenePainter(layout: layout, width: 20, height: 20)
      }
    }
  }

  // MARK: - Turned and scaled

  /// Four colours around the origin: red and green over blue and white.
  private static let quarters = Scenes.sprite([
    Scenes.box(x: -8, y: -8, width: 8, height: 8, color: 0xFF00_00FF),
    Scenes.box(x: 0, y: -8, width: 8, height: 8, color: 0x00FF_00FF),
    Scenes.box(x: -8, y: 0, width: 8, height: 8, color: 0x0000_FFFF),
    Scenes.box(x: 0, y: 0, width: 8, height: 8),
  ])

  /// Scale, quarter turns, and the colours left and right above, left and right below.
  static let turns: [(Float, Int, [UInt32])] = [
    (1, 1, [0xFF00_00FF, 0xFFFF_0000, white, 0xFF00_FF00]),
    (1, 2, [white, 0xFF00_00FF, 0xFF00_FF00, 0xFFFF_0000]),
    (1, 3, [0xFF00_FF00, white, 0xFFFF_0000, 0xFF00_00FF]),
    (-1, 0, [white, 0xFF00_00FF, 0xFF00_FF00, 0xFFFF_0000]),
    (3, 0, [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, white]),
    (0.5, 1, [0xFF00_00FF, 0xFFFF_0000, white, 0xFF00_FF00]),
    (17, 0, [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, white]),
  ]

  @Test(arguments: turns.indices, [1, 3])
  func turnedSpritesAreNotMirrored(index: Int, pixelsPerPoint: Int) throws {
    let (scale, quarterTurns, colors) = Self.turns[index]
    var layout = Self.layout([Self.quarters], width: 60, height: 60)
    layout.batches = [Scenes.batch(origins: [(30, 30)], fields: [.scale, .rotation])]
    let side = 60 * pixelsPerPoint
    let painter = try ScenePainter(layout: layout, width: side, height: side)
    painter.draw([.scale: [scale], .rotation: [Float(quarterTurns) * .pi / 2]])
    let half = min(Double(abs(scale)) * 8, 30) * Double(pixelsPerPoint)
    let middle = 30 * pixelsPerPoint
    // Well inside each quarter every pixel has its colour; well outside of all there is nothing.
    for y in 0..<side {
      for x in 0..<side {
        let (dx, dy) = (Double(x - middle) + 0.5, Double(y - middle) + 0.5)
        let reach = max(abs(dx), abs(dy))
        if min(abs(dx), abs(dy)) < 2 || abs(reach - half) < 2 { continue }
        let wanted = reach > half ? Self.black : colors[(dy < 0 ? 0 : 2) + (dx < 0 ? 0 : 1)]
        let found = painter.pixel(x, y)
        try #require(found == wanted, "\(String(found, radix: 16)) at (\(x), \(y))")
      }
    }
  }

  /// What is larger than the picture covers it to its last row and column, mirrored or not.
  @Test(arguments: [-1, -0.8, 0.8, 1.3] as [Float])
  func mirroredBoxCoversThePicture(scale: Float) throws {
    var layout = Self.layout([
      Scenes.sprite([Scenes.box(x: -20, y: -20, width: 40, height: 40)])
    ])
    layout.batches = [Scenes.batch(origins: [(10, 10)], fields: [.scale, .rotation])]
    let painter = try ScenePainter(layout: layout, width: 20, height: 20)
    painter.draw([.scale: [scale], .rotation: [0]])
    for y in 0..<20 {
      for x in 0..<20 {
        try #require(painter.pixel(x, y) == Self.white, "(\(x), \(y))")
      }
    }
  }

  /// The sides of a turned box are where they should be, and as sharp as those of one that is not turned.
  @Test(arguments: 1...3) func turnedBoxEndsAtItsSides(quarterTurns: Int) throws {
    var layout = Self.layout([Scenes.sprite([Scenes.box(x: 1, y: 2, width: 6, height: 3)])])
    layout.batches = [Scenes.batch(origins: [(10, 10)], fields: [.rotation])]
    let painter = try ScenePainter(layout: layout, width: 20, height: 20)
    painter.draw([.rotation: [Float(quarterTurns) * .pi / 2]])
    let sides: [Double] = [[5, 11, 8, 17], [3, 5, 9, 8], [12, 3, 15, 9]][quarterTurns - 1]
    let expected = Self.picture(
      left: sides[0], top: sides[1], right: sides[2], bottom: sides[3])
    #expect(expected.difference(painter, tolerance: 1) == nil)
  }

  /// A scaled box covers each pixel by what lies in it: no side is spread over two pixels.
  @Test(arguments: [0.02, 0.31, 0.77, 0.999, 1.01, 1.25, 1.5, 1.87] as [Float], [false, true])
  func scaledBoxIsAsSharpAsPixelsAllow(scale: Float, isMirrored: Bool) throws {
    var layout = Self.layout([Scenes.sprite([Scenes.box(x: -4, y: -2, width: 8, height: 5)])])
    layout.batches = [Scenes.batch(origins: [(9, 10)], fields: [.x, .y, .scale])]
    let painter = try ScenePainter(layout: layout, width: 20, height: 20)
    for step in 0..<8 {
      let (x, y) = (Float(step) / 8, Float(step * 3 % 8) / 8)
      painter.draw([.x: [x], .y: [y], .scale: [isMirrored ? -scale : scale]])
      let (originX, originY, size) = (9 + Double(x), 10 + Double(y), Double(scale))
      let (above, below) = isMirrored ? (3.0, 2.0) : (2, 3)
      let expected = Self.picture(
        left: originX - 4 * size, top: originY - above * size, right: originX + 4 * size,
        bottom: originY + below * size)
      try #require(expected.difference(painter, tolerance: 1) == nil, "\(step) eighths")
    }
  }

  /// Turned, a pixel whose centre is three quarters of a pixel inside is covered, as far outside it is clear; and the box
  /// keeps its area.
  @Test(arguments: [0.1, 0.5, .pi / 4, 1, 2, 3] as [Float], [0.0, 4])
  func turnedBoxIsSharpAndKeepsItsArea(rotation: Float, cornerRadius: Double) throws {
    var element = Scenes.box(x: -10, y: -7, width: 20, height: 14)
    element.box.cornerRadius = cornerRadius
    var layout = Self.layout([Scenes.sprite([element])], width: 60, height: 60)
    layout.batches = [Scenes.batch(origins: [(30.3, 29.6)], fields: [.scale, .rotation])]
    let painter = try ScenePainter(layout: layout, width: 60, height: 60)
    painter.draw([.scale: [1.7], .rotation: [rotation]])
    let (cosine, sine, radius) = (cos(Double(rotation)), sin(Double(rotation)), 1.7 * cornerRadius)
    var sum = 0.0
    for y in 0..<60 {
      for x in 0..<60 {
        let (dx, dy) = (Double(x) + 0.5 - 30.3, Double(y) + 0.5 - 29.6)
        // From the straight parts of the sides: of a box that is smaller by its corners' radius.
        let across = abs(cosine * dx + sine * dy) - 17 + radius
        let along = abs(cosine * dy - sine * dx) - 11.9 + radius
        let outside = (max(across, 0) * max(across, 0) + max(along, 0) * max(along, 0)).squareRoot()
        let distance = outside + min(max(across, along), 0) - radius
        let value = painter.pixel(x, y) & 255
        sum += Double(value) / 255
        if distance < -0.75 { try #require(value == 255, "(\(x), \(y))") }
        if distance > 0.75 { try #require(value == 0, "(\(x), \(y))") }
      }
    }
    let corners = (4 - Double.pi) * cornerRadius * cornerRadius
    let area = (20 * 14 - corners) * 1.7 * 1.7
    #expect(abs(sum / area - 1) < 0.005, "\(sum) pixels, not \(area)")
  }

  /// A side that is upright has at most one pixel that is covered in part, whatever the corners.
  @Test(arguments: [1.1, 1.31, 1.5, 2.03] as [Float])
  func sideOfAScaledRoundBoxIsOnePixel(scale: Float) throws {
    var element = Scenes.box(x: -6, y: -6, width: 12, height: 12)
    element.box.cornerRadius = 3
    var layout = Self.layout([Scenes.sprite([element])], width: 40, height: 40)
    layout.batches = [Scenes.batch(origins: [(20, 20)], fields: [.scale])]
    let painter = try ScenePainter(layout: layout, width: 40, height: 40)
    painter.draw([.scale: [scale]])
    for (name, line) in [
      ("row", (0..<40).map { painter.pixel($0, 20) }),
      ("column", (0..<40).map { painter.pixel(20, $0) }),
    ] {
      let partial = line.indices.filter { line[$0] != Self.black && line[$0] != Self.white }
      #expect(partial.filter { $0 < 20 }.count <= 1, "\(name): \(partial)")
      #expect(partial.filter { $0 >= 20 }.count <= 1, "\(name): \(partial)")
    }
  }

  /// Larger than images are drawn in advance, a sprite is drawn exactly.
  @Test func hugeScalesAreExact() throws {
    var layout = Self.layout([Scenes.sprite([Scenes.box(width: 1, height: 0.5)])])
    layout.batches = [Scenes.batch(origins: [(-4, 3)], fields: [.scale])]
    let painter = try ScenePainter(layout: layout, width: 20, height: 20)
    painter.draw([.scale: [18]])
    let expected = Self.picture(left: -4, top: 3, right: 14, bottom: 12)
    #expect(expected.difference(painter) == nil)
    // A sixteenfold one comes from an image, and is as large.
    painter.draw([.scale: [16]])
    #expect(painter.pixel(9, 9) == Self.white)
    #expect(painter.pixel(14, 10) == Self.black)
    #expect(painter.pixel(10, 13) == Self.black)
  }

  /// What is too small to be seen is not divided by.
  @Test func tinyScalesAreInvisible() throws {
    var layout = Self.layout([
      Scenes.sprite([Scenes.box(x: -1e6, y: -1e6, width: 2e6, height: 2e6)])
    ])
    layout.batches = [Scenes.batch(origins: [(10, 10)], fields: [.scale])]
    let painter = try ScenePainter(layout: layout, width: 20, height: 20)
    for scale: Float in [0, 1e-30, 0.5e-9] {
      painter.draw([.scale: [scale]])
      #expect(painter.places(of: Self.black).count == 400, "scale \(scale)")
    }
  }
}
