// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An argument of a modifier that is left out, as `.red` is.
///
/// With it the compiler finds the message that says why the modifier is left out. No code that compiles has
/// such a value.
@dynamicMemberLookup
@dynamicCallable
public enum LeftOutArgument {
  // Alignments and content modes.
  case center, leading, trailing, top, bottom, topLeading, topTrailing, bottomLeading
  case bottomTrailing, fit, fill

  // Colours and styles.
  case red, orange, yellow, green, mint, teal, cyan, blue, indigo, purple, pink, brown, white, gray
  case black, clear, primary, secondary, tertiary, quaternary, quinary, accentColor, tint
  case foreground, background, selection, separator, placeholder, link, windowBackground, bar
  case ultraThinMaterial, thinMaterial, regularMaterial, thickMaterial, ultraThickMaterial

  // Shapes.
  case rect, circle, capsule, ellipse, buttonBorder, containerRelative, continuous, circular

  // Ends and corners of lines.
  case butt, round, square, miter, bevel

  // Blend modes.
  case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight
  case hardLight, difference, exclusion, hue, saturation, color, luminosity, sourceAtop
  case destinationOver, destinationOut, plusDarker, plusLighter

  // Fonts.
  case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption
  case caption2

  // Symbol effects and their options; transitions of windows.
  case automatic, bounce, pulse, variableColor, scale, appear, disappear, replace, breathe, rotate
  case wiggle, drawOn, drawOff, repeating, nonRepeating, `default`, zoom

  // Matched geometry and coordinate spaces.
  case frame, position, size, local, global, named, scrollView

  /// A part of it, as in `.bounce.up`.
  public subscript(dynamicMember name: String) -> LeftOutArgument { self }

  /// A variant of it, as in `.black.opacity(0.2)` or `.rect(cornerRadius: 8)`.
  public func dynamicallyCall(
    withKeywordArguments arguments: KeyValuePairs<String, Any>
  ) -> LeftOutArgument { self }

  /// A rectangle with rounded corners.
  public static func rect(
    cornerRadius: CGFloat, style: LeftOutArgument = .continuous
  ) -> LeftOutArgument { .rect }

  /// A font of the system.
  public static func system(
    size: CGFloat, weight: LeftOutArgument? = nil, design: LeftOutArgument? = nil
  ) -> LeftOutArgument { .body }

  /// A gradient.
  public static func linearGradient(
    colors: [LeftOutArgument], startPoint: UnitPoint, endPoint: UnitPoint
  ) -> LeftOutArgument { .clear }
}

/// Where matched views look for each other.
@available(*, unavailable, message: "matched geometry is left out: views have no identity")
@propertyWrapper
public struct Namespace {
  /// Identity of the namespace.
  public struct ID: Hashable, Sendable {}

  /// Identity of the namespace.
  public var wrappedValue: ID { ID() }

  /// Makes a namespace.
  public init() {}
}
