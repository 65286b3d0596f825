// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument

extension Exporter {
  /// Keyframes of one property: a cubic segment each, with times in frames.
  func lottie() throws(ExportError) -> ExportedText {
    guard motion.seconds != nil else { return try lottie(of: motion, isCurve: true) }
    if motion.count == nil { return try lottie(of: motion.alternates ? thereAndBack() : motion) }
    return try lottie(of: try motion.unrolled())
  }

  private func lottie(
    of shown: ExportedMotion, isCurve: Bool = false
  ) throws(ExportError) -> ExportedText {
    let cubics = try cubics(shown, needsWay: true)
    let (scale, begin) = (shown.length * rate, shown.delay * rate)
    let (from, to) = shown.ends
    var keyframes: [DocumentValue] = []
    func frame(_ position: Double) -> Double { begin + position * scale }
    func add(_ frame: Double, _ value: Double, _ more: [(String, DocumentValue)] = []) {
      var keyframe = DocumentTable()
      keyframe.append("t", Self.number(frame, places: 4))
      keyframe.append("s", .array([Self.number(from + value * (to - from), places: 6)]))
      for (key, value) in more { keyframe.append(key, value) }
      keyframes.append(.table(keyframe))
    }
    let held: [(String, DocumentValue)] = [("h", .integer(1))]
    let first = cubics.segments.first?.values.0 ?? 0
    if begin > 0 { add(0, 0, held) }
    var value = first
    for segment in cubics.segments {
      let (a, b, c, d) = segment.values
      // A jump: the value before it is held for the last thousandth of a frame.
      if a != value { add(frame(segment.start) - 0.001, value, held) }
      let isStill = d == a
      add(
        frame(segment.start), a,
        isStill
          ? held
          : [
            ("o", Self.handle(1.0 / 3, (b - a) / (d - a))),
            ("i", Self.handle(2.0 / 3, (c - a) / (d - a))),
          ])
      value = d
    }
    let end = shown.share(1)
    if value != end { add(frame(1) - 0.001, value, held) }
    add(frame(1), end)
    var table = DocumentTable()
    table.append("a", .integer(1))
    table.append("k", .array(DocumentArray(keyframes)))
    let length = shown.length
    var output = ExportedText(
      text: JSONLayout.text(.table(table)),
      model: { length > 0 && $0 < length ? cubics.lottieValue(at: $0 / length) : end },
      knots: Self.ends(of: cubics), motion: shown)
    if isCurve { output.notes.append("a curve has no duration: it takes one second here") }
    if shown.count == nil {
      output.notes.append("one leg only: Lottie has no endless property; loop the player")
    }
    return output
  }

  /// A leg and the leg backwards, as one.
  private func thereAndBack() throws(ExportError) -> ExportedMotion {
    var twice = motion
    twice.count = 2
    var shown = try twice.unrolled()
    shown.count = nil
    return shown
  }

  private static func number(_ value: Double, places: Int) -> DocumentValue {
    let scale = places == 4 ? 1e4 : 1e6
    return .number((value * scale).rounded() / scale + 0)
  }

  /// A handle by its shares of the segment's time and of its way.
  private static func handle(_ x: Double, _ y: Double) -> DocumentValue {
    var table = DocumentTable()
    table.append("x", .array([number(x, places: 6)]))
    table.append("y", .array([number(y, places: 6)]))
    return .table(table)
  }
}

extension CubicSegments {
  /// The value with control points as Lottie has them: of six decimal places; a still segment holds its start.
  fileprivate func lottieValue(at position: Double) -> Double {
    func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
    let segment = segment(at: position)
    let (a, b, c, d) = segment.values
    let way = d - a
    guard way != 0, segment.end > segment.start else { return a }
    let curve = UnitCurve.bezier(
      startControlPoint: UnitPoint(x: 0.333333, y: rounded((b - a) / way)),
      endControlPoint: UnitPoint(x: 0.666667, y: rounded((c - a) / way)))
    return a + way
      * curve.value(
        at: (position - segment.start) / (segment.end - segment.start))
  }
}
