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
    var easing: [CubicEasing] = []
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
        return CubicEasing(x1: min(max(x1, 0), 1), y1: y1, x2: min(max(x2, 0), 1), y2: y2)
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

extension ImportedMotion {
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
      self.init(convert(missing))
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
    self.init(pieces)
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
