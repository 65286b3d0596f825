// SPDX-License-Identifier: Apache-2.0

import CDots

/// Coverage of 4 x 4 pixels by a small disc, for 16 x 16 subpixel positions of its centre.
///
/// A disc of radius up to 1.5 that begins inside pixel 0 ends inside pixel 3. Coverage is counted
/// on 16 x 16 points of each pixel, so a dot's brightness and its centre do not depend on its
/// subpixel position. A disc smaller than a pixel would stay inside one pixel and then jump to the
/// next, so it is spread over more pixels, and drawn weaker.
final class DotMasks {
  /// Pixels; a larger disc does not fit into four columns.
  static let radiusMax = 1.5

  /// Pixels; smaller discs are drawn with this radius, weakened to their own area.
  ///
  /// With a smaller radius, the drawn centre would lag by up to a sixth of a pixel; with this one,
  /// by a fourteenth.
  private static let spreadRadius = 0.9

  /// Distance from the edge of the 4 x 4 pixels to the centre of a dot at phase 0, in pixels.
  static let lead = 1.5

  /// Subpixel positions per pixel, on each axis.
  static let phases = Int(DOTS_PHASES)

  /// Coverage of each pixel as `dots_dot` has it: a cache line for each subpixel position.
  ///
  /// Valid for the lifetime of this object; 16 KiB.
  private let masks: UnsafeMutablePointer<UInt16>

  /// - Parameter radius: In pixels, from 0 to `radiusMax`.
  init(radius: Double) {
    precondition((0...Self.radiusMax).contains(radius), "dot of radius \(radius)")
    let pixels = Int(DOTS_PIXELS)
    let count = Self.phases * Self.phases * pixels
    let drawn = max(radius, Self.spreadRadius)
    let strength = radius * radius / (drawn * drawn)
    masks = UnsafeMutableRawPointer.allocate(
      byteCount: 2 * count * MemoryLayout<UInt16>.stride, alignment: 64
    ).bindMemory(to: UInt16.self, capacity: 2 * count)
    for index in 0..<count {
      let (phase, pixel) = (index / pixels, index % pixels)
      let centerX = Self.lead + Double(phase % Self.phases) / Double(Self.phases)
      let centerY = Self.lead + Double(phase / Self.phases) / Double(Self.phases)
      let coverage = Self.coverage(
        column: pixel % 4, row: pixel / 4, centerX: centerX, centerY: centerY, radius: drawn,
        strength: strength)
      (masks + 2 * index).initialize(repeating: coverage, count: 2)
    }
  }

  deinit { masks.deallocate() }

  /// The disc in a premultiplied colour; this object keeps it alive.
  func dot(_ pixel: UInt32) -> dots_dot { dots_dot(masks: masks, pixel: pixel) }

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
