// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A motion as another tool reads it.
struct ExportedText {
  /// What can be pasted there; lines without an end after the last one.
  var text: String

  /// What the printed numbers give at a time of a leg, in the unit of the motion's `value`.
  var model: @Sendable (Double) -> Double

  /// The points of lines, or the ends of segments; none where the target has the same motion.
  var knots: [FewestLines.Knot] = []

  /// What the text leaves out, in one line each.
  var notes: [String] = []

  /// Whether the text has the values themselves, not shares of the way.
  var hasOwnValues = false

  /// The motion that the text shows: one leg, or all legs as one.
  var motion: ExportedMotion
}

/// Writes a motion for another tool.
struct Exporter {
  let motion: ExportedMotion

  /// Largest error.
  let tolerance: Double

  /// Frames a second, of Lottie.
  let rate: Double

  /// The text for a target.
  ///
  /// - Throws: `ExportError`.
  func text(_ target: ExportTarget) throws(ExportError) -> ExportedText {
    if motion.length.isNaN { throw .notFinite(0) }
    switch target {
    case .css: return try css()
    case .swift: return try swift()
    case .kotlin: return try kotlin()
    case .dart: return try dart()
    case .lottie: return try lottie()
    case .gsap: return try gsap()
    case .json: return try lines(motion)
    }
  }

  /// Times that are longer than this are refused, s: those of a scene.
  private static let secondsMax = 4e9

  /// A motion as straight lines.
  ///
  /// - Parameters:
  ///   - motion: What moves.
  ///   - steps: Positions where lines may meet; nil: at any decimal fraction.
  /// - Returns: A text that is still empty.
  /// - Throws: `ExportError`.
  func lines(_ motion: ExportedMotion, steps: Int? = nil) throws(ExportError) -> ExportedText {
    try check(motion)
    let share = motion.share
    let (first, last) = (share(0), share(1))
    let ends: (Double?, Double?) = (first == 0 ? 0 : nil, last == 1 ? 1 : last == 0 ? 0 : nil)
    let knots = try FewestLines.knots(of: share, steps: steps, within: tolerance, ends: ends)
    let (function, length) = (KnotFunction(knots: knots), motion.length)
    return ExportedText(
      text: "", model: { function.value(at: length > 0 ? $0 / length : 1) }, knots: knots,
      motion: motion)
  }

  /// A motion as cubic segments; `segments` gets them.
  ///
  /// - Throws: `ExportError`.
  func cubics(
    _ motion: ExportedMotion, needsWay: Bool = false
  ) throws(ExportError) -> CubicSegments {
    try check(motion)
    let samples = try MotionSamples(tolerance: tolerance / 4, steps: nil, motion.share)
    // 0.9: what is left is for the digits, and for times between those that were checked.
    return try CubicSegments(samples, within: tolerance * 0.9, needsWay: needsWay)
  }

  /// The control points of a Bézier curve, x1, y1, x2, y2; nil for other curves.
  static func controls(of curve: UnitCurve) -> [Double]? {
    guard case .bezier(let x1, let y1, let x2, let y2) = curve.form else { return nil }
    // The library limits y in this way, too.
    let controls = [x1, min(max(y1, -1e100), 1e100), x2, min(max(y2, -1e100), 1e100)]
    return controls.allSatisfy(\.isFinite) ? controls : nil
  }

  /// Refuses motions without an end.
  func check(_ motion: ExportedMotion) throws(ExportError) {
    guard motion.length < .infinity else { throw .endless }
    guard motion.length <= Self.secondsMax else { throw .tooLong(motion.length) }
  }
}

// MARK: - What several targets share

extension Exporter {
  /// A text with the very motion, bit for bit.
  static func same(_ motion: ExportedMotion, _ text: String) -> ExportedText {
    ExportedText(text: text, model: motion.value, motion: motion)
  }

  /// What a spec with a delay of its own cannot say.
  static func delayNote(_ delay: Double) -> String {
    delay > 0
      ? "the delay is not in the text: begin \(SourceText.number(delay)) s later"
      : "the negative delay is not in the text: the motion begins \(SourceText.number(-delay)) s into it"
  }

  /// The ends of segments, as points.
  static func ends(of cubics: CubicSegments) -> [FewestLines.Knot] {
    guard let first = cubics.segments.first else { return [] }
    return [FewestLines.Knot(position: first.start, value: first.values.0)]
      + cubics.segments.map { FewestLines.Knot(position: $0.end, value: $0.values.3) }
  }
}
