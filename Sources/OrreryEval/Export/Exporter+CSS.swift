// SPDX-License-Identifier: Apache-2.0

import Orrery

extension Exporter {
  /// Declarations of CSS: those of a transition, or of an animation where legs repeat.
  func css() throws(ExportError) -> ExportedText {
    let same = Self.sameCurve(motion)
    var output = if let same { same } else { try lines(motion) }
    let easing =
      output.text.isEmpty ? Self.linearFunction(output.knots) : output.text
    let repeats = motion.count != 1
    let name = repeats ? "animation" : "transition"
    var declarations = [("timing-function", easing)]
    if let seconds = motion.seconds {
      declarations.append(("duration", Self.cssTime(seconds)))
    }
    if motion.delay != 0 { declarations.append(("delay", Self.cssTime(motion.delay))) }
    if repeats {
      let count = motion.count.map(SourceText.number) ?? "infinite"
      declarations.append(("iteration-count", count))
      if motion.alternates { declarations.append(("direction", "alternate")) }
      if motion.delay > 0 { declarations.append(("fill-mode", "backwards")) }
      output.notes.append(
        "use it with @keyframes that lead from the old value (0) to the new one (1); after the end the element's own"
          + " value shows")
    }
    output.text = declarations.map { "\(name)-\($0.0): \($0.1);" }.joined(separator: "\n")
    return output
  }

  private static func cssTime(_ seconds: Double) -> String {
    SourceText.seconds(seconds) + "s"
  }

  /// `linear()` of CSS Easing 2; the first and the last input are 0% and 100% where they are not written.
  static func linearFunction(_ knots: [FewestLines.Knot]) -> String {
    var stops: [String] = []
    for (index, knot) in knots.enumerated() {
      let value = ShortDecimal.text(knot.value)
      let isEnd =
        (index == 0 && knot.position == 0) || (index == knots.count - 1 && knot.position == 1)
      stops.append(isEnd ? value : "\(value) \(ShortDecimal.text(knot.position * 100))%")
    }
    // A list needs two stops.
    if stops.count == 1 { stops.append(stops[0]) }
    return "linear(\(stops.joined(separator: ", ")))"
  }

  /// The curve in CSS's own words, where they have it.
  private static func sameCurve(_ motion: ExportedMotion) -> ExportedText? {
    guard case .curve(let curve) = motion.shape, motion.length < .infinity else { return nil }
    let text: String
    switch curve.form {
    case .linear: text = "linear"
    case .bezier:
      guard let controls = controls(of: curve) else { return nil }
      text = "cubic-bezier(\(controls.map(SourceText.number).joined(separator: ", ")))"
    case .steps(let count, let jump): text = "steps(\(count), \(jump.cssName))"
    case .lines(let stops):
      guard stops.count <= FewestLines.pointsMax else { return nil }
      var texts = stops.map { stop in
        let input = SourceText.number((stop.input ?? 0) * 100)
        return "\(SourceText.number(stop.output)) \(input)%"
      }
      if texts.count == 1 { texts.append(texts[0]) }
      text = "linear(\(texts.joined(separator: ", ")))"
    default: return nil
    }
    return same(motion, text)
  }
}
