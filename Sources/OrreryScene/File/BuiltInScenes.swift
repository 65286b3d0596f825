// SPDX-License-Identifier: Apache-2.0

/// The scenes that come with Orrery: this module's TOML resources, embedded in its code.
package enum BuiltInScenes {
  /// Their names, in alphabetical order.
  package static let names = [
    "completions", "completions-as-written", "dashboard", "feed", "flags", "flags-linear",
    "flags-timer", "flow-text", "flow-text-as-written", "idle", "lottie-like", "planets",
    "planets-as-written", "storm", "stress", "ticker-wall", "timeline", "timeline-as-written",
  ]

  /// Those that `orrery bench` makes many copies of; their texts are in one language.
  package static let workloads = [
    "dashboard", "feed", "idle", "lottie-like", "storm", "ticker-wall",
  ]

  /// Whether copies of a scene are copies of its views only: the moon of `idle` shows that its sim is alive.
  package static func copiesViewsOnly(_ name: String) -> Bool { name == "idle" }

  /// What a scene shows, in one sentence; nil if no built-in scene has this name.
  package static func sentence(_ name: String) -> String? {
    switch name {
    case "completions": "Six ways to learn that an animation is complete."
    case "completions-as-written": "Two ways to notice an end, and what they miss."
    case "dashboard": "Clocks, and gauges that rest between two changes."
    case "feed": "Ten rows whose springs are interrupted all the time."
    case "flags": "Two rows of flags scroll without a seam, one each way."
    case "flags-linear": "The flags moved by a linear animation: they jump."
    case "flags-timer": "The flags moved by a timer: they jump."
    case "flow-text": "Pictures flow through the letters of texts."
    case "flow-text-as-written": "The article's flows: one has a hole, one may jump."
    case "idle": "A view whose animation is over, and one moon."
    case "lottie-like": "60 layers, with keyframes of five properties each."
    case "planets": "Rows of which at most one is open: planets and moons."
    case "planets-as-written": "The article's rows: two open at once, moons drift."
    case "storm": "A view that leaves or comes back once a second."
    case "stress": "50,000 marquees and 50,000 orbits, to measure."
    case "ticker-wall": "Twenty rows of prices that scroll without a seam."
    case "timeline": "Four clocks, one for each schedule, and a ticker."
    case "timeline-as-written": "The article's tickers: one jumps, one overlaps."
    default: nil
    }
  }

  /// The TOML of a scene; nil if no built-in scene has this name.
  package static func text(_ name: String) -> String? {
    let bytes: [UInt8]? =
      switch name {
      case "completions": PackageResources.completions_toml
      case "completions-as-written": PackageResources.completions_as_written_toml
      case "dashboard": PackageResources.dashboard_toml
      case "feed": PackageResources.feed_toml
      case "flags": PackageResources.flags_toml
      case "flags-linear": PackageResources.flags_linear_toml
      case "flags-timer": PackageResources.flags_timer_toml
      case "flow-text": PackageResources.flow_text_toml
      case "flow-text-as-written": PackageResources.flow_text_as_written_toml
      case "idle": PackageResources.idle_toml
      case "lottie-like": PackageResources.lottie_like_toml
      case "planets": PackageResources.planets_toml
      case "planets-as-written": PackageResources.planets_as_written_toml
      case "storm": PackageResources.storm_toml
      case "stress": PackageResources.stress_toml
      case "ticker-wall": PackageResources.ticker_wall_toml
      case "timeline": PackageResources.timeline_toml
      case "timeline-as-written": PackageResources.timeline_as_written_toml
      default: nil
      }
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }
}
