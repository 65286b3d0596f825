// SPDX-License-Identifier: Apache-2.0

import OrrerySupervisor

/// Writes what has changed on a terminal's screen, and nothing else.
package struct ScreenPainter {
  /// What the screen shows; nil: that is not known.
  private var shown: [TopScreen.Line]?

  /// Whether the terminal shows characters beyond ASCII.
  private let isUTF8: Bool

  /// Knows nothing of the screen yet.
  ///
  /// - Parameter isUTF8: Whether the terminal shows characters beyond ASCII.
  package init(isUTF8: Bool) { self.isUTF8 = isUTF8 }

  /// Forgets what is shown: the next painting is of the whole screen.
  package mutating func forget() { shown = nil }

  /// What makes a screen of these lines.
  ///
  /// - Parameter lines: From the first; as many as the screen has, no longer than it is wide.
  /// - Returns: Text and control sequences; empty if nothing has changed.
  package mutating func paint(_ lines: [TopScreen.Line]) -> String {
    let lines = lines.map { line in
      TopScreen.Line(
        isUTF8 ? line.text : TerminalText.ascii(line.text), isBold: line.isBold,
        isPicked: line.isPicked)
    }
    var text = ""
    if shown?.count != lines.count {
      shown = nil
      text = "\u{1b}[0m\u{1b}[2J"
    }
    for (row, line) in lines.enumerated() {
      let before = shown.map { $0[row] } ?? TopScreen.Line("")
      if line != before { text += Self.change(row, from: before, to: line) }
    }
    shown = lines
    return text
  }

  /// Rewrites the cells of a row that differ.
  private static func change(
    _ row: Int, from before: TopScreen.Line, to line: TopScreen.Line
  ) -> String {
    // Characters may be wider than a cell: beyond ASCII, what comes after one is written, too.
    let isSame = before.isBold == line.isBold && before.isPicked == line.isPicked
    let isPlain = (before.text + line.text).utf8.allSatisfy { $0 < 0x80 }
    let (old, new) = (Array(before.text), Array(line.text))
    var first = 0
    if isSame { while first < min(old.count, new.count), old[first] == new[first] { first += 1 } }
    var end = new.count
    if isSame, isPlain, old.count == new.count {
      while end > first, old[end - 1] == new[end - 1] { end -= 1 }
    } else if !isPlain {
      first = 0
    }
    let style = (line.isBold ? "\u{1b}[1m" : "") + (line.isPicked ? "\u{1b}[7m" : "")
    let erased = isPlain && old.count <= new.count && isSame ? "" : "\u{1b}[K"
    return "\u{1b}[\(row + 1);\(first + 1)H" + style + String(new[first..<end])
      + (style.isEmpty ? "" : "\u{1b}[0m") + erased
  }
}
