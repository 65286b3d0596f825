// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrreryScene

/// A motion to be written for another tool: what repeats, and what moves in each leg.
struct ExportedMotion: Sendable {
  /// What a leg is, where another tool may have it, too.
  enum Shape: Sendable {
    case curve(UnitCurve)
    /// A spring from 0 to 1, its initial velocity in intervals per second.
    case spring(Spring, initialVelocity: Double)
    /// Only its values are known.
    case values
  }

  /// The text, as it was written.
  let spec: String

  let shape: Shape

  /// The animation, if the text is one.
  var animation: Animation?

  /// Seconds of a leg; nil of a curve, which has no duration of its own.
  ///
  /// 0: it shows its end at once.
  let seconds: Double?

  /// Seconds before the first leg; below 0 the motion begins that far into it.
  var delay = 0.0

  /// Number of legs, half ones too; nil if endless.
  var count: Double? = 1

  /// Whether every second leg runs backwards in time.
  var alternates = false

  /// What the values 0 and 1 stand for.
  var ends: (Double, Double) = (0, 1)

  /// The keyframes, if the text has some.
  var track: WrittenTrack?

  /// The value at a time of a leg, in seconds; of a curve at its progress.
  ///
  /// A spring moves on after the leg.
  let value: @Sendable (Double) -> Double

  /// The whole length of one leg in the unit of `value`.
  var length: Double { seconds ?? 1 }

  /// The value at a share of a leg, as a list of points shows it: exactly the target at the end of a spring.
  func share(_ share: Double) -> Double {
    if case .spring = shape, share >= 1 { return 1 }
    return value(share * length)
  }
}

extension ExportedMotion {
  /// The motion, in the words for one that takes no time if it takes none.
  var orNone: ExportedMotion {
    guard seconds == 0 else { return self }
    var motion = ExportedMotion(spec: spec, shape: .curve(.linear), seconds: 0) { _ in 1 }
    (motion.animation, motion.delay, motion.ends) = (animation, delay, ends)
    return motion
  }
}

extension ExportedMotion {
  /// The motion with its end held until so many seconds have passed since its start.
  func held(for seconds: Double) -> ExportedMotion {
    let (value, length) = (value, length)
    var motion = ExportedMotion(spec: spec, shape: .values, seconds: max(seconds, length)) { time in
      value(min(time, length))
    }
    (motion.animation, motion.delay, motion.ends) = (animation, delay, ends)
    return motion
  }
}

// MARK: - Reading

extension ExportedMotion {
  /// Reads a motion.
  ///
  /// - Parameters:
  ///   - spec: A spring, a curve or an animation, or keyframes as `orrery eval` takes them.
  ///   - tolerance: The allowed error; a spring ends when it stays so close to its target.
  /// - Throws: What is wrong with the text, or `ExportError`.
  init(_ spec: String, within tolerance: Double) throws {
    if WrittenTrack.isTrack(spec) {
      self = try Self.track(spec)
      return
    }
    switch try Notation.motion(spec) {
    case .curve(let curve):
      self.init(spec: spec, shape: .curve(curve), seconds: nil) { curve.value(at: $0) }
    case .spring(let spring):
      self = Self.spring(spring, initialVelocity: 0, spec: spec, within: tolerance)
    case .animation(let animation):
      self = try Self.animation(animation, spec: spec, within: tolerance)
    }
  }

  private init(
    spec: String, shape: Shape, seconds: Double?, value: @escaping @Sendable (Double) -> Double
  ) {
    (self.spec, self.shape, self.seconds, self.value) = (spec, shape, seconds, value)
  }

  /// A spring until it has settled; the time is rounded up to four digits.
  private static func spring(
    _ spring: Spring, initialVelocity: Double, spec: String, within tolerance: Double
  ) -> ExportedMotion {
    // The remainder: a time that is rounded in the last bit is no larger error.
    let epsilon = min(0.001, tolerance) * (1 - 1e-9)
    let settled = spring.settlingBound(
      target: 1, initialVelocity: initialVelocity, epsilon: epsilon)
    // Less than a picosecond is no time, as in the library.
    let seconds =
      settled < 1e-12 ? 0 : settled < 1e9 ? ShortDecimal.roundedUp(settled, digits: 4) : settled
    return ExportedMotion(
      spec: spec, shape: .spring(spring, initialVelocity: initialVelocity), seconds: seconds
    ) { time in
      spring.value(fromValue: 0, toValue: 1, initialVelocity: initialVelocity, time: time)
    }
  }

  private static func animation(
    _ animation: Animation, spec: String, within tolerance: Double
  ) throws -> ExportedMotion {
    guard let legs = animation.legs else { throw ExportError.endless }
    let isOnce = legs.count == 1
    var motion: ExportedMotion
    switch legs.shape {
    case .curve(let curve, let duration):
      motion = ExportedMotion(spec: spec, shape: .curve(curve), seconds: duration) { time in
        duration > 0 ? curve.value(at: time / duration) : 1
      }
    case .spring(let spring, let velocity) where isOnce:
      motion = Self.spring(spring, initialVelocity: velocity, spec: spec, within: tolerance)
    default:
      let (course, end) = (legs.course, legs.course.end)
      motion = ExportedMotion(spec: spec, shape: .values, seconds: end) { time in
        // A leg ends where it leads to; what a spring does after its end belongs to no leg.
        course.progress(at: min(time, end), length: 0)
      }
    }
    motion.animation = animation
    motion.delay = legs.delay
    motion.count = legs.count.map(Double.init)
    return legs.autoreverses ? motion.reversed() : motion
  }

  /// The motion there and back.
  ///
  /// Here a leg back is 1 minus the leg; elsewhere it is the leg, backwards in time. Both are the same for a curve that
  /// is symmetric about its middle. For any other one, there and back is one leg.
  private func reversed() -> ExportedMotion {
    let (length, value) = (length, value)
    let isSymmetric = (0...200).allSatisfy { index in
      let share = Double(index) / 200
      return abs(value(share * length) + value((1 - share) * length) - 1) < 1e-9
    }
    if isSymmetric {
      var motion = self
      motion.alternates = true
      return motion
    }
    var motion = ExportedMotion(
      spec: spec, shape: .values, seconds: seconds.map { 2 * $0 }
    ) { time in
      time < length ? value(time) : 1 - value(min(time - length, length))
    }
    motion.animation = animation
    motion.delay = delay
    motion.count = count.map { $0 / 2 }
    return motion
  }

  /// All legs as one, without the delay; for tools that cannot repeat as this motion does.
  ///
  /// - Throws: `ExportError.endless` if it is.
  func unrolled() throws(ExportError) -> ExportedMotion {
    if count == 1 { return self }
    guard let count, let seconds else { throw .endless }
    let (value, alternates) = (value, alternates)
    var motion = ExportedMotion(spec: spec, shape: .values, seconds: seconds * count) { time in
      var leg = (time / seconds).rounded(.down)
      // The end belongs to the last leg.
      if leg >= count { leg = count.rounded(.up) - 1 }
      let local = min(time, seconds * count) - leg * seconds
      return value(
        alternates && leg.truncatingRemainder(dividingBy: 2) == 1 ? seconds - local : local)
    }
    motion.animation = animation
    motion.delay = delay
    return motion
  }

  /// One track of keyframes: 0 is its first value and 1 its last one, or the farthest if these are equal.
  private static func track(_ spec: String) throws -> ExportedMotion {
    let track = try WrittenTrack(spec)
    let timeline = track.timeline
    let seconds = timeline.duration
    let (first, last) = (timeline.value(time: 0), timeline.value(time: seconds))
    var end = last
    if first == last {
      let values = (0...1_000).map { timeline.value(progress: Double($0) / 1_000) }
      end = values.max { abs($0 - first) < abs($1 - first) } ?? first
    }
    // A track that begins with a jump leaves the initial value at once.
    let (start, way) = (first, end - first)
    guard first.isFinite, way.isFinite else { throw ExportError.notFinite(0) }
    var motion = ExportedMotion(spec: spec, shape: .values, seconds: seconds) { time in
      way == 0 ? 0 : (timeline.value(time: time) - start) / way
    }
    motion.ends = (first, end)
    motion.track = track
    return motion
  }
}
