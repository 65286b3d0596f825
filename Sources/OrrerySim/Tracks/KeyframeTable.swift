// SPDX-License-Identifier: Apache-2.0

import OrreryScene

/// A round of keyframes as cubics on equal segments, for lanes in single precision.
///
/// Keyframes stand on whole frames, or tenths of a second, so some number of equal segments has a border at each:
///
///     keyframes   0         0.4                 2.0 s
///     segments    |----|----|----|----|----|----|      each a fifth of 2 s
///
/// Where keyframes are joined by polynomials, a segment's cubic is exact. On curves and springs it is fitted, and
/// segments are divided until the fit keeps `CurveTable.errorMax`.
///
///     value = low + span · progress
struct KeyframeTable {
  /// Each segment's coefficients of the progress; see `CurveTable`.
  let rows: [CurveTable.Row]
  /// The value at progress 0.
  let low: Double
  /// The value at progress 1 minus `low`; more than 0.
  let span: Double

  /// Segments that a table may have: kernels count them with ten bits.
  static let rowsMax = 1024

  /// How far a keyframe may be from a border, in turns: kernels round phases more coarsely.
  private static let gridError = 0x1p-25

  /// The smallest table; nil if there is none: for keyframes that stand on no grid, and for curves that are too steep.
  init?(_ course: KeyframeCourse) {
    low = course.low
    span = course.high > course.low ? course.high - course.low : 1
    let starts = course.parts.map { $0.start / course.duration }
    let grid = (1...Self.rowsMax).first { count in
      starts.allSatisfy {
        abs($0 - ($0 * Double(count)).rounded() / Double(count)) <= Self.gridError
      }
    }
    guard let grid else { return nil }
    for count in stride(from: grid, through: Self.rowsMax, by: grid) {
      if let rows = Self.rows(course, count: count, low: low, span: span) {
        self.rows = rows
        return
      }
    }
    return nil
  }

  /// All segments, or nil if one is too far from the course.
  private static func rows(
    _ course: KeyframeCourse, count: Int, low: Double, span: Double
  ) -> [CurveTable.Row]? {
    var rows: [CurveTable.Row] = []
    rows.reserveCapacity(count)
    var parts = course.parts[...]
    for segment in 0..<count {
      let middle = (Double(segment) + 0.5) / Double(count) * course.duration
      while let first = parts.first, parts.count > 1, first.start + first.duration < middle {
        parts.removeFirst()
      }
      guard let part = parts.first else { return nil }
      let length = course.duration / Double(count) / part.duration
      // The segment of the part that this is; a whole number but for rounding.
      let index = (Double(segment) - part.start / course.duration * Double(count)).rounded()
      let start = index * length
      switch part.motion {
      case .cubic(let c):
        var moved = SIMD4(
          c[0] + start * (c[1] + start * (c[2] + start * c[3])),
          length * (c[1] + start * (2 * c[2] + start * 3 * c[3])),
          length * length * (c[2] + start * 3 * c[3]), length * length * length * c[3])
        moved[0] -= low
        rows.append(CurveTable.Row(moved / span))
      case .curve, .spring:
        let row = CurveTable.fit { v in
          (part.value(at: min(start + v * length, 1)) - low) / span
        }
        guard let row else { return nil }
        rows.append(row)
      }
    }
    return rows
  }
}

/// A course with its table in a `CurveBank`, for lanes.
final class LaneTrack: Sendable {
  /// Where the table is; see `kernel_table.tween_grid`.
  let entry: UInt32
  /// As in `KeyframeTable`.
  let low: Double
  let span: Double
  /// Seconds of a round.
  let duration: Double
  /// Keeps the course, and so its identity.
  private let course: KeyframeCourse

  init(_ course: KeyframeCourse, _ table: KeyframeTable, entry: UInt32) {
    (self.course, self.entry) = (course, entry)
    (low, span, duration) = (table.low, table.span, course.duration)
  }
}
