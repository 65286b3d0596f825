// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import OrrerySim

/// A scene in two worlds: one is asked as `orrery sample` asks, for any tick by itself; the other is stepped
/// from tick to tick, as a run is.
struct Paths {
  let rate: TickRate
  private let sampled: World
  private let stepped: World

  init(_ batches: [BatchPlan], rate: TickRate, threads: Int = 1) throws {
    let plan = ScenePlan(
      name: "differential", seed: 1, rate: rate, batches: batches, layout: Orrery_SceneLayout())
    self.rate = rate
    sampled = try World(plan, instructionSet: .baseline, threadCount: threads)
    stepped = try World(plan, instructionSet: .best, threadCount: threads)
  }

  /// Seconds of some ticks.
  func seconds(_ ticks: some Sequence<UInt64>) -> [Double] { ticks.map { rate.seconds(tick: $0) } }

  /// Steps to each tick, and compares some of them with the ticks by themselves, in random order.
  ///
  /// - Parameters:
  ///   - ticks: The ticks, in rising order.
  ///   - fields: What to read: field and entity.
  ///   - random: Chooses the ticks.
  ///   - comparison: Gets the comparisons, which allow no difference.
  /// - Returns: The values of each of the fields at each tick.
  func values(
    at ticks: [UInt64], of fields: [(ViewProperty, Int)], _ random: inout RandomMotion,
    _ comparison: inout Comparison
  ) -> [[Double]] {
    var values = fields.map { _ in [Double](repeating: 0, count: ticks.count) }
    for (index, tick) in ticks.enumerated() {
      let frame = Values(of: stepped, tick: tick)
      for (row, field) in fields.enumerated() {
        values[row][index] = Double(frame.value(field.0, entity: field.1))
      }
    }
    for _ in 0..<12 {
      let index = random.count(0...ticks.count - 1)
      let frame = Values(of: sampled, tick: ticks[index])
      for (row, field) in fields.enumerated() {
        comparison.add(
          Double(frame.value(field.0, entity: field.1)), values[row][index], within: 0,
          "\(field.0) of entity \(field.1), tick \(ticks[index]) by itself and stepped")
      }
    }
    return values
  }
}
