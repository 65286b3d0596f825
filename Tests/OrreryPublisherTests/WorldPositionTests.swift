// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryRender
import OrreryScene
import OrrerySim
import Testing

/// Goal: the position in the picture that `orrery sample --world` prints is where the renderer draws.
///
/// Method: in the scene `planets`, let one disc be all that can be seen; compute the same tick for the
/// renderer and for the composer; the middle of its pixels is the composed position.
@Suite struct WorldPositionTests {
  /// A plan in which only one entity has anything to draw, on black.
  private static func plan(showing number: Int) throws -> ScenePlan {
    var plan = try ScenePlan(try SceneSource.load(nameOrPath: "planets"), text: InstalledFonts())
    let nothing = UInt32(plan.layout.sprites.count)
    plan.layout.sprites.append(Orrery_Sprite())
    plan.layout.background = 0x0000_00FF
    plan.layout.fixtures = []
    for index in plan.layout.batches.indices {
      let batch = plan.layout.batches[index]
      let entities = Int(batch.firstEntity)..<Int(batch.firstEntity + batch.entityCount)
      plan.layout.batches[index].sprites = entities.map { entity in
        let own = batch.sprites.count == 1 ? 0 : entity - entities.lowerBound
        return entity == number ? batch.sprites[own] : nothing
      }
    }
    return plan
  }

  /// Ticks before the row opens, while its panel comes in, while it is open, and while it goes.
  @Test(arguments: [
    ("Mars.moon[0]", [50, 72, 75, 90, 150, 239, 244]), ("Jupiter.moon[3]", [70, 254, 300, 470]),
    ("Saturn.planet", [470, 494, 600, 724]),
  ])
  func discIsDrawnWhereItIsSaidToBe(name: String, ticks: [UInt64]) throws {
    let names = EntityNames(
      try ScenePlan(try SceneSource.load(nameOrPath: "planets"), text: InstalledFonts()).layout)
    let number = try #require(names.entities(named: name).first).lowerBound
    let plan = try Self.plan(showing: number)
    let world = try World(plan, instructionSet: .baseline, threadCount: 1)
    let composer = try SceneComposer(plan.layout)
    let painter = try ScenePainter(layout: plan.layout, width: 1280, height: 720)
    var drawnCount = 0
    for tick in ticks {
      let values = Values(of: world, tick: tick)
      let composed = try #require(
        composer.compose(number) { values.column(batch: $0, field: UInt32($1.rawValue)) })
      painter.draw { values.column(batch: $0, field: UInt32($1.rawValue)) }
      guard let middle = Self.middle(painter) else {
        #expect(composed.opacity < 0.02, "tick \(tick): \(composed)")
        continue
      }
      drawnCount += 1
      #expect(abs(composed.x - middle.x) < 0.2, "tick \(tick): \(composed), drawn \(middle)")
      #expect(abs(composed.y - middle.y) < 0.2, "tick \(tick): \(composed), drawn \(middle)")
    }
    #expect(drawnCount > 0)
  }

  /// The middle of what is bright; nil if nothing is, or too little to tell.
  private static func middle(_ painter: ScenePainter) -> (x: Double, y: Double)? {
    var (x, y, sum) = (0.0, 0.0, 0.0)
    for row in 0..<painter.height {
      for column in 0..<painter.width {
        let light = Double(painter.pixels[row * painter.stride + column * 4 + 1])
        if light == 0 { continue }
        x += light * (Double(column) + 0.5)
        y += light * (Double(row) + 0.5)
        sum += light
      }
    }
    return sum < 500 ? nil : (x / sum, y / sum)
  }
}
