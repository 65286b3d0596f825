// SPDX-License-Identifier: Apache-2.0

/// An animation without its modifiers.
enum AnimationSource: Hashable, Sendable {
  /// `Animation.default`, which equals no other spring.
  case standard

  case curve(UnitCurve, duration: Double)

  /// Takes over the position and velocity of running motions.
  case spring(response: Double, dampingFraction: Double, blendDuration: Double)

  /// A curve in the shape of a spring; it adds to running motions.
  case interpolatingSpring(
    mass: Double, stiffness: Double, damping: Double, initialVelocity: Double)

  case custom(CustomAnimationBox)

  /// The parameters of a spring that takes over running motions; nil for other animations.
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
