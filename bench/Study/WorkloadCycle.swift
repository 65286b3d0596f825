// SPDX-License-Identifier: Apache-2.0

import OrreryScene

/// After how many ticks a workload does the same work again.
package struct WorkloadCycle: Equatable {
  /// Ticks of a cycle: rounds are whole cycles.
  package let ticks: Int

  /// Whether every cycle does the same work tick by tick: a cycle that takes longer was interrupted.
  ///
  /// Nobody knows that of a scene with events: what an event costs depends on the one before, as where a row opens
  /// and closes. All its ticks count.
  package let isSame: Bool

  /// Ticks of a cycle that is found, at most.
  private static let ticksMax = 36_000

  /// The cycle of a workload of the study, which is known, or of another scene.
  ///
  /// - Parameters:
  ///   - workload: What is measured.
  ///   - plan: Its plan, with any number of copies.
  package init(_ workload: Workload, _ plan: ScenePlan) {
    var ticks = 1
    var hasEvents = false
    for case .views(let views) in plan.batches {
      hasEvents = hasEvents || !(views.commands.isEmpty && views.tracks.isEmpty)
      let periods = views.commands.compactMap(\.every) + views.tracks.map(\.course.duration)
      for period in Set(periods) where period > 0 {
        let count = period * plan.rate.ticksPerSecond
        // One that is no whole number of ticks falls at other ticks each time: no cycle holds it.
        guard count < Double(Self.ticksMax), abs(count - count.rounded()) < 1e-6 * count,
          ticks <= Self.ticksMax
        else { continue }
        ticks = Self.commonMultiple(ticks, max(Int(count.rounded()), 1))
      }
    }
    let isKnown = Workload.named(workload.name) != nil
    isSame = isKnown || !hasEvents
    self.ticks = isSame || ticks == 1 || ticks > Self.ticksMax ? workload.cycleTicks : ticks
  }

  /// The time of a part of all cycles: that of the quarter that was least interrupted, or the mean of all.
  ///
  /// - Parameter cycles: Its time in each cycle; at least one.
  /// - Returns: In the same unit.
  package func time(of cycles: [Double]) -> Double {
    isSame
      ? SampleSummary.quantile(cycles.sorted(), 0.25) : cycles.reduce(0, +) / Double(cycles.count)
  }

  private static func commonMultiple(_ one: Int, _ other: Int) -> Int {
    one / commonDivisor(one, other) * other
  }

  /// The greatest common divisor.
  static func commonDivisor(_ one: Int, _ other: Int) -> Int {
    other == 0 ? one : commonDivisor(other, one % other)
  }
}
