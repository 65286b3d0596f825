// SPDX-License-Identifier: Apache-2.0

import CDots
import OrreryMessages
import OrreryRender
import TestSupport
import Testing

/// Goal: every pixel of every disc has the value that its formula gives, small and large, inside and at edges.
///
/// Method: random discs beside and over each other, and an oracle that counts points or measures distances.
@Suite struct DiscTests {
  /// Colours, some of them translucent.
  private static let colors: [UInt32] = [0xFFFF_FFFF, 0x2080_E0FF, 0xC040_1080]

  private static func layout(radius: Double, colors: [UInt32] = colors) -> Orrery_SceneLayout {
    var layout = Scenes.empty(width: 40, height: 30)
    layout.background = 0x3050_70FF
    layout.sprites = colors.map { Scenes.sprite([Scenes.disc(radius: radius, color: $0)]) }
    return layout
  }

  /// How a scene of 40x30 points lies in a picture.
  struct Fit: Sendable, CustomTestStringConvertible {
    let width: Int
    let height: Int
    let scale: Double
    let left: Int
    let top: Int

    var testDescription: String { "\(width)x\(height)" }
    /// Columns and rows that the scene covers.
    var columns: Range<Int> { left..<left + Int(40 * scale) }
    var rows: Range<Int> { top..<top + Int(30 * scale) }
  }

  static let fits = [
    Fit(width: 40, height: 30, scale: 1, left: 0, top: 0),
    Fit(width: 100, height: 60, scale: 2, left: 10, top: 0),
    Fit(width: 80, height: 100, scale: 2, left: 0, top: 20),
  ]

  /// Bands of rows are drawn at once: dots on their edges, over each other and outside the picture too.
  @Test(arguments: fits, [2, 3, 7])
  func pictureDoesNotDependOnThreads(fit: Fit, threadCount: Int) throws {
    var random = SeededRandom(seed: 15)
    var layout = Self.layout(radius: 0.7)
    let origins = (0..<3_000).map { _ in
      (Float.random(in: -4..<44, using: &random), Float.random(in: -4..<34, using: &random))
    }
    layout.batches = [Scenes.batch(origins: origins, fields: [])]
    layout.batches[0].sprites = origins.map { _ in UInt32.random(in: 0..<3, using: &random) }
    let pictures = try [1, threadCount].map { count in
      let painter = try ScenePainter(
        layout: layout, width: fit.width, height: fit.height, threadCount: count)
      painter.draw([:])
      return painter.picture
    }
    let different = zip(pictures[0], pictures[1]).enumerated().first { $1.0 != $1.1 }
    #expect(different == nil, "first at byte \(different?.offset ?? -1)")
  }

  /// Random masks, so that no two pixels of a dot are alike.
  @Test func pictureDoesNotDependOnTheInstructionSet() throws {
    var random = SeededRandom(seed: 16)
    let (width, height, count) = (61, 43, 3_000)
    let masks = Self.memory(8192) { UInt16.random(in: 0...255, using: &random) }
    let columns = Self.memory(4 * count) { Float.random(in: -4..<30, using: &random) }
    let sprites = Self.memory(count) { UInt32.random(in: 0..<3, using: &random) }
    var pixels: [UInt32] = [0xFFFF_FFFF, 0xFF00_80FF, 0x8040_2010]
    let dots = Self.memory(3) { dots_dot(masks: masks, pixel: pixels.removeFirst()) }
    defer {
      masks.deallocate()
      columns.deallocate()
      sprites.deallocate()
      dots.deallocate()
    }
    var batch = dots_batch(
      origin_x: columns, origin_y: columns + count, x: columns + 2 * count, y: columns + 3 * count,
      sprites: sprites, dots: dots, origin_x_is_shared: false, origin_y_is_shared: false,
      sprites_are_shared: false)
    var place = dots_place(scale: 1.1, left: -1.5, top: -1.5)
    let pictures = (DOTS_BASELINE.rawValue...dots_best_isa().rawValue).map { isa in
      let picture = Self.memory(width * height) { 0xFF20_4060 as UInt32 }
      defer { picture.deallocate() }
      var area = dots_area(
        pixels: picture, width: width, left: 2, top: 3, right: width - 1, bottom: height - 2)
      dots_draw(dots_isa(rawValue: isa), count, &batch, &place, &area)
      return Array(UnsafeBufferPointer(start: picture, count: width * height))
    }
    #expect(pictures.allSatisfy { $0 == pictures[0] })
    #expect(Set(pictures[0]).count > width * height / 2)
  }

  private static func memory<Value>(
    _ count: Int, _ value: () -> Value
  ) -> UnsafeMutablePointer<Value> {
    let values = UnsafeMutablePointer<Value>.allocate(capacity: count)
    for index in 0..<count { (values + index).initialize(to: value()) }
    return values
  }

  /// Coverage of 4x4 pixels by a small disc whose centre is 1.5 and so many sixteenths from the first.
  private struct Mask {
    let coverage: [Int]

    init(radius: Double, phaseX: Int, phaseY: Int) {
      let drawn = max(radius, 0.9)
      let strength = radius * radius / (drawn * drawn)
      let (leadX, leadY) = (1.5 + Double(phaseX) / 16, 1.5 + Double(phaseY) / 16)
      coverage = (0..<16).map { pixel in
        var inside = 0
        for point in 0..<256 {
          let (pointX, pointY) = (
            (Double(point % 16) + 0.5) / 16, (Double(point / 16) + 0.5) / 16
          )
          let dx = Double(pixel % 4) + pointX - leadX
          let dy = Double(pixel / 4) + pointY - leadY
          if dx * dx + dy * dy <= drawn * drawn { inside += 1 }
        }
        return Int((Double(inside) / 256 * strength * 255).rounded())
      }
    }
  }

  /// Dots of one radius in pixels, as the picture should show them.
  private struct Dots {
    let radius: Double
    private var masks: [Int: Mask] = [:]
    var picture: Oracle
    let fit: Fit

    init(radius: Double, fit: Fit) {
      // Radii are steps of a 32nd apart.
      self.radius = (radius * 32).rounded() / 32
      self.fit = fit
      picture = Oracle(width: fit.width, height: fit.height, background: 0xFF30_5070)
    }

    /// `x` and `y` are in pixels.
    mutating func add(_ pixel: UInt32, x: Double, y: Double) {
      let (placeX, placeY) = (
        Int(((x - 1.5) * 16).rounded()), Int(((y - 1.5) * 16).rounded())
      )
      let key = (placeY & 15) * 16 + (placeX & 15)
      let mask = masks[key] ?? Mask(radius: radius, phaseX: placeX & 15, phaseY: placeY & 15)
      masks[key] = mask
      for index in 0..<16 {
        let (column, row) = ((placeX >> 4) + index % 4, (placeY >> 4) + index / 4)
        guard fit.columns.contains(column), fit.rows.contains(row) else { continue }
        picture.lay(pixel, strength: mask.coverage[index], x: column, y: row)
      }
    }
  }

  /// Sixteenths of a pixel, exactly or a little beside, so that no rounding is in doubt.
  private static func position(
    _ range: ClosedRange<Double>, scale: Double, _ random: inout SeededRandom
  ) -> Float {
    let sixteenths = (random.number(in: range) * scale * 16).rounded()
    let beside = [0, 0.3, -0.3][Int(random.next() % 3)]
    return Float((sixteenths + beside) / 16 / scale)
  }

  @Test(arguments: [0.2, 0.5, 0.9, 1.0, 1.25, 1.5], fits)
  func manyDotsAreWhatTheirMasksSay(pixelRadius: Double, fit: Fit) throws {
    try check(pixelRadius: pixelRadius, fit: fit, colors: Self.colors)
  }

  /// Of more colours than there are products of colour and mask.
  @Test(arguments: fits) func dotsOfManyColorsAreTheSame(fit: Fit) throws {
    let colors = (0..<100).map { UInt32($0) &* 0x9E37_79B9 | 0x40 }
    try check(pixelRadius: 1.25, fit: fit, colors: colors)
  }

  private func check(pixelRadius: Double, fit: Fit, colors: [UInt32]) throws {
    var random = SeededRandom(seed: 11)
    let count = 2_100
    var layout = Self.layout(radius: pixelRadius / fit.scale, colors: colors)
    var batch = Orrery_Batch()
    batch.entityCount = UInt32(count)
    batch.fields = [.x, .y]
    var (x, y): ([Float], [Float]) = ([], [])
    var expected = Dots(radius: pixelRadius, fit: fit)
    for index in 0..<count {
      batch.originX.append(Float(index % 3))
      batch.originY.append(Float(index % 2))
      batch.sprites.append(UInt32(index % colors.count))
      x.append(Self.position(-4...44, scale: fit.scale, &random) - Float(index % 3))
      y.append(Self.position(-4...34, scale: fit.scale, &random) - Float(index % 2))
      expected.add(
        Oracle.pixel(colors[index % colors.count]),
        x: Double(x[index] + batch.originX[index]) * fit.scale + Double(fit.left),
        y: Double(y[index] + batch.originY[index]) * fit.scale + Double(fit.top))
    }
    layout.batches = [batch]
    let painter = try ScenePainter(layout: layout, width: fit.width, height: fit.height)
    painter.draw([.x: x, .y: y])
    #expect(expected.picture.difference(painter) == nil, "seed 11")
  }

  /// One origin and one sprite for all, and columns that are missing.
  @Test(arguments: 0..<4) func dotsMayShareWhatTheyHave(missing: Int) throws {
    let fit = Self.fits[1]
    var layout = Self.layout(radius: 0.6, colors: [0xC040_1080])
    var batch = Orrery_Batch()
    batch.entityCount = 1_500
    batch.originX = [7]
    batch.originY = [5]
    batch.sprites = [0]
    layout.batches = [batch]
    let painter = try ScenePainter(layout: layout, width: fit.width, height: fit.height)
    var values: Values = [:]
    if missing & 1 == 0 { values[.x] = (0..<1_500).map { Float($0 % 61) / 2 } }
    if missing & 2 == 0 { values[.y] = (0..<1_500).map { Float($0 % 47) / 2 } }
    painter.draw(values)
    var expected = Dots(radius: 1.2, fit: fit)
    for index in 0..<1_500 {
      expected.add(
        Oracle.pixel(0xC040_1080), x: 10 + 2 * Double(7 + (values[.x]?[index] ?? 0)),
        y: 2 * Double(5 + (values[.y]?[index] ?? 0)))
    }
    #expect(expected.picture.difference(painter) == nil)
  }

  /// The way of single entities ends in the same pixels as the way of whole batches.
  @Test(arguments: [0.2, 0.9, 1.5]) func singleDotsAreTheSame(pixelRadius: Double) throws {
    var random = SeededRandom(seed: 12)
    let fit = Self.fits[1]
    var origins: [(Float, Float)] = []
    for _ in 0..<300 {
      origins.append(
        (
          Self.position(3...37, scale: 2, &random), Self.position(3...27, scale: 2, &random)
        ))
    }
    var layout = Self.layout(radius: pixelRadius / 2)
    layout.batches = [Scenes.batch(origins: origins, fields: [.opacity])]
    let painter = try ScenePainter(layout: layout, width: fit.width, height: fit.height)
    for (opacity, strength): (Float, Int) in [(1, 255), (0.5, 128), (0.2, 51), (4, 255)] {
      painter.draw([.opacity: Array(repeating: opacity, count: 300)])
      var expected = Dots(radius: pixelRadius, fit: fit)
      for (x, y) in origins {
        expected.add(
          Oracle.weakened(0xFFFF_FFFF, strength), x: 10 + 2 * Double(x), y: 2 * Double(y))
      }
      #expect(expected.picture.difference(painter) == nil, "seed 12, opacity \(opacity)")
    }
    // A scale of 1 is no change, and one of a half is half the radius.
    painter.draw([.scale: Array(repeating: 0.5, count: 300)])
    var small = Dots(radius: pixelRadius / 2, fit: fit)
    for (x, y) in origins {
      small.add(0xFFFF_FFFF, x: 10 + 2 * Double(x), y: 2 * Double(y))
    }
    #expect(small.picture.difference(painter) == nil, "seed 12, half as large")
  }

  /// A pixel whose centre is d from the disc's is covered by edge + 1/2 - d, and edge² is radius² - 1/12.
  @Test(arguments: [1.6, 2.0, 3.3, 9.5, 47], fits)
  func largeDiscsAreWhatTheirDistancesSay(pixelRadius: Double, fit: Fit) throws {
    var random = SeededRandom(seed: 13)
    let count = 40
    var layout = Self.layout(radius: pixelRadius / fit.scale)
    var batch = Scenes.batch(
      origins: Array(repeating: (0, 0), count: count), fields: [.x, .y])
    batch.sprites = (0..<count).map { UInt32($0 % 3) }
    layout.batches = [batch]
    let painter = try ScenePainter(layout: layout, width: fit.width, height: fit.height)
    var expected = Oracle(width: fit.width, height: fit.height, background: 0xFF30_5070)
    var (x, y): ([Float], [Float]) = ([], [])
    let outer = (pixelRadius * pixelRadius - 1.0 / 12).squareRoot() + 0.5
    for index in 0..<count {
      // The first stands on a whole pixel.
      x.append(index == 0 ? 20 : Float(random.number(in: -12...52)))
      y.append(index == 0 ? 15 : Float(random.number(in: -12...42)))
      let centerX = Double(x[index]) * fit.scale + Double(fit.left)
      let centerY = Double(y[index]) * fit.scale + Double(fit.top)
      let pixel = Oracle.pixel(Self.colors[index % 3])
      for row in fit.rows {
        for column in fit.columns {
          let (dx, dy) = (Double(column) + 0.5 - centerX, Double(row) + 0.5 - centerY)
          let coverage = min(max(outer - (dx * dx + dy * dy).squareRoot(), 0), 1)
          let strength = Int(coverage * 255 + 0.5)
          if strength > 0 { expected.lay(pixel, strength: strength, x: column, y: row) }
        }
      }
    }
    painter.draw([.x: x, .y: y])
    // A distance may be rounded differently.
    #expect(expected.difference(painter, tolerance: 1) == nil, "seed 13")
  }

  /// A disc beside its sprite's origin, one that is clipped, and two in one sprite are drawn too.
  @Test func discsAreNotAlwaysDots() throws {
    var layout = Scenes.empty(width: 40, height: 30)
    layout.background = 0x0000_00FF
    var clipped = Scenes.sprite([Scenes.disc(radius: 1)])
    clipped.clip = .with { ($0.x, $0.y, $0.width, $0.height) = (0, -1, 2, 2) }
    layout.sprites = [
      Scenes.sprite([Scenes.disc(x: 2, y: -3, radius: 1)]), clipped,
      Scenes.sprite([Scenes.disc(x: -2, radius: 1), Scenes.disc(x: 2, radius: 1)]),
      Scenes.sprite([Scenes.disc(radius: 0)]), Scenes.sprite([Scenes.disc(radius: 1)]),
    ]
    let places: [(Float, Float)] = [(5, 8), (15, 5), (25, 5), (35, 5), (35, 25)]
    layout.batches = places.enumerated().map { index, place in
      Scenes.batch(origins: [place], fields: [.x], sprite: UInt32(index))
    }
    let painter = try ScenePainter(layout: layout, width: 40, height: 30)
    painter.draw(Array(repeating: [.x: [0]], count: 5))
    let (black, dot): (UInt32, UInt32) = (0xFF00_0000, painter.pixel(35, 25))
    #expect(dot & 255 > 180)
    // Its four pixels, and where each of the others shows them.
    for (x, y) in [(6, 4), (7, 4), (6, 5), (7, 5)] { #expect(painter.pixel(x, y) == dot) }
    #expect(painter.pixel(5, 8) == black)
    for (x, y) in [(15, 4), (15, 5)] { #expect(painter.pixel(x, y) == dot) }
    for (x, y) in [(14, 4), (14, 5)] { #expect(painter.pixel(x, y) == black) }
    for (x, y) in [(22, 5), (23, 5), (26, 5), (27, 5)] {
      #expect(painter.pixel(x, y) & 255 > 150)
    }
    #expect(painter.pixel(25, 5) == black)
    #expect(painter.pixel(35, 5) == black)
  }
}
