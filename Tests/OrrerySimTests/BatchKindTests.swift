// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import Testing

/// Goal: what a kind says of its batches before one is built is true of them.
///
/// Method: a batch of each kind with one entity; views show every property.
@Suite struct BatchKindTests {
  private let batches: [BatchPlan]

  init() {
    let start = Date(timeIntervalSinceReferenceDate: 0)
    var views = ViewScript([1]).plan
    views.shownProperties = Set(ViewProperty.allCases)
    batches = [
      .marquee(Specs([MarqueeSpec(period: 9, speed: 1, direction: .left, phase: 0)])),
      .timer(Specs([TimerSpec(start: 0, step: 1, resetAt: 9, interval: 1)])),
      .orbit(Specs([OrbitSpec(radius: 9, period: 1, phase: 0)])),
      .tween(Specs([TweenSpec(from: 0, to: 9, period: 1)]), .x),
      .spring(Specs([SpringSpec(from: 0, to: 9, spring: .bouncy, period: 2, phase: 0)]), .y),
      .flow(Specs([FlowSpec(period: 9, speed: 1, direction: .left, start: 0)]), .x),
      .clock(
        Specs([
          ClockSpec(
            schedule: .periodic(from: 0, by: 1), start: start, zero: start, unit: 1, base: 10,
            digitHeight: 1)
        ])),
      .views(views),
    ]
  }

  private func world() throws -> World {
    let plan = ScenePlan(
      name: "test", seed: 1, rate: 60, batches: batches, layout: Orrery_SceneLayout())
    return try World(plan, instructionSet: .baseline, threadCount: 1, output: .fixed16)
  }

  @Test func typeIsThatOfTheBatchWithItsFields() throws {
    for (plan, batch) in zip(batches, try world().batches) {
      let kind = BatchKind(plan)
      #expect(ObjectIdentifier(kind.type) == ObjectIdentifier(type(of: batch)), "\(plan.kind)")
      #expect(batch.fields.count == kind.type.fieldCountMax, "\(plan.kind)")
      #expect(batch.count == plan.count, "\(plan.kind)")
    }
  }

  @Test func valuesOfBoundedBatchesHave16Bits() throws {
    for column in try world().columns {
      let plan = batches[column.batch]
      let isBounded = BatchKind(plan).type is any BoundedBatch.Type
      #expect(column.format.valueBytes == (isBounded ? 2 : 4), "\(plan.kind)")
    }
  }

  @Test func kindsHaveTheNamesOfTheLayout() {
    #expect(
      batches.map(\.kind) == [
        "marquee", "timer", "orbit", "tween", "spring", "flow", "clock", "view",
      ])
  }
}
