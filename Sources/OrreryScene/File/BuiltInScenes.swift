// SPDX-License-Identifier: Apache-2.0

/// The scenes that come with Orrery: this module's TOML resources, embedded in its code.
package enum BuiltInScenes {
  /// Their names, in alphabetical order.
  package static let names = [
    "completions", "completions-as-written", "flags", "flags-linear", "flags-timer", "flow-text",
    "flow-text-as-written", "planets", "planets-as-written", "stress", "timeline",
    "timeline-as-written",
  ]

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
