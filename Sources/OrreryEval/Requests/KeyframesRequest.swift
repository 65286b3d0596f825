// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Values of a track of keyframes.
///
///     {"keyframes":[{"linear":8,"duration":0.4},{"move":5}],"initial":0,"at":[0,0.2]}
struct KeyframesRequest: EvalRequest {
  static let keys = ["keyframes", "initial", "at"]

  private let keyframes: [KeyframeReader.Keyframe]
  private let initial: Double
  private let at: [Double]

  init(_ reader: RequestReader) throws(EvalError) {
    var keyframes: [KeyframeReader.Keyframe] = []
    let readers = try reader.objects(
      "keyframes", countMax: EvalLimits.keyframeCountMax, known: KeyframeReader.keys)
    for reader in readers { keyframes.append(try KeyframeReader.keyframe(reader)) }
    self.keyframes = keyframes
    initial = try reader.number("initial", else: 0)
    at = reader.has("at") ? try reader.numbers("at") : []
  }

  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    let timeline = KeyframeTimeline(initialValue: initial) {
      KeyframeTrack {
        for keyframe in keyframes {
          switch keyframe {
          case .move(let value): MoveKeyframe(value)
          case .linear(let value, let duration, let curve):
            LinearKeyframe(value, duration: duration, timingCurve: curve)
          case .cubic(let value, let duration, let start, let end):
            CubicKeyframe(value, duration: duration, startVelocity: start, endVelocity: end)
          case .spring(let value, let duration, let spring, let start):
            SpringKeyframe(value, duration: duration, spring: spring, startVelocity: start)
          }
        }
      }
    }
    return EvalAnswer([
      "values": .numbers(at.map { timeline.value(time: $0) }),
      "duration_s": .number(timeline.duration),
    ])
  }
}

/// Reads one keyframe; the key of its value gives its kind.
enum KeyframeReader {
  enum Keyframe: Sendable {
    case move(Double)
    case linear(Double, duration: Double, UnitCurve)
    case cubic(Double, duration: Double, start: Double?, end: Double?)
    case spring(Double, duration: Double?, Spring, start: Double?)
  }

  /// The kinds, each with its other allowed keys.
  private static let kinds: [(key: String, others: [String])] = [
    ("move", []), ("linear", ["duration", "timingCurve"]),
    ("cubic", ["duration", "startVelocity", "endVelocity"]),
    ("springTo", ["duration", "spring", "startVelocity"]),
  ]

  static let keys = [
    "linear", "cubic", "springTo", "move", "duration", "timingCurve", "startVelocity",
    "endVelocity", "spring",
  ]

  static func keyframe(_ reader: RequestReader) throws(EvalError) -> Keyframe {
    let found = kinds.filter { reader.has($0.key) }
    guard found.count == 1, let kind = found.first else {
      let known = kinds.map(\.key).joined(separator: ", ")
      throw EvalError(path: reader.path, reason: "one is wanted of \(known)")
    }
    for key in reader.keys.sorted() where key != kind.key && !kind.others.contains(key) {
      let allowed = kind.others.isEmpty ? "nothing else" : kind.others.joined(separator: ", ")
      throw EvalError(
        path: reader.path.key(key), reason: "not beside \(kind.key); allowed there: \(allowed)")
    }
    let value = try reader.number(kind.key)
    switch kind.key {
    case "move": return .move(value)
    case "linear":
      let curve =
        reader.has("timingCurve")
        ? try reader.notation("timingCurve", Notation.curve) : .linear
      return .linear(value, duration: try duration(reader), curve)
    case "cubic":
      return .cubic(
        value, duration: try duration(reader), start: try optional("startVelocity", of: reader),
        end: try optional("endVelocity", of: reader))
    default:
      let spring =
        reader.has("spring") ? try SpringReader.spring("spring", of: reader) : Spring()
      return .spring(
        value, duration: reader.has("duration") ? try duration(reader) : nil, spring,
        start: try optional("startVelocity", of: reader))
    }
  }

  private static func duration(_ reader: RequestReader) throws(EvalError) -> Double {
    try reader.number("duration", in: 0...1e9, "s")
  }

  private static func optional(
    _ key: String, of reader: RequestReader
  ) throws(EvalError) -> Double? {
    reader.has(key) ? try reader.number(key) : nil
  }
}
