// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One thing that an `AnimatedView` shows.
public struct ViewElement: Hashable, Sendable {
  /// What it is.
  public var shape: Shape

  /// Its colour; flags have their own.
  public var color: Color

  /// Where it stands, from the view's centre: the centre of a shape, and of a text what its
  /// alignment says.
  public var center: CGPoint

  /// What an element is.
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

  /// Makes an element from its parts, unchecked like every part of a scene before it is planned.
  public init(_ shape: Shape, color: Color = .black, center: CGPoint = .zero) {
    self.shape = shape
    self.color = color
    self.center = center
  }

  /// A line of text.
  ///
  /// - Parameters:
  ///   - content: 1...1000 bytes of UTF-8.
  ///   - font: How it is set.
  ///   - color: Its colour.
  ///   - alignment: Which point of the line stands at the element's place.
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

  /// Moves the element by so much from where it stands in the view.
  public func offset(x: Double = 0, y: Double = 0) -> ViewElement {
    var element = self
    element.center.x += x
    element.center.y += y
    return element
  }
}

/// Which point of a line of text stands at its place.
public enum TextAlignment: String, CaseIterable, Hashable, Sendable {
  /// The middle of its left edge.
  case leading
  /// Its middle.
  case center
  /// The middle of its right edge.
  case trailing
}
