// SPDX-License-Identifier: Apache-2.0

/// A line of text in whose glyphs a picture flows.
///
/// The text itself stands below in its own colour, and shows where the picture leaves a hole.
public struct FlowText: Hashable, Sendable {
  /// What it says.
  public var content: String

  /// How it is set.
  public var font = Font.largeTitle.bold()

  /// Colour of the text below the picture.
  public var color = Color.black

  /// Where its centre stands; nil is the middle of the scene.
  public var position: CGPoint?

  /// What flows.
  public var fill = Fill.gradient(FlowText.spectrum, angle: nil)

  /// Points per second, 0...100000; nil is a tenth, per second, of the text's width, or of its
  /// height where the picture flows up or down.
  public var speed: Double?

  /// Where the picture flows.
  public var direction = Direction.right

  /// Seconds until it begins to flow, 0...1000000.
  public var start = 1.0

  /// How it flows.
  public var variant = Variant.seamless

  /// What flows in a text.
  public enum Fill: Hashable, Sendable {
    /// 1...256 colours at equal distances along a line at an angle, radians clockwise from the
    /// right; nil is along the flow. Without a seam if the last colour is the first.
    case gradient([Color], angle: Double?)
    /// A PNG file, by its name, in the folder of the scene file.
    case image(String)
  }

  /// Where a picture flows.
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

  /// How a picture flows.
  public enum Variant: String, CaseIterable, Hashable, Sendable {
    /// Without end and without a seam.
    case seamless
    /// One copy of the picture: what it leaves behind shows the text below.
    case oneCopy = "one-copy"
    /// Two copies, moved by steps that are added up in floating point: for many sizes the loop
    /// ends a step early, and the picture jumps.
    case twoCopies = "two-copies"
  }

  /// The colours of a rainbow, back to the first.
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

  /// Sets how it is set.
  public func font(_ font: Font) -> FlowText {
    with { $0.font = font }
  }

  /// Sets the colour of the text below the picture.
  public func foregroundColor(_ color: Color) -> FlowText {
    with { $0.color = color }
  }

  /// Puts its centre there, in points of the scene.
  public func position(x: Double, y: Double) -> FlowText {
    with { $0.position = CGPoint(x: x, y: y) }
  }

  /// Sets what flows.
  public func background(_ fill: Fill) -> FlowText {
    with { $0.fill = fill }
  }

  /// Sets how it flows.
  ///
  /// - Parameters:
  ///   - direction: Where to.
  ///   - speed: Points per second; nil is a tenth of the text's width or height.
  ///   - start: Seconds until it begins.
  ///   - variant: Without a seam, or as one of the article's versions.
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
