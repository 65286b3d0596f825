// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrrerySceneBuilder
import TestSupport

/// An animation of a web page, and what it shows at a time: the model of Web Animations, step by step.
struct WebOracle {
  struct Key {
    var offset: Double
    var value: Double
    var easing: String
    var curve: UnitCurve
  }

  var keys: [Key]
  var durationMs = 1000.0
  var delayMs = 0.0
  var iterations = 1.0
  var iterationStart = 0.0
  var direction = "normal"
  var fill = "none"
  /// What the element has without the animation.
  var base = 1.0

  /// Curves with their texts in CSS.
  private static let easings: [(String, UnitCurve)] = [
    ("linear", .linear), ("ease-in", .easeIn), ("ease-out", .easeOut),
    (
      "ease",
      .bezier(
        startControlPoint: UnitPoint(x: 0.25, y: 0.1), endControlPoint: UnitPoint(x: 0.25, y: 1))
    ),
    (
      "cubic-bezier(0.3, 1.6, 0.6, -0.4)",
      .bezier(
        startControlPoint: UnitPoint(x: 0.3, y: 1.6), endControlPoint: UnitPoint(x: 0.6, y: -0.4))
    ),
    ("steps(4)", .steps(4)), ("steps(3, jump-both)", .steps(3, .jumpBoth)),
    ("step-start", .steps(1, .jumpStart)),
    (
      "linear(0, 0.6 20%, 0.2 40% 60%, 1)",
      .linear([0, LinearStop(0.6, at: 0.2), LinearStop(0.2, at: 0.4), LinearStop(0.2, at: 0.6), 1])
    ),
  ]

  /// An animation made at random.
  ///
  /// - Parameters:
  ///   - values: Of the property.
  ///   - base: What the element has without it.
  ///   - random: The source of random numbers.
  init(values: ClosedRange<Double>, base: Double, using random: inout SeededRandom) {
    let count = Int.random(in: 2...5, using: &random)
    var offsets = (0..<count).map { Double($0) / Double(count - 1) }
    if Int.random(in: 0..<4, using: &random) == 0 { offsets[count - 1] = 0.8 }
    if count > 3, Int.random(in: 0..<3, using: &random) == 0 { offsets[2] = offsets[1] }
    keys = offsets.map { offset in
      let (text, curve) = Self.easings[Int.random(in: 0..<Self.easings.count, using: &random)]
      return Key(
        offset: offset, value: random.number(in: values), easing: text, curve: curve)
    }
    self.base = base
    durationMs = Double(Int.random(in: 2...20, using: &random)) * 100
    delayMs = Double(Int.random(in: -10...10, using: &random)) * 70
    iterations = [1, 1, 2, 2.5, 0.4, .infinity][Int.random(in: 0..<6, using: &random)]
    iterationStart = [0, 0, 0.25, 1.5][Int.random(in: 0..<4, using: &random)]
    direction =
      ["normal", "reverse", "alternate", "alternate-reverse"][
        Int.random(in: 0..<4, using: &random)]
    fill = ["none", "forwards", "backwards", "both"][Int.random(in: 0..<4, using: &random)]
  }

  /// What `Element.animate` takes, with a text for each value.
  func json(_ property: String, _ text: (Double) -> String) -> [String: Any] {
    [
      "keyframes": keys.map {
        ["offset": $0.offset, "easing": $0.easing, property: text($0.value)] as [String: Any]
      },
      "timing": [
        "duration": durationMs, "delay": delayMs,
        "iterations": iterations == .infinity ? "Infinity" : iterations,
        "iterationStart": iterationStart, "direction": direction, "fill": fill,
      ] as [String: Any],
    ]
  }

  /// The value at a time of the page, in milliseconds.
  func value(_ nowMs: Double) -> Double {
    let localMs = nowMs - delayMs
    let activeMs = durationMs * iterations
    let isBefore = localMs < 0
    let isAfter = localMs >= activeMs
    if isBefore, fill == "none" || fill == "forwards" { return base }
    if isAfter, fill == "none" || fill == "backwards" { return base }
    // Overall progress, simple iteration progress, current iteration, directed progress.
    let overall = min(max(localMs, 0), activeMs) / durationMs + iterationStart
    var simple = overall - overall.rounded(.down)
    if simple == 0, isAfter, iterations > 0, overall > 0 { simple = 1 }
    let iteration = simple == 1 ? overall.rounded(.down) - 1 : overall.rounded(.down)
    let isOdd = Int(iteration) % 2 == 1
    let isReversed =
      switch direction {
      case "normal": false
      case "reverse": true
      case "alternate": isOdd
      default: !isOdd
      }
    let progress = isReversed ? 1 - simple : simple
    // The keyframes around it; what is open at the end is the element's own value.
    var keys = keys
    if let last = keys.last, last.offset < 1 {
      keys.append(Key(offset: 1, value: base, easing: "linear", curve: .linear))
    }
    guard let from = keys.lastIndex(where: { $0.offset <= progress && $0.offset < 1 }) else {
      return keys[0].value
    }
    let to = from + 1
    let (part, curve) = (
      (progress - keys[from].offset) / (keys[to].offset - keys[from].offset), keys[from].curve
    )
    // Outside of its time an animation shows a step as it is before the jump, seen in its direction.
    let isBeforeJump = isBefore && !isReversed || isAfter && isReversed
    let output =
      keys[from].easing.hasPrefix("step") && isBeforeJump
      ? (part <= 0 ? 0 : curve.value(at: part.nextDown)) : curve.value(at: part)
    return keys[from].value + (keys[to].value - keys[from].value) * output
  }
}
