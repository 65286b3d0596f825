// SPDX-License-Identifier: Apache-2.0

import Orrery

extension Exporter {
  /// Variables of a tween of GSAP; of a curve the ease alone.
  func gsap() throws(ExportError) -> ExportedText {
    let isWhole = motion.count.map { $0 == $0.rounded() && $0 < 1e9 } ?? true
    let shown = isWhole ? motion : try motion.unrolled()
    var output: ExportedText
    if case .curve(let curve) = shown.shape, let ease = Self.ease(curve) {
      try check(shown)
      output = Self.same(shown, ease)
    } else {
      let cubics = try cubics(shown)
      let length = shown.length
      output = ExportedText(
        text: "CustomEase.create(\"exported\", \"\(Self.path(cubics, end: shown.share(1)))\")",
        model: { length > 0 && $0 < length ? cubics.value(at: $0 / length) : shown.share(1) },
        knots: Self.ends(of: cubics), motion: shown)
    }
    guard let seconds = shown.seconds else { return output }
    var rows = ["duration: \(SourceText.seconds(seconds))"]
    if shown.delay > 0 { rows.append("delay: \(SourceText.seconds(shown.delay))") }
    if shown.delay < 0 { output.notes.append(Self.delayNote(shown.delay)) }
    if shown.count != 1 { rows.append("repeat: \(shown.count.map { Int($0) - 1 } ?? -1)") }
    if shown.alternates { rows.append("yoyo: true") }
    output.text = "{ \(rows.joined(separator: ", ")), ease: \(output.text) }"
    return output
  }

  /// The ease in GSAP's own words, where it has them; `steps(n)` there has n + 1 intervals and no jump at the ends.
  private static func ease(_ curve: UnitCurve) -> String? {
    switch curve.form {
    case .linear: return "\"none\""
    case .bezier:
      guard let controls = controls(of: curve)?.map(SourceText.number) else { return nil }
      let (first, second) = (controls[0...1], controls[2...3])
      let points = "\(first.joined(separator: ",")) \(second.joined(separator: ","))"
      return "CustomEase.create(\"exported\", \"M0,0 C\(points) 1,1\")"
    case .steps(let count, .jumpNone): return "\"steps(\(count - 1))\""
    case .steps(let count, .jumpStart): return "\"steps(\(count),true)\""
    default: return nil
    }
  }

  /// An SVG path: a curve for each segment, and a vertical line for each jump.
  private static func path(_ cubics: CubicSegments, end: Double) -> String {
    func point(_ x: Double, _ y: Double) -> String {
      "\(ShortDecimal.text(x, places: 6)),\(ShortDecimal.text(y, places: 6))"
    }
    guard let first = cubics.segments.first else { return "M0,\(end) L1,\(end)" }
    var path = "M" + point(first.start, first.values.0)
    var value = first.values.0
    for segment in cubics.segments {
      if segment.values.0 != value { path += " L" + point(segment.start, segment.values.0) }
      let third = (segment.end - segment.start) / 3
      path += " C" + point(segment.start + third, segment.values.1)
      path += " " + point(segment.end - third, segment.values.2)
      path += " " + point(segment.end, segment.values.3)
      value = segment.values.3
    }
    return value == end ? path : path + " L" + point(1, end)
  }
}
