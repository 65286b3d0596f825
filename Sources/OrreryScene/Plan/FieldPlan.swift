// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder

/// Motion, origin and colour of each disc of one field, as functions of the disc's index.
///
/// Discs are spread so that their whole path stays in the picture, if it fits at all.
struct FieldPlan: Sendable {
  /// Number of discs.
  let count: Int

  private let random: CounterRandom
  private let width: Double
  private let height: Double
  private let colorCount: Int

  /// The purpose of each of a disc's random numbers; a change here would change the scene of every seed.
  private enum Draw {
    static let first: UInt64 = 0
    static let second: UInt64 = 1
    static let direction: UInt64 = 2
    static let phase: UInt64 = 3
    static let x: UInt64 = 4
    static let y: UInt64 = 5
    static let color: UInt64 = 6
    static let from: UInt64 = 7
    static let end: UInt64 = 8
    static let damping: UInt64 = 9
    static let every: UInt64 = 10
  }

  /// Plans a field.
  ///
  /// - Parameters:
  ///   - field: The scene's field.
  ///   - count: Number of discs; a run may override the field's own.
  ///   - index: The field's index among the scene's fields, from 0.
  ///   - seed: The scene's seed.
  ///   - size: Size of the picture.
  init(_ field: Field, count: Int, index: Int, seed: UInt64, size: CGSize) {
    self.count = count
    random = CounterRandom(seed: seed, use: .field, index: index)
    width = size.width
    height = size.height
    colorCount = field.colors.count
  }

  func marquee(_ disc: Int, speed: ValueRange, period: ValueRange) -> MarqueeSpec {
    MarqueeSpec(
      period: random.value(period, disc, draw: Draw.second),
      speed: random.value(speed, disc, draw: Draw.first),
      direction: random.index(2, disc, draw: Draw.direction) == 0 ? .left : .right,
      phase: random.unit(disc, draw: Draw.phase))
  }

  func orbit(_ disc: Int, radius: ValueRange, duration: ValueRange) -> OrbitSpec {
    OrbitSpec(
      radius: random.value(radius, disc, draw: Draw.first),
      period: random.value(duration, disc, draw: Draw.second),
      phase: random.unit(disc, draw: Draw.phase))
  }

  /// A field's tweens without their curve: so making a disc's spec does not count a reference to the curve.
  struct Moves {
    let property: ViewProperty
    let from: ValueRange?
    let end: FieldMoveEnd
    let duration: ValueRange
    let autoreverses: Bool

    init(_ tween: FieldTween) {
      property = tween.property
      (from, end, duration) = (tween.from, tween.end, tween.duration)
      autoreverses = tween.autoreverses
    }
  }

  /// A disc's tween; the cycle is one object for all discs, so that they share a table.
  func tween(_ disc: Int, _ moves: Moves, cycle: TweenCycle) -> TweenSpec {
    let (from, to) = ends(disc, moves.property, from: moves.from, moves.end)
    let duration = random.value(moves.duration, disc, draw: Draw.second)
    return TweenSpec(
      from: from, to: to, period: moves.autoreverses ? 2 * duration : duration,
      phase: random.unit(disc, draw: Draw.phase), cycle: cycle)
  }

  func spring(_ disc: Int, _ spring: FieldSpring) -> SpringSpec {
    let (from, to) = ends(disc, spring.property, from: spring.from, spring.end)
    let motion = Spring(
      response: random.value(spring.response, disc, draw: Draw.second),
      dampingRatio: random.value(spring.dampingRatio, disc, draw: Draw.damping))
    let every = random.value(spring.every, disc, draw: Draw.every)
    let period =
      motion.isAtRest(after: every, length: abs(to - from))
      ? every : max(every, motion.restBound(length: abs(to - from)))
    return SpringSpec(
      from: from, to: to, spring: motion, period: period,
      phase: 2 * random.unit(disc, draw: Draw.phase))
  }

  private func ends(
    _ disc: Int, _ property: ViewProperty, from: ValueRange?, _ end: FieldMoveEnd
  ) -> (from: Double, to: Double) {
    let start = from.map { random.value($0, disc, draw: Draw.from) } ?? property.defaultValue
    switch end {
    case .to(let to): return (start + 0, random.value(to, disc, draw: Draw.end) + 0)
    case .distance(let distance):
      return (start + 0, start + random.value(distance, disc, draw: Draw.end))
    }
  }

  /// Origin of a disc that moves between two values of a property.
  func origin(
    _ property: ViewProperty, from: Double, to: Double, _ disc: Int
  ) -> (x: Float, y: Float) {
    let (low, high) = (min(from, to), max(from, to))
    let xs = property == .x ? (-low, width - high) : (0, width)
    let ys = property == .y ? (-low, height - high) : (0, height)
    return (
      Float(coordinate(from: xs.0, to: xs.1, disc, draw: Draw.x)),
      Float(coordinate(from: ys.0, to: ys.1, disc, draw: Draw.y))
    )
  }

  /// Position of a marquee's disc at offset 0.
  func origin(of spec: MarqueeSpec, _ disc: Int) -> (x: Float, y: Float) {
    let left = coordinate(from: 0, to: width - spec.period, disc, draw: Draw.x)
    let x = spec.direction == .left ? left + spec.period : left
    return (Float(x), Float(coordinate(from: 0, to: height, disc, draw: Draw.y)))
  }

  /// The centre of an orbit's circle.
  func origin(of spec: OrbitSpec, _ disc: Int) -> (x: Float, y: Float) {
    let x = coordinate(from: spec.radius, to: width - spec.radius, disc, draw: Draw.x)
    let y = coordinate(from: spec.radius, to: height - spec.radius, disc, draw: Draw.y)
    return (Float(x), Float(y))
  }

  /// Index of a disc's colour among the field's colours.
  func color(_ disc: Int) -> Int {
    random.index(colorCount, disc, draw: Draw.color)
  }

  /// A random coordinate between two ends; their middle if the upper end is below the lower.
  private func coordinate(
    from lower: Double, to upper: Double, _ disc: Int, draw: UInt64
  ) -> Double {
    lower <= upper
      ? lower + (upper - lower) * random.unit(disc, draw: draw) : (lower + upper) / 2
  }
}
