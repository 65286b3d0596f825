// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryDocument
import OrrerySceneBuilder

/// A value of a Lottie file that may have keyframes.
struct LottieProperty {
  /// A value, and how it goes on to the next.
  struct Key {
    /// In frames of its composition.
    let time: Double
    let value: [Double]
    /// The value at the end of this key's time, where a file of the older form says it; nil: the next key's.
    var end: [Double]?
    /// Whether the value stays until the next key.
    var isHeld = false
    /// The control points of the timing curve of each dimension; a single one is for all.
    var easing: [LottieEasing] = []
    /// The tangents of a path in the plane, from this value and to the next; nil: a straight line.
    var tangents: (out: [Double], into: [Double])?
  }

  let keys: [Key]
  /// Whether it has an expression, which is left out.
  let hasExpression: Bool

  var isAnimated: Bool { keys.count > 1 }

  /// The value at the start, by dimension.
  func first(_ dimension: Int, else other: Double) -> Double {
    keys.first.map { $0.value.indices.contains(dimension) ? $0.value[dimension] : other } ?? other
  }

  /// A property that does not move.
  init(_ value: [Double]) {
    (keys, hasExpression) = ([Key(time: 0, value: value)], false)
  }

  /// Reads a property.
  ///
  /// - Parameters:
  ///   - value: What the file has.
  ///   - path: Where.
  /// - Throws: `ImportError` if it is none.
  init(_ value: DocumentValue, at path: DocumentPath) throws(ImportError) {
    guard let table = value.table, let content = table["k"] else {
      throw ImportError(path: path, reason: "no property with a \"k\"")
    }
    hasExpression = table["x"]?.string != nil
    let path = path.key("k")
    if let numbers = Self.numbers(content), content.array?.first?.table == nil {
      keys = [Key(time: 0, value: numbers)]
      return
    }
    guard let entries = content.array else {
      throw ImportError(path: path, reason: "neither numbers nor keyframes")
    }
    guard entries.count <= Self.keysMax else {
      throw ImportError(path: path, reason: "\(entries.count) keyframes, more than \(Self.keysMax)")
    }
    var keys: [Key] = []
    for (index, entry) in entries.enumerated() {
      guard let table = entry.table, let time = table["t"]?.number, time.isFinite else {
        throw ImportError(path: path.index(index), reason: "no keyframe with a time \"t\"")
      }
      if let last = keys.last, time < last.time {
        throw ImportError(path: path.index(index), reason: "a keyframe before the one before it")
      }
      // In the older form the last keyframe is a time only.
      guard let value = table["s"].flatMap(Self.numbers) ?? keys.last?.end ?? keys.last?.value
      else {
        throw ImportError(path: path.index(index), reason: "a keyframe without a value \"s\"")
      }
      keys.append(Self.key(table, time: time, value: value))
    }
    guard !keys.isEmpty else { throw ImportError(path: path, reason: "no keyframes") }
    self.keys = keys
  }

  /// As many keyframes as a track of a scene may have.
  private static let keysMax = Int(SceneLimits.keyframes.range.upperBound)

  private static func key(_ table: DocumentTable, time: Double, value: [Double]) -> Key {
    var key = Key(time: time, value: value, end: table["e"].flatMap(numbers))
    key.isHeld = table["h"]?.number == 1 || table["h"]?.bool == true
    if let out = table["o"]?.table, let into = table["i"]?.table {
      let parts = [out["x"], out["y"], into["x"], into["y"]].map { $0.flatMap(numbers) ?? [] }
      let count = parts.map(\.count).max() ?? 0
      key.easing = (0..<count).map { dimension in
        func part(_ index: Int) -> Double? {
          parts[index].isEmpty ? nil : parts[index][min(dimension, parts[index].count - 1)]
        }
        guard let x1 = part(0), let y1 = part(1), let x2 = part(2), let y2 = part(3) else {
          return .linear
        }
        return LottieEasing(x1: min(max(x1, 0), 1), y1: y1, x2: min(max(x2, 0), 1), y2: y2)
      }
    }
    if let out = table["to"].flatMap(numbers), let into = table["ti"].flatMap(numbers),
      out.contains(where: { $0 != 0 }) || into.contains(where: { $0 != 0 })
    {
      key.tangents = (out, into)
    }
    return key
  }

  /// One number, or several.
  private static func numbers(_ value: DocumentValue) -> [Double]? {
    if let number = value.number { return [number] }
    guard let array = value.array else { return nil }
    let numbers = array.compactMap(\.number)
    return numbers.count == array.count && !numbers.isEmpty ? numbers : nil
  }
}

/// A motion of one number in pieces, in seconds of the scene.
struct LottieMotion {
  /// A part of the motion.
  struct Piece {
    enum Course {
      case hold(Double)
      case eased(from: Double, to: Double, LottieEasing)
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

  /// A dimension of a property.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - dimension: Which of its numbers.
  ///   - missing: The value of a dimension that it does not have.
  ///   - clock: The time of frames.
  ///   - convert: From the file's units to the scene's.
  init(
    _ property: LottieProperty, _ dimension: Int, else missing: Double = 0, _ clock: LottieClock,
    _ convert: @escaping @Sendable (Double) -> Double
  ) {
    func value(_ numbers: [Double]) -> Double {
      convert(numbers.indices.contains(dimension) ? numbers[dimension] : missing)
    }
    let keys = property.keys
    guard let first = keys.first, let last = keys.last else {
      pieces = LottieMotion(convert(missing)).pieces
      return
    }
    var pieces = [
      Piece(start: -.infinity, end: clock.seconds(first.time), course: .hold(value(first.value)))
    ]
    for (key, next) in zip(keys, keys.dropFirst()) where next.time > key.time {
      let (start, end) = (clock.seconds(key.time), clock.seconds(next.time))
      let (from, to) = (value(key.value), value(key.end ?? next.value))
      if key.isHeld || from == to && key.tangents == nil {
        pieces.append(Piece(start: start, end: end, course: .hold(from)))
      } else if let path = LottiePath(key, to: key.end ?? next.value) {
        let easing = (key.easing.first ?? .linear).curve
        pieces.append(
          Piece(
            start: start, end: end,
            course: .function { seconds in
              let part = min(max((seconds - start) / (end - start), 0), 1)
              return convert(path.point(at: easing.value(at: part))[dimension])
            }))
      } else {
        let easing =
          key.easing.isEmpty ? .linear : key.easing[min(dimension, key.easing.count - 1)]
        pieces.append(
          Piece(start: start, end: end, course: .eased(from: from, to: to, easing)))
      }
    }
    pieces.append(
      Piece(start: clock.seconds(last.time), end: .infinity, course: .hold(value(last.value))))
    self.pieces = pieces
  }

  /// A motion that is made of this and another at every time.
  func combined(
    with other: LottieMotion, _ combine: @escaping @Sendable (Double, Double) -> Double
  ) -> LottieMotion {
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
  func minus(_ value: Double) -> LottieMotion {
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
  func within(_ span: Range<Double>, otherwise value: Double) -> LottieMotion {
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
  /// - Returns: The keyframes, whose durations add up to the length.
  func steps(through length: Double, tolerance: Double) -> [KeyframeStep] {
    var steps: [KeyframeStep] = []
    var (now, last) = (0.0, value(0))
    func jump(to value: Double) {
      if value != last { steps.append(.move(value)) }
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

extension LottieMotion.Piece {
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
struct LottieEasing: Sendable {
  let x1: Double
  let y1: Double
  let x2: Double
  let y2: Double

  static let linear = LottieEasing(x1: 0, y1: 0, x2: 1, y2: 1)

  /// The same as a curve of the library.
  var curve: UnitCurve {
    x1 == y1 && x2 == y2
      ? .linear
      : .bezier(
        startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
  }

  /// A part of the curve, which is such a curve again, and the values at its ends.
  ///
  /// - Parameter shares: The part of the time.
  /// - Returns: Nil if it is none: the value is the same at both ends, or the curve too steep.
  func part(_ shares: ClosedRange<Double>) -> (from: Double, to: Double, easing: LottieEasing)? {
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
    let easing = LottieEasing(
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

/// The seconds of a composition's frames in the scene.
struct LottieClock {
  /// The second of frame 0, and the seconds of a frame.
  let offset: Double
  let frame: Double

  func seconds(_ frames: Double) -> Double { offset + frames * frame }

  /// The clock of a composition that a layer shows.
  ///
  /// - Parameters:
  ///   - start: The layer's start, in frames of this clock.
  ///   - stretch: How many times as long each of its frames takes.
  /// - Returns: The seconds of the inner composition's frames.
  func inner(start: Double, stretch: Double) -> LottieClock {
    LottieClock(offset: seconds(start), frame: frame * stretch)
  }
}

/// A path in the plane along which a position moves, by the distance that is covered.
struct LottiePath: Sendable {
  private let points: [[Double]]
  /// The distance from the start to each of `samples` points along the curve.
  private let distances: [Double]

  private static let samples = 2048

  /// The path from a keyframe; nil if that has a straight line.
  init?(_ key: LottieProperty.Key, to end: [Double]) {
    guard let tangents = key.tangents, key.value.count >= 2, end.count >= 2,
      tangents.out.count >= 2, tangents.into.count >= 2
    else { return nil }
    func sum(_ a: [Double], _ b: [Double]) -> [Double] { [a[0] + b[0], a[1] + b[1]] }
    points = [key.value, sum(key.value, tangents.out), sum(end, tangents.into), end]
    var (distances, last) = ([0.0], key.value)
    for index in 1...Self.samples {
      let next = Self.curve(points, Double(index) / Double(Self.samples))
      distances.append((distances.last ?? 0) + hypot(next[0] - last[0], next[1] - last[1]))
      last = next
    }
    self.distances = distances
    guard let length = distances.last, length > 0 else { return nil }
  }

  /// The point after a part of the whole distance; beyond the ends, along the tangent there.
  func point(at part: Double) -> [Double] {
    let length = distances[Self.samples]
    if part < 0 { return beyond(points[0], Array(points[1...]), part * length, sign: 1) }
    if part > 1 {
      return beyond(points[3], [points[2], points[1], points[0]], (part - 1) * length, sign: -1)
    }
    let wanted = part * length
    var (low, high) = (0, Self.samples)
    while high - low > 1 {
      let middle = (low + high) / 2
      if distances[middle] <= wanted { low = middle } else { high = middle }
    }
    let step = distances[high] - distances[low]
    let inside = step > 0 ? (wanted - distances[low]) / step : 0
    return Self.curve(points, (Double(low) + inside) / Double(Self.samples))
  }

  /// A point on the tangent at an end.
  ///
  /// - Parameters:
  ///   - end: The end.
  ///   - others: The control points from there on; the first that is elsewhere gives the direction.
  ///   - distance: From the end; below 0, before the start.
  ///   - sign: 1 at the start, -1 at the end, where the others lie behind.
  /// - Returns: The point.
  private func beyond(
    _ end: [Double], _ others: [[Double]], _ distance: Double, sign: Double
  ) -> [Double] {
    for other in others {
      let (x, y) = (sign * (other[0] - end[0]), sign * (other[1] - end[1]))
      let length = hypot(x, y)
      if length > 0 { return [end[0] + distance * x / length, end[1] + distance * y / length] }
    }
    return end
  }

  /// The point of a cubic with four control points at a parameter.
  static func curve(_ points: [[Double]], _ t: Double) -> [Double] {
    let s = 1 - t
    let weights = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t]
    return (0..<2).map { axis in zip(weights, points).reduce(0) { $0 + $1.0 * $1.1[axis] } }
  }
}
