// SPDX-License-Identifier: Apache-2.0

import OrreryScene

/// A tween's cycle as cubics on equal segments, for lanes in single precision.
///
/// The phase is rounded to 23 bits. Its upper `bits` bits select a segment; the others are the progress
/// within it, v in [0, 1):
///
///     progress = c0 + v·(c1 + v·(c2 + v·c3))
///
/// c0 is the cycle's own value at the segment's start, as a float, so progress is exact there, and at 0.
/// docs/explained/kernels.md gives the error bound and the construction of the cubics.
package struct CurveTable: Sendable {
  /// One segment's coefficients, c0 first.
  package typealias Row = SIMD4<Float>

  /// Each segment's coefficients, 2^`bits` of them.
  package let rows: [Row]

  /// Binary logarithm of the number of segments, in `bitsRange`.
  package let bits: UInt32

  /// Binary logarithms of the numbers of segments that a table may have.
  ///
  /// 2^4 rows fit the registers of AVX2; 2^10 are 16 KiB, half of a small first-level cache.
  package static let bitsRange: ClosedRange<UInt32> = 4...10

  /// Largest error of a table against its cycle, in progress.
  package static let errorMax = 2e-6

  /// The smallest table that keeps the bound, or nil if there is none: for curves with vertical tangents,
  /// with jumps or kinks inside a segment, or with values far beyond 0...1.
  ///
  /// A jump at a segment's border is taken up to 2^-24 turns early, as the phase is rounded, but never
  /// late.
  package init?(_ cycle: TweenCycle) {
    if cycle == .linear {
      self.init(bits: 4, rows: (0..<16).map { Row(Float($0) / 16, 1 / 16, 0, 0) })
      return
    }
    for bits in Self.bitsRange {
      if let rows = Self.rows(cycle, bits: bits) {
        self.init(bits: bits, rows: rows)
        return
      }
    }
    return nil
  }

  private init(bits: UInt32, rows: [Row]) {
    self.bits = bits
    self.rows = rows
  }

  /// Progress at a phase, with the arithmetic of the kernels.
  ///
  /// - Parameter phase: Turns, in units of 2^-32.
  /// - Returns: 0 at the cycle's start, 1 at its end; below 0 or above 1 where it overshoots.
  package func progress(at phase: UInt32) -> Float {
    let rounded = (phase &+ 0x100) >> 9
    let row = rows[Int(rounded >> (23 - bits))]
    let v = Float(bitPattern: (rounded << bits) & 0x7f_ffff | 0x3f80_0000) - 1
    return row[0] + v * (row[1] + v * (row[2] + v * row[3]))
  }

  /// A range that contains all progress: from the least to the greatest of the cubics' Bezier control
  /// points.
  package var range: ClosedRange<Double> {
    var (low, high) = (Double.infinity, -Double.infinity)
    for row in rows {
      let (a, b, c, d) = (Double(row[0]), Double(row[1]), Double(row[2]), Double(row[3]))
      for point in [a, a + b / 3, a + (2 * b + c) / 3, a + b + c + d] {
        (low, high) = (min(low, point), max(high, point))
      }
    }
    return low...high
  }

  /// All segments of a table of this size, or nil if one is too far from the cycle.
  private static func rows(_ cycle: TweenCycle, bits: UInt32) -> [Row]? {
    var rows: [Row] = []
    rows.reserveCapacity(1 << bits)
    for segment in 0..<(1 << bits) {
      guard let row = row(cycle, segment: segment, count: 1 << bits) else { return nil }
      rows.append(row)
    }
    return rows
  }

  private static func row(_ cycle: TweenCycle, segment: Int, count: Int) -> Row? {
    // Rounding the phase moves it by up to 2^-24 turns along the slope.
    fit(slopeError: Double(count) * 0x1p-24) { v in
      // The end belongs to the next segment, which may begin elsewhere.
      let turns = (Double(segment) + v) / Double(count)
      return cycle.value(at: v == 1 ? turns.nextDown : turns)
    }
  }

  /// Number of points of a segment at which its cubic is compared with the function.
  private static let checkCount = 32

  /// The cubic through a function's values at v = 0, 1/4, 3/4 and 1: the Chebyshev-Lobatto points, which give nearly
  /// the least error of any cubic.
  ///
  /// - Parameters:
  ///   - slopeError: How far v is off, which counts as an error along the slope.
  ///   - value: The function, of v in 0...1.
  /// - Returns: Nil if it is too far from the function.
  static func fit(slopeError: Double = 0, _ value: (Double) -> Double) -> Row? {
    let c0 = Float(value(0))
    let start = Double(c0)
    let (a, b, c) = (
      (value(0.25) - start) * 4, (value(0.75) - start) * (4 / 3), value(1) - start
    )
    // Newton's divided differences of (f(v) - c0)/v at 1/4, 3/4, 1.
    let (ab, bc) = ((b - a) * 2, (c - b) * 4)
    let abc = (bc - ab) * (4 / 3)
    let row = Row(
      c0, Float(a - ab / 4 + abc * (3 / 16)), Float(ab - abc), Float(abc))

    var before = value(0)
    for point in 1...checkCount {
      let v = Double(point) / Double(checkCount)
      let expected = value(v)
      let lane = Float(v)
      let found = row[0] + lane * (row[1] + lane * (row[2] + lane * row[3]))
      let slope = abs(expected - before) * Double(checkCount)
      guard abs(Double(found) - expected) + slope * slopeError <= errorMax else { return nil }
      before = expected
    }
    return row
  }
}
