// SPDX-License-Identifier: Apache-2.0

/// A motion in numbers, as `orrery curve --json` prints it: docs/schemas/curve.schema.json.
package struct CurveReport: Encodable {
  /// The document's kind and version.
  package static let schema = "orrery.curve.v1"

  /// One time, and what moves at it.
  package struct Row: Encodable {
    /// Seconds since the motion began; nil of a unit curve.
    package let timeSeconds: Double?
    /// Input of a unit curve; nil of other motions.
    package let progress: Double?
    /// From 0 to 1.
    package let value: Double
    /// Change of the value by a second, or by the whole of a unit curve.
    package let velocity: Double
  }

  /// One marked time.
  package struct Mark: Encodable {
    /// leg, logically_complete, end or overshoot.
    package let kind: String
    /// Seconds since the motion began.
    package let timeSeconds: Double
    /// The mark's label.
    package let text: String
  }

  /// The motion's text.
  package let spec: String
  /// The times of the table, in their order.
  package let rows: [Row]
  /// The marks, in the order of their times.
  package let marks: [Mark]

  /// The numbers of a motion.
  ///
  /// - Parameters:
  ///   - motion: What moves.
  ///   - rowCount: Times, from the first to the last that is plotted.
  package init(_ motion: MotionPlot, rowCount: Int = 21) {
    spec = motion.title
    rows = motion.tableTimes(rowCount: rowCount).map { time in
      Row(
        timeSeconds: motion.isUnitCurve ? nil : time, progress: motion.isUnitCurve ? time : nil,
        value: motion.value(time), velocity: motion.velocity(time))
    }
    marks = motion.marks.map {
      Mark(kind: $0.kind.rawValue, timeSeconds: $0.time, text: $0.text)
    }
  }
}
