// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A line of text with a picture that flows inside its glyphs.
///
/// The text itself is drawn below the picture in its own colour, and shows where the picture leaves
/// a gap.
public struct FlowText: Hashable, Sendable {
  /// The text.
  public var content: String

  /// Its font.
  public var font = Font.largeTitle.bold()

  /// Colour of the text below the picture.
  public var color = Color.black

  /// Position of its centre; nil is the middle of the scene.
  public var position: CGPoint?

  /// The picture that flows.
  public var fill = Fill.gradient(FlowText.spectrum, angle: nil)

  /// Points per second, 0...100000; nil is a tenth of the text's width.
  ///
  /// Nil is a tenth of the text's height if the picture flows up or down.
  public var speed: Double?

  /// Direction in which the picture flows.
  public var direction = Direction.right

  /// Seconds until it begins to flow, 0...1000000.
  public var start = 1.0

  /// The variant of the flow.
  public var variant = Variant.seamless

  /// The picture that flows in a text.
  public enum Fill: Hashable, Sendable {
    /// 1...256 colours at equal distances along a line. The angle is in radians clockwise from the
    /// right; nil is along the flow. There is no seam if the last colour equals the first.
    case gradient([Color], angle: Double?)
    /// A PNG file in the folder of the scene file, by its name.
    case image(String)
  }

  /// Direction in which a picture flows.
  public enum Direction: String, CaseIterable, Hashable, Sendable {
    /// To the left.
    case left
    /// To the right.
    case right
    /// Upward.
    case up
    /// Downward.
    case down
  }

  /// A variant of the flow.
  public enum Variant: String, CaseIterable, Hashable, Sendable {
    /// Endless, without a seam.
    case seamless
    /// One copy of the picture; the text below shows where the picture is gone.
    case oneCopy = "one-copy"
    /// Two copies, moved by steps that are added up in floating point: for many sizes the loop
    /// ends a step early, and the picture jumps.
    case twoCopies = "two-copies"
  }

  /// The colours of a rainbow, ending with the first one.
  public static let spectrum = [
    0xff3b_30ff, 0xff95_00ff, 0xffcc_00ff, 0x34c7_59ff, 0x32ad_e6ff, 0x5856_d6ff, 0xff2d_55ff,
    0xff3b_30ff,
  ].map { Color(rgba: $0) }

  /// Makes a text in which a rainbow flows to the right.
  ///
  /// - Parameter content: One line, 1...1000 bytes of UTF-8.
  public init(_ content: String) {
    self.content = content
  }

  /// Sets its font.
  public func font(_ font: Font) -> FlowText {
    with { $0.font = font }
  }

  /// Sets the colour of the text below the picture.
  public func foregroundColor(_ color: Color) -> FlowText {
    with { $0.color = color }
  }

  /// Sets the position of its centre, in points of the scene.
  public func position(x: Double, y: Double) -> FlowText {
    with { $0.position = CGPoint(x: x, y: y) }
  }

  /// Sets the picture that flows.
  public func background(_ fill: Fill) -> FlowText {
    with { $0.fill = fill }
  }

  /// Sets its flow.
  ///
  /// - Parameters:
  ///   - direction: Direction in which the picture flows.
  ///   - speed: Points per second; nil is a tenth of the text's width or height.
  ///   - start: Seconds until it begins.
  ///   - variant: Seamless, or one of the article's versions.
  /// - Returns: The text with this flow.
  public func flow(
    _ direction: Direction, speed: Double? = nil, start: Double = 1, variant: Variant = .seamless
  ) -> FlowText {
    with {
      ($0.direction, $0.speed) = (direction, speed)
      ($0.start, $0.variant) = (start, variant)
    }
  }

  private func with(_ change: (inout FlowText) -> Void) -> FlowText {
    var text = self
    change(&text)
    return text
  }
}
