// SPDX-License-Identifier: Apache-2.0

/// The scenes that come with Orrery: the TOML files of this module's resources, in its code.
package enum BuiltInScenes {
  /// Their names, in the order of the alphabet.
  package static let names = ["flags", "flags-linear", "flags-timer", "stress"]

  /// The TOML of a scene, or nil if there is none of this name.
  package static func text(_ name: String) -> String? {
    let bytes: [UInt8]? =
      switch name {
      case "flags": PackageResources.flags_toml
      case "flags-linear": PackageResources.flags_linear_toml
      case "flags-timer": PackageResources.flags_timer_toml
      case "stress": PackageResources.stress_toml
      default: nil
      }
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }
}
