// SPDX-License-Identifier: Apache-2.0

/// A function over [0, 1] as cubic polynomials, one after the other.
///
/// A segment is a Bézier curve whose inner control points lie at a third and at two thirds of its time, so that its value
/// is a cubic polynomial of the time. Both are fitted by least squares; each segment is as long as the tolerance allows.
/// That is few segments, but not always the fewest.
struct CubicSegments: Sendable {
  struct Segment: Sendable {
    var start: Double
    var end: Double
    /// The values at the start, at the two control points, and at the end.
    var values: (Double, Double, Double, Double)

    /// The value at a position from start to end.
    func value(at position: Double) -> Double {
      let t = (position - start) / (end - start)
      let s = 1 - t
      return s * s * (s * values.0 + 3 * t * values.1) + t * t * (3 * s * values.2 + t * values.3)
    }
  }

  /// In their order, without gaps between them; at a jump, one ends and the next begins with another value.
  var segments: [Segment]

  /// Decimal places of values.
  static let places = 6

  /// Samples that one fit uses, and that one check of it uses.
  private static let fitSamples = 48
  private static let checkSamples = 512

  /// Fits a function.
  ///
  /// - Parameters:
  ///   - samples: The function.
  ///   - tolerance: Largest distance from it.
  ///   - needsWay: Whether the ends of a segment that moves must differ, as where control points are shares of the way.
  /// - Throws: `ExportError.tooManyPoints`.
  init(
    _ samples: MotionSamples, within tolerance: Double, needsWay: Bool = false
  ) throws(ExportError) {
    segments = []
    for piece in samples.pieces {
      var first = 0
      while first + 1 < piece.count {
        let (last, segment) = Self.longest(piece, from: first, tolerance, needsWay: needsWay)
        segments.append(segment)
        first = last
        guard segments.count <= FewestLines.pointsMax else {
          throw .tooManyPoints(FewestLines.pointsMax)
        }
      }
    }
  }

  /// The value at a position: at a jump the later one.
  func value(at position: Double) -> Double {
    let segment = segment(at: position)
    return segment.value(at: min(position, segment.end))
  }

  /// The last segment that begins at a position or before it, or the first one.
  func segment(at position: Double) -> Segment {
    var (low, high) = (0, segments.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if segments[middle].start <= position { low = middle } else { high = middle - 1 }
    }
    return segments[low]
  }

  /// The longest segment from a sample on: first twice as long each time, then by halves.
  private static func longest(
    _ piece: [MotionSamples.Sample], from first: Int, _ tolerance: Double, needsWay: Bool
  ) -> (Int, Segment) {
    let last = piece.count - 1
    func attempt(_ end: Int) -> Segment? {
      let segment = fit(piece, first, end)
      return isWithin(segment, piece, first, end, tolerance) ? segment : nil
    }
    var best = (first + 1, fit(piece, first, first + 1))
    var (length, tooLong) = (2, last - first + 1)
    while first + length <= last {
      guard let segment = attempt(first + length) else {
        tooLong = length
        break
      }
      best = (first + length, segment)
      length *= 2
    }
    var known = best.0 - first
    while known + 1 < tooLong {
      let middle = (known + tooLong) / 2
      if let segment = attempt(first + middle) {
        (known, best) = (middle, (first + middle, segment))
      } else {
        tooLong = middle
      }
    }
    guard needsWay else { return best }
    while best.0 > first + 1, !hasWay(best.1, tolerance) {
      // A turn is in the middle of it: end it before.
      let end = first + (best.0 - first) * 3 / 4
      best = (end, fit(piece, first, end))
    }
    return best
  }

  private static func hasWay(_ segment: Segment, _ tolerance: Double) -> Bool {
    let (a, b, c, d) = segment.values
    return abs(d - a) > tolerance || max(abs(b - a), abs(c - a)) <= tolerance
  }

  private static func isWithin(
    _ segment: Segment, _ piece: [MotionSamples.Sample], _ first: Int, _ last: Int,
    _ tolerance: Double
  ) -> Bool {
    let step = max(1, (last - first) / checkSamples)
    return stride(from: first, to: last, by: step).allSatisfy { index in
      abs(segment.value(at: piece[index].position) - piece[index].value) <= tolerance
    }
  }

  /// The cubic with the smallest sum of squares whose ends are those of the function.
  private static func fit(
    _ piece: [MotionSamples.Sample], _ first: Int, _ last: Int
  ) -> Segment {
    func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
    let (a, b) = (piece[first], piece[last])
    let ends = (rounded(a.value), rounded(b.value))
    let step = max(1, (last - first) / fitSamples)
    var (pp, pq, qq, pr, qr) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for index in stride(from: first + 1, to: last, by: step) {
      let t = (piece[index].position - a.position) / (b.position - a.position)
      let s = 1 - t
      let (p, q) = (3 * s * s * t, 3 * s * t * t)
      let r = piece[index].value - s * s * (s + 3 * t) * ends.0 - t * t * (t + 3 * s) * ends.1
      pp += p * p
      pq += p * q
      qq += q * q
      pr += p * r
      qr += q * r
    }
    // The unknowns are the control points less the value of the nearer end.
    let determinant = pp * qq - pq * pq
    var (x, y) = ((ends.1 - ends.0) / 3, (ends.0 - ends.1) / 3)
    if last - first > 3, determinant > 1e-12 {
      (x, y) = ((pr * qq - qr * pq) / determinant, (qr * pp - pr * pq) / determinant)
    }
    // What rounding leaves of a value that stands still.
    if ends.0 == ends.1, max(abs(x), abs(y)) < 2e-6 { (x, y) = (0, 0) }
    return Segment(
      start: a.position, end: b.position,
      values: (ends.0, rounded(ends.0 + x), rounded(ends.1 + y), ends.1))
  }
}
