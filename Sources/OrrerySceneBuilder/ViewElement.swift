// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One element of an `AnimatedView`.
public struct ViewElement: Hashable, Sendable {
  /// Its shape.
  public var shape: Shape

  /// Its colour; flags have their own.
  public var color: Color

  /// Its position relative to the view's centre: of the centre of a shape, or of the point of a
  /// text's alignment.
  public var center: CGPoint

  /// The shape of an element.
  public enum Shape: Hashable, Sendable {
    /// A line of text.
    case text(String, font: Font, alignment: TextAlignment)
    /// A disc; points.
    case disc(radius: Double)
    /// A rectangle; points.
    case box(width: Double, height: Double, cornerRadius: Double)
    /// The flag of a region by its ISO 3166 code; points.
    case flag(String, width: Double)
  }

  /// Makes an element from its parts; nothing is checked before the scene is planned.
  public init(_ shape: Shape, color: Color = .black, center: CGPoint = .zero) {
    self.shape = shape
    self.color = color
    self.center = center
  }

  /// A line of text.
  ///
  /// - Parameters:
  ///   - content: 1...1000 bytes of UTF-8.
  ///   - font: Its font.
  ///   - color: Its colour.
  ///   - alignment: The point of the line that is at the element's position.
  /// - Returns: The element.
  public static func text(
    _ content: String, font: Font = .body, color: Color = .black, alignment: TextAlignment = .center
  ) -> ViewElement {
    ViewElement(.text(content, font: font, alignment: alignment), color: color)
  }

  /// A disc.
  ///
  /// - Parameters:
  ///   - radius: Points, 0.1...100000.
  ///   - color: Its colour.
  /// - Returns: The element.
  public static func disc(radius: Double, color: Color = .black) -> ViewElement {
    ViewElement(.disc(radius: radius), color: color)
  }

  /// A rectangle.
  ///
  /// - Parameters:
  ///   - width: Points, 0.1...100000.
  ///   - height: Points, 0.1...100000.
  ///   - cornerRadius: Points, 0...100000.
  ///   - color: Its colour.
  /// - Returns: The element.
  public static func box(
    width: Double, height: Double, cornerRadius: Double = 0, color: Color = .black
  ) -> ViewElement {
    ViewElement(.box(width: width, height: height, cornerRadius: cornerRadius), color: color)
  }

  /// A region's flag.
  ///
  /// - Parameters:
  ///   - region: ISO 3166 code, such as `EU`.
  ///   - width: Points, 1...10000; the aspect is kept.
  /// - Returns: The element.
  public static func flag(_ region: String, width: Double = 100) -> ViewElement {
    ViewElement(.flag(region, width: width))
  }

  /// Moves the element from its position in the view.
  public func offset(x: Double = 0, y: Double = 0) -> ViewElement {
    var element = self
    element.center.x += x
    element.center.y += y
    return element
  }
}

/// The point of a line of text that is at its position.
public enum TextAlignment: String, CaseIterable, Hashable, Sendable {
  /// The middle of its leading edge: the left one, or the right one in a right-to-left scene.
  case leading
  /// Its middle.
  case center
  /// The middle of its trailing edge.
  case trailing
}
