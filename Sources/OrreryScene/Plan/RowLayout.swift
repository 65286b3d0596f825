// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Positions of a row's flags and labels.
///
///     |flag|s|label |s|flag|s|label   |s|flag|s|…
///     '---------- period ----------- -'
///
/// Positions are in points from the left edge of the first copy.
package struct RowLayout {
  /// One flag or label.
  package struct Item {
    /// Left edge in points.
    package let x: Double
    package let width: Double
    package let height: Double
    package let content: Content
  }

  /// The content of an item.
  package enum Content: Equatable {
    case flag(String)
    case label(String)
  }

  /// The items of one copy, from the left.
  package let items: [Item]

  /// Points from one copy to the next: all widths, plus a space after every item, also the last.
  package let period: Double

  /// Space after each item.
  package let spacing: Double

  /// Lays items out side by side.
  ///
  /// - Parameters:
  ///   - contents: From the left: content, width and height of each item.
  ///   - spacing: Points after each item.
  package init(_ contents: [(content: Content, width: Double, height: Double)], spacing: Double) {
    var x = 0.0
    items = contents.map { part in
      defer { x += part.width + spacing }
      return Item(x: x, width: part.width, height: part.height, content: part.content)
    }
    period = x
    self.spacing = spacing
  }

  /// Width of copies side by side; no space follows the last item.
  package func width(copies: Int) -> Double {
    max(0, period * Double(copies) - spacing)
  }

  /// Left edge of copies that are centred in a frame, from the frame's left edge.
  package func centeredX(copies: Int, frameWidth: Double) -> Double {
    (frameWidth - width(copies: copies)) / 2
  }

  /// Copies that cover a viewport at every offset of a seamless loop; 0 if the period is 0.
  package func copies(viewport: Double) -> Double {
    period > 0 ? (viewport / period).rounded(.up) + 1 : 0
  }
}
