// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrrerySceneBuilder

/// A motion of one number in pieces, in seconds of the scene.
struct ImportedMotion {
  /// A part of the motion.
  struct Piece {
    enum Course {
      case hold(Double)
      case eased(from: Double, to: Double, CubicEasing)
      case function(@Sendable (_ seconds: Double) -> Double)
    }

    var start: Double
    var end: Double
    var course: Course

    /// The value at a time inside.
    func value(_ seconds: Double) -> Double {
      switch course {
      case .hold(let value): return value
      case .eased(let from, let to, let curve):
        let part = end > start ? min(max((seconds - start) / (end - start), 0), 1) : 1
        return from + (to - from) * curve.curve.value(at: part)
      case .function(let function): return function(seconds)
      }
    }
  }

  private(set) var pieces: [Piece]

  /// One value for ever.
  init(_ value: Double) {
    pieces = [Piece(start: -.infinity, end: .infinity, course: .hold(value))]
  }

  /// Pieces that follow each other from the first time to the last.
  init(_ pieces: [Piece]) { self.pieces = pieces }

  /// A motion that is made of this and another at every time.
  func combined(
    with other: ImportedMotion, _ combine: @escaping @Sendable (Double, Double) -> Double
  ) -> ImportedMotion {
    let times = Set((pieces + other.pieces).flatMap { [$0.start, $0.end] }).sorted()
    var motion = self
    motion.pieces = zip(times, times.dropFirst()).map { start, end in
      let middle = start.isFinite ? (end.isFinite ? (start + end) / 2 : start) : min(end, 0)
      let (a, b) = (piece(at: middle), other.piece(at: middle))
      if case .hold(let first) = a.course, case .hold(let second) = b.course {
        return Piece(start: start, end: end, course: .hold(combine(first, second)))
      }
      return Piece(
        start: start, end: end, course: .function { combine(a.value($0), b.value($0)) })
    }
    return motion
  }

  /// The same motion from another value.
  func minus(_ value: Double) -> ImportedMotion {
    var motion = self
    motion.pieces = pieces.map { piece in
      var piece = piece
      switch piece.course {
      case .hold(let own): piece.course = .hold(own - value)
      case .eased(let from, let to, let curve):
        piece.course = .eased(from: from - value, to: to - value, curve)
      case .function(let function): piece.course = .function { function($0) - value }
      }
      return piece
    }
    return motion
  }

  /// The same, and another value outside of some seconds.
  func within(_ span: Range<Double>, otherwise value: Double) -> ImportedMotion {
    var motion = self
    motion.pieces = pieces.compactMap { piece in
      var piece = piece
      piece.cut(to: span)
      return piece.end > piece.start ? piece : nil
    }
    motion.pieces.insert(
      Piece(start: -.infinity, end: span.lowerBound, course: .hold(value)), at: 0)
    motion.pieces.append(Piece(start: span.upperBound, end: .infinity, course: .hold(value)))
    return motion
  }

  /// The piece that a time is in; a time between two is in the later one.
  private func piece(at seconds: Double) -> Piece {
    pieces.last { $0.start <= seconds } ?? pieces[0]
  }

  /// The value at a time.
  func value(_ seconds: Double) -> Double { piece(at: seconds).value(seconds) }

  /// Whether it is the same at all times of a loop.
  func isConstant(through length: Double) -> Bool {
    let first = value(0)
    return pieces.allSatisfy { piece in
      guard piece.end > 0, piece.start < length else { return true }
      if case .hold(first) = piece.course { return true } else { return false }
    }
  }

  /// The keyframes of a loop; they begin at the value at 0.
  ///
  /// - Parameters:
  ///   - length: Of the loop, in seconds.
  ///   - tolerance: How far a keyframe may be off where the scene has no such curve.
  ///   - after: The value that stays when all have played; nil: the last one's.
  /// - Returns: The keyframes, whose durations add up to the length.
  func steps(
    through length: Double, tolerance: Double, after: Double? = nil
  ) -> [KeyframeStep] {
    var steps: [KeyframeStep] = []
    var (now, last) = (0.0, value(0))
    func jump(to value: Double) {
      // Two sums of one value may differ in their last digits.
      if abs(value - last) > 1e-9 * max(abs(value), 1) { steps.append(.move(value)) }
      last = value
    }
    for piece in pieces where piece.end > now && piece.start < length {
      // A scene's keyframe takes a millisecond at least: what is shorter becomes a part of what comes next, and at the
      // end a part of what is before.
      let shortest = SceneLimits.duration.range.lowerBound
      var part = piece
      part.cut(to: now..<length)
      let end = part.end
      if length - end < shortest { part.end = length }
      guard part.end - now >= shortest || part.end >= length else { continue }
      if part.start > now || part.end > end, case .eased = part.course {
        // The curve keeps its own time.
        let before = part.start > now ? self : nil
        part.course = .function { seconds in
          if let before, seconds < piece.start { return before.value(seconds) }
          return piece.value(seconds)
        }
      }
      part.start = now
      now = part.end
      guard part.end > part.start else { continue }
      switch part.course {
      case .hold(let value):
        jump(to: value)
        steps.append(.linear(value, duration: part.end - part.start))
      case .eased(let from, let to, let curve):
        jump(to: from)
        steps.append(.linear(to, duration: part.end - part.start, timingCurve: curve.curve))
        last = to
      case .function(let function):
        jump(to: function(part.start))
        append(function, from: part.start, to: part.end, tolerance, depth: 0, to: &steps)
        last = function(part.end)
      }
    }
    if let after { jump(to: after) }
    return steps
  }

  /// Cubic keyframes, halved until each is near enough.
  private func append(
    _ function: (Double) -> Double, from start: Double, to end: Double, _ tolerance: Double,
    depth: Int, to steps: inout [KeyframeStep]
  ) {
    let length = end - start
    let (from, to) = (function(start), function(end))
    // One-sided at the ends: a corner may lie there.
    let delta = length * 1e-4
    func slope(_ at: Double, _ sign: Double) -> Double {
      let (near, far) = (function(at + sign * delta), function(at + 2 * sign * delta))
      return sign * (4 * near - far - 3 * function(at)) / (2 * delta)
    }
    let limit = SceneLimits.velocity.range.upperBound
    let (first, second) = (
      min(max(slope(start, 1), -limit), limit), min(max(slope(end, -1), -limit), limit)
    )
    func cubic(_ part: Double) -> Double {
      let (square, cube) = (part * part, part * part * part)
      return (2 * cube - 3 * square + 1) * from + (cube - 2 * square + part) * length * first
        + (3 * square - 2 * cube) * to + (cube - square) * length * second
    }
    let isNear = (1..<8).allSatisfy { index in
      let part = Double(index) / 8
      return abs(cubic(part) - function(start + part * length)) <= tolerance
    }
    guard !isNear, depth < 12, length >= 2 * SceneLimits.duration.range.lowerBound else {
      steps.append(.cubic(to, duration: length, startVelocity: first, endVelocity: second))
      return
    }
    let middle = start + length / 2
    append(function, from: start, to: middle, tolerance, depth: depth + 1, to: &steps)
    append(function, from: middle, to: end, tolerance, depth: depth + 1, to: &steps)
  }
}

extension ImportedMotion.Piece {
  /// Keeps the part inside some seconds.
  mutating func cut(to span: Range<Double>) {
    let whole = self
    let (first, last) = (max(start, span.lowerBound), min(end, span.upperBound))
    if case .eased(let from, let to, let easing) = course, last > first,
      first > start || last < end
    {
      let shares = (first - start) / (end - start)...(last - start) / (end - start)
      if let part = easing.part(shares) {
        let interval = to - from
        course = .eased(
          from: from + interval * part.from, to: from + interval * part.to, part.easing)
      } else {
        course = .function { whole.value($0) }
      }
    }
    (start, end) = (first, last)
  }
}

/// The timing curve between two keyframes: a cubic from (0, 0) to (1, 1) by its control points.
struct CubicEasing: Sendable {
  let x1: Double
  let y1: Double
  let x2: Double
  let y2: Double

  static let linear = CubicEasing(x1: 0, y1: 0, x2: 1, y2: 1)

  /// The same as a curve of the library.
  var curve: UnitCurve {
    x1 == y1 && x2 == y2
      ? .linear
      : .bezier(
        startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
  }

  /// The same curve from its end to its start.
  var reversed: CubicEasing { CubicEasing(x1: 1 - x2, y1: 1 - y2, x2: 1 - x1, y2: 1 - y1) }

  /// A part of the curve, which is such a curve again, and the values at its ends.
  ///
  /// - Parameter shares: The part of the time.
  /// - Returns: Nil if it is none: the value is the same at both ends, or the curve too steep.
  func part(_ shares: ClosedRange<Double>) -> (from: Double, to: Double, easing: CubicEasing)? {
    let (s, t) = (parameter(shares.lowerBound), parameter(shares.upperBound))
    // The control points of a part are the values of the curve's blossom at its ends.
    func points(_ a: Double, _ b: Double) -> [Double] {
      [(s, s, s), (s, s, t), (s, t, t), (t, t, t)].map { u, v, w in
        let (before, between, after) = ((1 - u) * (1 - v), u * (1 - v) + v * (1 - u), u * v)
        return (1 - w) * (between * a + after * b) + w * (before * a + between * b + after)
      }
    }
    let (x, y) = (points(x1, x2), points(y1, y2))
    let (width, height) = (x[3] - x[0], y[3] - y[0])
    guard width > 1e-9, abs(height) > 1e-9 else { return nil }
    let easing = CubicEasing(
      x1: (x[1] - x[0]) / width, y1: (y[1] - y[0]) / height,
      x2: (x[2] - x[0]) / width, y2: (y[2] - y[0]) / height)
    // A part of a steep curve may have its control points beyond its ends, which no timing curve has.
    guard (0...1).contains(easing.x1), (0...1).contains(easing.x2) else { return nil }
    return (y[0], y[3], easing)
  }

  /// The parameter of the curve at a part of the time, by halves: x rises.
  private func parameter(_ share: Double) -> Double {
    if share <= 0 { return 0 }
    if share >= 1 { return 1 }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<54 {
      let t = (low + high) / 2
      let s = 1 - t
      if 3 * s * s * t * x1 + 3 * s * t * t * x2 + t * t * t < share { low = t } else { high = t }
    }
    return (low + high) / 2
  }
}
