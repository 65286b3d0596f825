// SPDX-License-Identifier: Apache-2.0

/// A line and a column, both from 1; columns count characters as Unicode scalars.
package struct TextPosition: Hashable, Sendable {
  /// Number of the line, from 1.
  package let line: Int
  /// Number of the character in the line, from 1.
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position of a byte.
  ///
  /// - Complexity: O(n) in the bytes before it.
  package init(ofByte offset: Int, in bytes: [UInt8]) {
    var finder = TextPositionFinder(bytes)
    self = finder.position(ofByte: offset)
  }
}

/// Finds the positions of many bytes in one pass over their text.
package struct TextPositionFinder {
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var column = 1

  /// Begins at the first byte.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte-order mark has no width.
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
  }

  /// The position of a byte that is not before the last one asked for.
  package mutating func position(ofByte target: Int) -> TextPosition {
    while offset < min(target, bytes.count) {
      // Bytes of the form 10xxxxxx continue a character.
      if bytes[offset] & 0xc0 != 0x80 { column += 1 }
      if bytes[offset] == UInt8(ascii: "\n") { (line, column) = (line + 1, 1) }
      offset += 1
    }
    return TextPosition(line: line, column: column)
  }
}
