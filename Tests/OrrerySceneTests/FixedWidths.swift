// SPDX-License-Identifier: Apache-2.0

import OrreryScene

/// Measures without fonts: every text has the width that a test says.
struct FixedWidths: TextMeasuring {
  /// Width of texts that are not listed, in points.
  var width = 10.0

  /// Height of all texts, in points.
  var height = 16.0

  /// Widths of single texts.
  var widths: [String: Double] = [:]

  /// Height of all flags divided by their width.
  var flagAspect = 0.75

  /// Flags that the font lacks.
  var missingFlags: Set<String> = []

  func size(of text: String, font: String, language: String) -> MeasuredText {
    MeasuredText(width: widths[text] ?? width, height: height)
  }

  func draws(flag: String) -> Bool { !missingFlags.contains(flag) }

  func aspect(ofFlag flag: String) -> Double { flagAspect }
}
