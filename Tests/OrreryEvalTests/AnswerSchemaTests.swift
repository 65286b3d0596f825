// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryEval
import TestSupport
import Testing

/// Goal: every kind of answer of `orrery eval` is as docs/schemas/eval.schema.json says.
///
/// Method: a request of each kind, and one that is refused; an unknown key is a fault.
@Suite struct AnswerSchemaTests {
  @Test(arguments: [
    (#"{"curve":"easeInOut","at":[0,0.25,1]}"#, "velocities"),
    (#"{"spring":{"duration":0.5,"bounce":0.3},"at":[0.1]}"#, "settling_duration_s"),
    (#"{"animation":"easeIn(duration: 1).repeatCount(2)","at":[0.5]}"#, "events"),
    (
      #"{"script":[{"at":0,"set":{"x":1},"animation":"linear(duration: 1)","completion":"c"}],"#
        + #""initial":{"x":0},"sample":["x"],"times":[0.5],"propertyEvents":true}"#,
      "property_events"
    ),
    (#"{"schedule":"periodic(from: 0, by: 4)","count":2}"#, "shown"),
    (
      #"{"transition":"slide","phase":"insertion","progress":0.5,"size":[10,20]}"#, "matrix"
    ),
    (#"{"keyframes":[{"linear":1,"duration":2}],"at":[1]}"#, "duration_s"),
    (#"{"orbit":{"height":400,"moons":4},"at":[1]}"#, "radius_increment"),
    (#"{"marquee":{"variant":"timer","start":0,"resetAt":10},"ticks":[1]}"#, "loop_ticks"),
    (#"{"flow":{"width":100},"at":[1]}"#, "copies"),
    (#"{"spring":"bouncy","forces":[[0,1]]}"#, "forces"),
    (
      #"{"script":[],"initial":{"x":0},"sample":["x"],"times":[1],"velocities":true}"#,
      "sample_velocities"
    ),
    (#"{"schedule":"animation","mode":"lowFrequency"}"#, "cadences"),
    (#"{"cadence":["live","minutes"]}"#, "rises"),
    (#"{"phases":[0,1],"animation":"linear(duration: 1)","at":[2.5]}"#, "changes"),
    (#"{"keyframes":{"x":[{"linear":1,"duration":2}]},"at":[1]}"#, "tracks"),
    (#"{"tracker":[[0,0],[1,1]]}"#, "velocities"),
    (#"{"vector":[1],"other":[2],"amount":0.5,"scale":2}"#, "interpolated"),
    (#"{"label":"a","locale":"de"}"#, "advance"),
    (
      #"{"marquee":{"labels":[1],"speed":1,"replace":[{"at":0,"labels":[2]}]},"at":[1]}"#, "periods"
    ),
    (#"{"ticker":{"variant":"delta","container":9},"dates":[0]}"#, "gap"),
    (#"{"flow":{"variant":"written","width":10},"ticks":[1,2]}"#, "steps_per_loop"),
    (#"{"transition":"opacity","phase":"identity","progress":0,"size":[1,1]}"#, "phase_value"),
    (#"{"detector":"timeout","writes":[0,1]}"#, "fires"), (#"{"nothing":1}"#, "error"),
    ("{", "error"),
  ])
  func answerIsAsTheSchemaSays(request: String, key: String) throws {
    let line = try #require(Evaluator().answer(request))
    #expect(try Repository.schema("eval").faults(of: Data(line.utf8)) == [], "\(line)")
    #expect(line.hasPrefix("{\"schema\":\"orrery.eval.v2\","), "\(line)")
    #expect(line.contains("\"\(key)\":"), "\(line)")
  }
}
