// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Where two pictures differ, and by how much.
package struct PictureDifference {
  /// What a comparison found.
  package struct Report: Codable, Equatable, Sendable {
    /// Pixels of each picture.
    package var pixels: Int
    /// Of them, those that differ by more than the tolerance.
    package var differentPixels: Int
    /// The largest difference of a channel, 0 to 255; colours are multiplied by their opacity.
    package var largestDifference: Int
    /// Differences up to this are none.
    package var tolerance: Int
    /// The smallest rectangle with all pixels that differ: left, top, width, height; nil if none do.
    package var area: [Int]?

    /// Whether nothing differs.
    package var isEqual: Bool { differentPixels == 0 }

    /// The document's kind and version: docs/schemas/picture-diff.schema.json.
    package static let schema = "orrery.picture-diff.v1"

    /// For people.
    package var text: String {
      let within = tolerance > 0 ? " by more than \(tolerance)" : ""
      guard let area else {
        return
          "equal: no pixel of \(pixels) differs\(within); largest difference \(largestDifference)\n"
      }
      let part = decimal(Double(differentPixels) / Double(pixels) * 100, places: 2)
      return """
        different: \(differentPixels) of \(pixels) pixels (\(part) %) differ\(within)
        largest difference: \(largestDifference) of 255
        where: \(area[2])x\(area[3]) pixels from \(area[0]),\(area[1])

        """
    }
  }

  /// What was found.
  package let report: Report

  /// The first picture in grey, faint; what differs is red, and the further apart the yellower.
  package let picture: PixelBuffer

  /// Compares two pictures.
  ///
  /// - Parameters:
  ///   - a: The first one.
  ///   - b: Of the same size.
  ///   - tolerance: The largest difference of a channel that counts as none.
  /// - Throws: `RenderError.outOfMemory`.
  package init(
    _ a: PixelBuffer, _ b: PixelBuffer, tolerance: Int
  ) throws(RenderError) {
    precondition(a.width == b.width && a.height == b.height)
    picture = try PixelBuffer(width: a.width, height: a.height)
    var (different, largest) = (0, 0)
    var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)
    for index in 0..<a.width * a.height {
      let difference = Self.difference(a.pixels[index], b.pixels[index])
      largest = max(largest, difference)
      guard difference > tolerance else {
        picture.pixels[index] = Self.grey(a.pixels[index])
        continue
      }
      different += 1
      let (x, y) = (index % a.width, index / a.width)
      (left, right) = (min(left, x), max(right, x))
      (top, bottom) = (min(top, y), max(bottom, y))
      picture.pixels[index] = 0xFFFF_0000 | UInt32(difference) << 8
    }
    report = Report(
      pixels: a.width * a.height, differentPixels: different, largestDifference: largest,
      tolerance: tolerance,
      area: different > 0 ? [left, top, right - left + 1, bottom - top + 1] : nil)
  }

  /// The largest difference of a channel.
  private static func difference(_ a: UInt32, _ b: UInt32) -> Int {
    if a == b { return 0 }
    var largest = 0
    for shift in [0, 8, 16, 24] as [UInt32] {
      largest = max(largest, abs(Int(a >> shift & 255) - Int(b >> shift & 255)))
    }
    return largest
  }

  /// A grey from a quarter to three fifths of white, by the pixel's brightness.
  private static func grey(_ pixel: UInt32) -> UInt32 {
    let sum = (pixel >> 16 & 255) * 2 + (pixel >> 8 & 255) * 5 + (pixel & 255)
    let level = 64 + sum / 8 * 90 / 255
    return 0xFF00_0000 | level << 16 | level << 8 | level
  }
}
