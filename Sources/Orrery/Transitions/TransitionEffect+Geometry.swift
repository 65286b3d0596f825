// SPDX-License-Identifier: Apache-2.0

extension TransitionEffect {
  /// A geometry effect of some type.
  ///
  /// Two are equal if their effects are `Hashable` and equal, or if one is a copy of the other.
  struct Geometry: Sendable {
    /// Gives an effect that is not `Hashable` an identity that its copies share.
    ///
    /// Transitions may be used on another thread than the one that made them, by one at a time; what
    /// their effects refer to must not be changed by other code.
    private final class Box: @unchecked Sendable {
      let effect: any GeometryEffect

      init(_ effect: any GeometryEffect) { self.effect = effect }
    }

    private let box: Box

    /// Share of the effect in the drawn map; the identity has the rest.
    var weight = 1.0

    init(_ effect: any GeometryEffect) { box = Box(effect) }

    func hasType(of other: Geometry) -> Bool { type(of: box.effect) == type(of: other.box.effect) }

    /// The drawn map, in coordinates from the leading side.
    func transform(size: CGSize) -> ProjectionTransform {
      let full = box.effect.drawnTransform(size: size)
      return weight == 1 ? full : full.faded(weight)
    }

    /// The effect with interpolated data; the other two are of the same type.
    func moved(
      towards before: Geometry, and after: Geometry, by away: TransitionAway, weight: Double
    ) -> Geometry {
      var moved = Geometry(
        Self.moved(box.effect, towards: before.box.effect, and: after.box.effect, by: away))
      moved.weight = weight
      return moved
    }

    private static func moved<Effect: GeometryEffect>(
      _ effect: Effect, towards before: any GeometryEffect, and after: any GeometryEffect,
      by away: TransitionAway
    ) -> any GeometryEffect {
      guard let before = before as? Effect, let after = after as? Effect else { return effect }
      // An effect that is not animatable jumps as soon as its state changes.
      if Effect.AnimatableData.self == EmptyAnimatableData.self {
        return away.second == 0 ? effect : after
      }
      var moved = effect
      moved.animatableData = effect.animatableData.moved(
        towards: before.animatableData, and: after.animatableData, by: away)
      return moved
    }

    /// The animatable data.
    var vector: ErasedVector { Self.vector(box.effect) }

    /// This effect with other data.
    func with(_ vector: ErasedVector) -> Geometry {
      var geometry = Geometry(Self.with(box.effect, vector))
      geometry.weight = weight
      return geometry
    }

    private static func vector<Effect: GeometryEffect>(_ effect: Effect) -> ErasedVector {
      ErasedVector(effect.animatableData)
    }

    private static func with<Effect: GeometryEffect>(
      _ effect: Effect, _ vector: ErasedVector
    ) -> any GeometryEffect {
      var effect = effect
      if let data = vector.base(as: Effect.AnimatableData.self) { effect.animatableData = data }
      return effect
    }
  }
}

extension TransitionEffect.Geometry: Hashable {
  static func == (lhs: Self, rhs: Self) -> Bool {
    guard lhs.weight == rhs.weight else { return false }
    if lhs.box === rhs.box { return true }
    guard let left = lhs.comparable, let right = rhs.comparable else { return false }
    return left == right
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(weight)
    if let comparable {
      hasher.combine(comparable)
    } else {
      hasher.combine(ObjectIdentifier(box))
    }
  }

  private var comparable: AnyHashable? {
    (box.effect as? any Hashable).map { AnyHashable($0) }
  }
}

extension ProjectionTransform {
  /// Interpolates linearly from the identity, at weight 0, to this map, at 1.
  fileprivate func faded(_ weight: Double) -> ProjectionTransform {
    var map = ProjectionTransform()
    map.m11 += (m11 - 1) * weight
    map.m12 += m12 * weight
    map.m13 += m13 * weight
    map.m21 += m21 * weight
    map.m22 += (m22 - 1) * weight
    map.m23 += m23 * weight
    map.m31 += m31 * weight
    map.m32 += m32 * weight
    map.m33 += (m33 - 1) * weight
    return map
  }
}
