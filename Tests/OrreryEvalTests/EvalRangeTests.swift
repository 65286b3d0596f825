// SPDX-License-Identifier: Apache-2.0

import OrreryEval
import Testing

/// Goal: each number of a request has its range, and its value where it is left out.
///
/// Method: the ends of each range and the next numbers beyond them; requests beside longer ones that say what
/// the short ones leave out.
@Suite struct EvalRangeTests {
  /// A request with `$` for the number, the way to it, and the range's ends.
  static let ranges: [(request: String, place: String, range: ClosedRange<Double>)] = [
    (#"{"script":[{"at":$,"completion":"a"}],"initial":{}}"#, "script[0].at", 0...1e9),
    (#"{"script":[],"initial":{"x":0},"sample":["x"],"times":[0,$]}"#, "times[1]", 0...1e9),
    (#"{"schedule":"animation","now":$}"#, "now", -1e11...1e11),
    (#"{"keyframes":[{"linear":1,"duration":$}]}"#, "keyframes[0].duration", 0...1e9),
    (#"{"keyframes":[{"cubic":1,"duration":$}]}"#, "keyframes[0].duration", 0...1e9),
    (#"{"keyframes":[{"springTo":1,"duration":$}]}"#, "keyframes[0].duration", 0...1e9),
    (#"{"orbit":{"height":$,"moons":1}}"#, "orbit.height", 0...1e9),
    (#"{"orbit":{"height":1,"moons":1,"period":$}}"#, "orbit.period", 1e-6...1e12),
    (#"{"marquee":{"labels":[1],"speed":$},"at":[1]}"#, "marquee.speed", 0...1e9),
    (#"{"marquee":{"labels":[1],"speed":1,"viewport":$}}"#, "marquee.viewport", 0...1e9),
    (
      #"{"marquee":{"variant":"linear","start":1,"duration":$}}"#, "marquee.duration", 1e-6...1e12
    ),
    (#"{"ticker":{"content":$,"container":1},"dates":[0]}"#, "ticker.content", 0...1e9),
    (#"{"ticker":{"content":1,"container":$},"dates":[0]}"#, "ticker.container", 0...1e9),
    (#"{"ticker":{"content":1,"container":1,"speed":$},"dates":[0]}"#, "ticker.speed", 0...1e9),
    (#"{"ticker":{"content":1,"container":1,"gap":$},"dates":[0]}"#, "ticker.gap", 0...1e9),
    (#"{"flow":{"width":$}}"#, "flow.width", 0...1e9),
    (#"{"flow":{"height":$,"direction":"down"}}"#, "flow.height", 0...1e9),
    (#"{"flow":{"width":1,"start":$}}"#, "flow.start", 0...1e9),
    (#"{"flow":{"width":1,"speed":$}}"#, "flow.speed", 0...1e9),
    (#"{"flow":{"width":1,"loopSeconds":$}}"#, "flow.loopSeconds", 1e-6...1e12),
  ]

  @Test(arguments: ranges.indices) func endsAreAllowedAndNothingBeyond(index: Int) throws {
    let (request, place, range) = Self.ranges[index]
    func answer(_ number: Double) throws -> Answer {
      try Answer(request.replacing("$", with: "\(number)"))
    }
    for end in [range.lowerBound, range.upperBound] {
      #expect(try answer(end)["error"].value == .null, "\(place) \(end)")
    }
    for beyond in [range.lowerBound.nextDown, range.upperBound.nextUp] {
      let error = try answer(beyond).error
      #expect(error.hasPrefix("\(place): "), "\(beyond): \(error)")
      #expect(error.contains("is out of range; allowed: "), "\(beyond): \(error)")
    }
  }

  /// Whole numbers, each with the next ones beyond its range.
  @Test(arguments: [
    (#"{"orbit":{"height":1,"moons":3,"index":$}}"#, "orbit.index", 1, 3),
    (#"{"detector":"compare","writes":[],"ignore":$}"#, "ignore", 0, 1_000_000_000),
    (
      #"{"marquee":{"variant":"timer","start":0,"resetAt":9},"ticks":[$]}"#, "ticks[0]", 0, 1 << 53
    ),
  ])
  func endsOfWholeNumbersAreAllowed(request: String, place: String, low: Int, high: Int) throws {
    func error(_ text: String) throws -> Answer {
      try Answer(request.replacing("$", with: text))["error"]
    }
    #expect(try error("\(low)").value == .null)
    #expect(try error("\(high)").value == .null)
    // Above 2^53 the next number is two further on.
    for text in ["\(low - 1)", "\(high + 2)", "\(low).5"] {
      let found = try error(text).string ?? "none"
      #expect(found.hasPrefix("\(place): "), "\(text): \(found)")
      #expect(found.hasSuffix("allowed: whole numbers \(low)...\(high)"), "\(text): \(found)")
    }
  }

  @Test(arguments: [
    (#"{"spring":{"mass":$,"stiffness":1,"damping":1}}"#, "spring.mass"),
    (#"{"spring":{"stiffness":$,"damping":1}}"#, "spring.stiffness"),
    (#"{"marquee":{"variant":"timer","start":0,"resetAt":9,"step":$}}"#, "marquee.step"),
    (#"{"marquee":{"variant":"timer","start":0,"resetAt":9,"interval":$}}"#, "marquee.interval"),
    (#"{"detector":"timeout","writes":[],"timeout":$}"#, "timeout"),
  ])
  func whatMustBePositiveIsNotZero(request: String, place: String) throws {
    func error(_ text: String) throws -> Answer {
      try Answer(request.replacing("$", with: text))["error"]
    }
    #expect(try error("1e-9").value == .null)
    for text in ["0", "-1"] {
      #expect(
        try error(text).string == "\(place): \(text) is out of range; allowed: more than 0")
    }
  }

  /// A timer's row has to end behind its start; equal is not behind.
  @Test func timersEndBehindTheirStart() throws {
    let request = #"{"marquee":{"variant":"timer","start":5,"resetAt":$,"step":1},"ticks":[0]}"#
    #expect(try Answer(request.replacing("$", with: "5.5"))["error"].value == .null)
    #expect(
      try Answer(request.replacing("$", with: "5")).error
        == "marquee.resetAt: 5 is out of range; allowed: more than start (5)")
  }

  static let defaults: [(short: String, long: String)] = [
    (
      #"{"spring":{},"at":[0.1,0.3]}"#,
      #"{"spring":{"duration":0.5,"bounce":0},"from":0,"to":1,"velocity":0,"at":[0.1,0.3]}"#
    ),
    (
      #"{"spring":{"stiffness":100,"damping":40},"at":[0.1]}"#,
      #"{"spring":{"mass":1,"stiffness":100,"damping":40,"allowOverDamping":false},"at":[0.1]}"#
    ),
    (
      #"{"spring":{"settlingDuration":1,"dampingRatio":0.5}}"#,
      #"{"spring":{"settlingDuration":1,"dampingRatio":0.5,"epsilon":0.001},"at":[]}"#
    ),
    (
      #"{"animation":"easeIn(duration: 1)"}"#,
      #"{"animation":"easeIn(duration: 1)","from":0,"to":1,"at":[]}"#
    ),
    (
      #"{"animation":"linear(duration: 1)","at":[0.25]}"#,
      #"{"animation":"linear(duration: 1)","from":0,"to":1,"at":[0.25]}"#
    ),
    (
      #"{"animation":"linear(duration: 1).repeatForever()"}"#,
      #"{"animation":"linear(duration: 1).repeatForever()","at":[]}"#
    ),
    (
      #"{"script":[{"at":0,"set":{"x":1},"animation":"spring(duration: 0.5)","completion":"a"}],"#
        + #""initial":{"x":0}}"#,
      #"{"script":[{"at":0,"set":{"x":1},"animation":"spring(duration: 0.5)","completion":"a","#
        + #""criteria":"logicallyComplete"}],"initial":{"x":0},"sample":[],"times":[],"#
        + #""propertyEvents":false}"#
    ),
    (
      #"{"schedule":"periodic(from: 0.5, by: 4)"}"#,
      #"{"schedule":"periodic(from: 0.5, by: 4)","now":0,"count":1,"mode":"normal"}"#
    ),
    (
      #"{"keyframes":[{"linear":8,"duration":1}],"at":[0.5]}"#,
      #"{"keyframes":[{"linear":8,"duration":1,"timingCurve":"linear"}],"initial":0,"at":[0.5]}"#
    ),
    (
      #"{"keyframes":[{"springTo":9}],"at":[0.1]}"#,
      #"{"keyframes":[{"springTo":9,"spring":{}}],"at":[0.1]}"#
    ),
    (
      #"{"orbit":{"height":400,"moons":4},"at":[1]}"#,
      #"{"orbit":{"height":400,"moons":4,"index":1,"phase":0,"period":10},"at":[1]}"#
    ),
    (
      #"{"marquee":{"labels":[30,20],"speed":60},"at":[1]}"#,
      #"{"marquee":{"variant":"loop","labels":[30,20],"flag":100,"spacing":8,"speed":60,"#
        + #""direction":"left","viewport":0},"at":[1]}"#
    ),
    (
      #"{"marquee":{"variant":"timer","start":-100,"resetAt":7},"ticks":[9]}"#,
      #"{"marquee":{"variant":"timer","start":-100,"resetAt":7,"step":3,"interval":0.01},"ticks":[9]}"#
    ),
    (
      #"{"marquee":{"variant":"linear","start":-100},"at":[9]}"#,
      #"{"marquee":{"variant":"linear","start":-100,"duration":60},"at":[9]}"#
    ),
    (
      #"{"ticker":{"content":500,"container":360},"dates":[0,1.5]}"#,
      #"{"ticker":{"content":500,"container":360,"speed":50,"gap":0},"dates":[0,1.5]}"#
    ),
    (
      #"{"flow":{"width":250},"at":[0.5,4.2]}"#,
      #"{"flow":{"width":250,"direction":"right","start":1,"loopSeconds":10},"at":[0.5,4.2]}"#
    ),
    (
      #"{"detector":"compare","writes":[0,1,2,3,4,5,6,7,8,9,10,0,1,0,1]}"#,
      #"{"detector":"compare","ignore":10,"writes":[0,1,2,3,4,5,6,7,8,9,10,0,1,0,1]}"#
    ),
    (
      #"{"detector":"timeout","writes":[0,0.15]}"#,
      #"{"detector":"timeout","timeout":0.1,"writes":[0,0.15]}"#
    ),
  ]

  @Test(arguments: defaults.indices) func whatIsLeftOutHasItsDefault(index: Int) throws {
    let (short, long) = Self.defaults[index]
    let answer = try Answer(short)
    #expect(answer["error"].value == .null, "\(short)")
    #expect(try answer.value == Answer(long).value, "\(short)")
  }

  /// Without times there are no values, whatever the request is.
  @Test(arguments: [
    (#"{"spring":"bouncy"}"#, "values"), (#"{"animation":"linear"}"#, "values"),
    (#"{"keyframes":[]}"#, "values"), (#"{"orbit":{"height":400,"moons":4}}"#, "points"),
    (#"{"marquee":{"labels":[1],"speed":1}}"#, "offsets"),
    (#"{"marquee":{"variant":"timer","start":0,"resetAt":9}}"#, "offsets"),
    (#"{"marquee":{"variant":"linear","start":1}}"#, "offsets"),
    (#"{"flow":{"width":1}}"#, "offsets"),
  ])
  func withoutTimesThereAreNoValues(request: String, key: String) throws {
    #expect(try Answer(request)[key].value == .array([]))
  }
}
