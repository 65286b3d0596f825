// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import TestSupport
import Testing

/// Samples of another tool become a scene that shows each value at its time.
@Suite struct SampleImportTests {
  private static func scene(_ text: String, file: String = "motion.csv") throws -> Scene {
    try SceneFile.decode(text, file: file).scene
  }

  private static func views(_ scene: Scene) -> [AnimatedView] {
    scene.content.compactMap { if case .view(let view) = $0 { view } else { nil } }
  }

  @Test func aLineForEachValueAndAColumnForEachPropertyAreTheSame() throws {
    let long = #"""
      time,entity,property,value
      0,box,x,0
      0.5,box,x,10
      0,"a ""disc""",opacity,1
      0.5,"a ""disc""",opacity,0.25
      1.5,box,x,-4.5
      """#
    let wide = #"""
      entity;time_ms;x;opacity\#r
      box;0;0;\#r
      "a ""disc""";0;;1\#r
      box;500;10;\#r
      "a ""disc""";500;;0.25\#r
      box;1500;-4.5;\#r
      """#
    let scene = try Self.scene(long)
    #expect(scene == (try Self.scene(wide)))
    // By its first line, whatever the name of the file.
    #expect(scene.content == (try Self.scene(long, file: "-").content))
    #expect(scene.name == "motion")
    // An object in each line, with a value of a property or with several.
    let objects = #"""
      {"time": 0, "entity": "box", "property": "x", "value": 0}
      {"time": 0, "entity": "a \"disc\"", "opacity": 1}
      {"time_ms": 500, "entity": "box", "x": 10, "opacity": null}

      {"t": 0.5, "name": "a \"disc\"", "opacity": "0.25"}
      {"time": 1.5, "entity": "box", "x": -4.5}
      """#
    #expect(scene == (try Self.scene(objects, file: "motion.ndjson")))
    #expect(scene.content == (try Self.scene(objects, file: "-").content))
    // The last column of times counts, in its own unit.
    let twice = try Self.scene("time_ms,time,x\n0,0,1\n2000,2,5")
    #expect(Self.views(twice)[0].keyframes[0].steps == [.linear(5, duration: 2)])
    let views = Self.views(scene)
    #expect(views.map(\.name) == ["box", "a \"disc\""])
    #expect(
      views[0].keyframes == [
        KeyframeLoop(
          property: .x, repeats: false,
          steps: [.linear(10, duration: 0.5), .linear(-4.5, duration: 1)])
      ])
    #expect(views[1].initial.opacity == 1)
  }

  /// At each sample's time the value is the sample's, before the first and after the last it stays.
  @Test(arguments: Array(UInt64(1)...20))
  func valuesAreThoseOfTheSamples(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var samples: [(tick: Int, value: Double)] = []
    var tick = Int.random(in: 0...20, using: &random)
    for _ in 0..<Int.random(in: 2...200, using: &random) {
      let rests = Int.random(in: 0..<3, using: &random) == 0
      let value = rests ? samples.last?.value : nil
      samples.append((tick, value ?? random.number(in: -500...500)))
      tick += Int.random(in: 1...9, using: &random)
    }
    let lines = samples.shuffled(using: &random).map { "\(Double($0.tick) / 60),x,\($0.value)" }
    let text = (["t,property,value"] + lines).joined(separator: "\n") + "\n\n"
    let file = try SceneFile.decode(text, file: "x.csv")
    #expect(file.isImported && file.leftOut.isEmpty)
    let view = try #require(Self.views(file.scene).first)
    #expect(view.initial.x == samples[0].value)
    let steps = view.keyframes.first?.steps ?? []
    var (time, at, old) = (0.0, 0, samples[0].value)
    for step in steps {
      guard case .linear(let value, let duration, _) = step else { throw BadStep() }
      // Every sample within the step lies on it.
      while at < samples.count, Double(samples[at].tick) / 60 <= time + duration + 1e-9 {
        let part = (Double(samples[at].tick) / 60 - time) / duration
        let shown = old + (value - old) * min(max(part, 0), 1)
        #expect(abs(shown - samples[at].value) < 1e-6, "seed \(seed), sample \(at)")
        at += 1
      }
      (time, old) = (time + duration, value)
    }
    #expect(samples[at...].allSatisfy { $0.value == old }, "seed \(seed)")
  }

  private struct BadStep: Error {}

  @Test(arguments: [
    ("time,value\n0,1", "1:1: use the columns property and value, or a column for each property"),
    ("time,property,x\n0,x,1", "1:1: use the columns property and value"),
    ("entity,x\na,1", "1:1: no column is called time or time_ms"),
    ("time,depth\n0,1", "1:1: column 'depth': use time or time_ms, entity, and property"),
    ("time,x\n", "2:1: no samples"), ("", "1:1: column ''"),
    ("time,x\n0,1\n0.1\n", "3:1: 1 columns, where the first line has 2"),
    ("time,x\n0,1\n0,2\n", "3:1: a second value of x of 'samples' at 0 s; the first is in line 2"),
    ("time,x\n0,1\n0.0002,2\n", "3:1: less than 0.001 seconds after line 2"),
    ("time,x\n0,nan\n", "2:1: x 'nan' is no number"),
    ("time,x\n-1,0\n", "2:1: time -1: from 0 to 1000000 seconds"),
    ("time,x\nsoon,0\n", "2:1: time 'soon' is no number"),
    ("time,opacity\n0,1\n1,1.2\n", "3:1: opacity 1.2: from 0 to 1 of opaque"),
    ("time,property,value\n0,depth,1\n", "2:1: property 'depth': use x, y, opacity"),
    ("time,entity,x\n0,,1\n", "2:1: an entity has no name"),
    ("time,entity,x\n0,\"a,1\n", "2:1: a quote is not closed"),
    ("{\"time\":0,\"x\":1}\n\n{\"time\":1,\"x\":", "3:1: expected"),
    ("{\"time\":0,\"x\":1}\n{\"x\":1}", "2:1: no column is called time or time_ms"),
    ("{\"time\":0,\"x\":1}\n{\"time\":1,\"x\":[2]}", "2:1: 'x' is neither a text nor a number"),
    ("{\"time\":0,\"x\":1}\ntime,x", "2:1: expected"),
  ])
  func badSamplesHaveOneLine(text: String, message: String) throws {
    let error = #expect(throws: SceneError.self) { try Self.scene(text, file: "a.csv") }
    let lines = try #require(error).description.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].hasPrefix("a.csv:\(message)"), "\(lines)")
  }

  @Test func thereAreLimits() throws {
    let many = "time,entity,x\n" + (0...1000).map { "0,e\($0),1" }.joined(separator: "\n")
    #expect(
      "\(try #require(#expect(throws: SceneError.self) { try Self.scene(many) }))"
        .contains("1002:1: more than 1000 entities"))
    let long = "time,x\n" + (0...1001).map { "\($0),\($0)" }.joined(separator: "\n")
    #expect(
      "\(try #require(#expect(throws: SceneError.self) { try Self.scene(long) }))"
        .contains("x of 'samples' changes 1001 times: at most 1000"))
  }

  /// The scene of a table may be larger than a scene file.
  @Test func manySamplesAreRead() throws {
    var lines = ["time,entity,x"]
    for tick in 0..<400 {
      for entity in 0..<1000 {
        lines.append("\(Double(tick) / 64),an entity \(entity),\(tick % 7).015625")
      }
    }
    let file = try SceneFile.decode(lines.joined(separator: "\n"), file: "many.csv")
    #expect(Self.views(file.scene).count == 1000)
    #expect(file.text.utf8.count > SceneLimits.fileBytesMax)
  }
}
