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

  private var summary: (kind: String, count: Int) {
    switch self {
    case .marquee(let specs): ("marquee", specs.count)
    case .timer(let specs): ("timer", specs.count)
    case .orbit(let specs): ("orbit", specs.count)
    case .tween(let specs, _): ("tween", specs.count)
    case .spring(let specs, _): ("spring", specs.count)
    case .flow(let specs, _): ("flow", specs.count)
    case .clock(let specs): ("clock", specs.count)
    case .views(let plan): ("view", plan.views.count)
    }
  }
}
