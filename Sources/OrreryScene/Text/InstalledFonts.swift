// SPDX-License-Identifier: Apache-2.0

import OrreryText

/// Measures with the installed fonts, with which the renderer draws.
///
/// Not thread-safe: use it from one thread.
package final class InstalledFonts: TextMeasuring {
  private var measurers: [String: TextMeasurer] = [:]

  package init() {}

  /// Measures with Pango; see `TextMeasuring.size`.
  package func size(of text: String, font: String, language: String) throws -> MeasuredText {
    let size = try measurer(language).measure(text, font: font)
    return MeasuredText(width: size.width, height: size.height)
  }

  /// Checks the colour font; see `TextMeasuring.draws`.
  package func draws(flag: String) throws -> Bool {
    do {
      try measurer("en").checkFlag(flag)
      return true
    } catch TextError.flagMissing {
      return false
    }
  }

  /// Measures the picture; see `TextMeasuring.aspect`.
  package func aspect(ofFlag flag: String) throws -> Double {
    try measurer("en").aspect(ofFlag: flag)
  }

  private func measurer(_ language: String) -> TextMeasurer {
    if let known = measurers[language] { return known }
    let measurer = TextMeasurer(language: language)
    measurers[language] = measurer
    return measurer
  }
}
