// SPDX-License-Identifier: Apache-2.0

/// Cells side by side in a frame, moved as one.
///
/// Flags keep their width and labels theirs: nothing is compressed to fit the frame. A row takes
/// exactly one motion:
///
///     Row(currencies: ["AED", "AUD", "CAD"])
///       .marquee(speed: 60, direction: .left)
public struct Row: Hashable, Sendable {
  /// What stands in the row, from the left.
  public var cells: [Cell]

  /// Width of every flag in points; its aspect is kept.
  public var flagWidth: Double

  /// Points between neighbours: flag, label, flag, … and between the last label and the next copy.
  public var spacing: Double

  /// How labels are set.
  public var font = Font.footnote

  /// Colour of the labels.
  public var color = Color.black

  /// Width of the frame in points; nil is 0.95 of the scene's width.
  public var width: Double?

  /// Height of the frame in points.
  public var height = 30.0

  /// Where the frame's centre stands; nil is in the middle of the scene's width, 30 points below
  /// the row before, the first one at the top.
  public var position: CGPoint?

  /// Whether only what is inside the frame shows.
  public var isClipped = false

  /// What moves the row: exactly one, or the scene is refused.
  public var motions: [RowMotion] = []

  /// Makes a row of cells.
  ///
  /// - Parameters:
  ///   - cells: From the left; 1...10000.
  ///   - flagWidth: Points, 1...10000.
  ///   - spacing: Points, 0...10000.
  public init(cells: [Cell], flagWidth: Double = 100, spacing: Double = 8) {
    self.cells = cells
    self.flagWidth = flagWidth
    self.spacing = spacing
  }

  /// Makes a row of currencies.
  ///
  /// - Parameters:
  ///   - currencies: ISO 4217 codes from the left; 1...10000.
  ///   - flagWidth: Points, 1...10000.
  ///   - spacing: Points, 0...10000.
  public init(currencies: [String], flagWidth: Double = 100, spacing: Double = 8) {
    self.init(cells: currencies.map(Cell.currency), flagWidth: flagWidth, spacing: spacing)
  }
}
