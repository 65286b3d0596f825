// SPDX-License-Identifier: Apache-2.0

import OrrerySceneBuilder

/// Font descriptions for Pango.
package enum FontDescription {
  /// A sans-serif family that covers most scripts; Pango falls back to others for missing glyphs.
  static let family = "Noto Sans"

  /// The family that draws flags.
  static let emojiFamily = "Noto Color Emoji"

  /// `Noto Sans Semi-Bold 17`.
  package static func text(_ font: Font) -> String {
    let weight =
      switch font.weight {
      case .regular: ""
      case .semibold: " Semi-Bold"
      case .bold: " Bold"
      }
    return family + weight + " " + SceneNumber.text(font.size)
  }

  /// `Noto Color Emoji 13`.
  static func flag(_ font: Font) -> String {
    emojiFamily + " " + SceneNumber.text(font.size)
  }
}
