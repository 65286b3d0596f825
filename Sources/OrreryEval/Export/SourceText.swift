// SPDX-License-Identifier: Apache-2.0

import OrreryDocument

/// Parts of source texts that several languages have in common.
enum SourceText {
  /// Columns of a line of numbers.
  private static let columnsMax = 96

  /// Numbers or pairs in lines, separated by commas.
  static func wrapped(_ items: [String], indent: String) -> String {
    var lines: [String] = []
    var line = ""
    for (index, item) in items.enumerated() {
      let next = item + (index == items.count - 1 ? "" : ",")
      if !line.isEmpty, indent.count + line.count + 1 + next.count > columnsMax {
        lines.append(indent + line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + next
    }
    if !line.isEmpty { lines.append(indent + line) }
    return lines.joined(separator: "\n")
  }

  /// A number with the fewest digits that read back as the same bits.
  static func number(_ value: Double) -> String { JSONWriter.number(value, .answer) }

  /// Seconds to the microsecond, which no display shows; shorter times than a millisecond as they are.
  static func seconds(_ seconds: Double) -> String {
    abs(seconds) < 1e-3 ? number(seconds) : ShortDecimal.text(seconds, places: 6)
  }

  /// Whole milliseconds; 0 only of no time.
  static func milliseconds(_ seconds: Double) -> Int {
    seconds == 0 ? 0 : max(1, Int(min((seconds * 1_000).rounded(), 1e15)))
  }
}
