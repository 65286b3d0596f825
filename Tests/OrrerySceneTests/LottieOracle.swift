// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import TestSupport

/// Lottie files made at random, and where their layers are: the format's own formulas, one layer at a time.
struct LottieOracle {
  /// The file.
  let json: [String: Any]
  /// Seconds of a round.
  let length: Double

  private static let rate = 30.0

  /// A file of layers that move each other, some in a composition of its own.
  init(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let frames = Double(Int.random(in: 30...120, using: &random))
    let inner = Self.layers("inner", frames, using: &random, composition: nil)
    json = [
      "v": "5.7.0", "nm": "random", "fr": Self.rate, "ip": 0, "op": frames, "w": 800, "h": 600,
      "assets": [["id": "comp", "layers": inner]],
      "layers": Self.layers("outer", frames, using: &random, composition: "comp"),
    ]
    length = frames / Self.rate
  }

  private static func layers(
    _ name: String, _ frames: Double, using random: inout SeededRandom, composition: String?
  ) -> [[String: Any]] {
    (1...5).map { index in
      var layer: [String: Any] = [
        "ind": index, "ty": 1, "nm": "\(name) \(index)", "sw": 40, "sh": 20, "sc": "#ff8800",
        "ip": -1000, "op": 1000, "st": 0,
        "ks": [
          "o": ["a": 0, "k": 100],
          "a": ["a": 0, "k": [number(0...40, &random), number(0...20, &random), 0]],
          "p": Bool.random(using: &random)
            ? [
              "s": true, "x": property(0...400, 1, frames, &random),
              "y": property(0...300, 1, frames, &random),
            ]
            : property(0...400, 3, frames, &random, hasPaths: true),
          "r": property(-180...180, 1, frames, &random),
          "s": property(40...160, 3, frames, &random, isEven: true),
        ],
      ]
      // The chain goes down, so there is no circle.
      if index > 1, index < 5, Bool.random(using: &random) { layer["parent"] = index - 1 }
      if let composition, index == 5 {
        (layer["ty"], layer["refId"]) = (0, composition)
        (layer["st"], layer["sr"]) = (number(-10...10, &random), number(0.5...2, &random))
        layer["parent"] = 1
      }
      return layer
    }
  }

  private static func number(_ range: ClosedRange<Double>, _ random: inout SeededRandom) -> Double {
    Double.random(in: range, using: &random)
  }

  /// A property that stands still, or has keyframes: eased, held, along a path, before and after the animation.
  private static func property(
    _ range: ClosedRange<Double>, _ count: Int, _ frames: Double, _ random: inout SeededRandom,
    hasPaths: Bool = false, isEven: Bool = false
  ) -> [String: Any] {
    func value() -> [Double] {
      let first = number(range, &random)
      return (0..<count).map { $0 == 0 || isEven ? first : number(range, &random) }
    }
    guard Int.random(in: 0..<4, using: &random) > 0 else { return ["a": 0, "k": value()] }
    var time = number(-20...10, &random)
    let keys = (0..<Int.random(in: 2...5, using: &random)).map { _ -> [String: Any] in
      var key: [String: Any] = ["t": time, "s": value()]
      time += number(5...50, &random)
      let parts = isEven || hasPaths ? 1 : count
      func points(_ range: ClosedRange<Double>) -> [Double] {
        (0..<parts).map { _ in number(range, &random) }
      }
      // A curve that is vertical somewhere jumps within a millisecond.
      key["o"] = ["x": points(0...0.9), "y": points(-0.3...1)]
      key["i"] = ["x": points(0.1...1), "y": points(0...1.3)]
      if Int.random(in: 0..<5, using: &random) == 0 { key["h"] = 1 }
      if hasPaths, Bool.random(using: &random) {
        key["to"] = [number(-60...60, &random), number(-60...60, &random), 0]
        key["ti"] = [number(-60...60, &random), number(-60...60, &random), 0]
      }
      return key
    }
    return ["a": 1, "k": keys]
  }

  /// The anchor of a layer.
  static func anchor(_ layer: [String: Any]) -> CGPoint {
    let numbers = values((layer["ks"] as? [String: Any])?["a"], 0)
    return CGPoint(x: numbers[0], y: numbers[1])
  }

  /// All layers with what moves them: the matrix at a time in seconds.
  func layers() -> [(layer: [String: Any], matrix: (Double) -> CGAffineTransform)] {
    let outer = json["layers"] as? [[String: Any]] ?? []
    let assets = json["assets"] as? [[String: Any]] ?? []
    let inner = assets.first?["layers"] as? [[String: Any]] ?? []
    var all: [([String: Any], (Double) -> CGAffineTransform)] = []
    for layer in outer {
      all.append((layer, { Self.matrix(layer, in: outer, frame: $0 * Self.rate) }))
      guard layer["ty"] as? Int == 0 else { continue }
      let (start, stretch) = (layer["st"] as? Double ?? 0, layer["sr"] as? Double ?? 1)
      for other in inner {
        all.append(
          (
            other,
            { seconds in
              let frame = seconds * Self.rate
              return Self.matrix(other, in: inner, frame: (frame - start) / stretch)
                .concatenating(Self.matrix(layer, in: outer, frame: frame))
            }
          ))
      }
    }
    return all
  }

  private static func matrix(
    _ layer: [String: Any], in layers: [[String: Any]], frame: Double
  ) -> CGAffineTransform {
    let transform = layer["ks"] as? [String: Any] ?? [:]
    var place = [0.0, 0.0]
    if let position = transform["p"] as? [String: Any] {
      place =
        position["s"] == nil
        ? values(position, frame)
        : [values(position["x"], frame)[0], values(position["y"], frame)[0]]
    }
    let (anchor, turn) = (anchor(layer), values(transform["r"], frame)[0] * .pi / 180)
    let size = values(transform["s"], frame).map { $0 / 100 }
    let own = CGAffineTransform(translationX: -anchor.x, y: -anchor.y)
      .concatenating(CGAffineTransform(scaleX: size[0], y: size[1]))
      .concatenating(CGAffineTransform(rotationAngle: turn))
      .concatenating(CGAffineTransform(translationX: place[0], y: place[1]))
    guard let parent = layer["parent"] as? Int,
      let above = layers.first(where: { $0["ind"] as? Int == parent })
    else { return own }
    return own.concatenating(matrix(above, in: layers, frame: frame))
  }

  /// The numbers of a property at a frame.
  private static func values(_ property: Any?, _ frame: Double) -> [Double] {
    guard let content = (property as? [String: Any])?["k"] else { return [0, 0] }
    guard let keys = content as? [[String: Any]] else {
      return content as? [Double] ?? [content as? Double ?? Double(content as? Int ?? 0)]
    }
    func time(_ key: [String: Any]) -> Double { key["t"] as? Double ?? 0 }
    func start(_ key: [String: Any]) -> [Double] { key["s"] as? [Double] ?? [] }
    guard let index = keys.lastIndex(where: { time($0) <= frame }) else { return start(keys[0]) }
    guard index + 1 < keys.count, keys[index]["h"] == nil else { return start(keys[index]) }
    let (key, next) = (keys[index], keys[index + 1])
    let (from, to) = (start(key), start(next))
    let part = (frame - time(key)) / (time(next) - time(key))
    func eased(_ dimension: Int) -> Double {
      func point(_ name: String, _ axis: String) -> Double {
        let all = (key[name] as? [String: Any])?[axis] as? [Double] ?? []
        return all[min(dimension, all.count - 1)]
      }
      // By halves: x rises.
      var (low, high) = (0.0, 1.0)
      for _ in 0..<60 {
        let middle = (low + high) / 2
        let x = bezier(0, point("o", "x"), point("i", "x"), 1, middle)
        if x < part { low = middle } else { high = middle }
      }
      return bezier(0, point("o", "y"), point("i", "y"), 1, low)
    }
    if let out = key["to"] as? [Double], let into = key["ti"] as? [Double] {
      return onPath(from, out, into, to, eased(0))
    }
    return from.indices.map { from[$0] + (to[$0] - from[$0]) * eased($0) }
  }

  /// The point of a path after a part of its length, measured in ten thousand straight pieces.
  private static func onPath(
    _ from: [Double], _ out: [Double], _ into: [Double], _ to: [Double], _ part: Double
  ) -> [Double] {
    func point(_ t: Double) -> [Double] {
      (0..<2).map { bezier(from[$0], from[$0] + out[$0], to[$0] + into[$0], to[$0], t) }
    }
    let count = 10_000
    let points = (0...count).map { point(Double($0) / Double(count)) }
    let pieces = zip(points, points.dropFirst()).map { hypot($1[0] - $0[0], $1[1] - $0[1]) }
    var left = part * pieces.reduce(0, +)
    func along(_ index: Int) -> [Double] {
      let share = pieces[index] > 0 ? left / pieces[index] : 0
      return (0..<2).map { points[index][$0] + (points[index + 1][$0] - points[index][$0]) * share }
    }
    if left < 0 { return along(0) }
    for (index, piece) in pieces.enumerated() {
      if left <= piece || index == count - 1 { return along(index) }
      left -= piece
    }
    return to
  }

  private static func bezier(
    _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ t: Double
  ) -> Double {
    let s = 1 - t
    return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d
  }
}
