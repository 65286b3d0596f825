// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Where everything in one row stands.
///
///     |flag|s|label |s|flag|s|label   |s|flag|s|…
///     '---------- period ----------- -'
///
/// Points to the right of the left edge of the first copy.
package struct RowLayout {
  /// One flag or label.
  package struct Item {
    /// Left edge.
    package let x: Double
    package let width: Double
    package let height: Double
    package let content: Content
  }

  /// What an item shows.
  package enum Content: Equatable {
    case flag(String)
    case label(String)
  }

  /// The items of one copy, from the left.
  package let items: [Item]

  /// Points from one copy to the next: all widths, and a space after every item, the last one too.
  package let period: Double

  /// Space after each item.
  package let spacing: Double

  /// Puts items of these widths side by side.
  ///
  /// - Parameters:
  ///   - contents: From the left: what each item shows, its width and its height.
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

  /// Width of so many copies side by side; no space follows the last item.
  package func width(copies: Int) -> Double {
    max(0, period * Double(copies) - spacing)
  }

  /// Left edge of so many copies that are centred in a frame, from the frame's left edge.
  package func centeredX(copies: Int, frameWidth: Double) -> Double {
    (frameWidth - width(copies: copies)) / 2
  }

  /// Copies that cover a viewport at every offset of a seamless loop; none if there is no period.
  package func copies(viewport: Double) -> Double {
    period > 0 ? (viewport / period).rounded(.up) + 1 : 0
  }
}
