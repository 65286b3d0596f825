// SPDX-License-Identifier: Apache-2.0

/// All entities of one kind in a scene, with what moves them.
package enum BatchPlan: Sendable {
  case marquee(Specs<MarqueeSpec>)
  case tween(Specs<TweenSpec>)
  case timer(Specs<TimerSpec>)
  case orbit(Specs<OrbitSpec>)

  /// The kind's name, as in `Batch.kind` of a scene layout.
  package var kind: String {
    switch self {
    case .marquee: "marquee"
    case .tween: "tween"
    case .timer: "timer"
    case .orbit: "orbit"
    }
  }

  /// Entities in the batch; never 0.
  package var count: Int {
    switch self {
    case .marquee(let specs): specs.count
    case .tween(let specs): specs.count
    case .timer(let specs): specs.count
    case .orbit(let specs): specs.count
    }
  }
}
