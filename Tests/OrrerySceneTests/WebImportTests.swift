// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryScene
import OrrerySceneBuilder
import TestSupport
import Testing

/// Goal: a scene that is made of a web page's animations shows what the page shows; what is left out is counted, and a
/// bad file has one line with the place in it.
///
/// Method: animations made at random against the model of Web Animations (`WebOracle`), and small files by hand. A
/// browser checks the same in the process tests.
@Suite struct WebImportTests {
  private func imported(_ json: Any) throws -> SceneFile {
    let data = try JSONSerialization.data(withJSONObject: json)
    return try SceneFile.decode(String(decoding: data, as: UTF8.self), file: "a.json")
  }

  private func view(_ json: Any) throws -> AnimatedView {
    let parts = try imported(json).scene.content
    return try #require(
      parts.lazy.compactMap { if case .view(let view) = $0 { view } else { nil } }.first)
  }

  /// What a view shows at a time.
  private static func value(
    _ property: ViewProperty, of view: AnimatedView, _ seconds: Double
  ) throws -> Double {
    let initial = view.initial[property]
    guard let loop = view.keyframes.first(where: { $0.property == property }) else {
      return initial
    }
    // Whether it repeats makes no difference to its parts.
    var track = loop
    track.repeats = true
    guard let course = KeyframeCourse(track, initial: initial) else {
      // It only jumps, at the start.
      guard case .move(let value)? = loop.steps.last else { throw CancellationError() }
      return value
    }
    let length = course.parts.last.map { $0.start + $0.duration } ?? 0
    let inside =
      loop.repeats ? seconds.truncatingRemainder(dividingBy: length) : min(seconds, length)
    let part = try #require(course.parts.last { $0.start <= inside })
    let u = part.duration > 0 ? min((inside - part.start) / part.duration, 1) : 1
    if !loop.repeats, seconds >= length, case .move(let value)? = loop.steps.last { return value }
    return switch part.motion {
    case .cubic(let c): c[0] + u * (c[1] + u * (c[2] + u * c[3]))
    case .curve(let curve, let from, let interval): from + interval * curve.value(at: u)
    case .spring: .nan
    }
  }

  private static let kinds:
    [(
      css: String, property: ViewProperty, values: ClosedRange<Double>, tolerance: Double,
      text: @Sendable (Double) -> String
    )] = [
      ("opacity", .opacity, 0...1, 0.001, { "\($0)" }),
      ("transform", .x, -300...300, 0.05, { "translateX(\($0)px)" }),
      ("translate", .y, -300...300, 0.05, { "0 \($0)px" }),
      ("rotate", .rotation, -9...9, 0.001, { "\($0)rad" }),
      ("transform", .scale, 0.1...4, 0.001, { "scale(\($0))" }),
      ("filter", .blur, 0...20, 0.001, { "blur(\($0)px)" }),
    ]

  @Test(arguments: Array(UInt64(1)...120))
  func animationsAreThoseOfTheModel(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let kind = Self.kinds[Int(seed) % Self.kinds.count]
    var oracle = WebOracle(
      values: kind.values, base: kind.property.defaultValue, using: &random)
    // Curves that overshoot leave a range that has ends.
    if kind.css == "opacity" || kind.css == "filter" || kind.property == .scale {
      for index in oracle.keys.indices where oracle.keys[index].easing.contains("1.6") {
        (oracle.keys[index].easing, oracle.keys[index].curve) = ("linear", .linear)
      }
    }
    let view = try view(oracle.json(kind.css, kind.text))
    let isEndless = oracle.iterations == .infinity
    for _ in 0..<50 {
      let seconds = random.number(in: 0...6)
      if isEndless, seconds * 1000 < oracle.delayMs { continue }
      // Near a jump both sides are right.
      let near = [-0.01, 0, 0.01].map { oracle.value(seconds * 1000 + $0) }
      let found = try Self.value(kind.property, of: view, seconds)
      #expect(
        found >= (near.min() ?? 0) - kind.tolerance && found <= (near.max() ?? 0) + kind.tolerance,
        "\(found) at \(seconds) s; \(near); \(oracle)")
    }
  }

  @Test func whatElementAnimateTakesIsRead() throws {
    // Keyframes without offsets, a number for the options.
    let one = try view([
      "keyframes": [["opacity": 0], ["opacity": "50%", "easing": "ease-in"], ["opacity": 1]],
      "options": 1000,
    ])
    #expect(
      one.keyframes.first?.steps == [
        .linear(0.5, duration: 0.5), .linear(1, duration: 0.5, timingCurve: .easeIn),
      ])
    // A list for each property, of which each has its own offsets; null is for ever.
    let other = try view([
      "name": "card", "rect": [100, 50, 200, 100],
      "keyframes": [
        "translate": ["none", "50% -10px", "0 100%"], "rotate": ["0", "1turn"],
        "easing": "ease-out",
      ] as [String: Any],
      "timing": ["duration": 2000, "iterations": NSNull()] as [String: Any],
    ])
    #expect(other.name == "card" && other.position == CGPoint(x: 200, y: 100))
    #expect(!other.keyframes.map(\.repeats).contains(false))
    #expect(
      other.keyframes.first { $0.property == .x }?.steps == [
        .linear(100, duration: 1, timingCurve: .easeOut),
        .linear(0, duration: 1, timingCurve: .easeOut),
      ])
    #expect(
      other.keyframes.first { $0.property == .rotation }?.steps == [
        .linear(2 * .pi, duration: 2, timingCurve: .easeOut)
      ])
    // The easing of a whole animation is that of its only interval.
    let whole = try view([
      "keyframes": ["opacity": [0, 1]],
      "timing": ["duration": 500, "easing": "ease-in"] as [String: Any],
    ])
    #expect(
      whole.keyframes.first?.steps == [.linear(1, duration: 0.5, timingCurve: .easeIn)])
  }

  @Test func transformsAreOneTranslationRotationAndScale() throws {
    let view = try view([
      "keyframes": [
        ["transform": "translate(10px, 20px) rotate(90deg) scale(2) translateX(5px)"],
        ["transform": "matrix(0, 3, -3, 0, 7, 8)"],
      ],
      "timing": ["duration": 1000, "fill": "both"] as [String: Any],
    ])
    #expect(abs(view.initial.x - 10) < 1e-9 && abs(view.initial.y - 30) < 1e-9)
    #expect(abs(view.initial.rotation - .pi / 2) < 1e-9 && view.initial.scale == 2)
    #expect(abs((try Self.value(.y, of: view, 2)) - 8) < 1e-9)
    #expect(abs((try Self.value(.scale, of: view, 2)) - 3) < 1e-9)
  }

  @Test func whatAViewHasNotIsCounted() throws {
    let file = try imported([
      "viewport": [800, 600],
      "animations": [
        [
          "name": "a",
          "keyframes": [
            [
              "width": "1px", "transform": "rotateX(10deg) scale(2, 8)", "opacity": 0,
              "composite": "add",
            ],
            [
              "width": "9px", "transform": "skew(1deg)", "opacity": 1,
              "filter": "blur(2px) sepia(1)",
            ],
          ],
          "options": ["duration": 100, "easing": "ease-in"] as [String: Any],
        ] as [String: Any],
        [
          "name": "a", "keyframes": ["opacity": [1, 0, 1], "translate": ["1em", "50%"]],
          "options": ["duration": 100, "delay": 9, "iterations": "Infinity", "easing": "ease"]
            as [String: Any],
        ] as [String: Any],
      ],
    ])
    #expect(file.scene.size == CGSize(width: 800, height: 600))
    for text in [
      "1 track of width", "1 composite mode (its values instead of the others)", "1 rotateX",
      "1 scale that differs between x and y (the mean of both)", "1 skew", "1 filter sepia",
      "1 transform whose functions change (by its parts)", "1 length in em (none)",
      "1 translation in % of an element without a rect (none)",
      "1 delay of an endless animation (as if it had begun before)",
      "1 easing of a whole animation (each keyframe has its own)",
      "1 property of an element that two animations move (the later one)",
    ] {
      #expect(file.leftOut.text.contains(text), "\(text): \(file.leftOut.text)")
    }
  }

  /// Only a translation after a rotation or a scale has another way in CSS.
  @Test(arguments: [
    ("translate(1px, 2px)", false), ("translateX(3px) rotate(9deg) scale(2)", false),
    ("scale(2) translateX(0px)", false), ("scale(2) translateX(3px)", true),
    ("rotate(9deg) translateX(3px)", true),
  ])
  func translationsAfterOthersAreCounted(transform: String, isCounted: Bool) throws {
    let file = try imported([
      "keyframes": ["transform": [transform, transform]], "options": 1000,
    ])
    let text = "1 translation after a rotation or a scale (on a straight line)"
    #expect(file.leftOut.text == (isCounted ? text : ""))
  }

  /// An easing has less than a hundred thousand steps, of which keyframes of a millisecond show some.
  @Test func stepsOfAnEasingHaveALimit() throws {
    func json(_ count: Int) -> [String: Any] {
      let keyframes: [String: Any] = ["opacity": [0, 1], "easing": "steps(\(count))"]
      return ["keyframes": keyframes, "options": 200]
    }
    let track = try #require(try view(json(99_999)).keyframes.first)
    #expect((100...1000).contains(track.steps.count), "\(track.steps.count)")
    let error = #expect(throws: SceneError.self) { try imported(json(100_000)) }
    #expect("\(try #require(error))".contains("opacity changes too often: at most 1000 times"))
  }

  /// An endless animation plays as without its delay, whose limits are numbers of it.
  @Test func delaysHaveALimit() throws {
    func json(_ delay: Double) -> [String: Any] {
      let timing: [String: Any] = ["duration": 1000, "iterations": "Infinity", "delay": delay]
      return ["keyframes": ["opacity": [0, 1]], "timing": timing]
    }
    for delay in [-1e9, 0, 1e9] {
      #expect(try view(json(delay)).keyframes.first?.steps == [.linear(1, duration: 1)])
    }
    for delay in [-1e9 - 1, 1e9 + 1] {
      let error = #expect(throws: SceneError.self) { try imported(json(delay)) }
      #expect("\(try #require(error))".contains("timing.delay: no number from"))
    }
  }

  /// The beginning of a long curve is a piece of that curve, however short.
  @Test func shortPartsKeepTheirCurve() throws {
    let view = try view([
      "keyframes": ["translate": ["0px", "100000px"]],
      "timing": ["duration": 1e9, "iterations": 1.5e-9, "fill": "forwards"] as [String: Any],
    ])
    let steps = try #require(view.keyframes.first { $0.property == .x }).steps
    guard case .linear(let x, _, .linear)? = steps.first, steps.count == 1 else {
      Issue.record("\(steps)")
      return
    }
    #expect(abs(x - 1.5e-4) < 1e-9)
  }

  /// A message has no line of a stranger's file in it that is long, or that a terminal would obey.
  @Test(arguments: ["gr\u{f6}\u{df}e", "a b", "\u{1b}c", String(repeating: "a", count: 41)])
  func namesOfTracksAreNotRepeatedWhateverTheyAre(name: String) throws {
    let file = try imported([
      "keyframes": [name: [1, 2]], "options": ["duration": 100] as [String: Any],
    ])
    #expect(file.leftOut.text == "1 track of another property")
  }

  @Test(arguments: [
    (#"{"keyframes": 1}"#, "1:15: keyframes: no list of keyframes"),
    (#"{"keyframes": [1]}"#, "1:16: keyframes[0]: no keyframe"),
    (#"{"keyframes": [{"offset": 2}]}"#, "1:27: keyframes[0].offset: no number from 0 to 1"),
    (
      #"{"keyframes": [{"offset": 0.5}, {"offset": 0.2}]}"#,
      "1:33: keyframes[1]: an offset before the one before it"
    ),
    (
      #"{"keyframes": [{"opacity": "x"}, {"opacity": 1}]}"#,
      "1:28: keyframes[0].opacity: no value of opacity"
    ),
    (
      #"{"keyframes": {"rotate": ["1deg", "0x9deg"]}}"#,
      "1:35: keyframes.rotate[1]: no value of rotate"
    ),
    (
      #"{"keyframes": {"opacity": [0, 1], "easing": "spring"}}"#,
      "1:45: keyframes.easing: none of CSS's easings"
    ),
    (
      #"{"keyframes": {"opacity": [0, 1], "easing": "steps(0)"}}"#, "1:45: keyframes.easing: "
    ),
    (
      #"{"keyframes": {"translate": ["0", "99999999px"]}}"#,
      "1:35: keyframes.translate[1]: x 99999999: from"
    ),
    (
      #"{"keyframes": {"opacity": [0, 1]}, "timing": {"duration": 0.1}}"#,
      "1:59: timing.duration: a millisecond at least and 1000000 seconds at most"
    ),
    (
      #"{"keyframes": {"opacity": [0, 1]}, "timing": {"iterations": null}}"#,
      "timing.duration: no time for an endless animation"
    ),
    (
      #"{"keyframes": {"opacity": [0, 1]}, "options": {"dealy": 100}}"#,
      "1:57: options.dealy: no timing has this"
    ),
    (
      #"{"keyframes": {"opacity": [0, 1]}, "timing": {"fill": "half"}}"#,
      "1:55: timing.fill: none of none, forwards, backwards, both, auto"
    ),
    (
      #"{"keyframes": {"opacity": [0, 1]}, "timing": {"duration": 10, "iterations": 1000000}}"#,
      "opacity changes too often: at most 1000 times"
    ),
    (
      #"{"keyframes": {"opacity": [0, 1], "easing": "steps(1000000)"}, "timing": 1000}"#,
      "opacity changes too often: at most 1000 times"
    ),
    (
      #"{"keyframes": {"opacity": [0, 1]}, "timing": {"duration": 100, "iterations": 900.5, "direction": "alternate"}, "rect": [1]}"#,
      "rect: not 4 numbers from -1000000 to 1000000"
    ),
    (#"{"animations": []}"#, "animations: no animation that can be shown"),
    (#"{"animations": [7]}"#, "1:17: animations[0]: no animation"),
  ])
  func whatIsWrongHasOneLineWithItsPlace(text: String, line: String) throws {
    let error = #expect(throws: SceneError.self) {
      _ = try SceneFile.decode(text, file: "a.json")
    }
    #expect("\(try #require(error))".contains(line), "\(String(describing: error))")
    #expect(!"\(try #require(error))".contains("\n"))
  }
}
