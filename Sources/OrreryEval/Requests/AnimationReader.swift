// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrreryScene

/// Reads an animation: a text in the notation, or an object with a formula.
///
///     {"formula":"value * sin(time * pi / 2)","duration":1}
enum AnimationReader {
  private static let keys = [
    "formula", "duration", "logicallyComplete", "velocity", "merges", "delay", "speed",
    "repeatCount", "autoreverses",
  ]

  /// The repetitions that a custom animation may have.
  private static let repeatCountMax = 1_000_000

  /// Reads the animation of a key.
  static func animation(_ key: String, of reader: RequestReader) throws(EvalError) -> Animation {
    try animation(try reader.value(key, "an animation"), at: reader.path.key(key))
  }

  /// Reads an animation.
  static func animation(
    _ value: DocumentValue, at path: DocumentPath
  ) throws(EvalError) -> Animation {
    if case .table = value { return try custom(try RequestReader(value, at: path, known: keys)) }
    guard let text = value.string else {
      throw EvalError(path: path, reason: "\(value.shown) is not a string")
    }
    do throws(NotationError) {
      return try Notation.animation(text)
    } catch {
      throw EvalError(path: path, reason: "\(error)")
    }
  }

  private static func custom(_ reader: RequestReader) throws(EvalError) -> Animation {
    let range = 0...1e9
    let custom = FormulaAnimation(
      moved: try reader.formula("formula", variables: FormulaAnimation.variables),
      speed: reader.has("velocity")
        ? try reader.formula("velocity", variables: FormulaAnimation.variables) : nil,
      duration: try reader.number("duration", in: range, "s"),
      logicalEnd: reader.has("logicallyComplete")
        ? try reader.number("logicallyComplete", in: range, "s") : nil,
      merges: try reader.bool("merges", else: false))
    var animation = Animation(custom)
    if reader.has("repeatCount") {
      animation = animation.repeatCount(
        try reader.count("repeatCount", in: 1...repeatCountMax),
        autoreverses: try reader.bool("autoreverses", else: true))
    } else if reader.has("autoreverses") {
      throw EvalError(
        path: reader.path.key("autoreverses"), reason: "only beside a repeatCount")
    }
    if reader.has("delay") {
      animation = animation.delay(try reader.number("delay", in: range, "s"))
    }
    if reader.has("speed") { animation = animation.speed(try reader.positive("speed")) }
    return animation
  }
}

extension Animation {
  /// Whether it has no closed form and must be evaluated frame by frame.
  var isCustom: Bool { course() == nil }
}

/// The frames at which custom animations are evaluated, in addition to the requested times.
enum EvalFrames {
  /// Frames in a second.
  static let perSecond = 60.0

  /// The first frame after a time, in seconds.
  static func next(after time: Double) -> Double {
    let index = (time * perSecond).rounded(.down) + 1
    let frame = index / perSecond
    // The rounded product may be too small by one.
    return frame > time ? frame : (index + 1) / perSecond
  }
}
