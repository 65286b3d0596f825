// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryRender
import Testing

/// Goal: numbers at the ends of what a layout may hold are drawn as what they are, and disturb nothing else.
///
/// Method: a small layout with one thing changed; a few pixels of it, and a bystander that every frame
/// has to show, whatever its neighbours' values are.
@Suite struct ExtremeLayoutTests {
  private static let background: UInt32 = 0xFF10_1418
  private static let white: UInt32 = 0xFFFF_FFFF
  private static let bystander: UInt32 = 0xFF12_AB34

  /// A change, and the pixels of a row at (2, 2), of a disc at (20, 10), of a point between copies of the
  /// row at (8, 2), and of the bystander; all white but the bystander, unless they say otherwise.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var row = white
    var disc = white
    var between = background
    var stranger = bystander
    let apply: @Sendable (inout Orrery_SceneLayout) -> Void
  }

  /// A disc that moves, a row that stands from (0, 0) on, and one that moves.
  private static func layout() -> Orrery_SceneLayout {
    var layout = Scenes.empty(width: 60, height: 40)
    layout.sprites = [
      Scenes.sprite([Scenes.disc(radius: 2)]),
      Scenes.sprite([Scenes.box(width: 5, height: 5)], tilePeriod: 20),
      Scenes.sprite([Scenes.box(width: 4, height: 4, color: 0x12AB_34FF)]),
    ]
    layout.sprites[1].clip = .with { ($0.width, $0.height) = (20, 20) }
    layout.fixtures = [Orrery_Fixture.with { $0.sprite = 1 }]
    layout.batches = [
      Scenes.batch(origins: [(10, 10), (20, 10)], fields: [.x]),
      Scenes.batch(origins: [(10, 20)], fields: [.x], sprite: 1),
    ]
    return layout
  }

  static let changes = [
    Change(testDescription: "nothing") { _ in },
    Change(testDescription: "a tiny period", between: white) { $0.sprites[1].tilePeriod = 0.01 },
    Change(testDescription: "a huge period") { $0.sprites[1].tilePeriod = 1e9 },
    Change(testDescription: "a far clip", row: background) { $0.sprites[1].clip.x = -1e308 },
    Change(testDescription: "a wide clip") { $0.sprites[1].clip.width = 1e308 },
    Change(testDescription: "a wide box", between: white) {
      $0.sprites[1].elements[0].box.width = 60_000
    },
    Change(testDescription: "a far fixture", row: background) { $0.fixtures[0].x = 1e300 },
    Change(testDescription: "a far origin", disc: background) { $0.batches[0].originX = [3e38] },
    Change(testDescription: "no fields") { $0.batches[0].fields = [] },
    Change(testDescription: "no elements", disc: background) { $0.sprites[0].elements = [] },
    Change(
      testDescription: "a huge scene", row: background, disc: background, stranger: background
    ) { ($0.width, $0.height) = (1e7, 1e7) },
    Change(
      testDescription: "a tiny scene", row: background, between: background, stranger: background
    ) { ($0.width, $0.height) = (0.001, 0.001) },
    Change(testDescription: "no background", between: 0) { $0.background = 0 },
    Change(testDescription: "a small period downward") { $0.sprites[1].tilePeriodY = 0.1 },
    Change(testDescription: "a huge period downward") { $0.sprites[1].tilePeriodY = 1e9 },
    Change(testDescription: "a huge mask", row: background) {
      $0.sprites[1].mask = Scenes.mask("x", font: "Noto Sans 9000")
    },
    Change(testDescription: "a tiny mask", row: background) {
      $0.sprites[1].mask = Scenes.mask("x", width: 1e-300)
    },
    Change(testDescription: "a flat gradient", row: background) {
      $0.sprites[1].elements = [Scenes.gradient(width: 60_000, height: 1e-300, colors: [1, 2])]
    },
  ]

  @Test(arguments: changes) func extremeButLegalLayoutsAreDrawn(change: Change) throws {
    var layout = Self.layout()
    change.apply(&layout)
    layout.batches.append(Scenes.batch(origins: [(52, 32)], fields: [], sprite: 2))
    let painter = try ScenePainter(layout: layout, width: 60, height: 40)
    painter.draw([.x: [0, 0]])
    #expect(painter.pixel(2, 2) == change.row)
    #expect(painter.pixel(20, 10) == change.disc)
    #expect(painter.pixel(8, 2) == change.between)
    #expect(painter.pixel(53, 33) == change.stranger)
    let frames: [Values] = [
      [.x: [-3e38, 0], .scale: [1e-30, 1], .rotation: [1e30, 0]],
      [.scale: [0.01, 1e5], .opacity: [0.5, 0]],
      [.x: [3, 0.1], .blur: [3e38, 0.7], .rotation: [0, 1]],
    ]
    for (index, values) in frames.enumerated() {
      painter.draw([values, values])
      // The bystander is drawn after all others.
      #expect(painter.pixel(53, 33) == change.stranger, "frame \(index)")
    }
  }

  /// Children stand where their parents' places lead them, and nowhere while those are beyond the picture.
  @Test func childrenOfExtremeParentsAreDrawn() throws {
    let green = Scenes.box(width: 20, height: 20, color: 0x00FF_00FF)
    var row = Scenes.sprite([green], tilePeriod: 20)
    row.clip.x = 1e9
    row.clip.width = 1e9
    row.clip.height = 1e308
    var masked = Scenes.sprite([green], tilePeriod: 20)
    masked.tilePeriodY = 0.3
    masked.mask = Scenes.mask("Orrery")
    var layout = Scenes.empty(width: 60, height: 40)
    layout.sprites = [
      row, masked, Scenes.sprite([Scenes.disc(radius: 2)]), Scenes.sprite([]),
      Scenes.sprite([Scenes.box(width: 4, height: 4, color: 0x12AB_34FF)]),
    ]
    let origins: [(Float, Float)] = [(0, 0), (10, 10), (3e38, 0), (-1e9, 20)]
    for sprite in 0..<3 {
      layout.batches.append(Scenes.batch(origins: origins, fields: [.x], sprite: UInt32(sprite)))
      layout.batches[sprite].parents = [13]
    }
    layout.batches.append(Scenes.batch(origins: [(3e38, 5)], fields: [.x], sprite: 3))
    layout.batches[3].parents = [14]
    layout.batches.append(Scenes.batch(origins: [(5, 5)], fields: [.x], sprite: 3))
    layout.batches.append(Scenes.batch(origins: [(52, 32)], fields: [], sprite: 4))
    Scenes.number(&layout)
    let painter = try ScenePainter(layout: layout, width: 60, height: 40)
    let extremes: [Float] = [0, 1, -1, 1e-30, 1e30, 3e38, -3e38, Float.leastNonzeroMagnitude, .nan]
    for (index, value) in extremes.enumerated() {
      let other = extremes[(index + 3) % extremes.count]
      for field: Orrery_Field in [.x, .scale, .rotation, .blur] {
        let frames: [[Values]] = [
          [[:], [:], [:], [field: [value]], [field: [other]]],
          [[:], [:], [:], [field: [other], .opacity: [0.5]], [.scale: [value]]],
        ]
        for (number, frame) in frames.enumerated() {
          painter.draw(frame)
          let name = "\(field) \(value) and \(other), frame \(number)"
          #expect(painter.pixel(53, 33) == Self.bystander, "\(name)")
          // The second disc stands at (10, 10) and moves with both parents.
          if field != .x || number != 0 { continue }
          let isNear = abs(value + other) <= 1
          #expect((painter.pixel(10, 10) == Self.white) == isNear, "\(name)")
        }
      }
    }
  }
}
