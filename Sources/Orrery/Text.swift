// SPDX-License-Identifier: Apache-2.0

/// A line of text that stands still, behind everything that moves.
public struct Text: Hashable, Sendable {
  /// What it says.
  public var content: String

  /// How it is set.
  public var font = Font.body

  /// Its colour.
  public var color = Color.black

  /// Where its centre stands; nil is the middle of the scene.
  public var position: CGPoint?

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

  /// Puts its centre there, in points of the scene.
  public func position(x: Double, y: Double) -> Text {
    var text = self
    text.position = CGPoint(x: x, y: y)
    return text
  }
}
