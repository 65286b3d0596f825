// SPDX-License-Identifier: Apache-2.0

import Testing

import OrreryEval

/// Goal: each kind of request gives the numbers of the semantics (ids in brackets).
///
/// Method: whole lines, as a user writes them.
@Suite struct EvaluatorTests {
  /// [U-02] The slope of a curve, by hand.
  @Test func curves() throws {
    let answer = try Answer(#"{"curve":"cubicBezier(0.42, 0, 0.58, 1)","at":[0,0.4,1,-3,7,0.3]}"#)
    #expect(areClose(answer["values"].numbers, [0, 0.331884, 1, 0, 1, 0.187396], within: 6e-7))
    #expect(abs((answer["velocities"].numbers.last ?? 0) - 1.267218) < 6e-7)
    let steps = try Answer(#"{"curve":"steps(4, jump-end)","at":[0.24,0.25,1]}"#)
    #expect(steps["values"].numbers == [0, 0.25, 1])
    let stops = try Answer(#"{"curve":"linear(0, 0.5 20%, 1)","at":[0.1,0.2,0.6]}"#)
    #expect(areClose(stops["values"].numbers, [0.25, 0.5, 0.75], within: 1e-15))
  }

  /// [P-04] [P-09] A spring by hand, and its parameters.
  @Test func springs() throws {
    let answer = try Answer(#"{"spring":{"duration":0.4,"bounce":0.2},"at":[0.08,0.3,-1,0]}"#)
    #expect(areClose(answer["values"].numbers, [0.399251268, 1.01242695, 0, 0], within: 5e-9))
    #expect(
      areClose(answer["velocities"].numbers, [6.55800181, 0.186508816, 0, 0], within: 5e-9))
    let parameters = ["mass", "stiffness", "damping", "response_s", "damping_ratio", "bounce"]
      .map { answer[$0].number ?? .nan }
    #expect(areClose(parameters, [1, 246.74011, 25.1327412, 0.4, 0.8, 0.2], within: 5e-6))
    let physical = try Answer(#"{"spring":{"mass":1,"stiffness":144,"damping":12}}"#)
    #expect(abs((physical["settling_duration_s"].number ?? 0) - 1.475611) < 5e-7)
    #expect(abs((physical["settling_bound_s"].number ?? 0) - 1.227250) < 5e-7)
    #expect(physical["values"].elements.isEmpty)
    let text = try Answer(#"{"spring":"bouncy","at":[]}"#)
    #expect(text["response_s"].number == 0.5)
    let undamped = try Answer(#"{"spring":{"duration":0.4,"bounce":1},"at":[0.2]}"#)
    #expect(undamped["settling_duration_s"].string == "Infinity")
    #expect(areClose(undamped["values"].numbers, [2], within: 1e-12))
  }

  /// A spring has its velocity from time 0 on, and none before.
  @Test func velocityBeginsWithTheMotion() throws {
    let answer = try Answer(#"{"spring":"bouncy","velocity":5,"at":[-1e-9,0]}"#)
    #expect(answer["velocities"].numbers == [0, 5])
  }

  /// [P-05] [P-10] A spring with a velocity, and one by its settling duration.
  @Test func springsThatMove() throws {
    let answer = try Answer(
      #"{"spring":{"response":0.4,"dampingRatio":1},"from":0,"to":1,"velocity":5,"at":[0.05]}"#)
    #expect(areClose(answer["values"].numbers, [0.299953], within: 5e-7))
    let settling = try Answer(
      #"{"spring":{"settlingDuration":1.2,"dampingRatio":0.6,"epsilon":0.001}}"#)
    #expect(abs((settling["response_s"].number ?? 0) - 0.683360) < 5e-7)
  }

  /// The issue's own example: legs of 0.8 s after 0.2 s, twice as fast.
  @Test func animations() throws {
    let answer = try Answer(
      #"{"animation":"linear(duration: 0.8).repeatCount(3, autoreverses: true).delay(0.2).speed(2)","#
        + #""from":10,"to":20,"at":[-1,0,0.1,0.3,0.7,1.4]}"#)
    #expect(areClose(answer["values"].numbers, [10, 10, 10, 15, 15, 20], within: 1e-12))
    let events = answer["events"].elements
    #expect(
      areClose(
        events.map { $0["time_s"].number ?? .nan }, [0.5, 0.9, 1.3, 1.3, 1.3], within: 1e-12))
    #expect(
      events.map { $0["kind"].string }
        == ["leg", "leg", "leg", "logicallyComplete", "removed"])
    #expect(events.map { $0["index"].number } == [0, 1, 2, nil, nil])
  }

  /// [A-11] [S2-21] [N-11] Where legs end, and what no event follows.
  @Test func ends() throws {
    let even = try Answer(#"{"animation":"linear(duration: 1).repeatCount(2)","at":[1.99,2.01]}"#)
    #expect(areClose(even["values"].numbers, [0.01, 1], within: 1e-12))
    let endless = try Answer(#"{"animation":"linear(duration: 1).repeatForever()","at":[2.5,0]}"#)
    #expect(endless["events"].elements.map { $0["time_s"].number } == [1, 2])
    let still = try Answer(#"{"animation":"linear(duration: 1)","from":5,"to":5,"at":[0,0.5]}"#)
    #expect(still["values"].numbers == [5, 5])
    #expect(still["events"].elements.map { $0["time_s"].number } == [0, 0])
    #expect(still["events"].elements.map { $0["kind"].string } == ["logicallyComplete", "removed"])
  }

  /// [A-30] A change that takes no time shows its target at once, and completes then.
  @Test(
    arguments: [
      "linear(duration: 0)", "easeInOut(duration: 0)", "linear.delay(-1)", "linear.speed(1e300)",
    ])
  func changesInNoTime(animation: String) throws {
    let answer = try Answer(
      #"{"script":[{"at":0,"set":{"x":100},"animation":"linear(duration: 2)"},{"at":1,"set":{"x":0},"#
        + #""animation":"\#(animation)","completion":"done"}],"initial":{"x":0},"sample":["x"],"#
        + #""times":[0.999,1,1.2,1.5,2.01]}"#)
    #expect(areClose(answer["samples"]["x"].numbers, [49.95, 0, 0, 0, 0], within: 1e-12))
    #expect(answer["events"].elements.map { $0["time_s"].number } == [1])
  }

  /// [A-21] [C-08] Two changes of one property add up; each tells of its own completion.
  @Test func scripts() throws {
    let answer = try Answer(
      #"{"script":[{"at":0,"set":{"x":1},"animation":"linear(duration: 1)","completion":"a"},"#
        + #"{"at":0,"set":{"x":1},"completion":"none"},"#
        + #"{"at":0.6,"set":{"x":2,"y":3},"animation":"linear(duration: 1)","completion":"b","#
        + #""criteria":"removed"},{"at":0.6,"set":{"z":7},"animation":null}],"#
        + #""initial":{"x":0,"y":1,"z":0},"sample":["x","z"],"times":[1,0.5,0.6,2]}"#)
    #expect(areClose(answer["samples"]["x"].numbers, [1.4, 0.5, 0.6, 2], within: 1e-12))
    #expect(answer["samples"]["z"].numbers == [7, 0, 7, 7])
    let events = answer["events"].elements
    #expect(events.map { $0["name"].string } == ["none", "a", "b"])
    #expect(events.map { $0["time_s"].number } == [0, 1, 1.6])
    #expect(
      events.map { $0["kind"].string } == ["logicallyComplete", "logicallyComplete", "removed"])
  }

  /// Legs are told with their numbers, and an endless animation without times has none.
  @Test func legsHaveNumbers() throws {
    let answer = try Answer(
      #"{"script":[{"at":0,"set":{"x":1},"animation":"linear(duration: 1).repeatCount(3)"}],"#
        + #""initial":{"x":0},"sample":["x"],"times":[9],"propertyEvents":true}"#)
    let told = answer["property_events"].elements
    #expect(told.map { $0["property"].string } == Array(repeating: "x", count: told.count))
    #expect(
      told.map { $0["kind"].string } == ["leg", "leg", "leg", "logicallyComplete", "finished"])
    #expect(told.map { $0["index"].number } == [0, 1, 2, nil, nil])
    #expect(told.map { $0["time_s"].number } == [1, 2, 3, 3, 3])
    let endless = try Answer(#"{"animation":"linear(duration: 1).repeatForever()"}"#)
    #expect(endless["events"].value == .array([]))
  }

  /// [C-09] [S2-17] What is destroyed is cancelled at that moment.
  @Test func destruction() throws {
    let answer = try Answer(
      #"{"script":[{"at":0,"set":{"x":1},"animation":"linear(duration: 5)","completion":"a","#
        + #""criteria":"removed"},{"at":0.7,"destroy":"x"}],"initial":{"x":0},"#
        + #""propertyEvents":true}"#)
    #expect(answer["events"].elements.map { $0["time_s"].number } == [0.7])
    let told = answer["property_events"].elements
    #expect(told.map { $0["kind"].string } == ["cancelled"])
    #expect(told.map { $0["time_s"].number } == [0.7])
    // After the last step and the last asked time only completions are told.
    let later = try Answer(
      #"{"script":[{"at":0,"set":{"x":1},"animation":"linear(duration: 5)","completion":"a"}],"#
        + #""initial":{"x":0},"times":[1],"propertyEvents":true}"#)
    #expect(later["property_events"].elements.isEmpty)
    #expect(later["events"].elements.map { $0["time_s"].number } == [5])
  }

  /// [S3-02] [S3-03] [L-03] [L-05] [L-06] Entries of schedules, and what a view shows of them.
  @Test(arguments: [
    (
      #""periodic(from: 0, by: 4)","now":11,"count":3,"mode":"normal""#, [8, 12, 16], [8.0, 12, 16]
    ),
    (#""explicit([0, 5, 10])","now":0,"count":9"#, [0, 5, 10], [0, 5, 10]),
    (#""explicit([-9, -4])","now":0,"count":9"#, [-9, -4], [-4]),
    (#""explicit([6])","now":0,"count":9"#, [6], [0, 6]),
    (#""explicit([-2, 3])","now":0,"count":9"#, [-2, 3], [-2, 3]),
    (
      #""animation(minimumInterval: 0.25, paused: false)","now":3,"count":3"#, [3, 3.25, 3.5],
      [3, 3.25, 3.5]
    ),
    (#""animation(paused: true)","now":3,"count":3"#, [], [3]),
    (#""animation","now":3,"count":3,"mode":"lowFrequency""#, [], [3]),
    (
      #""everyMinute","timeZone":"Europe/London","now":1761443110,"count":2"#,
      [1_761_443_100, 1_761_443_160], [1_761_443_100, 1_761_443_160]
    ),
    (
      #""everyMinute","now":1746087342,"count":2"#, [1_746_087_300, 1_746_087_360],
      [1_746_087_300, 1_746_087_360]
    ),
  ])
  func schedules(request: String, entries: [Double], shown: [Double]) throws {
    let answer = try Answer("{\"schedule\":\(request)}")
    #expect(answer["entries"].numbers == entries)
    #expect(answer["shown"].numbers == shown)
  }

  /// [S4-07] [S4-08] [S4-09] The accordion's transition.
  @Test func transitions() throws {
    let transition =
      "asymmetric(insertion: move(edge: top).combined(with: scale(0.2, anchor: topTrailing))"
      + ".combined(with: opacity), removal: move(edge: top).combined(with: opacity))"
    func answer(_ phase: String, _ progress: Double) throws -> Answer {
      try Answer(
        #"{"transition":"\#(transition)","phase":"\#(phase)","progress":\#(progress),"#
          + #""size":[240,160]}"#)
    }
    let insertion = try answer("insertion", 0.4)
    #expect(
      areClose(insertion["matrix"].numbers, [0.52, 0, 0, 0.52, 115.2, -49.92], within: 1e-12))
    #expect(insertion["opacity"].number == 0.4)
    #expect(insertion["blur"].number == 0)
    let start = try answer("insertion", 0)
    #expect(areClose(start["matrix"].numbers, [0.2, 0, 0, 0.2, 192, -32], within: 1e-12))
    let removal = try answer("removal", 0.4)
    #expect(areClose(removal["matrix"].numbers, [1, 0, 0, 1, 0, -64], within: 1e-12))
    #expect(removal["opacity"].number == 0.6)
  }

  /// [K-01] [K-02] [K-03] [K-04] Keyframes of every kind.
  @Test func keyframes() throws {
    let lines = try Answer(
      #"{"keyframes":[{"linear":8,"duration":0.4},{"linear":2,"duration":0.6}],"at":[0.1,0.7]}"#)
    #expect(areClose(lines["values"].numbers, [2, 5], within: 1e-12))
    #expect(lines["duration_s"].number == 1)
    let jump = try Answer(
      #"{"keyframes":[{"move":5},{"linear":9,"duration":0.4}],"at":[0,0.2,-1,5]}"#)
    #expect(areClose(jump["values"].numbers, [5, 7, 5, 9], within: 1e-12))
    let cubic = try Answer(
      #"{"keyframes":[{"cubic":20,"duration":0.8,"startVelocity":10,"endVelocity":0}],"at":[0.4]}"#)
    #expect(areClose(cubic["values"].numbers, [11], within: 1e-12))
    let spring = try Answer(
      #"{"keyframes":[{"springTo":9,"spring":{"duration":0.4,"bounce":0.2}}],"initial":8,"at":[0.08]}"#
    )
    #expect(areClose(spring["values"].numbers, [8.399251268], within: 5e-9))
  }

  /// [S4-14] [S4-15] [S4-17] [S4-25] An orbit, and a system without moons.
  @Test func orbits() throws {
    let answer = try Answer(
      #"{"orbit":{"height":500,"moons":5,"index":3,"phase":0.25,"period":20},"at":[7]}"#)
    #expect(
      areClose(answer["points"].elements[0].numbers, [-123.146630, 102.151395], within: 1e-6))
    #expect(
      ["radius", "planet_size", "moon_size", "radius_increment"].map { answer[$0].number }
        == [160, 125, 50, 65])
    let none = try Answer(#"{"orbit":{"height":500,"moons":0},"at":[7]}"#)
    #expect(none["points"].elements.isEmpty)
    #expect(none["radius_increment"].number == 0)
  }

  /// [S0-06] [S0-11] [S0-12] [S0-23] [S0-24] [S0-25] Rows, and their variants.
  @Test func marquees() throws {
    let answer = try Answer(
      #"{"marquee":{"labels":[30,20,40],"flag":100,"spacing":8,"speed":60,"direction":"left","#
        + #""viewport":390},"at":[10,7300000]}"#)
    #expect(answer["period"].number == 438)
    #expect(answer["copies"].number == 2)
    #expect(areClose(answer["offsets"].numbers, [-162, 0], within: 1e-6))
    let timer = try Answer(
      #"{"marquee":{"variant":"timer","start":-1550,"resetAt":330,"step":3,"interval":0.01},"#
        + #""ticks":[250,700]}"#)
    #expect(timer["offsets"].numbers == [-800, -1331])
    #expect(timer["loop_ticks"].number == 627)
    let linear = try Answer(
      #"{"marquee":{"variant":"linear","start":-730,"duration":40},"at":[10]}"#)
    #expect(linear["offsets"].numbers == [-547.5])
    let empty = try Answer(#"{"marquee":{"labels":[],"speed":60},"at":[10]}"#)
    #expect(empty["offsets"].numbers == [0])
    #expect(empty["copies"].number == 0)
  }

  /// [S3-14] [S3-20] [S1-05] [S1-06] [S1-15] [S1-16] A ticker and flows, with their copies.
  @Test func tickersAndFlows() throws {
    let ticker = try Answer(
      #"{"ticker":{"content":120,"container":360,"speed":50},"dates":[0,2,1000]}"#)
    #expect(areClose(ticker["offsets"].numbers, [0, 100, 320], within: 1e-9))
    #expect(areClose(ticker["copies"].elements[0].numbers, [0, -100, -320], within: 1e-9))
    #expect(areClose(ticker["copies"].elements[1].numbers, [360, 260, 40], within: 1e-9))
    let flow = try Answer(#"{"flow":{"width":250,"direction":"right"},"at":[0.99,4.2,11.2]}"#)
    #expect(areClose(flow["offsets"].numbers, [0, 80, 5], within: 1e-9))
    #expect(areClose(flow["copies"].elements[1].numbers, [-250, -170, -245], within: 1e-9))
    let up = try Answer(#"{"flow":{"height":60,"direction":"up"},"at":[2]}"#)
    #expect(areClose(up["offsets"].numbers, [-6], within: 1e-12))
    let empty = try Answer(#"{"flow":{"width":0},"at":[0,5]}"#)
    #expect(empty["offsets"].numbers == [0, 0])
  }

  /// [S2-07] [S2-08] [S2-13] [S2-15] The article's two detectors.
  @Test func detectors() throws {
    let timeout = try Answer(
      #"{"detector":"timeout","timeout":0.1,"writes":[0,0.02,0.04,0.19,0.21]}"#)
    #expect(areClose(timeout["fires"].numbers, [0.14, 0.31], within: 1e-12))
    func compare(writesPerLeg: Int, legs: Int) throws -> [Double] {
      let count = Double(writesPerLeg)
      let writes = (0...writesPerLeg * legs).map { index -> Double in
        let (leg, place) = (index / writesPerLeg, Double(index % writesPerLeg) / count)
        return leg % 2 == 0 ? place : 1 - place
      }
      return try Answer(#"{"detector":"compare","ignore":10,"writes":\#(writes)}"#)["fires"].numbers
    }
    #expect(try compare(writesPerLeg: 30, legs: 2) == [30, 60])
    #expect(try compare(writesPerLeg: 8, legs: 4) == [16, 32])
  }
}
