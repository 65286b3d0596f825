// SPDX-License-Identifier: Apache-2.0

import Orrery

extension Exporter {
  /// SwiftUI's expression; a type with a table where SwiftUI has no such curve.
  func swift() throws(ExportError) -> ExportedText {
    if let text = Self.expression(motion) { return Self.same(motion, text) }
    if let track = motion.track, let text = track.swift {
      var output = Self.same(motion, text)
      output.hasOwnValues = true
      output.notes = ["the value at the start is \(SourceText.number(track.initial))"]
      return output
    }
    let isTimed = motion.seconds != nil
    let whole = motion.count == nil ? motion : try motion.unrolled()
    var output = try lines(whole)
    let points = output.knots.map { knot in
      "(\(ShortDecimal.text(knot.position)), \(ShortDecimal.text(knot.value)))"
    }
    var use = "Animation(ExportedCurve())"
    if whole.count == nil { use += ".repeatForever(autoreverses: \(whole.alternates))" }
    if whole.delay != 0 { use += ".delay(\(SourceText.number(whole.delay)))" }
    output.text = """
      import SwiftUI

      /// Use: \(use)
      struct ExportedCurve: CustomAnimation {
        var duration = \(SourceText.number(motion.seconds == nil ? 0.35 : whole.length))

        /// Time as a share of the duration, and the value.
        static let points: [(time: Double, value: Double)] = [
      \(SourceText.wrapped(points, indent: "    "))
        ]

        func animate<V: VectorArithmetic>(
          value: V, time: TimeInterval, context: inout AnimationContext<V>
        ) -> V? {
          guard time < duration else { return nil }
          let points = Self.points
          let share = time / duration
          let next = points.firstIndex { $0.time > share } ?? points.count
          guard next > 0, next < points.count else {
            return value.scaled(by: points[max(0, next - 1)].value)
          }
          let (a, b) = (points[next - 1], points[next])
          return value.scaled(
            by: a.value + (b.value - a.value) * (share - a.time) / (b.time - a.time))
        }
      }
      """
    if !isTimed {
      output.notes.append("a curve has no duration: give one, as ExportedCurve(duration: 1)")
    }
    return output
  }

  /// The expression, where SwiftUI has the same motion.
  private static func expression(_ motion: ExportedMotion) -> String? {
    if let animation = motion.animation {
      let text = "\(animation)"
      // SwiftUI has neither CSS's curves, nor springs as curves, nor inverses of curves.
      let foreign = ["steps(", "linear(0", "linear(-", "(spring(", "(linear("]
      guard case .some(let legs) = animation.legs else { return nil }
      if case .curve(let curve, _) = legs.shape, !isKnown(curve) { return nil }
      if case .course = legs.shape, foreign.contains(where: text.contains) { return nil }
      return "."
        + text.replacing("(circular", with: "(.circular").replacing("infinity", with: ".infinity")
    }
    switch motion.shape {
    case .spring(let spring, _): return ".\(self.spring(spring))"
    case .curve(let curve): return expression(of: curve, separator: "\n  ")
    case .values: return nil
    }
  }

  /// The expression of a curve, where SwiftUI has it.
  static func expression(of curve: UnitCurve, separator: String = " ") -> String? {
    guard isKnown(curve) else { return nil }
    let isNamed = ["easeIn", "easeOut", "easeInOut"].contains("\(curve)")
    guard let points = controls(of: curve)?.map(SourceText.number), !isNamed else {
      return "UnitCurve.\(curve)"
    }
    let parts = [
      "startControlPoint: UnitPoint(x: \(points[0]), y: \(points[1])),",
      "endControlPoint: UnitPoint(x: \(points[2]), y: \(points[3])))",
    ]
    let opening = separator == " " ? "" : separator
    return "UnitCurve.bezier(" + opening + parts.joined(separator: separator)
  }

  /// The expression of a spring.
  static func expression(of spring: Spring) -> String {
    let text = self.spring(spring)
    return text.replacing("spring(", with: "Spring(").replacing(
      "dampingFraction", with: "dampingRatio")
  }

  /// Whether SwiftUI has the curve.
  private static func isKnown(_ curve: UnitCurve) -> Bool {
    switch curve.form {
    case .linear, .circularEaseIn, .circularEaseOut, .circularEaseInOut: true
    case .bezier: controls(of: curve) != nil
    case .steps, .lines, .other: false
    }
  }

  /// By duration and bounce where that gives the same spring, else by response and damping.
  private static func spring(_ spring: Spring) -> String {
    let (duration, ratio) = (SourceText.number(spring.response), spring.dampingRatio)
    var scale = 1.0
    for _ in 0...15 {
      let bounce = (spring.bounce * scale).rounded() / scale
      if Spring(duration: spring.response, bounce: bounce).dampingRatio == ratio {
        return "spring(duration: \(duration), bounce: \(SourceText.number(bounce + 0)))"
      }
      scale *= 10
    }
    return "spring(response: \(duration), dampingFraction: \(SourceText.number(ratio)))"
  }
}
