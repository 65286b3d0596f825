// SPDX-License-Identifier: Apache-2.0

/// A picture's size in pixels.
package struct PictureSize: Equatable, Sendable, CustomStringConvertible {
  /// 1 … 16384.
  package let width: Int

  /// 1 … 16384.
  package let height: Int

  /// Parses a size such as `1280x720`; nil if the format is wrong or a side is out of range.
  package init?(_ text: String) {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (1...16_384).contains(width), (1...16_384).contains(height)
    else { return nil }
    self.width = width
    self.height = height
  }

  package var description: String { "\(width)x\(height)" }
}
