// SPDX-License-Identifier: Apache-2.0

import Orrery

extension Exporter {
  /// A simulation or a curve of Flutter.
  func dart() throws(ExportError) -> ExportedText {
    if let spring = dartSpring() { return spring }
    let shown = motion.count == nil || motion.count == 1 ? motion : try motion.unrolled()
    var output: ExportedText
    if case .curve(let curve) = shown.shape, let text = Self.dartCurve(curve) {
      try check(shown)
      output = Self.same(shown, text)
      if shown.seconds != nil { output.text = "const curve = \(text);" }
    } else {
      output = try lines(shown)
      output.text = Self.dartClass(output.knots)
    }
    if let seconds = shown.seconds {
      let microseconds = Int((seconds * 1e6).rounded())
      output.text += "\nconst duration = Duration(microseconds: \(microseconds));"
    }
    if shown.delay != 0 { output.notes.append(Self.delayNote(shown.delay)) }
    if shown.count == nil {
      output.notes.append(
        "the repetition is not in the text: controller.repeat(reverse: \(shown.alternates))")
    }
    return output
  }

  /// The same spring, where nothing repeats.
  private func dartSpring() -> ExportedText? {
    guard case .spring(let spring, let velocity) = motion.shape, motion.count == 1,
      spring.response > 0, spring.response < .infinity, spring.dampingRatio < .infinity,
      spring.stiffness < .infinity
    else { return nil }
    let constants = [spring.mass, spring.stiffness, spring.damping].map(SourceText.number)
    var output = Self.same(
      motion,
      """
      SpringSimulation(
        SpringDescription(mass: \(constants[0]), stiffness: \(constants[1]), damping: \(constants[2])),
        0, 1, \(SourceText.number(velocity)))
      """)
    let printed = Spring(
      mass: spring.mass, stiffness: spring.stiffness, damping: spring.damping,
      allowOverDamping: true)
    output.model = { time in
      printed.value(fromValue: 0, toValue: 1, initialVelocity: velocity, time: time)
    }
    if motion.delay != 0 { output.notes.append(Self.delayNote(motion.delay)) }
    return output
  }

  private static func dartCurve(_ curve: UnitCurve) -> String? {
    switch curve.form {
    case .linear: return "Curves.linear"
    default:
      return controls(of: curve).map { controls in
        "Cubic(\(controls.map(SourceText.number).joined(separator: ", ")))"
      }
    }
  }

  private static func dartClass(_ knots: [FewestLines.Knot]) -> String {
    """
    class ExportedCurve extends Curve {
      const ExportedCurve();

      static const _x = <double>[
    \(SourceText.wrapped(knots.map { ShortDecimal.text($0.position) }, indent: "    "))
      ];
      static const _y = <double>[
    \(SourceText.wrapped(knots.map { ShortDecimal.text($0.value) }, indent: "    "))
      ];

      @override
      double transform(double t) {
        final i = _x.lastIndexWhere((x) => x <= t);
        if (i < 0) return _y.first;
        if (i == _x.length - 1) return _y.last;
        return _y[i] + (_y[i + 1] - _y[i]) * (t - _x[i]) / (_x[i + 1] - _x[i]);
      }
    }
    """
  }
}
