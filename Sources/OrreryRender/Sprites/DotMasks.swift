// SPDX-License-Identifier: Apache-2.0

/// How much of each of 4 x 4 pixels a small disc covers, for 16 x 16 places of its centre between
/// the pixels.
///
/// A disc of radius up to 1.5 that begins inside pixel 0 ends inside pixel 3. Coverage is counted
/// on 16 x 16 points of each pixel, so a dot's brightness and its centre do not depend on where
/// between the pixels it stands. What is smaller than a pixel would rest inside one and then jump
/// to the next: it is spread over more pixels, and weaker.
final class DotMasks {
  /// Pixels; what is larger does not fit into four columns.
  static let radiusMax = 1.5

  /// Pixels; smaller discs are drawn with this radius, weakened to their own area.
  ///
  /// With less, the
  /// centre of what is drawn would lag by up to a sixth of a pixel; with this, by a fourteenth.
  private static let spreadRadius = 0.9

  /// From a dot's centre back to where its first pixel is looked for, in pixels.
  static let lead = 1.5

  /// Places between two pixels, on each axis.
  static let phases = 16

  /// Four rows for each place, vertical places outermost.
  ///
  /// A row's lanes hold the coverage of its
  /// four pixels, 0 to 255, each twice. Valid for the lifetime of this object; 16 KiB.
  let rows: UnsafeMutablePointer<ChannelPairs>

  /// - Parameter radius: In pixels, from 0 to `radiusMax`.
  init(radius: Double) {
    precondition((0...Self.radiusMax).contains(radius), "dot of radius \(radius)")
    let count = Self.phases * Self.phases * 4
    let drawn = max(radius, Self.spreadRadius)
    let strength = radius * radius / (drawn * drawn)
    rows = .allocate(capacity: count)
    for index in 0..<count {
      let place = index / 4
      let centerX = Self.lead + Double(place % Self.phases) / Double(Self.phases)
      let centerY = Self.lead + Double(place / Self.phases) / Double(Self.phases)
      var lanes = ChannelPairs()
      for column in 0..<4 {
        let coverage = Self.coverage(
          column: column, row: index % 4, centerX: centerX, centerY: centerY, radius: drawn,
          strength: strength)
        lanes[2 * column] = coverage
        lanes[2 * column + 1] = coverage
      }
      (rows + index).initialize(to: lanes)
    }
  }

  deinit { rows.deallocate() }

  private static func coverage(
    column: Int, row: Int, centerX: Double, centerY: Double, radius: Double, strength: Double
  ) -> UInt16 {
    var inside = 0
    for point in 0..<256 {
      let dx = Double(column) + (Double(point % 16) + 0.5) / 16 - centerX
      let dy = Double(row) + (Double(point / 16) + 0.5) / 16 - centerY
      if dx * dx + dy * dy <= radius * radius { inside += 1 }
    }
    return UInt16((Double(inside) / 256 * strength * 255).rounded())
  }
}
