// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Positions of a row's flags and labels.
///
///     |flag|s|label |s|flag|s|label   |s|flag|s|…
///     '---------- period ----------- -'
///
/// Positions are in points from the left edge of the first copy. A mirrored row begins at the right:
///
///     |s|   label|s|flag|s| label|s|flag|
package struct RowLayout {
  /// One flag or label.
  package struct Item {
    /// Left edge in points.
    package let x: Double
    /// Width in points.
    package let width: Double
    /// Height in points.
    package let height: Double
    /// The flag or the label.
    package let content: Content
  }

  /// The content of an item.
  package enum Content: Equatable {
    /// A flag in the middle of the item; nil: as wide as the item.
    case flag(String, width: Double? = nil)
    case label(String)
  }

  /// The items of one copy, in the order of the cells.
  package let items: [Item]

  /// Points from one copy to the next: all widths, plus a space after every item, also the last.
  package let period: Double

  /// Space after each item.
  package let spacing: Double

  /// The same row from right to left.
  package var mirrored: RowLayout {
    let width = width(copies: 1)
    let items = items.map { item in
      Item(
        x: width - item.x - item.width, width: item.width, height: item.height,
        content: item.content)
    }
    return RowLayout(items: items, period: period, spacing: spacing)
  }

  private init(items: [Item], period: Double, spacing: Double) {
    (self.items, self.period, self.spacing) = (items, period, spacing)
  }

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
