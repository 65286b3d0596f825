// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// How large a terminal is.
package struct TerminalSize: Equatable, Sendable {
  /// Cells of a row.
  package var columns: Int

  /// Rows of cells.
  package var rows: Int

  /// Pixels of a cell; 0 if the terminal does not say.
  package var cellWidth = 0
  package var cellHeight = 0

  /// A size that is known.
  package init(columns: Int, rows: Int, cellWidth: Int = 0, cellHeight: Int = 0) {
    (self.columns, self.rows) = (columns, rows)
    (self.cellWidth, self.cellHeight) = (cellWidth, cellHeight)
  }

  /// The size of the terminal that a descriptor leads to; 80 by 24 if it does not say.
  package init(of descriptor: CInt) {
    var size = winsize()
    if ioctl(descriptor, UInt(TIOCGWINSZ), &size) != 0 || size.ws_col == 0 || size.ws_row == 0 {
      (size.ws_col, size.ws_row) = (80, 24)
    }
    (columns, rows) = (Int(size.ws_col), Int(size.ws_row))
    (cellWidth, cellHeight) = (Int(size.ws_xpixel) / columns, Int(size.ws_ypixel) / rows)
  }

  /// Whether standard output is a terminal whose screen can be painted.
  package static var hasScreen: Bool {
    isatty(STDOUT_FILENO) == 1 && Environment.value("TERM").map { $0 != "dumb" } ?? false
  }
}
