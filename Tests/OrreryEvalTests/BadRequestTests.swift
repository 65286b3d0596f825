// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

import OrreryEval

/// Goal: whatever a line holds, it gets an answer: a wrong request is told where it is wrong.
///
/// Method: wrong lines beside their messages, then every prefix and many changes of right ones.
@Suite struct BadRequestTests {
  static let requests = [
    #"{"curve":"steps(4, jump-end)","at":[0,0.25,1]}"#,
    #"{"spring":{"duration":0.5,"bounce":0.3},"from":0,"to":1,"velocity":0,"at":[0.5]}"#,
    #"{"animation":"linear(duration: 0.8).repeatCount(3).delay(0.2)","from":0,"to":1,"at":[0.3]}"#,
    #"{"script":[{"at":0,"set":{"x":1},"animation":"spring(duration: 0.5)","completion":"a","#
      + #""criteria":"removed"},{"at":0.9,"destroy":"x"}],"initial":{"x":0},"sample":["x"],"times":[1]}"#,
    #"{"schedule":"periodic(from: 0, by: 4)","now":11,"count":3,"mode":"normal"}"#,
    #"{"transition":"move(edge: top)","phase":"insertion","progress":0.4,"size":[240,160]}"#,
    #"{"keyframes":[{"linear":8,"duration":0.4},{"springTo":9,"spring":"bouncy"},{"move":5}],"at":[1]}"#,
    #"{"orbit":{"height":400,"moons":4,"index":1,"phase":0.3,"period":10},"at":[1]}"#,
    #"{"marquee":{"labels":[30,20,40],"flag":100,"spacing":8,"speed":60},"at":[1]}"#,
    #"{"marquee":{"variant":"timer","start":-1550,"resetAt":330,"step":3},"ticks":[1]}"#,
    #"{"ticker":{"content":120,"container":360,"speed":50},"dates":[1]}"#,
    #"{"flow":{"width":250,"direction":"right"},"at":[4.2]}"#,
    #"{"detector":"timeout","timeout":0.1,"writes":[0,0.1]}"#,
    #"{"animation":{"formula":"value*sin(time)^2","duration":2,"velocity":"1"},"at":[0.3]}"#,
    #"{"script":[{"at":0,"set":{"x":1},"tracksVelocity":true,"disablesAnimations":true}],"#
      + #""initial":{"x":0},"implicit":{"x":{"animation":"bouncy","value":"x"}},"sample":["x"],"times":[1]}"#,
    #"{"phases":[1,1.5,0.8],"animation":["bouncy",null,"linear"],"trigger":[[0.5,1]],"at":[1]}"#,
    #"{"label":["a"],"font":{"size":13,"weight":"bold"},"locale":"zh","script":"Hant","flag":1}"#,
    #"{"schedule":{"formula":"start + index * 2"},"now":11,"count":3}"#,
    #"{"schedule":{"normal":"animation","lowFrequency":"everyMinute"},"now":11,"count":3}"#,
    #"{"tracker":[[0,0],[0.1,5]]}"#, #"{"cadence":["live","minutes"]}"#,
    #"{"vector":[1,2],"type":"CGPoint","other":[3,4],"amount":0.5,"scale":2}"#,
    #"{"keyframes":{"x":[{"linear":8,"duration":0.4}],"y":[]},"initial":{"x":1},"at":[1]}"#,
    #"{"marquee":{"labels":[30],"speed":60,"replace":[{"at":1,"labels":[20],"keeping":"points"}]},"at":[1]}"#,
    #"{"ticker":{"variant":"delta","content":120,"container":360,"appears":1},"dates":[1,2]}"#,
    #"{"ticker":{"variant":"naive","container":360},"updates":[1]}"#,
    #"{"flow":{"variant":"written","width":250},"ticks":[1,2],"at":[4.2]}"#,
    #"{"spring":"bouncy","epsilon":0.01,"forces":[[0,1]]}"#,
  ]

  static let wrong: [(String, String)] = [
    ("nonsense", "not JSON at byte 1: expected a value"),
    ("{", "not JSON at byte 2: expected a key"),
    ("[1]", "an array of 1 is not an object"), ("{}", "no key says what is asked for"),
    (#"{"at":[1]}"#, "no key says what is asked for; one is wanted of curve, spring, animation"),
    (#"{"curve":"linear","spring":"bouncy"}"#, "curve and spring exclude each other"),
    (#"{"curve":"linear","at":[1],"of":2}"#, "unknown key \"of\"; allowed: curve, at"),
    (#"{"curve":"linear","a":[1]}"#, "unknown key \"a\"; did you mean at?"),
    (#"{"curve":"linear","at":[1],"at":[1]}"#, "not JSON at byte 28: the key \"at\" stands twice"),
    (#"{"curve":"linear"}"#, "at: missing; an array of numbers is wanted"),
    (#"{"curve":"linear","at":1}"#, "at: 1 is not an array of numbers"),
    (#"{"curve":"linear","at":[0,true]}"#, "at[1]: true is not a number"),
    (#"{"curve":"linear","at":[1e999]}"#, "not JSON at byte 25: the number is larger"),
    (#"{"curve":"linear","at":[NaN]}"#, "not JSON at byte 25: expected a value"),
    (#"{"curve":"linear","at":[01]}"#, "not JSON at byte 25: expected a value"),
    (#"{"curve":7,"at":[]}"#, "curve: 7 is not a string"),
    (
      #"{"curve":"easIn","at":[]}"#,
      "curve: column 1: easIn is not a known curve; did you mean easeIn?"
    ),
    (
      #"{"spring":{"mass":0,"stiffness":1,"damping":1}}"#,
      "spring.mass: 0 is out of range; allowed: more than 0"
    ),
    (#"{"spring":{"mass":1,"duration":1}}"#, "spring: these parameters do not belong together"),
    (#"{"spring":{"bouncy":1}}"#, "spring: unknown key \"bouncy\"; did you mean bounce?"),
    (#"{"spring":7}"#, "spring: 7 is not an object"),
    (#"{"animation":"linear.repeatForever()","at":[1e9]}"#, "animation: more than 100000 legs"),
    (
      #"{"script":[{"at":0,"set":{"y":1}}],"initial":{"x":0}}"#,
      "script[0]: \"y\" is not among the names"
    ),
    (
      #"{"script":[{"at":-1,"set":{"x":1}}],"initial":{"x":0}}"#, "script[0].at: -1 is out of range"
    ),
    (#"{"script":[{"at":0}],"initial":{"x":0}}"#, "script[0]: nothing to do"),
    (
      #"{"script":[{"at":0,"set":{"x":1},"criteria":"removed"}],"initial":{"x":0}}"#,
      "script[0].criteria: only beside"
    ),
    (#"{"script":[],"initial":{"x":0},"sample":["y"]}"#, "sample[0]: \"y\" is not among the names"),
    (#"{"schedule":"animation","timeZone":"UTC"}"#, "timeZone: only everyMinute has a time zone"),
    (
      #"{"schedule":"everyMinute","timeZone":"Europe/Lundon"}"#,
      "timeZone: \"Europe/Lundon\" is not a known time zone; did you mean Europe/London?"
    ),
    (
      #"{"schedule":"animation","count":1000000}"#,
      "count: 1000000 is out of range; allowed: whole numbers 0...100000"
    ),
    (
      #"{"schedule":"animation","mode":"nromal"}"#,
      "mode: \"nromal\" is not known; did you mean normal? allowed: normal, lowFrequency"
    ),
    (
      #"{"transition":"opacity","phase":"insertion","progress":1,"size":[1]}"#,
      "size: 1 numbers; [width, height] is wanted"
    ),
    (
      #"{"keyframes":[{"duration":1}]}"#,
      "keyframes[0]: one is wanted of move, linear, cubic, springTo"
    ),
    (#"{"keyframes":[{"move":1,"duration":1}]}"#, "keyframes[0].duration: not beside move"),
    (
      #"{"keyframes":[{"linear":1,"duration":-1}]}"#,
      "keyframes[0].duration: -1 is out of range; allowed: 0...1000000000 s"
    ),
    (
      #"{"orbit":{"height":1,"moons":2,"index":3}}"#,
      "orbit.index: 3 is out of range; allowed: whole numbers 1...2"
    ),
    (#"{"orbit":{"height":1,"moons":2.5}}"#, "orbit.moons: 2.5 is out of range"),
    (
      #"{"marquee":{"variant":"timer","start":1,"resetAt":1}}"#,
      "marquee.resetAt: 1 is out of range; allowed: more than start (1)"
    ),
    (
      #"{"marquee":{"variant":"timer","start":0,"resetAt":1,"labels":[]}}"#,
      "marquee: unknown key \"labels\""
    ),
    (
      #"{"marquee":{"variant":"timer","start":0,"resetAt":1},"ticks":[-1]}"#,
      "ticks[0]: -1 is out of range"
    ),
    (
      #"{"marquee":{"variant":"linear","start":0,"step":3}}"#,
      "marquee: unknown key \"step\"; allowed: variant, start, duration"
    ),
    (
      #"{"marquee":{"labels":[],"speed":1,"interval":1}}"#, "marquee: unknown key \"interval\""
    ),
    (#"{"marquee":{"variant":"linear","start":0},"ticks":[1]}"#, "unknown key \"ticks\""),
    (#"{"marquee":{"labels":[],"speed":1},"ticks":[1]}"#, "unknown key \"ticks\""),
    (
      #"{"marquee":{"variant":"timer","start":0,"resetAt":1},"at":[1]}"#, "unknown key \"at\""
    ),
    (#"{"detector":"compare","timeout":1,"writes":[]}"#, "unknown key \"timeout\""),
    (#"{"detector":"timeout","target":1,"writes":[]}"#, "unknown key \"target\""),
    (#"{"flow":{"width":1,"direction":"up"}}"#, "flow.height: missing"),
    (#"{"flow":{"width":1,"speed":1,"loopSeconds":1}}"#, "flow: speed and loopSeconds exclude"),
    (
      #"{"detector":"timeout","writes":[1,0]}"#,
      "writes[1]: 0 is out of range; allowed: times that do not fall"
    ),
    (#"{"detector":"timeout","ignore":1,"writes":[]}"#, "unknown key \"ignore\""),
    (
      #"{"curve":"linear","at":[],"ends":"apple"}"#,
      "ends: \"apple\" is not known; allowed: limit, swiftUI"
    ),
    (#"{"spring":"bouncy","epsilon":0}"#, "epsilon: 0 is out of range; allowed: more than 0"),
    (
      #"{"spring":"bouncy","forces":[[1]]}"#, "forces[0]: 1 numbers; [position, velocity] is wanted"
    ),
    (#"{"spring":"bouncy","forces":[[1,"a"]]}"#, "forces[0][1]: \"a\" is not a number"),
    (#"{"animation":{"formula":"1"},"at":[]}"#, "animation.duration: missing"),
    (#"{"animation":{"duration":1},"at":[]}"#, "animation.formula: missing"),
    (#"{"animation":{"formula":"1","duration":-1}}"#, "animation.duration: -1 is out of range"),
    (
      #"{"animation":{"formula":"1","duration":1,"autoreverses":true}}"#,
      "animation.autoreverses: only beside a repeatCount"
    ),
    (#"{"animation":7}"#, "animation: 7 is not a string"),
    (
      #"{"script":[],"initial":{"x":0},"implicit":{"y":{"animation":"linear"}}}"#,
      "implicit.y: \"y\" is not among the names of initial"
    ),
    (
      #"{"script":[],"initial":{"x":0},"implicit":{"x":{"animation":"linear","value":"y"}}}"#,
      "implicit.x: \"y\" is not among the names of initial"
    ),
    (#"{"script":[],"initial":{"x":0},"implicit":{"x":{}}}"#, "implicit.x.animation: missing"),
    (#"{"phases":[1,2],"animation":["linear"]}"#, "animation: 1 animations; 2 are wanted"),
    (#"{"phases":[1,2],"animation":[null,"lin"]}"#, "animation[1]: column 1: lin is not"),
    (
      #"{"phases":[1],"trigger":[[1,0],[0,1]]}"#,
      "trigger[1]: 0 is out of range; allowed: times that"
    ),
    (#"{"tracker":[[0]]}"#, "tracker[0]: 1 numbers; [time, value] is wanted"),
    (#"{"tracker":[0]}"#, "tracker[0]: 0 is not [time, value]"),
    (
      #"{"cadence":["slow"]}"#, "cadence[0]: \"slow\" is not known; allowed: live, seconds, minutes"
    ),
    (#"{"vector":[1],"type":"CGPoint"}"#, "vector: 1 numbers; [x, y] is wanted"),
    (#"{"vector":[1],"other":[1,2]}"#, "other: 2 numbers; 1 are wanted"),
    (#"{"vector":[1],"amount":1}"#, "amount: only beside other"),
    (#"{"schedule":{"normal":"animation"}}"#, "schedule.lowFrequency: missing"),
    (#"{"schedule":{"formula":"time"}}"#, "schedule.formula: column 1: time is not a known name"),
    (#"{"schedule":{"formula":"1","normal":"animation"}}"#, "schedule: unknown key \"normal\""),
    (#"{"schedule":{"formula":"1"},"timeZone":"UTC"}"#, "timeZone: only everyMinute"),
    (
      #"{"keyframes":{"x":[]},"initial":{"y":1}}"#, "initial.y: no track of keyframes has this name"
    ),
    (#"{"keyframes":{"x":1}}"#, "keyframes.x: 1 is not an array of objects"),
    (#"{"keyframes":{"x":[{"linear":1}]}}"#, "keyframes.x[0].duration: missing"),
    (
      #"{"marquee":{"labels":[],"speed":1,"replace":[{"at":1,"labels":[]},{"at":0,"labels":[]}]}}"#,
      "marquee.replace[1].at: 0 is out of range; allowed: times that do not fall"
    ),
    (
      #"{"ticker":{"variant":"delta","container":1,"gap":1},"dates":[]}"#,
      "ticker: unknown key \"gap\""
    ),
    (#"{"ticker":{"variant":"naive","container":1},"dates":[]}"#, "unknown key \"dates\""),
    (
      #"{"ticker":{"variant":"naive","container":1},"updates":[0.5]}"#,
      "updates[0]: 0.5 is out of range"
    ),
    (
      #"{"flow":{"variant":"written","width":1,"speed":1},"ticks":[]}"#,
      "flow: unknown key \"speed\""
    ),
    (#"{"flow":{"variant":"written","width":1},"ticks":[1,0]}"#, "ticks[1]: 0 is out of range"),
    (#"{"flow":{"width":1},"ticks":[]}"#, "unknown key \"ticks\""),
    (#"{"label":"a","locale":"qq"}"#, "locale: \"qq\" is not a known locale"),
    (#"{"label":"a","script":"Arab"}"#, "script: en is not written in \"Arab\""),
    (#"{"label":"a","script":"Latin"}"#, "script: en is not written in \"Latin\""),
    (#"{"label":["CHF","XQX"],"currency":true}"#, "label[1]: \"XQX\" is not a currency"),
    (#"{"label":"a","font":"Nothing Such 13"}"#, "label[0]: font family"),
    (#"{"label":"a","font":{"size":0}}"#, "font.size: 0 is out of range; allowed: 1...1000 points"),
    (#"{"label":1}"#, "label: 1 is not an array of strings"),
  ]

  @Test(arguments: wrong.indices) func messagesSayWhatAndWhere(index: Int) throws {
    let (line, message) = Self.wrong[index]
    let error = try Answer(line).error
    #expect(error.hasPrefix(message), "\(error)")
  }

  @Test func requestsOfTheListAreRight() throws {
    for request in Self.requests {
      #expect(try Answer(request)["error"].value == .null, "\(request)")
    }
  }

  @Test func blankLinesHaveNoAnswer() {
    for line in ["", "  ", "\t\r", "\u{b}\u{c}"] { #expect(Evaluator().answer(line) == nil) }
    #expect(Evaluator().answer("  {} ") != nil)
  }

  @Test func bytesThatAreNoTextAreRefused() throws {
    let bytes = Array(#"{"curve":"lin"#.utf8) + [0xff, 0xfe] + Array(#"ear","at":[]}"#.utf8)
    let line = try #require(Evaluator().answer(bytes: bytes))
    #expect(
      line == #"{"schema":"orrery.eval.v2","error":"not JSON at byte 10: the string is not UTF-8"}"#
    )
  }

  @Test func deepAndLongLinesAreRefused() throws {
    let deep = String(repeating: "[", count: 1_000_000)
    #expect(try Answer(deep).error == "not JSON at byte 65: nests deeper than 64 levels")
    let objects = String(repeating: "{\"a\":", count: 100_000)
    #expect(try Answer(objects).error.hasSuffix("nests deeper than 64 levels"))
    let long = "{" + String(repeating: " ", count: EvalLimits.lineBytesMax)
    #expect(try Answer(long).error == "the line is longer than 16777216 bytes")
    let many = "[" + String(repeating: "0,", count: EvalLimits.listCountMax) + "0]"
    let error = try Answer("{\"curve\":\"linear\",\"at\":\(many)}").error
    #expect(error == "at: 1000001 is out of range; allowed: at most 1000000 elements")
  }

  /// Errors that a prefix or a changed byte causes are fine; traps would end the test.
  @Test(arguments: requests.indices) func everyDamageHasAnAnswer(index: Int) throws {
    let bytes = Array(Self.requests[index].utf8)
    for count in 1..<bytes.count {
      let line = try #require(Evaluator().answer(bytes: Array(bytes[..<count])))
      #expect(line.hasPrefix(#"{"schema":"orrery.eval.v2","error":"#), "the first \(count) bytes")
    }
    var random = SeededRandom(seed: UInt64(index))
    for _ in 0..<2_000 {
      var changed = bytes
      for _ in 0...random.next() % 3 {
        let place = Int(random.next() % UInt64(changed.count))
        let choices = Array("0123456789eE+-.,:[]{}\"\\ ()xt".utf8)
        changed[place] = choices[Int(random.next() % UInt64(choices.count))]
      }
      let line = Evaluator().answer(bytes: changed)
      #expect(line?.hasPrefix("{") ?? true)
    }
  }

  /// Numbers at the ends of what a Double holds go through every request.
  @Test func hugeNumbersHaveAnAnswer() throws {
    for request in Self.requests {
      for number in ["1e308", "-1e308", "5e-324", "1e18", "9007199254740993", "-0.0"] {
        var line = request
        while let range = line.firstRange(of: /[:\[,]-?[0-9][0-9.e]*/) {
          let mark = line[range].prefix(1)
          line.replaceSubrange(range, with: mark + "\u{1}")
          let filled = line.replacing("\u{1}", with: number)
          #expect(Evaluator().answer(filled)?.hasPrefix("{") == true, "\(filled)")
        }
      }
    }
  }
}
