// SPDX-License-Identifier: Apache-2.0

/// Writes a picture with characters that are half full: a cell shows two pixels, one over the other.
///
/// Only cells that have changed are written.
package struct HalfBlocks {
  /// The colours of a cell: as 0xRRGGBB, or as numbers of the palette.
  private struct Cell: Equatable {
    let top: UInt32
    let bottom: UInt32

    /// No colours: that of a cell whose content is not known.
    static let unknown = Cell(top: .max, bottom: .max)
  }

  /// Whether colours are written as red, green and blue; else as numbers of 256.
  private let isTrueColor: Bool

  /// Whether the terminal shows characters beyond ASCII; else a cell has one colour.
  private let isUTF8: Bool

  private var shown: [Cell] = []

  /// The colours that the terminal writes with; nil: not known.
  private var (ink, paper): (UInt32?, UInt32?) = (nil, nil)

  /// Knows nothing of the screen yet.
  package init(isTrueColor: Bool, isUTF8: Bool) {
    (self.isTrueColor, self.isUTF8) = (isTrueColor, isUTF8)
  }

  /// Forgets what is shown: the next painting is of all cells.
  package mutating func forget() { shown = [] }

  /// Appends what makes the terminal show a picture from its left top cell.
  ///
  /// - Parameters:
  ///   - pixels: 0xAARRGGBB, two rows of pixels for each row of cells.
  ///   - columns: Pixels of a row.
  ///   - output: Gets control sequences and characters.
  package mutating func paint(
    _ pixels: UnsafeBufferPointer<UInt32>, columns: Int, into output: inout [UInt8]
  ) {
    let rows = pixels.count / columns / 2
    if shown.count != rows * columns {
      shown = Array(repeating: .unknown, count: rows * columns)
    }
    (ink, paper) = (nil, nil)
    for row in 0..<rows {
      // The column before which the cursor stands; nil: elsewhere.
      var cursor: Int?
      for column in 0..<columns {
        let cell = cell(
          pixels[2 * row * columns + column], pixels[(2 * row + 1) * columns + column])
        let index = row * columns + column
        if cell == shown[index] { continue }
        shown[index] = cell
        if cursor != column {
          output.add("\u{1b}[")
          output.add(row + 1)
          output.add(";")
          output.add(column + 1)
          output.add("H")
        }
        write(cell, into: &output)
        cursor = column + 1
      }
    }
    if ink != nil || paper != nil { output.add("\u{1b}[0m") }
  }

  private func cell(_ top: UInt32, _ bottom: UInt32) -> Cell {
    guard isUTF8 else {
      // The mean of each channel.
      let mean = (top & bottom) + ((top ^ bottom) & 0xFEFE_FEFE) / 2
      return Cell(top: color(mean), bottom: color(mean))
    }
    return Cell(top: color(top), bottom: color(bottom))
  }

  private func color(_ pixel: UInt32) -> UInt32 {
    isTrueColor ? pixel & 0xFF_FFFF : UInt32(TerminalPalette.number(of: pixel))
  }

  private mutating func write(_ cell: Cell, into output: inout [UInt8]) {
    if cell.top == cell.bottom {
      choose(nil, cell.top, into: &output)
      output.add(" ")
    } else if ink == cell.bottom && paper == cell.top {
      output.add("▄")
    } else {
      choose(cell.top, cell.bottom, into: &output)
      output.add("▀")
    }
  }

  /// Sets the colours that differ; a nil ink stays as it is.
  private mutating func choose(
    _ newInk: UInt32?, _ newPaper: UInt32, into output: inout [UInt8]
  ) {
    let changesInk = newInk != nil && newInk != ink
    let changesPaper = newPaper != paper
    guard changesInk || changesPaper else { return }
    output.add("\u{1b}[")
    if changesInk, let newInk {
      output.add("38;")
      add(newInk, to: &output)
      ink = newInk
      if changesPaper { output.add(";") }
    }
    if changesPaper {
      output.add("48;")
      add(newPaper, to: &output)
      paper = newPaper
    }
    output.add("m")
  }

  private func add(_ color: UInt32, to output: inout [UInt8]) {
    if isTrueColor {
      output.add("2;")
      output.add(Int(color >> 16 & 255))
      output.add(";")
      output.add(Int(color >> 8 & 255))
      output.add(";")
      output.add(Int(color & 255))
    } else {
      output.add("5;")
      output.add(Int(color))
    }
  }
}
