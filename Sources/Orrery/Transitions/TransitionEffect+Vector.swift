// SPDX-License-Identifier: Apache-2.0

/// The numbers of an effect as a vector.
extension TransitionEffect {
  private typealias Four = AnimatablePair<
    AnimatablePair<Double, Double>, AnimatablePair<Double, Double>
  >

  /// What an animation moves.
  var vector: ErasedVector {
    switch self {
    case .opacity(let number), .blur(let number): ErasedVector(number)
    case .color(let color): ErasedVector(color.amount)
    case .offset(let offset):
      ErasedVector(
        Four(
          AnimatablePair(offset.x, offset.y), AnimatablePair(offset.widths, offset.heights)))
    case .scale(let scale):
      ErasedVector(
        Four(AnimatablePair(scale.x, scale.y), AnimatablePair(scale.anchorX, scale.anchorY)))
    case .geometry(let geometry): geometry.vector
    case .animated(let animated): animated.vector
    case .visual(let effects): ErasedVector(effects.vector)
    case .stack: .zero
    }
  }

  /// The effect with other numbers.
  func with(_ vector: ErasedVector) -> TransitionEffect {
    switch self {
    case .opacity: return vector.base(as: Double.self).map { .opacity($0) } ?? self
    case .blur: return vector.base(as: Double.self).map { .blur($0) } ?? self
    case .color(let color):
      return vector.base(as: Double.self).map { .color(ColorEffect(color.kind, $0)) } ?? self
    case .offset:
      guard let four = vector.base(as: Four.self) else { return self }
      return .offset(
        Offset(
          x: four.first.first, y: four.first.second, widths: four.second.first,
          heights: four.second.second))
    case .scale(var scale):
      guard let four = vector.base(as: Four.self) else { return self }
      (scale.x, scale.y) = (four.first.first, four.first.second)
      (scale.anchorX, scale.anchorY) = (four.second.first, four.second.second)
      return .scale(scale)
    case .geometry(let geometry): return .geometry(geometry.with(vector))
    case .animated(let animated): return .animated(animated.with(vector))
    case .visual(let effects):
      return vector.base(as: SizedEffects.Mix.self).map { .visual(effects.with($0)) } ?? self
    case .stack: return self
    }
  }
}
