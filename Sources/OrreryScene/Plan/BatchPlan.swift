// SPDX-License-Identifier: Apache-2.0

import Orrery

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
  package var kind: String {
    switch self {
    case .marquee: "marquee"
    case .timer: "timer"
    case .orbit: "orbit"
    case .tween: "tween"
    case .spring: "spring"
    case .flow: "flow"
    case .clock: "clock"
    case .views: "view"
    }
  }

  /// Entities in the batch; never 0.
  package var count: Int {
    switch self {
    case .marquee(let specs): specs.count
    case .timer(let specs): specs.count
    case .orbit(let specs): specs.count
    case .tween(let specs, _): specs.count
    case .spring(let specs, _): specs.count
    case .flow(let specs, _): specs.count
    case .clock(let specs): specs.count
    case .views(let plan): plan.views.count
    }
  }
}
