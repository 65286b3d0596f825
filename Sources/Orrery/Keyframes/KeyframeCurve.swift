// SPDX-License-Identifier: Apache-2.0

/// The keyframes of one track as a function of time.
///
/// Time t belongs to the last segment that begins at or before t, so that at a jump the new value
/// shows.
struct KeyframeCurve<Value: Animatable> {
  /// The motion between two keyframes.
  struct Segment {
    /// Seconds.
    let start: Double
    let from: Value
    let keyframe: Keyframe<Value>

    /// Per second, in the animated part of the value.
    let startVelocity: Value
    let endVelocity: Value
  }

  private let initialValue: Value

  /// Only segments with a duration.
  let segments: [Segment]
  private let lastValue: Value

  /// Seconds.
  let duration: Double

  /// Joins keyframes.
  ///
  /// - Parameters:
  ///   - initialValue: Start value of the first one.
  ///   - keyframes: The keyframes in their order.
  init(from initialValue: Value, _ keyframes: [Keyframe<Value>]) {
    self.initialValue = initialValue
    var segments: [Segment] = []
    var (time, value) = (0.0, initialValue)
    var velocity = initialValue.atRest
    for (index, keyframe) in keyframes.enumerated() {
      defer { value = keyframe.value }
      if keyframe.isJump {
        velocity = initialValue.atRest
        continue
      }
      let next = index + 1 < keyframes.count ? keyframes[index + 1] : nil
      let start = keyframe.startVelocity(from: value, after: velocity)
      velocity = keyframe.endVelocity(from: value, start: start, before: next)
      segments.append(
        Segment(
          start: time, from: value, keyframe: keyframe, startVelocity: start,
          endVelocity: velocity))
      time += keyframe.duration
    }
    self.segments = segments
    duration = time
    lastValue = value
  }

  /// The value at a time in seconds, clamped to 0...`duration`; NaN counts as 0.
  func value(time: Double) -> Value {
    if time >= duration { return lastValue }
    let time = time > 0 ? time : 0
    var (low, high) = (0, segments.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if segments[middle].start <= time { low = middle } else { high = middle }
    }
    return low < segments.count ? segments[low].value(time: time) : initialValue
  }
}

extension KeyframeCurve.Segment {
  fileprivate func value(time: Double) -> Value {
    let elapsed = time - start
    let progress = elapsed / keyframe.duration
    switch keyframe.shape {
    case .move: return keyframe.value
    case .linear(let curve):
      var value = keyframe.value
      value.animatableData = from.animatableData.interpolated(
        towards: keyframe.value.animatableData, amount: curve.value(at: progress))
      return value
    case .cubic: return hermite(progress)
    case .spring(let spring, _):
      return spring.value(
        fromValue: from, toValue: keyframe.value, initialVelocity: startVelocity, time: elapsed)
    }
  }

  /// Hermite's formula, with duration d and s from 0 to 1.
  ///
  ///     from + s²(3 - 2s)·(to - from) + d·s(1 - s)²·startVelocity - d·s²(1 - s)·endVelocity
  private func hermite(_ s: Double) -> Value {
    let t = 1 - s
    let start = from.animatableData
    var value = keyframe.value
    value.animatableData =
      start + (keyframe.value.animatableData - start).scaled(by: s * s * (3 - 2 * s))
      + startVelocity.animatableData.scaled(by: keyframe.duration * s * t * t)
      - endVelocity.animatableData.scaled(by: keyframe.duration * s * s * t)
    return value
  }
}

extension Keyframe {
  /// The velocity at its start, with the value `from`; the keyframe before ends with `velocity`.
  fileprivate func startVelocity(from: Value, after velocity: Value) -> Value {
    switch shape {
    case .move: velocity
    case .linear(let curve): way(from: from, velocity: curve.velocity(at: 0))
    case .cubic(let start, _), .spring(_, let start): start ?? velocity
    }
  }

  /// The velocity at its end.
  fileprivate func endVelocity(from: Value, start: Value, before next: Keyframe?) -> Value {
    switch shape {
    case .move: return value.atRest
    case .linear(let curve): return way(from: from, velocity: curve.velocity(at: 1))
    case .spring(let spring, _):
      return spring.velocity(
        fromValue: from, toValue: value, initialVelocity: start, time: duration)
    case .cubic(_, let end):
      if let end { return end }
      guard let next, !next.isJump else { return value.atRest }
      if case .cubic(let start?, _) = next.shape { return start }
      var velocity = value
      velocity.animatableData =
        (next.value.animatableData - from.animatableData)
        .scaled(by: 1 / (duration + next.duration))
      return velocity
    }
  }

  /// The velocity of a linear keyframe; where its curve is vertical, 0.
  private func way(from: Value, velocity: Double) -> Value {
    var result = value
    result.animatableData = (value.animatableData - from.animatableData)
      .scaled(by: velocity.isFinite ? velocity / duration : 0)
    return result
  }
}

extension Animatable {
  /// The same value with animated data of zero.
  fileprivate var atRest: Self {
    var value = self
    value.animatableData = .zero
    return value
  }
}
