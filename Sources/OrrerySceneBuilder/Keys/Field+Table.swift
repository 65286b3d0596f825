// SPDX-License-Identifier: Apache-2.0

import Orrery

extension Field {
  /// The keys of a field's motions in a scene file.
  package static let motionKeys = ["marquee", "orbit", "tween", "spring"]

  /// `kind = "field"` in a scene file.
  package static let table = SceneTable(
    .field,
    base: Field(
      count: 1, motion: .orbit(radius: .one, duration: .one), discRadius: defaultDiscRadius,
      colors: defaultColors),
    checkedLast: Set(motionKeys), choices: [.one(of: motionKeys)],
    [
      .required("count", \.count, .wholeNumber(SceneLimits.count), "how many"),
      .shown("marquee", \.motion.marquee, .table(FieldMarquee.table), "see `field.marquee`"),
      .shown("orbit", \.motion.orbit, .table(FieldOrbit.table), "see `field.orbit`"),
      .shown("tween", \.motion.tween, .table(FieldTween.table), "see `field.tween`"),
      .shown("spring", \.motion.spring, .table(FieldSpring.table), "see `field.spring`"),
      .key("disc-radius", \.discRadius, .number(SceneLimits.discRadius), "of every disc"),
      .key(
        "colors", \.colors, .colors, "each disc draws one",
        default: "teal, orange, pink, indigo"),
    ])
}

extension Field.Motion {
  fileprivate var marquee: FieldMarquee? {
    guard case .marquee(let speed, let period) = self else { return nil }
    return FieldMarquee(speed: speed, period: period)
  }

  fileprivate var orbit: FieldOrbit? {
    guard case .orbit(let radius, let duration) = self else { return nil }
    return FieldOrbit(radius: radius, duration: duration)
  }

  fileprivate var tween: FieldTween? { if case .tween(let tween) = self { tween } else { nil } }

  fileprivate var spring: FieldSpring? {
    if case .spring(let spring) = self { spring } else { nil }
  }
}

/// A field's marquees by the keys of `field.marquee`.
package struct FieldMarquee: Hashable, Sendable {
  var speed = ValueRange.one
  var period = ValueRange.one

  /// The keys of a field's marquees.
  package static let table = SceneTable(
    "field.marquee", base: FieldMarquee(),
    [
      .required("speed", \.speed, .range(SceneLimits.speed)),
      .required("period", \.period, .range(SceneLimits.period), "from one start to the next"),
    ])

  /// The motion.
  package var motion: Field.Motion { .marquee(speed: speed, period: period) }
}

/// A field's orbits by the keys of `field.orbit`.
package struct FieldOrbit: Hashable, Sendable {
  var radius = ValueRange.one
  var duration = ValueRange.one

  /// The keys of a field's orbits.
  package static let table = SceneTable(
    "field.orbit", base: FieldOrbit(),
    [
      .required("radius", \.radius, .range(SceneLimits.radius)),
      .required("duration", \.duration, .range(SceneLimits.duration), "of a turn"),
    ])

  /// The motion.
  package var motion: Field.Motion { .orbit(radius: radius, duration: duration) }
}

extension FieldTween {
  /// `field.tween` in a scene file.
  package static let table = SceneTable(
    "field.tween", base: FieldTween(end: .distance(.one), duration: .one),
    choices: [.one(of: ["to", "distance"])],
    [
      .key("property", \.property, .word("property"), "the property that moves"),
      .optional(
        "from", \.from, .range(), "start",
        range: "opacity \(SceneLimits.opacity); others as under `view`",
        default: "the property's default", check: { .range($1, SceneLimits.of($0.property)) }),
      .shown(
        "to", \.end.to, .range(), "end",
        range: "scale \(SceneLimits.scale); others as under `view`",
        check: { .range($1, SceneLimits.of($0.property)) }),
      .shown(
        "distance", \.end.distance, .range(SceneLimits.distance),
        "in place of `to`: the distance from the start"),
      .required("duration", \.duration, .range(SceneLimits.duration), "of one way"),
      .key("curve", \.curve, .curve, "progress of one way"),
      .key(
        "autoreverses", \.autoreverses, .bool,
        "whether it comes back along the same curve; if not, it starts again"),
    ])
}

extension FieldSpring {
  /// `field.spring` in a scene file.
  package static let table = SceneTable(
    "field.spring",
    base: FieldSpring(end: .distance(.one), response: .one, dampingRatio: .one, every: .one),
    choices: [
      .one(of: ["to", "distance"]), .one(of: ["response", "duration"]),
      .one(of: ["damping-ratio", "bounce"]),
    ],
    [
      .key("property", \.property, .word("property"), "the property that moves"),
      .optional(
        "from", \.from, .range(), "start", range: "as under `view`",
        default: "the property's default", check: { .range($1, SceneLimits.of($0.property)) }),
      .shown(
        "to", \.end.to, .range(), "end", range: "as under `view`",
        check: { .range($1, SceneLimits.of($0.property)) }),
      .shown(
        "distance", \.end.distance, .range(SceneLimits.distance),
        "in place of `to`: the distance from the start"),
      .required(
        "response", \.response, .range(SceneLimits.duration),
        "duration of an oscillation without damping"
      ).byHand,
      .other(
        "duration", "range", "another word for `response`", range: "\(SceneLimits.duration)",
        schema: .range(SceneLimits.duration)),
      .required(
        "damping-ratio", \.dampingRatio, .range(SceneLimits.dampingRatio), "1 does not overshoot"
      ).byHand,
      .other(
        "bounce", "range",
        "in place of `damping-ratio`, which is 1 - bounce, or 1/(1 + bounce) below 0",
        range: "\(SceneLimits.bounce)", schema: .range(SceneLimits.bounce)),
      .required(
        "every", \.every, .range(SceneLimits.duration),
        "from one start to the next; a spring that needs longer takes the time until less than "
          + "0.02 points and 1e-5 of the way are left"),
    ])
}

extension FieldMoveEnd {
  fileprivate var to: ValueRange? { if case .to(let value) = self { value } else { nil } }

  fileprivate var distance: ValueRange? {
    if case .distance(let distance) = self { distance } else { nil }
  }
}

extension ValueRange {
  /// A range that every check accepts.
  package static let one = ValueRange(1...1)
}
