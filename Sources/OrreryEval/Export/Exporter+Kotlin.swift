// SPDX-License-Identifier: Apache-2.0

import Orrery

extension Exporter {
  /// Keyframes of Compose are at whole milliseconds; a shorter or longer motion gets an easing with a table.
  private static let keyframeMilliseconds = 100...100_000

  /// An `AnimationSpec` of Jetpack Compose; of a curve an `Easing`.
  func kotlin() throws(ExportError) -> ExportedText {
    if let spring = kotlinSpring() { return spring }
    let isWhole = motion.count.map { $0 == $0.rounded() && $0 < 1e9 } ?? true
    let shown = isWhole ? motion : try motion.unrolled()
    if let easing = Self.easing(shown) {
      return shown.seconds == nil ? easing : timed(easing, "tween", easing.text)
    }
    guard shown.seconds != nil else { return table(try lines(shown)) }
    try check(shown)
    // A leg that repeats keeps its length; another one may hold its end for a part of a millisecond.
    let held =
      shown.count == 1 ? shown.held(for: (shown.length * 1_000).rounded(.up) / 1_000) : shown
    let milliseconds = SourceText.milliseconds(held.length)
    // A curve that rises vertically cannot be shown by whole milliseconds.
    if Self.keyframeMilliseconds.contains(milliseconds),
      let output = try? lines(held, steps: milliseconds)
    {
      let times = output.knots.map { Int(($0.position * Double(milliseconds)).rounded()) }
      // Two values at one time need a jump, which keyframes have not.
      if zip(times, times.dropFirst()).allSatisfy(<) {
        let rows = zip(times, output.knots).map { "  \(Self.float($1.value)) at \($0)" }
        return timed(output, "keyframes", rows.joined(separator: "\n"))
      }
    }
    let output = table(try lines(held))
    return timed(output, "tween", output.text)
  }

  /// The same spring, where nothing repeats: mass 1, as in Compose.
  private func kotlinSpring() -> ExportedText? {
    guard case .spring(let spring, let velocity) = motion.shape, motion.count == 1,
      spring.response > 0, spring.response < .infinity, spring.dampingRatio < .infinity
    else { return nil }
    let ratio = Float(spring.dampingRatio)
    let stiffness = Float(spring.stiffness / spring.mass)
    guard stiffness > 0, stiffness < .infinity else { return nil }
    let (ratioText, stiffnessText) = (Self.float(Double(ratio)), Self.float(Double(stiffness)))
    var output = Self.same(
      motion, "spring<Float>(dampingRatio = \(ratioText), stiffness = \(stiffnessText))")
    let printed = Spring(
      response: 2 * .pi / Double(stiffness).squareRoot(), dampingRatio: Double(ratio))
    output.model = { time in
      printed.value(fromValue: 0, toValue: 1, initialVelocity: velocity, time: time)
    }
    if velocity != 0 {
      output.notes.append(
        "give the initial velocity to animateTo: \(SourceText.number(velocity)) times the way a second"
      )
    }
    if motion.delay != 0 { output.notes.append(Self.delayNote(motion.delay)) }
    return output
  }

  /// The easing in Compose's own words, where it has them.
  private static func easing(_ motion: ExportedMotion) -> ExportedText? {
    guard case .curve(let curve) = motion.shape, motion.length < .infinity else { return nil }
    switch curve.form {
    case .linear: return same(motion, "LinearEasing")
    case .bezier:
      guard let controls = controls(of: curve)?.map(Float.init),
        controls.allSatisfy(\.isFinite)
      else { return nil }
      let texts = controls.map { float(Double($0)) }
      var output = same(motion, "CubicBezierEasing(\(texts.joined(separator: ", ")))")
      let numbers = controls.map(Double.init)
      let printed = UnitCurve.bezier(
        startControlPoint: UnitPoint(x: numbers[0], y: numbers[1]),
        endControlPoint: UnitPoint(x: numbers[2], y: numbers[3]))
      let length = motion.length
      output.model = { length > 0 ? printed.value(at: $0 / length) : 1 }
      return output
    case .steps(let count, let jump):
      let step = "floor(x * \(count)f)"
      let formula =
        switch jump {
        case .jumpEnd: "\(step) / \(count)f"
        case .jumpStart: "min(\(step) + 1f, \(count)f) / \(count)f"
        case .jumpNone: "min(\(step), \(count - 1)f) / \(count - 1)f"
        case .jumpBoth: "min(\(step) + 1f, \(count + 1)f) / \(count + 1)f"
        }
      return same(motion, "Easing { x -> \(formula) }")
    default: return nil
    }
  }

  /// An easing with a table, for motions without a duration in milliseconds.
  private func table(_ output: ExportedText) -> ExportedText {
    var output = output
    let x = output.knots.map { Self.float($0.position) }
    let y = output.knots.map { Self.float($0.value) }
    output.text = """
      object : Easing {
        private val x = floatArrayOf(
      \(SourceText.wrapped(x, indent: "    "))
        )
        private val y = floatArrayOf(
      \(SourceText.wrapped(y, indent: "    "))
        )

        override fun transform(fraction: Float): Float {
          val i = x.indexOfLast { it <= fraction }
          if (i < 0) return y.first()
          if (i == x.lastIndex) return y.last()
          return y[i] + (y[i + 1] - y[i]) * (fraction - x[i]) / (x[i + 1] - x[i])
        }
      }
      """
    return output
  }

  /// A `tween` or `keyframes` with its duration, its delay and its repetition.
  private func timed(_ given: ExportedText, _ kind: String, _ body: String) -> ExportedText {
    var output = given
    let motion = given.motion
    let milliseconds = SourceText.milliseconds(motion.length)
    let repeats = motion.count != 1 || motion.delay < 0
    let delay = Int(min(abs(motion.delay) * 1_000, 1e15).rounded())
    let head = kind == "tween" ? "tween<Float>(" : "keyframes<Float> {"
    var rows = [
      kind == "tween" ? "  durationMillis = \(milliseconds)," : "  durationMillis = \(milliseconds)"
    ]
    if !repeats, delay > 0 {
      rows.append("  delayMillis = \(delay)" + (kind == "tween" ? "," : ""))
    }
    rows.append(kind == "tween" ? "  easing = " + Self.indented(body) : body)
    output.text = ([head] + rows + [kind == "tween" ? ")" : "}"]).joined(separator: "\n")
    if repeats {
      var arguments = motion.count.map { ["iterations = \(Int($0))"] } ?? []
      arguments.append("animation = " + Self.indented(output.text))
      if motion.alternates { arguments.append("repeatMode = RepeatMode.Reverse") }
      if delay > 0 {
        let type = motion.delay < 0 ? ", StartOffsetType.FastForward" : ""
        arguments.append("initialStartOffset = StartOffset(\(delay)\(type))")
      }
      let name = motion.count == nil ? "infiniteRepeatable" : "repeatable"
      output.text = "\(name)<Float>(\n  \(arguments.joined(separator: ",\n  "))\n)"
    }
    // The model's time is that of whole milliseconds.
    let (model, length) = (given.model, motion.length)
    let printed = Double(milliseconds) / 1_000
    output.model = { time in
      length > 0 && time < length.nextDown ? model(min(time / printed, 1) * length) : model(time)
    }
    return output
  }

  private static func indented(_ text: String) -> String { text.replacing("\n", with: "\n  ") }

  /// A literal of Kotlin's Float.
  private static func float(_ value: Double) -> String {
    let number = Float(value)
    return number == number.rounded() && abs(number) < 1e6 ? "\(Int(number))f" : "\(number)f"
  }
}
