// SPDX-License-Identifier: Apache-2.0

extension TransitionEffect {
  /// A geometry effect of some type.
  ///
  /// Two are equal if their effects are `Hashable` and equal, or if one is a copy of the other.
  struct Geometry: Sendable {
    /// Gives an effect that is not `Hashable` an identity that its copies share.
    private final class Box: Sendable {
      let effect: any GeometryEffect & Sendable

      init(_ effect: any GeometryEffect & Sendable) { self.effect = effect }
    }

    private let box: Box

    /// Share of the effect in the drawn map; the identity has the rest.
    var weight = 1.0

    init(_ effect: any GeometryEffect & Sendable) { box = Box(effect) }

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

    private static func moved<Effect: GeometryEffect & Sendable>(
      _ effect: Effect, towards before: any GeometryEffect, and after: any GeometryEffect,
      by away: TransitionAway
    ) -> any GeometryEffect & Sendable {
      guard let before = before as? Effect, let after = after as? Effect else { return effect }
      var moved = effect
      let data = effect.animatableData
      if away.second == 0 {
        moved.animatableData = data.interpolated(
          towards: before.animatableData, amount: away.first)
      } else if away.first == 0 {
        moved.animatableData = data.interpolated(
          towards: after.animatableData, amount: away.second)
      } else {
        moved.animatableData +=
          (before.animatableData - data).scaled(by: away.first)
          + (after.animatableData - data).scaled(by: away.second)
      }
      return moved
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
