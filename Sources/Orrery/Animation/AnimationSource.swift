// SPDX-License-Identifier: Apache-2.0

/// What moves: an animation without its modifiers.
enum AnimationSource: Hashable, Sendable {
  /// `Animation.default`, which equals no other spring.
  case standard

  case curve(UnitCurve, duration: Double)

  /// Continues with what runs when it begins: position and velocity.
  case spring(response: Double, dampingFraction: Double, blendDuration: Double)

  /// A curve that happens to look like a spring: added to what runs.
  case interpolatingSpring(
    mass: Double, stiffness: Double, damping: Double, initialVelocity: Double)

  case custom(CustomAnimationBox)

  /// The parameters of the kinds of spring that continue with what runs; nil for the others.
  var fluidSpring: FluidSpring? {
    switch self {
    case .standard: FluidSpring(response: 0.55, dampingFraction: 1, blendDuration: 0)
    case .spring(let response, let dampingFraction, let blendDuration):
      FluidSpring(
        response: response, dampingFraction: dampingFraction, blendDuration: blendDuration)
    case .curve, .interpolatingSpring, .custom: nil
    }
  }
}

/// A custom animation that compares by type and value.
struct CustomAnimationBox: Hashable, Sendable {
  let base: any CustomAnimation

  init(_ base: any CustomAnimation) { self.base = base }

  static func == (lhs: Self, rhs: Self) -> Bool { areEqual(lhs.base, rhs.base) }

  func hash(into hasher: inout Hasher) { base.hash(into: &hasher) }

  private static func areEqual<A: CustomAnimation>(_ first: A, _ second: any CustomAnimation)
    -> Bool
  {
    first == second as? A
  }
}
