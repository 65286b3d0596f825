// SPDX-License-Identifier: Apache-2.0

import OrreryEval
import Testing

/// Goal: a request may ask for as much as `docs/reference/eval.md` says, and not for one more.
///
/// Method: for each limit a request at it, which is answered, and one above, which is told the limit.
@Suite struct EvalLimitTests {
  /// A request of a size, by the limit that it reaches.
  struct Limit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let most: Int
    let error: String
    let request: @Sendable (_ size: Int) -> String

    init(
      _ name: String, _ most: Int, _ error: String, _ request: @escaping @Sendable (Int) -> String
    ) {
      testDescription = name
      self.most = most
      self.error = error
      self.request = request
    }
  }

  /// Something, so many times, with commas between.
  private static func list(_ item: String, _ count: Int) -> String {
    Array(repeating: item, count: count).joined(separator: ",")
  }

  private static func names(_ count: Int) -> String {
    (0..<count).map { "\"p\($0)\":0" }.joined(separator: ",")
  }

  static let limits = [
    Limit("bytes of a line", 16_777_216, "the line is longer than 16777216 bytes") { size in
      let request = #"{"curve":"linear","at":[]}"#
      return request + String(repeating: " ", count: size - request.utf8.count)
    },
    Limit(
      "numbers of a list", 1_000_000,
      "at: 1000001 is out of range; allowed: at most 1000000 elements"
    ) { #"{"flow":{"width":1},"at":[\#(list("0", $0))]}"# },
    Limit(
      "legs of an animation", 100_000, "animation: more than 100000 legs end in the asked time"
    ) { #"{"animation":"linear(duration: 1).repeatForever()","at":[\#($0)]}"# },
    Limit("events of a script", 100_000, "script: more than 100000 events") {
      #"{"script":[{"at":0,"set":{"x":1},"animation":"linear(duration: 1).repeatForever()"}],"#
        + #""initial":{"x":0},"sample":["x"],"times":[\#($0)],"propertyEvents":true}"#
    },
    Limit(
      "steps of a script", 100_000,
      "script: 100001 is out of range; allowed: at most 100000 elements"
    ) { #"{"script":[\#(list(#"{"at":0,"completion":"c"}"#, $0))],"initial":{}}"# },
    Limit(
      "properties of a script", 10_000,
      "initial: 10001 is out of range; allowed: at most 10000 names"
    ) { #"{"script":[],"initial":{\#(names($0))}}"# },
    Limit(
      "properties sampled", 10_000, "sample: 10001 is out of range; allowed: at most 10000 elements"
    ) { #"{"script":[],"initial":{"x":0},"sample":[\#(list(#""x""#, $0))]}"# },
    Limit(
      "properties destroyed", 10_000,
      "script[0].destroy: 10001 is out of range; allowed: at most 10000 elements"
    ) { #"{"script":[{"at":0,"destroy":[\#(list(#""x""#, $0))]}],"initial":{"x":0}}"# },
    Limit(
      "samples", 1_000_000, "times: 1000002 is out of range; allowed: at most 1000000 samples"
    ) { size in
      // Two properties at half as many times.
      let times = list("0", (size + 1) / 2)
      return #"{"script":[],"initial":{"x":0},"sample":["x","x"],"times":[\#(times)]}"#
    },
    Limit(
      "keyframes", 100_000, "keyframes: 100001 is out of range; allowed: at most 100000 elements"
    ) { #"{"keyframes":[\#(list(#"{"move":1}"#, $0))]}"# },
    Limit(
      "moons", 1_000_000, "orbit.moons: 1000001 is out of range; allowed: whole numbers 0...1000000"
    ) { #"{"orbit":{"height":400,"moons":\#($0),"index":\#($0)},"at":[]}"# },
    Limit(
      "implicit animations", 100, "implicit: 101 is out of range; allowed: at most 100 names"
    ) { size in
      let implicit = (0..<size).map { #""p\#($0)":{"animation":null}"# }.joined(separator: ",")
      return #"{"script":[],"initial":{\#(names(size))},"implicit":{\#(implicit)}}"#
    },
    Limit("phases", 10_000, "phases: 10001 is out of range; allowed: at most 10000 phases") {
      #"{"phases":[\#(list("1", $0))]}"#
    },
    Limit(
      "changes of a trigger", 10_000,
      "trigger: 10001 is out of range; allowed: at most 10000 changes"
    ) { #"{"phases":[1],"trigger":[\#(list("[0,1]", $0))]}"# },
    Limit(
      "labels", 10_000, "label: 10001 is out of range; allowed: at most 10000 elements"
    ) { #"{"label":[\#(list(#""""#, $0))]}"# },
    Limit(
      "times and ticks of a flow as written", 1_000_000,
      "at: 1000002 is out of range; allowed: at most 1000000 times multiplied by ticks"
    ) { size in
      let times = list("0", (size + 1) / 2)
      return #"{"flow":{"variant":"written","width":1},"ticks":[1,1],"at":[\#(times)]}"#
    },
    Limit(
      "samples of tracks", 1_000_000,
      "at: 1000002 is out of range; allowed: at most 1000000 samples"
    ) { #"{"keyframes":{"x":[],"y":[]},"at":[\#(list("0", ($0 + 1) / 2))]}"# },
    Limit(
      "entries", 100_000, "count: 100001 is out of range; allowed: whole numbers 0...100000"
    ) { #"{"schedule":"periodic(from: 0, by: 1)","count":\#($0)}"# },
  ]

  @Test(arguments: limits) func limitIsAllowedAndOneMoreIsNot(limit: Limit) throws {
    let answer = try Answer(limit.request(limit.most))
    #expect(answer["error"].value == .null, "\(answer.error.prefix(200))")
    #expect(try Answer(limit.request(limit.most + 1)).error == limit.error)
  }

  /// A thousand properties at a thousand times are as many samples as are allowed.
  @Test func samplesAreCountedAsPropertiesTimesTimes() throws {
    let sample = Self.list(#""x""#, 1_000)
    for (count, isAllowed) in [(1_000, true), (1_001, false)] {
      let times = Self.list("0", count)
      let answer = try Answer(
        #"{"script":[],"initial":{"x":0},"sample":[\#(sample)],"times":[\#(times)]}"#)
      #expect((answer["error"].value == .null) == isAllowed, "\(count) times")
    }
  }
}
