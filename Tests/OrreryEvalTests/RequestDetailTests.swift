// SPDX-License-Identifier: Apache-2.0

import OrreryEval
import Testing

/// Goal: each member of a request does what `docs/reference/eval.md` says it does, and each message says all that is
/// wanted.
///
/// Method: numbers by hand, where no other member could give them; whole messages.
@Suite struct RequestDetailTests {
  static let kernel = Evaluator(kernels: BatchKernels())

  /// [R-02] [R-07] Where a view is, by phase and direction.
  @Test(
    arguments: [
      ("insertion", -150, 0.25), ("willAppear", -150, 0.25), ("identity", 0, 1),
      ("removal", -50, 0.75), ("didDisappear", -50, 0.75),
    ] as [(String, Double, Double)])
  func transitionsHaveTheirPhases(phase: String, x: Double, opacity: Double) throws {
    let transition = "move(edge: leading).combined(with: opacity)"
    let request =
      #"{"transition":"\#(transition)","phase":"\#(phase)","progress":0.25,"size":[200,100]"#
    let answer = try Answer(request + "}")
    #expect(answer["matrix"].numbers == [1, 0, 0, 1, x, 0])
    #expect(answer["opacity"].number == opacity)
    let left = try Answer(request + #","layoutDirection":"leftToRight"}"#)
    #expect(left.value == answer.value)
    let right = try Answer(request + #","layoutDirection":"rightToLeft"}"#)
    #expect(right["matrix"].numbers == [1, 0, 0, 1, 0 - x, 0])
  }

  @Test func transitionsUseBothSides() throws {
    let answer = try Answer(
      #"{"transition":"move(edge: top)","phase":"insertion","progress":0.25,"size":[200,100]}"#)
    #expect(answer["matrix"].numbers == [1, 0, 0, 1, 0, -75])
    let blur = try Answer(
      #"{"transition":"blurReplace","phase":"removal","progress":0.5,"size":[200,100]}"#)
    #expect(blur["blur"].number == 3.5)
    #expect(blur["opacity"].number == 0.5)
    #expect(areClose(blur["matrix"].numbers, [0.95, 0, 0, 0.95, 5, 2.5], within: 1e-12))
  }

  /// [S1-15] Offsets and the second copy's, in all directions, from the library and from the sim's batches.
  @Test(
    arguments: [
      (#"{"width":250,"direction":"left","start":2,"speed":50}"#, -100, 150),
      (#"{"width":250,"direction":"right","start":2,"speed":50}"#, 100, -150),
      (#"{"width":250,"start":2,"loopSeconds":5}"#, 100, -150),
      (#"{"height":60,"direction":"up","start":2}"#, -12, 48),
      (#"{"height":60,"direction":"down","start":2}"#, 12, -48),
      (#"{"height":60,"direction":"down"}"#, 18, -42),
    ] as [(String, Double, Double)])
  func flowsHaveTwoCopies(flow: String, first: Double, second: Double) throws {
    for evaluator in [Evaluator(), Self.kernel] {
      let answer = try Answer(#"{"flow":\#(flow),"at":[4]}"#, evaluator)
      #expect(areClose(answer["offsets"].numbers, [first], within: 1e-3))
      let copies = answer["copies"].elements
      try #require(copies.count == 2)
      #expect(copies[0].numbers == answer["offsets"].numbers)
      #expect(areClose(copies[1].numbers, [second], within: 1e-3))
    }
  }

  /// [S0-23] [S0-28] Rows to both sides.
  @Test(arguments: [("left", 60, -162), ("right", 45, 12)] as [(String, Double, Double)])
  func rowsMoveToBothSides(direction: String, speed: Double, offset: Double) throws {
    let request =
      #"{"marquee":{"labels":[30,20,40],"speed":\#(speed),"direction":"\#(direction)"},"at":[10]}"#
    for evaluator in [Evaluator(), Self.kernel] {
      let answer = try Answer(request, evaluator)
      #expect(areClose(answer["offsets"].numbers, [offset], within: 1e-3))
      #expect(answer["period"].number == 438)
      #expect(answer["copies"].number == 1)
    }
  }

  /// [S3-16] A ticker's gap, its first date, and its two copies.
  @Test func tickersBeginAtTheirFirstDate() throws {
    for evaluator in [Evaluator(), Self.kernel] {
      let answer = try Answer(
        #"{"ticker":{"content":400,"container":360,"speed":10,"gap":20},"dates":[5,7,50]}"#,
        evaluator)
      #expect(areClose(answer["offsets"].numbers, [0, 20, 30], within: 1e-3))
      #expect(areClose(answer["copies"].elements[0].numbers, [0, -20, -30], within: 1e-3))
      #expect(areClose(answer["copies"].elements[1].numbers, [420, 400, 390], within: 1e-3))
    }
    let none = try Answer(#"{"ticker":{"content":0,"container":0},"dates":[]}"#)
    #expect(none["offsets"].elements.isEmpty)
  }

  /// [S4-17] A phase of either sign, and of several turns.
  @Test(arguments: [0.3, -0.3, 7, -7, 0]) func orbitsHaveTheirPhase(phase: Double) throws {
    let request = #"{"orbit":{"height":500,"moons":5,"phase":\#(phase),"period":20},"at":[0,7]}"#
    let library = try Answer(request)
    let kernel = try Answer(request, Self.kernel)
    #expect(kernel["path"].string == "kernel")
    #expect(library["radius"].number == 95)
    let pairs = zip(library["points"].elements, kernel["points"].elements)
    for (a, b) in pairs { #expect(areClose(a.numbers, b.numbers, within: 95 * 2e-5)) }
    let last = try Answer(request.replacing(#""moons":5"#, with: #""moons":5,"index":5"#))
    #expect(areClose([last["radius"].number ?? 0], [225], within: 1e-9))
  }

  /// [S2-07] The target of a comparison, and how many writes it ignores.
  @Test(
    arguments: [
      (#""ignore":0,"target":0.5,"writes":[0,0.5,1,0.5,2]"#, [1, 3]),
      (#""ignore":0,"writes":[0,0.5,1,0.5,2]"#, [4]),
      (#""ignore":1,"target":0.5,"writes":[0,0.5,0.5,0.5,0.5]"#, [2, 4]),
      (#""ignore":1,"target":9,"writes":[0,0,0,0,0]"#, [2, 4]),
    ] as [(String, [Double])])
  func comparisonsHaveATarget(members: String, fires: [Double]) throws {
    #expect(try Answer(#"{"detector":"compare",\#(members)}"#)["fires"].numbers == fires)
  }

  @Test func timeoutsHaveTheirLength() throws {
    let answer = try Answer(#"{"detector":"timeout","timeout":0.5,"writes":[0,0.25,1,1]}"#)
    #expect(answer["fires"].numbers == [0.75, 1.5])
  }

  /// [K-02] [K-03] [K-04] What a keyframe of each kind may say.
  @Test func keyframesHaveTheirMembers() throws {
    func values(_ keyframes: String, _ more: String) throws -> [Double] {
      try Answer(#"{"keyframes":[\#(keyframes)],\#(more)}"#)["values"].numbers
    }
    let steps = #"{"linear":8,"duration":1,"timingCurve":"steps(2, jump-end)"}"#
    #expect(try values(steps, #""at":[0.25,0.75]"#) == [0, 4])
    #expect(try values(steps, #""initial":4,"at":[0.25,0.75,1]"#) == [4, 6, 8])
    for (velocities, value) in [
      (#""startVelocity":10"#, 11.0), (#""endVelocity":10"#, 9), (#""startVelocity":-10"#, 9),
      (#""startVelocity":10,"endVelocity":20"#, 9),
    ] {
      let cubic = #"{"cubic":20,"duration":0.8,\#(velocities)}"#
      let found = try values(cubic, #""at":[0.4]"#)
      #expect(areClose(found, [value], within: 1e-12), "\(velocities)")
    }
    let spring = #"{"springTo":9,"spring":{"duration":0.4,"bounce":0.2}"#
    let thrown = spring + #","startVelocity":5}"#
    let found = try values(thrown, #""initial":8,"at":[0.08]"#)
    #expect(areClose(found, [8.532144169060853], within: 1e-9))
    let long = try Answer(#"{"keyframes":[\#(spring),"duration":2}],"at":[2,3]}"#)
    #expect(long["duration_s"].number == 2)
    #expect(long["values"].numbers == [9, 9])
  }

  /// [P-01] [P-03] [P-10] The parameters of each form of a spring.
  @Test(
    arguments: [
      (#"{"response":0.4,"dampingFraction":0.8}"#, "damping_ratio", 0.8),
      (#"{"response":0.4,"dampingRatio":0.7}"#, "damping_ratio", 0.7),
      (#"{"response":0.4,"dampingRatio":0.7}"#, "response_s", 0.4),
      (#"{"stiffness":144,"damping":60}"#, "damping_ratio", 1),
      (#"{"stiffness":144,"damping":60,"allowOverDamping":true}"#, "damping_ratio", 2.5),
      (#"{"stiffness":144,"damping":60,"allowOverDamping":false}"#, "damping_ratio", 1),
      (#"{"mass":4,"stiffness":100,"damping":20}"#, "mass", 4),
      (#"{"mass":4,"stiffness":100,"damping":20}"#, "stiffness", 100),
      (#"{"mass":4,"stiffness":100,"damping":20}"#, "damping", 20),
      (#"{"mass":4,"stiffness":100,"damping":20}"#, "damping_ratio", 0.5),
      (#"{"mass":4,"stiffness":100,"damping":20}"#, "bounce", 0.5),
      (
        #"{"settlingDuration":1.2,"dampingRatio":0.6,"epsilon":0.01}"#, "response_s",
        1.047806803911252
      ),
      (#"{"settlingDuration":1.2,"dampingRatio":0.6}"#, "response_s", 0.6833600294188164),
      (#"{"bounce":0.25}"#, "response_s", 0.5), (#"{"duration":2}"#, "bounce", 0),
      (#""smooth""#, "settling_bound_s", 0.734772), (#""smooth""#, "settling_duration_s", 0.8),
    ] as [(String, String, Double)])
  func springsHaveTheirParameters(spring: String, key: String, value: Double) throws {
    let found = try Answer(#"{"spring":\#(spring)}"#)[key].number ?? .nan
    #expect(abs(found - value) < 1e-6, "\(key): \(found)")
  }

  /// [P-05] Where a spring begins, and with which velocity.
  @Test func springsGoFromTheirStartToTheirTarget() throws {
    let answer = try Answer(#"{"spring":"smooth","from":2,"to":5,"velocity":3,"at":[0,1000]}"#)
    #expect(answer["values"].numbers == [2, 5])
    #expect(areClose(answer["velocities"].numbers, [3, 0], within: 1e-12))
  }

  /// [S2-03] [S2-04] Values at the ends to the bit, also where their difference is rounded.
  @Test func animationsEndAtTheirTarget() throws {
    let answer = try Answer(
      #"{"animation":"linear(duration: 1)","from":1e20,"to":1,"at":[-1,0,1,2]}"#)
    #expect(answer["values"].numbers == [1e20, 1e20, 1, 1])
    let wide = try Answer(
      #"{"animation":"linear(duration: 1)","from":-1e308,"to":1e308,"at":[-1,0,1,2]}"#)
    #expect(wide["values"].numbers == [-1e308, -1e308, 1e308, 1e308])
    let early = try Answer(#"{"animation":"linear(duration: 1).logicallyComplete(after: 0.5)"}"#)
    #expect(
      early["events"].elements.map { $0["kind"].string } == ["logicallyComplete", "leg", "removed"])
    #expect(early["events"].elements.map { $0["time_s"].number } == [0.5, 1, 1])
    let legs = try Answer(#"{"animation":"linear(duration: 1).repeatForever()","at":[2,1]}"#)
    #expect(legs["events"].elements.map { $0["index"].number } == [0, 1])
  }

  /// Fractions of seconds are kept to a millionth.
  @Test func schedulesKeepFractions() throws {
    let answer = try Answer(#"{"schedule":"periodic(from: 0.1, by: 0.3)","now":0.5,"count":2}"#)
    #expect(answer["entries"].numbers == [0.4, 0.7])
    #expect(answer["shown"].numbers == [0.4, 0.7])
    let fine = try Answer(#"{"schedule":"explicit([0.000001, 5])","now":9,"count":2}"#)
    #expect(fine["entries"].numbers == [0.000_001, 5])
    let none = try Answer(#"{"schedule":"periodic(from: 0, by: 4)","count":0}"#)
    #expect(none["entries"].value == .array([]))
    #expect(none["shown"].value == .array([]))
    let slow = try Answer(
      #"{"schedule":"periodic(from: 0, by: 4)","now":5,"count":2,"mode":"lowFrequency"}"#)
    #expect(slow["entries"].numbers == [4, 8])
  }

  /// Steps are played in the order of their times, those of one time in that of the list; a name that is
  /// sampled twice is told once.
  @Test func scriptsAreSorted() throws {
    let answer = try Answer(
      #"{"script":[{"at":1,"set":{"x":5}},{"at":0,"set":{"x":1}},{"at":1,"set":{"x":7}}],"#
        + #""initial":{"x":0,"y":3},"sample":["x","y","x"],"times":[0.5,1,0]}"#)
    #expect(answer["samples"]["x"].numbers == [1, 7, 1])
    #expect(answer["samples"]["y"].numbers == [3, 3, 3])
    #expect(answer["samples"].value.table?.members.map(\.key) == ["x", "y"])
    #expect(answer["events"].value == .array([]))
    #expect(answer["property_events"].value == .null)
  }

  /// [C-09] A list is destroyed one by one, after the changes of its step.
  @Test func scriptsDestroyLists() throws {
    let answer = try Answer(
      #"{"script":[{"at":0,"set":{"x":1,"y":1,"z":1},"animation":"linear(duration: 5)"},"#
        + #"{"at":1,"set":{"y":9},"destroy":["y","x"]}],"initial":{"x":0,"y":0,"z":0},"#
        + #""sample":["x","y","z"],"times":[1],"propertyEvents":true}"#)
    let told = answer["property_events"].elements
    #expect(told.map { $0["property"].string } == ["y", "x"])
    #expect(told.map { $0["kind"].string } == ["cancelled", "cancelled"])
    #expect(told.map { $0["time_s"].number } == [1, 1])
    #expect(answer["samples"]["x"].numbers == [1])
    #expect(answer["samples"]["y"].numbers == [9])
    #expect(areClose(answer["samples"]["z"].numbers, [0.2], within: 1e-12))
  }

  /// A completion is waited for a thousand million seconds after the last step, and no longer.
  @Test(arguments: [("999999999", 1), ("1000000001", 0)])
  func scriptsArePatient(seconds: String, count: Int) throws {
    let answer = try Answer(
      #"{"script":[{"at":0,"set":{"x":1},"animation":"linear(duration: \#(seconds))","#
        + #""completion":"a"}],"initial":{"x":0}}"#)
    #expect(answer["events"].elements.count == count)
  }

  /// A step with nothing but a completion is complete at once.
  @Test func emptyStepsAreCompleteAtOnce() throws {
    let answer = try Answer(
      #"{"script":[{"at":2,"completion":"a","criteria":"removed"},"#
        + #"{"at":1,"completion":"b","criteria":"logicallyComplete"}],"initial":{}}"#)
    let events = answer["events"].elements
    #expect(events.map { $0["name"].string } == ["b", "a"])
    #expect(events.map { $0["kind"].string } == ["logicallyComplete", "removed"])
    #expect(events.map { $0["time_s"].number } == [1, 2])
  }

  /// Whole messages.
  static let messages: [(line: String, error: String)] = [
    (
      #"{"at":[1]}"#,
      "no key says what is asked for; one is wanted of curve, spring, animation, script, schedule, "
        + "transition, keyframes, orbit, marquee, ticker, flow, detector, phases, label, tracker, "
        + "vector, cadence"
    ),
    (
      #"{"flow":{},"curve":"linear","spring":"bouncy"}"#,
      "curve and spring and flow exclude each other; one is wanted"
    ),
    (#"7"#, "7 is not an object"), (#""a""#, #""a" is not an object"#),
    (#"true"#, "true is not an object"), (#"null"#, "null is not an object"),
    (#"{"curve":null,"at":[]}"#, "curve: null is not a string"),
    (#"{"curve":[1,2],"at":[]}"#, "curve: an array of 2 is not a string"),
    (#"{"curve":{},"at":[]}"#, "curve: an object is not a string"),
    (#"{"curve":false,"at":[]}"#, "curve: false is not a string"),
    (
      #"{"curve":"linear","at":["\#(String(repeating: "a", count: 40))"]}"#,
      "at[0]: \"\(String(repeating: "a", count: 40))\" is not a number"
    ),
    (
      #"{"curve":"linear","at":["\#(String(repeating: "a", count: 41))"]}"#,
      "at[0]: a long string is not a number"
    ),
    (
      #"{"curve":"linear","at":[],"\#(String(repeating: "k", count: 150))":1}"#,
      "unknown key \"\(String(repeating: "k", count: 100))\"; allowed: curve, at, ends"
    ),
    (#"{"curve":"linear","at":[],"z":1,"b":2}"#, "unknown key \"b\"; allowed: curve, at, ends"),
    (#"{"spring":"bouncy","from":"a"}"#, #"from: "a" is not a number"#),
    (
      #"{"spring":{"response":1}}"#,
      "spring: these parameters do not belong together; allowed: duration? bounce?, or "
        + "response dampingRatio, or response dampingFraction, or stiffness damping mass? "
        + "allowOverDamping?, or settlingDuration dampingRatio epsilon?"
    ),
    (
      #"{"spring":{"stiffness":1,"damping":1,"allowOverDamping":1}}"#,
      "spring.allowOverDamping: 1 is not true or false"
    ),
    (#"{"script":7,"initial":{}}"#, "script: 7 is not an array of objects"),
    (#"{"script":[7],"initial":{}}"#, "script[0]: 7 is not an object"),
    (#"{"script":[]}"#, "initial: missing; an object of numbers is wanted"),
    (#"{"script":[],"initial":7}"#, "initial: 7 is not an object of numbers"),
    (#"{"script":[],"initial":{"x":true}}"#, "initial.x: true is not a number"),
    (#"{"script":[],"initial":{},"sample":[7]}"#, "sample[0]: 7 is not a string"),
    (#"{"script":[],"initial":{},"sample":7}"#, "sample: 7 is not an array of strings"),
    (
      #"{"script":[],"initial":{},"propertyEvents":1}"#, "propertyEvents: 1 is not true or false"
    ),
    (
      #"{"script":[{"at":0}],"initial":{"x":0}}"#,
      "script[0]: nothing to do; set or destroy is wanted"
    ),
    (
      #"{"script":[{"at":0,"destroy":"y"}],"initial":{"x":0}}"#,
      #"script[0]: "y" is not among the names of initial"#
    ),
    (
      #"{"script":[{"at":0,"set":{"x":1},"criteria":"removed"}],"initial":{"x":0}}"#,
      "script[0].criteria: only beside a completion"
    ),
    (
      #"{"script":[{"at":0,"set":{"x":1}},{"at":0,"sett":{"x":1}}],"initial":{"x":0}}"#,
      "script[1]: unknown key \"sett\"; did you mean set? allowed: at, set, animation, completion, "
        + "criteria, destroy, disablesAnimations, tracksVelocity"
    ),
    (
      #"{"transition":"opacity","phase":"removel","progress":1,"size":[1,1]}"#,
      "phase: \"removel\" is not known; did you mean removal? allowed: insertion, removal, "
        + "willAppear, identity, didDisappear"
    ),
    (
      #"{"transition":"opacity","phase":"removal","progress":1,"size":[1,2,3]}"#,
      "size: 3 numbers; [width, height] is wanted"
    ),
    (
      #"{"keyframes":[{"linear":1,"move":2}]}"#,
      "keyframes[0]: one is wanted of move, linear, cubic, springTo"
    ),
    (
      #"{"keyframes":[{"move":1,"duration":1}]}"#,
      "keyframes[0].duration: not beside move; allowed there: nothing else"
    ),
    (
      #"{"keyframes":[{"linear":1,"duration":1,"spring":"bouncy"}]}"#,
      "keyframes[0].spring: not beside linear; allowed there: duration, timingCurve"
    ),
    (#"{"keyframes":[{"linear":1}]}"#, "keyframes[0].duration: missing; a number is wanted"),
    (
      #"{"flow":{"width":1,"speed":1,"loopSeconds":1}}"#,
      "flow: speed and loopSeconds exclude each other"
    ),
    (#"{"flow":{"height":1}}"#, "flow.width: missing; a number is wanted"),
    (
      #"{"schedule":"everyMinute","timeZone":"Europe/Lundon"}"#,
      "timeZone: \"Europe/Lundon\" is not a known time zone; did you mean Europe/London? "
        + "allowed: names as Europe/London"
    ),
    (#"{"schedule":"everyMinute","timeZone":7}"#, "timeZone: 7 is not a string"),
    (
      #"{"orbit":{"height":1,"moons":2,"index":1.5}}"#,
      "orbit.index: 1.5 is out of range; allowed: whole numbers 1...2"
    ),
    (
      #"{"orbit":{"height":-1,"moons":2}}"#,
      "orbit.height: -1 is out of range; allowed: 0...1000000000 points"
    ),
    (
      #"{"detector":"compares","writes":[]}"#,
      "detector: \"compares\" is not known; "
        + "did you mean compare? allowed: timeout, compare"
    ),
  ]

  @Test(arguments: messages.indices) func messagesAreWhole(index: Int) throws {
    let (line, error) = Self.messages[index]
    #expect(try Answer(line).error == error)
  }
}
