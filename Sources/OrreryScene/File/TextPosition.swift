// SPDX-License-Identifier: Apache-2.0

/// A line and a column, both from 1; columns count characters as Unicode scalars.
package struct TextPosition: Hashable, Sendable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position of a byte.
  ///
  /// - Complexity: O(n) in the bytes before it.
  package init(ofByte offset: Int, in bytes: [UInt8]) {
    let newline = UInt8(ascii: "\n")
    let before = bytes[..<min(offset, bytes.count)]
    let lineStart = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
    // A byte-order mark has no width, and bytes of the form 10xxxxxx continue a character.
    let hasMark = lineStart == 0 && before.starts(with: [0xef, 0xbb, 0xbf])
    let characters = before[lineStart...].count { $0 & 0xc0 != 0x80 } - (hasMark ? 1 : 0)
    line = before.count { $0 == newline } + 1
    column = characters + 1
  }
}
