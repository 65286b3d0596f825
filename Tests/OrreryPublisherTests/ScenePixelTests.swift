// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryRender
import OrreryScene
import OrrerySim
import Testing

/// Goal: what is seen of built-in scenes is what they are meant to show, to the pixel.
///
/// Method: scenes are planned with the installed fonts, evaluated at a time and drawn; single pixels are looked at.
@Suite struct ScenePixelTests {
  /// A built-in scene, ready to be drawn at any time.
  private struct Stage {
    let painter: ScenePainter
    private let world: World
    private let rate: Double

    init(_ name: String) throws {
      let plan = try ScenePlan(SceneSource.load(nameOrPath: name), text: InstalledFonts())
      world = try World(plan, instructionSet: .best, threadCount: 1)
      var layout = plan.layout
      for (index, batch) in world.batches.enumerated() {
        layout.batches[index].fields = batch.fields.map { Orrery_Field($0) }
      }
      rate = Double(layout.rateNumerator) / Double(layout.rateDenominator)
      painter = try ScenePainter(
        layout: layout, width: Int(layout.width), height: Int(layout.height))
    }

    func draw(seconds: Double) {
      let values = Values(of: world, tick: UInt64((seconds * rate).rounded()))
      painter.draw { batch, field in values.column(batch: batch, field: UInt32(field.rawValue)) }
    }

    /// Red, green and blue of a pixel.
    func pixel(_ x: Int, _ y: Int) -> SIMD3<Int> {
      let bytes = painter.pixels
      let start = y * painter.stride + x * 4
      return SIMD3(Int(bytes[start + 2]), Int(bytes[start + 1]), Int(bytes[start]))
    }
  }

  /// At the edge of a glyph, a pixel mixes the picture in the glyph with the background, and nothing else.
  ///
  /// Two copies cover the text below, which is white, so white is seen nowhere. The picture has one colour for each
  /// column of pixels: all of a column's colours lie on the line from the background to that one.
  @Test(arguments: [0.0, 3.5, 7])
  func textBelowDoesNotShowAroundThePicture(seconds: Double) throws {
    let stage = try Stage("flow-text-as-written")
    stage.draw(seconds: seconds)
    let background = stage.pixel(2, 2)
    func square(_ color: SIMD3<Int>) -> Int { (color &* color).wrappedSum() }
    var edgeCount = 0
    for x in 100..<1_180 {
      let column = (470..<620).map { stage.pixel(x, $0) &- background }
      guard let full = column.max(by: { square($0) < square($1) }), square(full) > 3_600
      else { continue }
      for (row, pixel) in column.enumerated() {
        let share = Double((pixel &* full).wrappedSum()) / Double(square(full))
        if share > 0.1, share < 0.9 { edgeCount += 1 }
        let off = SIMD3<Double>(pixel) - SIMD3<Double>(full) * share
        let isMixed = abs(off.x) < 5 && abs(off.y) < 5 && abs(off.z) < 5
        try #require(isMixed, "\(pixel) at (\(x), \(470 + row)), the picture has \(full)")
      }
    }
    #expect(edgeCount > 1_000)
  }

  /// What goes wrong in each half is written below it, where no moon and no row ever comes.
  @Test func nothingMovesOverTheCaptionsOfThePlanets() throws {
    let stage = try Stage("planets-as-written")
    func captions() -> [SIMD3<Int>] {
      (615..<685).flatMap { y in (0..<1_280).map { stage.pixel($0, y) } }
    }
    stage.draw(seconds: 0)
    let first = captions()
    let background = stage.pixel(2, 2)
    for half in [0..<640, 640..<1_280] {
      let inked = first.indices.filter { half.contains($0 % 1_280) && first[$0] != background }
      #expect(inked.count > 500)
    }
    for seconds in [1.1, 1.2, 1.35, 2, 3.9, 7, 10.9, 11.1, 11.2, 21.2, 24] {
      stage.draw(seconds: seconds)
      #expect(captions() == first, "at \(seconds) s")
    }
  }
}
