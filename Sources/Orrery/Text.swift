// SPDX-License-Identifier: Apache-2.0

/// A line of text that stands still, behind everything that moves.
public struct Text: Hashable, Sendable {
  /// What it says.
  public var content: String

  /// How it is set.
  public var font = Font.body

  /// Its colour.
  public var color = Color.black

  /// Where it stands; nil is the middle of the scene.
  public var position: CGPoint?

  /// Which of its points stands there.
  public var alignment = TextAlignment.center

  /// Makes a text.
  ///
  /// - Parameter content: One line, 1...1000 bytes of UTF-8.
  public init(_ content: String) {
    self.content = content
  }

  /// Sets how it is set.
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

  /// Puts its centre there, or what its alignment says, in points of the scene.
  public func position(x: Double, y: Double) -> Text {
    var text = self
    text.position = CGPoint(x: x, y: y)
    return text
  }

  /// Sets which of its points stands at its position.
  public func alignment(_ alignment: TextAlignment) -> Text {
    var text = self
    text.alignment = alignment
    return text
  }
}
