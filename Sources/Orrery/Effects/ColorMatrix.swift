// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A change of colours: red, green, blue and opacity of a point become sums of their multiples.
///
///     | r' |   | r1 r2 r3 r4 r5 |   | r |
///     | g' |   | g1 g2 g3 g4 g5 |   | g |
///     | b' | = | b1 b2 b3 b4 b5 | · | b |
///     | a' |   | a1 a2 a3 a4 a5 |   | a |
///                                   | 1 |
public struct ColorMatrix: Hashable, Sendable {
  /// Share of red in the new red.
  public var r1: Float = 1
  /// Share of green in the new red.
  public var r2: Float = 0
  /// Share of blue in the new red.
  public var r3: Float = 0
  /// Share of opacity in the new red.
  public var r4: Float = 0
  /// Added to red.
  public var r5: Float = 0
  /// Share of red in the new green.
  public var g1: Float = 0
  /// Share of green in the new green.
  public var g2: Float = 1
  /// Share of blue in the new green.
  public var g3: Float = 0
  /// Share of opacity in the new green.
  public var g4: Float = 0
  /// Added to green.
  public var g5: Float = 0
  /// Share of red in the new blue.
  public var b1: Float = 0
  /// Share of green in the new blue.
  public var b2: Float = 0
  /// Share of blue in the new blue.
  public var b3: Float = 1
  /// Share of opacity in the new blue.
  public var b4: Float = 0
  /// Added to blue.
  public var b5: Float = 0
  /// Share of red in the new opacity.
  public var a1: Float = 0
  /// Share of green in the new opacity.
  public var a2: Float = 0
  /// Share of blue in the new opacity.
  public var a3: Float = 0
  /// Share of opacity in the new opacity.
  public var a4: Float = 1
  /// Added to opacity.
  public var a5: Float = 0

  /// Makes the matrix that changes nothing.
  public init() {}
}

extension ColorMatrix {
  /// Shares of red, green and blue in luminance: SwiftUI's.
  private static let luminance: [Float] = [0.2126, 0.7152, 0.0722]

  /// The rows, without those of opacity: shares of red, green, blue and opacity, and an added constant.
  private var rows: [[Float]] {
    [[r1, r2, r3, r4, r5], [g1, g2, g3, g4, g5], [b1, b2, b3, b4, b5], [a1, a2, a3, a4, a5]]
  }

  private init(rows: [[Float]]) {
    (r1, r2, r3, r4, r5) = (rows[0][0], rows[0][1], rows[0][2], rows[0][3], rows[0][4])
    (g1, g2, g3, g4, g5) = (rows[1][0], rows[1][1], rows[1][2], rows[1][3], rows[1][4])
    (b1, b2, b3, b4, b5) = (rows[2][0], rows[2][1], rows[2][2], rows[2][3], rows[2][4])
    (a1, a2, a3, a4, a5) = (rows[3][0], rows[3][1], rows[3][2], rows[3][3], rows[3][4])
  }

  /// Adds a number to red, green and blue.
  init(brightness: Double) {
    (r5, g5, b5) = (Float(brightness), Float(brightness), Float(brightness))
  }

  /// Moves red, green and blue away from 0.5 by a factor; below 0 it counts as 0.
  init(contrast: Double) {
    let factor = Float(max(contrast, 0))
    (r1, g2, b3) = (factor, factor, factor)
    (r5, g5, b5) = ((1 - factor) / 2, (1 - factor) / 2, (1 - factor) / 2)
  }

  /// Moves colours away from their luminance by a factor; below 0 it counts as 0.
  init(saturation: Double) {
    let factor = Float(max(saturation, 0))
    self.init()
    let grey = Self.luminance.map { $0 * (1 - factor) }
    (r1, r2, r3) = (grey[0] + factor, grey[1], grey[2])
    (g1, g2, g3) = (grey[0], grey[1] + factor, grey[2])
    (b1, b2, b3) = (grey[0], grey[1], grey[2] + factor)
  }

  /// Moves colours toward their luminance by a share; below 0 it counts as 0, and 1 is grey.
  init(grayscale: Double) {
    let share = Float(max(grayscale, 0))
    self.init()
    let grey = Self.luminance.map { $0 * share }
    (r1, r2, r3) = (grey[0] + 1 - share, grey[1], grey[2])
    (g1, g2, g3) = (grey[0], grey[1] + 1 - share, grey[2])
    (b1, b2, b3) = (grey[0], grey[1], grey[2] + 1 - share)
  }

  /// Turns colours about the axis of greys, without a change of luminance.
  init(hueRotation angle: Angle) {
    let (s, c) = (Float(sin(angle.radians)), Float(cos(angle.radians)))
    let d = 1 - c
    self.init()
    (r1, r2, r3) = (
      c * 0.7873 + 0.2126 - s * 0.2126, d * 0.7152 - s * 0.7152, d * 0.0722 + s * 0.9278
    )
    (g1, g2, g3) = (
      d * 0.2126 + s * 0.143, c * 0.2848 + 0.7152 + s * 0.14, d * 0.0722 - s * 0.283
    )
    (b1, b2, b3) = (
      d * 0.2126 - s * 0.7873, d * 0.7152 + s * 0.7152, c * 0.9278 + 0.0722 + s * 0.0722
    )
  }

  /// This matrix, then another.
  func concatenating(_ other: ColorMatrix) -> ColorMatrix {
    let inner = rows
    return ColorMatrix(
      rows: other.rows.map { row in
        (0..<5).map { column in
          (0..<4).reduce(column == 4 ? row[4] : 0) { $0 + row[$1] * inner[$1][column] }
        }
      })
  }

  /// Red, green and blue of a colour, changed; opacity 1.
  package func applied(red: Float, green: Float, blue: Float) -> SIMD3<Float> {
    SIMD3(
      r1 * red + r2 * green + r3 * blue + r4 + r5, g1 * red + g2 * green + g3 * blue + g4 + g5,
      b1 * red + b2 * green + b3 * blue + b4 + b5)
  }
}
