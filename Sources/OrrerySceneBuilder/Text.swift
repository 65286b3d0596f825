// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A line of text that stands still, behind everything that moves.
public struct Text: Hashable, Sendable {
  /// The text.
  public var content: String

  /// Its font.
  public var font = Font.body

  /// Its colour.
  public var color = Color.black

  /// Its position; nil is the middle of the scene.
  public var position: CGPoint?

  /// The point of the line that is at its position.
  public var alignment = TextAlignment.center

  /// Makes a text.
  ///
  /// - Parameter content: One line, 1...1000 bytes of UTF-8.
  public init(_ content: String) {
    self.content = content
  }

  /// Sets its font.
  public func font(_ font: Font) -> Text {
    var text = self
    text.font = font
    return text
  }

  /// Sets its colour.
  public func foregroundColor(_ color: Color) -> Text {
    var text = self
    text.color = color
    return text
  }

  /// Sets the position of its centre, or of the point of its alignment, in points of the scene.
  public func position(x: Double, y: Double) -> Text {
    var text = self
    text.position = CGPoint(x: x, y: y)
    return text
  }

  /// Sets the point of the line that is at its position.
  public func alignment(_ alignment: TextAlignment) -> Text {
    var text = self
    text.alignment = alignment
    return text
  }
}
