// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryMessages
import OrreryRender
import Testing

/// Goal: where an entity is said to be is where it is drawn, whatever its parents do.
///
/// Method: draw one white disc on black, and compare the middle of what is bright with the composed
/// position; compare the other values with products and sums worked out by hand.
@Suite struct SceneComposerTests {
  /// A child with a parent and a grandparent; only the child has anything to draw.
  private static func layout() -> Orrery_SceneLayout {
    var layout = Scenes.empty(width: 100, height: 80)
    layout.background = 0x0000_00FF
    layout.sprites = [Scenes.sprite([Scenes.disc(radius: 4)]), Scenes.sprite([])]
    let fields: [Orrery_Field] = [.x, .y, .opacity, .scale, .rotation, .blur]
    var elders = Scenes.batch(origins: [(45, 38), (50, 40)], fields: fields, sprite: 1)
    elders.parents = [2, 0]
    var child = Scenes.batch(origins: [(52, 36)], fields: fields)
    child.parents = [1]
    layout.batches = [elders, child]
    Scenes.number(&layout)
    return layout
  }

  private static func compose(
    _ layout: Orrery_SceneLayout, _ number: Int, _ values: [Values]
  ) throws -> ComposedValues? {
    let composer = try SceneComposer(layout)
    var copies: [UnsafeMutableBufferPointer<Float>] = []
    defer { for copy in copies { copy.deallocate() } }
    return composer.compose(number) { batch, field in
      guard batch < values.count, let column = values[batch][field] else { return nil }
      let copy = UnsafeMutableBufferPointer<Float>.allocate(capacity: column.count)
      _ = copy.initialize(from: column)
      copies.append(copy)
      return UnsafeBufferPointer(copy)
    }
  }

  /// The middle of what is bright in a picture of two pixels a point, in points.
  private static func middle(_ painter: ScenePainter) -> (x: Double, y: Double, sum: Double) {
    var (x, y, sum) = (0.0, 0.0, 0.0)
    for row in 0..<painter.height {
      for column in 0..<painter.width {
        let light = Double(painter.pixel(column, row) & 255)
        x += light * (Double(column) + 0.5) / 2
        y += light * (Double(row) + 0.5) / 2
        sum += light
      }
    }
    return (x / sum, y / sum, sum)
  }

  @Test(
    arguments: [
      [.x: [0, 0], .y: [0, 0]], [.x: [7, -3], .y: [2, 5.5]],
      [.scale: [0.5, 1.5], .x: [0, 4]], [.rotation: [0.5, -1], .y: [3, 0]],
      [.scale: [1.25, -0.8], .rotation: [2, 0.3], .x: [1, 2], .y: [3, -4]],
      [.opacity: [0.5, 0.75], .x: [-10, 0]],
    ] as [Values])
  func positionIsWhereTheDiscIsDrawn(elders: Values) throws {
    let child: Values = [.x: [3.25], .y: [-1.5], .scale: [0.9], .rotation: [1]]
    let layout = Self.layout()
    let painter = try ScenePainter(layout: layout, width: 200, height: 160)
    painter.draw([elders, child])
    let drawn = Self.middle(painter)
    try #require(drawn.sum > 1_000)
    let found = try #require(try Self.compose(layout, 2, [elders, child]))
    #expect(abs(found.x - drawn.x) < 0.1, "\(found) \(drawn)")
    #expect(abs(found.y - drawn.y) < 0.1, "\(found) \(drawn)")
  }

  @Test func otherValuesAreThoseOfAllAncestors() throws {
    let elders: Values = [
      .opacity: [0.5, 2], .scale: [2, -0.5], .rotation: [1, 10], .blur: [1, -3],
    ]
    let child: Values = [.opacity: [0.5], .scale: [3], .rotation: [-0.25], .blur: [0.5]]
    let found = try #require(try Self.compose(Self.layout(), 2, [elders, child]))
    #expect(found.opacity == 0.25)
    #expect(found.scale == -3)
    #expect(found.rotation == 10.75)
    #expect(found.blur == 1.5)
  }

  @Test func withoutParentsItIsOriginPlusTranslation() throws {
    let elders: Values = [.x: [0, 1.5], .y: [0, -2], .opacity: [1, -1]]
    let found = try #require(try Self.compose(Self.layout(), 1, [elders]))
    #expect(
      found == ComposedValues(x: 51.5, y: 38, opacity: 0, scale: 1, rotation: 0, blur: 0))
  }

  /// Where a hidden thing would be is known, too.
  @Test func invisibleEntityHasAPosition() throws {
    let child: Values = [.x: [1]]
    for opacity in [Float(0), -1] {
      let elders: Values = [.x: [5, 10], .opacity: [opacity, 1]]
      let found = try #require(try Self.compose(Self.layout(), 2, [elders, child]))
      #expect(found.x == 68)
      #expect(found.opacity == 0)
    }
    // A parent without a size gathers its children at its origin.
    let nothing: Values = [.x: [5, 10], .scale: [0, 1]]
    let found = try #require(try Self.compose(Self.layout(), 2, [nothing, child]))
    #expect(found.x == 60)
    #expect(found.y == 38)
  }

  @Test func unknownEntityHasNoValues() throws {
    #expect(try Self.compose(Self.layout(), 3, []) == nil)
    #expect(try Self.compose(Self.layout(), -1, []) == nil)
    // A column that is too short for the parent.
    #expect(try Self.compose(Self.layout(), 2, [[.x: []]]) == nil)
  }

  @Test func faultyLayoutIsRefused() {
    var layout = Self.layout()
    layout.batches[1].parents = [9]
    #expect(throws: RenderError.parentMissing(batch: 1, entity: 0, parent: 8)) {
      _ = try SceneComposer(layout)
    }
  }
}
