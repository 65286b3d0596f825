// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrrerySupervisor

/// How a terminal shows pictures: the values of `--terminal-graphics`.
package enum TerminalGraphics: String, CaseIterable, Sendable {
  /// The best that the terminal says it has.
  case auto
  /// Characters: two pixels a cell.
  case half
  case sixel
  case kitty
}

/// What a terminal has answered to questions about itself.
package struct TerminalAnswers: Equatable {
  /// Pictures by kitty's protocol.
  var hasKitty = false

  /// Sixels.
  var hasSixels = false

  /// Pixels of a cell; 0: it did not say.
  package private(set) var (cellWidth, cellHeight) = (0, 0)

  /// Whether the last question was answered.
  package private(set) var isComplete = false

  /// The questions; every terminal answers the last one.
  static let questions = KittyPicture.question + "\u{1b}[16t\u{1b}[c"

  /// Reads answers; what is none of them is left out.
  ///
  /// - Parameter bytes: All that came since the questions.
  package init(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    hasKitty = text.contains("\u{1b}_Gi=31;OK")
    for part in text.components(after: "\u{1b}[") {
      if part.hasPrefix("?"), let end = part.firstIndex(of: "c") {
        let numbers = part[..<end].dropFirst().split(separator: ";").map { Int($0) }
        guard !numbers.isEmpty, !numbers.contains(nil) else { continue }
        isComplete = true
        // Below 60, the numbers have other meanings.
        hasSixels = numbers[0] ?? 0 >= 60 && numbers.dropFirst().contains(4)
      } else if part.hasPrefix("6;"), let end = part.firstIndex(of: "t") {
        let numbers = part[..<end].split(separator: ";").compactMap { Int($0) }
        if numbers.count == 3, (1...200).contains(numbers[1]), (1...200).contains(numbers[2]) {
          (cellHeight, cellWidth) = (numbers[1], numbers[2])
        }
      }
    }
  }

  /// The best graphics of this terminal.
  package var best: TerminalGraphics { hasKitty ? .kitty : hasSixels ? .sixel : .half }
}

extension String {
  /// What follows each occurrence of a mark, up to the next one.
  fileprivate func components(after mark: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = Substring(self)
    while let range = rest.firstRange(of: mark) {
      rest = rest[range.upperBound...]
      parts.append(rest[..<(rest.firstRange(of: mark)?.lowerBound ?? rest.endIndex)])
    }
    return parts
  }
}
