// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryRender
import Testing

/// An endless row of flags and names has no seam, no gap and no jitter, wherever it stands.
///
/// Method: pictures of the same row at offsets that must look the same; the same row drawn directly
/// by Cairo as a fixture, at the exact place; both at scales where a period is no whole number of
/// pixels.
@Suite struct RowTests {
  static let sizes = [(390, 60), (1280, 197), (613, 94), (97, 15)]

  private static func layout(_ sprite: Orrery_Sprite) -> Orrery_SceneLayout {
    var layout = Scenes.empty(width: 390, height: 60)
    layout.sprites = [sprite]
    layout.batches = [Scenes.batch(origins: [(0, 15)], fields: [.x])]
    return layout
  }

  @Test(arguments: sizes)
  func pictureIsTheSameOnePeriodFurther(width: Int, height: Int) throws {
    let row = try Scenes.currencyRow()
    let period = Float(row.tilePeriod)
    let painter = try ScenePainter(layout: Self.layout(row), width: width, height: height)
    for offset: Float in [0, -0.125, -1, -33.375, -162, -200.5, -period / 2, -period + 0.25] {
      painter.draw([.x: [offset]])
      let picture = painter.picture
      for copies: Float in [-3, -1, 1, 2] {
        painter.draw([.x: [offset + copies * period]])
        #expect(painter.picture == picture, "offset \(offset), \(copies) periods further")
      }
    }
  }

  @Test(arguments: sizes)
  func rowLooksAsDrawnDirectly(width: Int, height: Int) throws {
    let row = try Scenes.currencyRow()
    let painter = try ScenePainter(layout: Self.layout(row), width: width, height: height)
    for offset in [0, -0.3, -17.77, -161.9, -row.tilePeriod + 0.4] {
      painter.draw([.x: [Float(offset)]])
      var direct = Self.layout(row)
      direct.batches = []
      direct.fixtures = [Orrery_Fixture.with { ($0.x, $0.y) = (offset, 15) }]
      let reference = try ScenePainter(layout: direct, width: width, height: height)
      let difference = Difference(painter.picture, reference.picture)
      #expect(difference.mean < 2, "offset \(offset)")
      // A black edge on white that is an eighth of a pixel off, as y may be, differs by 32.
      #expect(difference.largest < 56, "offset \(offset)")
    }
  }

  @Test(arguments: sizes)
  func boxAsWideAsThePeriodHasNoGap(width: Int, height: Int) throws {
    for period in [438.0, 50.3, 7.7, 1.9] {
      let box = Scenes.box(width: period, height: 30, color: 0xFFFF_FFFF)
      let row = Scenes.sprite([box], tilePeriod: period)
      let painter = try ScenePainter(layout: Self.layout(row), width: width, height: height)
      for offset in stride(from: Float(0), through: -9, by: -0.37) {
        painter.draw([.x: [offset]])
        // Where the picture is wider than the scene, there are bars beside it.
        let gaps = (3..<width - 3).filter { painter.pixel($0, height / 2) != 0xFFFF_FFFF }
        #expect(gaps.isEmpty, "period \(period), offset \(offset)")
      }
    }
  }

  @Test func contentThatHangsOverThePeriodIsInTheNextCopy() throws {
    // The box begins 10 before the period ends and reaches 10 into the next copy.
    let row = Scenes.sprite([Scenes.box(x: 90, width: 20, height: 30)], tilePeriod: 100)
    let painter = try ScenePainter(layout: Self.layout(row), width: 390, height: 60)
    painter.draw([.x: [0]])
    let white = (0..<390).filter { painter.pixel($0, 30) == 0xFFFF_FFFF }
    #expect(white == (0..<390).filter { ($0 + 10) % 100 < 20 })
  }

  @Test func rowMovesEvenly() throws {
    let row = Scenes.sprite([Scenes.box(x: 0, width: 10, height: 30)], tilePeriod: 438)
    let painter = try ScenePainter(layout: Self.layout(row), width: 390, height: 60)
    for step in 0..<200 {
      let offset = 40 + Double(step) * 0.0173
      painter.draw([.x: [Float(offset)]])
      #expect(abs(try centerOfMass(painter).x - (offset + 5)) < 0.02, "offset \(offset)")
    }
  }

  @Test func clipHidesWhatIsOutside() throws {
    var row = Scenes.sprite([Scenes.box(width: 100, height: 30)], tilePeriod: 100)
    row.clip.x = 20
    row.clip.y = 5
    row.clip.width = 200
    row.clip.height = 10
    var layout = Self.layout(row)
    layout.batches[0].originX = [30]
    let painter = try ScenePainter(layout: layout, width: 780, height: 120)
    for offset: Float in [0, -37.3, 55] {
      painter.draw([.x: [offset]])
      let wrong = (0..<780 * 120).first { index in
        let (x, y) = (index % 780, index / 780)
        let inside = (100..<500).contains(x) && (40..<60).contains(y)
        return inside != (painter.pixel(x, y) != 0xFF10_1418)
      }
      #expect(wrong == nil, "offset \(offset): the first wrong pixel, row by row of 780")
    }
  }

  /// A clip's sides are the nearest ones between pixels; it is not widened to whatever it touches.
  @Test func clipEndsAtTheNearestPixels() throws {
    let box = Scenes.box(width: 100, height: 100)
    let repeated = Scenes.sprite([box], tilePeriod: 100)
    for var sprite in [Scenes.sprite([box]), repeated] {
      sprite.clip = .with { ($0.x, $0.y, $0.width, $0.height) = (20.3, 4.6, 30, 20) }
      var layout = Scenes.empty(width: 120, height: 60)
      layout.sprites = [sprite]
      layout.batches = [Scenes.batch(origins: [(0, 0)], fields: [.x])]
      let painter = try ScenePainter(layout: layout, width: 120, height: 60)
      painter.draw([.x: [0]])
      let columns = (0..<120).filter { painter.pixel($0, 15) == 0xFFFF_FFFF }
      let rows = (0..<60).filter { painter.pixel(30, $0) == 0xFFFF_FFFF }
      #expect(columns == Array(20..<50))
      #expect(rows == Array(5..<25))
    }
  }

  /// Half of white over the background, wherever the row stands and whatever it is drawn with.
  @Test(arguments: [Float(0), 0.5, 33.25, -17.77])
  func rowIsAsTransparentAsItsOpacity(offset: Float) throws {
    let row = Scenes.sprite([Scenes.box(width: 100, height: 30)], tilePeriod: 100)
    var layout = Self.layout(row)
    layout.batches[0].fields = [.x, .opacity]
    let painter = try ScenePainter(layout: layout, width: 390, height: 60)
    for opacity: Float in [0, 0.25, 0.5, 1] {
      painter.draw([.x: [offset], .opacity: [opacity]])
      for x in [5, 200, 384] {
        let pixel = painter.pixel(x, 30)
        for (shift, background) in [(UInt32(0), 0x18), (8, 0x14), (16, 0x10)] as [(UInt32, Float)] {
          let expected = background + (255 - background) * opacity
          let found = Float(pixel >> shift & 255)
          #expect(abs(found - expected) <= 1.5, "pixel \(x), opacity \(opacity), bit \(shift)")
        }
      }
    }
  }
}
