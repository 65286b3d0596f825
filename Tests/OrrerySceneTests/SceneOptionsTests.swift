// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: a scene's layout has all that is needed to plan the scene again, with the same values to the last bit.
///
/// Method: plan scenes with options, plan them again from what the layout says, and compare.
@Suite struct SceneOptionsTests {
  /// Plans a scene as its layout says.
  private static func again(_ layout: Orrery_SceneLayout) throws -> ScenePlan {
    let file = try SceneFile.decode(layout.source, file: layout.scene + ".toml")
    let options = ScenePlanOptions(
      rate: TickRate("\(layout.rateNumerator)/\(layout.rateDenominator)"),
      entities: layout.options.entities == 0 ? nil : Int(layout.options.entities),
      seed: layout.seed, locale: layout.locale)
    var plan = try ScenePlan(file, options: options, text: FixedWidths())
    plan.layout.source = layout.source
    return plan
  }

  @Test func optionsAreThoseOfThePlan() throws {
    let options = ScenePlanOptions(rate: TickRate("30"), entities: 501, seed: 9)
    var plan = try ScenePlan(
      SceneSource.load(nameOrPath: "stress"), options: options, text: FixedWidths())
    #expect(plan.layout.options.entities == 501 && plan.layout.options.builtIn)
    #expect(plan.layout.options.columns.isEmpty && plan.layout.options.imageNames.isEmpty)
    plan.show([.rotation, .x])
    plan.show([.y])
    #expect(plan.layout.options.columns == [.x, .y, .rotation])
    plan.layout.source = try #require(BuiltInScenes.text("flags"))
    let own = try ScenePlan(
      SceneFile.decode(plan.layout.source, file: "a.toml"), text: FixedWidths())
    #expect(own.layout.options.entities == 0 && !own.layout.options.builtIn)
  }

  @Test func sceneBuiltInSwiftHasAText() throws {
    let scene = Scene("s", seed: 77) {
      Field.marquees(count: 300, speed: 10...120, period: 40...400)
      Accordion(AccordionRow("Mars", moons: 3))
    }
    let options = ScenePlanOptions(entities: 200, seed: 5)
    let plan = try ScenePlan(scene, options: options, text: FixedWidths())
    #expect(plan.layout.source.hasSuffix("\n"))
    let again = try Self.again(plan.layout)
    #expect(again.layout.entityCount == 200)
    #expect(try again.layout.serializedBytes() == (try plan.layout.serializedBytes() as [UInt8]))
  }
}
