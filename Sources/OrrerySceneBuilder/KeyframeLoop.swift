// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Keyframes of one property of an `AnimatedView`, played from the start of a scene.
public struct KeyframeLoop: Hashable, Sendable {
  /// The property; it starts at the view's value at the start.
  public var property: ViewProperty

  /// Whether the track repeats for ever.
  public var repeats: Bool

  /// The keyframes; 1...1000.
  public var steps: [KeyframeStep]

  /// Makes a track.
  public init(property: ViewProperty, repeats: Bool = true, steps: [KeyframeStep]) {
    self.property = property
    self.repeats = repeats
    self.steps = steps
  }
}

/// One keyframe of a `KeyframeLoop`: a value, and how it is reached.
public enum KeyframeStep: Hashable, Sendable {
  /// Along a timing curve, linear by default; seconds.
  case linear(Double, duration: Double, timingCurve: UnitCurve = .linear)
  /// Along a cubic curve; seconds, and the property's units per second.
  ///
  /// Velocities that are not given are chosen for a motion without corner, as by `CubicKeyframe`.
  case cubic(
    Double, duration: Double, startVelocity: Double? = nil, endVelocity: Double? = nil)
  /// On a spring that starts at rest, until it has settled.
  case spring(Double, Spring)
  /// At once.
  case move(Double)
}

/// One phase of an `AnimatedView`: values, and the animation that leads to them.
public struct ViewPhase: Hashable, Sendable {
  /// The values that differ from those of the start of the scene.
  public var changes: [ViewChange]

  /// The animation to this phase from the one before.
  public var animation: Animation

  /// Makes a phase.
  ///
  /// - Parameters:
  ///   - x: Translation to the right in points; as for all properties, nil is the value at the
  ///     start.
  ///   - y: Translation downward in points.
  ///   - opacity: 0 is invisible, 1 opaque.
  ///   - scale: Factor about the view's centre.
  ///   - rotation: Radians, clockwise.
  ///   - blur: Radius in points.
  ///   - animation: The animation to this phase from the one before.
  public init(
    x: Double? = nil, y: Double? = nil, opacity: Double? = nil, scale: Double? = nil,
    rotation: Double? = nil, blur: Double? = nil, animation: Animation = .default
  ) {
    self.init(
      ViewChange.list(
        x: x, y: y, opacity: opacity, scale: scale, rotation: rotation, blur: blur),
      animation: animation)
  }

  /// Makes a phase of changes.
  package init(_ changes: [ViewChange], animation: Animation) {
    self.changes = changes
    self.animation = animation
  }
}

/// A property and its new value.
public struct ViewChange: Hashable, Sendable {
  /// The property.
  public var property: ViewProperty

  /// Its new value.
  public var value: Double

  /// Makes a change.
  public init(_ property: ViewProperty, _ value: Double) {
    self.property = property
    self.value = value
  }

  /// The changes of the properties that are given, in the order of `ViewProperty`.
  package static func list(
    x: Double?, y: Double?, opacity: Double?, scale: Double?, rotation: Double?, blur: Double?
  ) -> [ViewChange] {
    zip(ViewProperty.allCases, [x, y, opacity, scale, rotation, blur]).compactMap {
      property, value in value.map { ViewChange(property, $0) }
    }
  }
}
