// SPDX-License-Identifier: Apache-2.0

/// The scenes that come with Orrery: this module's TOML resources, embedded in its code.
package enum BuiltInScenes {
  /// Their names, in alphabetical order.
  package static let names = [
    "completions", "completions-as-written", "flags", "flags-linear", "flags-timer", "flow-text",
    "flow-text-as-written", "planets", "planets-as-written", "stress", "timeline",
    "timeline-as-written",
  ]

  /// What a scene shows, in one sentence; nil if no built-in scene has this name.
  package static func sentence(_ name: String) -> String? {
    switch name {
    case "completions": "Six ways to learn that an animation is complete."
    case "completions-as-written": "The article's two detectors, and what they miss."
    case "flags": "Two rows of flags scroll without a seam, one each way."
    case "flags-linear": "The flags moved by a linear animation: they jump."
    case "flags-timer": "The flags moved by a timer: they jump."
    case "flow-text": "Pictures flow through the letters of texts."
    case "flow-text-as-written": "The article's flows: one has a hole, one may jump."
    case "planets": "Rows of which at most one is open: planets and moons."
    case "planets-as-written": "The article's rows: two open at once, moons drift."
    case "stress": "50,000 marquees and 50,000 orbits, to measure."
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
      case "flags": PackageResources.flags_toml
      case "flags-linear": PackageResources.flags_linear_toml
      case "flags-timer": PackageResources.flags_timer_toml
      case "flow-text": PackageResources.flow_text_toml
      case "flow-text-as-written": PackageResources.flow_text_as_written_toml
      case "planets": PackageResources.planets_toml
      case "planets-as-written": PackageResources.planets_as_written_toml
      case "stress": PackageResources.stress_toml
      case "timeline": PackageResources.timeline_toml
      case "timeline-as-written": PackageResources.timeline_as_written_toml
      default: nil
      }
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }
}
