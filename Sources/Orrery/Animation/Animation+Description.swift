// SPDX-License-Identifier: Apache-2.0

extension Animation: CustomStringConvertible {
  /// The animation in Swift syntax, without leading dots, with every argument; numbers have the
  /// fewest digits that give the same bits.
  ///
  ///     linear(duration: 0.8).repeatCount(3, autoreverses: true).delay(0.2)
  ///
  /// Equal animations have equal descriptions. Curves use ``UnitCurve/description``; a custom
  /// animation uses the description of its type.
  public var description: String {
    modifiers.reduce(source.text) { $0 + "." + $1.text }
  }
}

extension Animation: CustomDebugStringConvertible {
  /// The same as ``description``.
  public var debugDescription: String { description }
}

extension Animation: CustomReflectable {
  /// The animation without its modifiers, and the modifiers in Swift syntax.
  public var customMirror: Mirror {
    let base: Any = if case .custom(let box) = source { box.base } else { source.text }
    return Mirror(
      self, children: ["base": base, "modifiers": modifiers.map(\.text)], displayStyle: .struct)
  }
}

extension AnimationSource {
  fileprivate var text: String {
    switch self {
    case .standard:
      return "default"
    case .curve(let curve, let duration):
      let named: [(UnitCurve, String)] = [
        (.linear, "linear"), (.easeIn, "easeIn"), (.easeOut, "easeOut"),
        (.easeInOut, "easeInOut"),
      ]
      if let name = named.first(where: { $0.0 == curve })?.1 {
        return "\(name)(duration: \(duration.argument))"
      }
      if case .bezier(let start, let end) = curve.function {
        let points = [start.x, start.y, end.x, end.y].map { Double($0).argument }
        return "timingCurve(\(points.joined(separator: ", ")), duration: \(duration.argument))"
      }
      return "timingCurve(\(curve), duration: \(duration.argument))"
    case .spring(let response, .infinity, let blendDuration):
      return "spring(duration: \(response.argument), bounce: -1,"
        + " blendDuration: \(blendDuration.argument))"
    case .spring(let response, let dampingFraction, let blendDuration):
      return "spring(response: \(response.argument), dampingFraction: \(dampingFraction.argument),"
        + " blendDuration: \(blendDuration.argument))"
    case .interpolatingSpring(1, .infinity, 0, let initialVelocity):
      return "interpolatingSpring(duration: 0, bounce: 0,"
        + " initialVelocity: \(initialVelocity.argument))"
    case .interpolatingSpring(let mass, let stiffness, let damping, let initialVelocity):
      return "interpolatingSpring(mass: \(mass.argument), stiffness: \(stiffness.argument),"
        + " damping: \(damping.argument), initialVelocity: \(initialVelocity.argument))"
    case .custom(let box):
      return "\(box.base)"
    }
  }
}

extension AnimationModifier {
  fileprivate var text: String {
    switch self {
    case .delay(let delay): "delay(\(delay.argument))"
    case .speed(let speed): "speed(\(speed.argument))"
    case .repeats(let count?, let autoreverses):
      "repeatCount(\(count), autoreverses: \(autoreverses))"
    case .repeats(nil, let autoreverses): "repeatForever(autoreverses: \(autoreverses))"
    case .logicallyComplete(let seconds): "logicallyComplete(after: \(seconds.argument))"
    }
  }
}

extension Double {
  /// The number as a Swift argument: whole numbers without a point, infinity by its name.
  var argument: String {
    isInfinite ? (self < 0 ? "-infinity" : "infinity") : notation
  }
}
