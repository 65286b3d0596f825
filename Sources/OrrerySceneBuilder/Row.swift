// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Cells side by side in a frame, moved as one.
///
/// Flags and labels keep their widths: nothing is compressed to fit the frame. A row has exactly
/// one motion:
///
///     Row(currencies: ["AED", "AUD", "CAD"])
///       .marquee(speed: 60, direction: .left)
public struct Row: Hashable, Sendable {
  /// The cells of the row, from the leading side.
  public var cells: [Cell]

  /// Width of every flag in points; its aspect is kept.
  public var flagWidth: Double

  /// Height that no flag exceeds, in points; a narrower flag is in the middle of its width.
  ///
  /// Nil: every flag fills its width, whatever the height of the frame.
  public var flagHeight: Double?

  /// Points between neighbours: flag, label, flag, … and between the last label and the next copy.
  public var spacing: Double

  /// Font of the labels.
  public var font = Font.footnote

  /// Colour of the labels.
  public var color = Color.black

  /// Width of the frame in points; nil is 0.95 of the scene's width.
  public var width: Double?

  /// Height of the frame in points.
  public var height = 30.0

  /// Position of the frame's centre; nil is the middle of the scene's width, 30 points below the
  /// row before, and at the top for the first row.
  public var position: CGPoint?

  /// Whether everything outside the frame is hidden.
  public var isClipped = false

  /// The motion of the row: exactly one, or the scene is refused.
  public var motions: [RowMotion] = []

  /// Makes a row of cells.
  ///
  /// - Parameters:
  ///   - cells: From the leading side; 1...10000.
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
  ///   - currencies: ISO 4217 codes from the leading side; 1...10000.
  ///   - flagWidth: Points, 1...10000.
  ///   - spacing: Points, 0...10000.
  public init(currencies: [String], flagWidth: Double = 100, spacing: Double = 8) {
    self.init(cells: currencies.map(Cell.currency), flagWidth: flagWidth, spacing: spacing)
  }
}
