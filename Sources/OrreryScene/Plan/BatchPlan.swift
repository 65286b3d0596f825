// SPDX-License-Identifier: Apache-2.0

import OrrerySceneBuilder

/// All entities of one batch, with their specs.
package enum BatchPlan: Sendable {
  case marquee(Specs<MarqueeSpec>)
  case timer(Specs<TimerSpec>)
  case orbit(Specs<OrbitSpec>)
  /// Tweens of one property.
  case tween(Specs<TweenSpec>, ViewProperty)
  /// Springs of one property.
  case spring(Specs<SpringSpec>, ViewProperty)
  /// Flows in x (to the left or right) or in y (up or down).
  case flow(Specs<FlowSpec>, ViewProperty)
  case clock(Specs<ClockSpec>)
  case views(ViewsPlan)

  /// The kind's name, as in `Batch.kind` of a scene layout.
  package var kind: String { summary.kind }

  /// Entities in the batch; never 0.
  package var count: Int { summary.count }

  /// Index of the first of them in the scene's batch, a multiple of a block: not 0 in a shard.
  package var first: Int { summary.first }

  private var summary: (kind: String, count: Int, first: Int) {
    switch self {
    case .marquee(let specs): ("marquee", specs.count, specs.first)
    case .timer(let specs): ("timer", specs.count, specs.first)
    case .orbit(let specs): ("orbit", specs.count, specs.first)
    case .tween(let specs, _): ("tween", specs.count, specs.first)
    case .spring(let specs, _): ("spring", specs.count, specs.first)
    case .flow(let specs, _): ("flow", specs.count, specs.first)
    case .clock(let specs): ("clock", specs.count, specs.first)
    case .views(let plan): ("view", plan.views.count, 0)
    }
  }
}
