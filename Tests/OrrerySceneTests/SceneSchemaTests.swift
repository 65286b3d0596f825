// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryDocument
import OrreryScene
import OrrerySceneBuilder
import TestSupport
import Testing

/// Goal: the JSON Schema of scenes accepts what Orrery accepts, and refuses most of the rest.
///
/// Method: built-in and random scenes as JSON; scenes with one fault each, which the decoder refuses too.
@Suite struct SceneSchemaTests {
  private let schema: JSONSchema

  init() throws { schema = try JSONSchema(Data(SceneSchema.text.utf8)) }

  private func faults(_ json: String) throws -> [String] {
    try schema.faults(of: Data(json.utf8))
  }

  /// After a change of keys: `orrery scene schema > docs/schemas/scene.schema.json`.
  @Test func committedSchemaIsThePrintedOne() throws {
    let isSame = try Repository.text("docs/schemas/scene.schema.json") == SceneSchema.text
    #expect(isSame, "orrery scene schema > docs/schemas/scene.schema.json")
  }

  @Test(arguments: BuiltInScenes.names)
  func builtInScenesFit(name: String) throws {
    let file = try SceneSource.load(nameOrPath: name)
    #expect(try faults(file.json) == [])
    // As it was written, with all that `Scene.toml` leaves out; a date of TOML is a text for editors.
    var document = try TOMLParser.parse(file.text, depthMax: SceneLimits.fileDepthMax)
    if let date = document["date"]?.dateTime?.unixSeconds {
      document = DocumentTable(
        Dictionary(uniqueKeysWithValues: document.members.map { ($0.key, $0.value) })
          .merging(["date": .number(date)]) { $1 })
    }
    #expect(try faults(JSONLayout.text(.table(document))) == [])
  }

  @Test func randomScenesFit() throws {
    for seed in UInt64(1)...60 {
      var scenes = RandomScenes(seed: seed)
      let file = try SceneFile.decode(scenes.next().toml, file: "other.toml")
      let found = try faults(file.json)
      #expect(found == [], "seed \(seed)\n\(file.json)")
      if !found.isEmpty { return }
    }
  }

  @Test func everyExampleOfTheGuideFits() throws {
    let page = try Repository.text("docs/reference/scene-file.md")
    let parts = page.components(separatedBy: "```toml\n")
    for example in parts.dropFirst().compactMap({ $0.components(separatedBy: "\n```").first }) {
      let file = try SceneFile.decode(example, file: "other.toml")
      #expect(try faults(file.json) == [], "\(example)")
    }
  }

  private static let content = "{\"kind\": \"text\", \"text\": \"t\"}"

  private static func head(_ key: String) -> String { "{\"content\": [\(content)], \(key)}" }

  private static func part(_ keys: String) -> String { "{\"content\": [{\(keys)}]}" }

  /// Each has one fault, which the decoder finds as well.
  @Test(arguments: [
    "{}", "[]", "{\"content\": []}", head("\"sise\": [1, 1]"), head("\"size\": [1]"),
    head("\"size\": [0, 1]"), head("\"size\": [1, 1, 1]"), head("\"background\": \"whit\""),
    head("\"background\": \"#12345\""), head("\"rate\": 0"), head("\"seed\": -1"),
    head("\"seed\": \"x\""), head("\"name\": \"\""), head("\"date\": true"),
    head("\"command\": [{\"at\": 1}]"), head("\"command\": [{\"show\": \"v\"}]"),
    head("\"command\": [{\"at\": -1, \"show\": \"v\"}]"),
    head("\"command\": [{\"at\": 1, \"set\": {\"v\": {\"z\": 1}}}]"),
    part("\"kind\": \"texts\", \"text\": \"t\""), part("\"text\": \"t\""),
    part("\"kind\": \"text\""), part("\"kind\": \"text\", \"text\": \"t\", \"font\": \"big\""),
    part("\"kind\": \"text\", \"text\": \"t\", \"font\": {\"weight\": \"bold\"}"),
    part("\"kind\": \"text\", \"text\": \"t\", \"alignment\": \"middle\""),
    part("\"kind\": \"row\", \"currencies\": [\"EUR\"]"),
    part("\"kind\": \"row\", \"marquee\": {\"speed\": 1}"),
    part(
      "\"kind\": \"row\", \"currencies\": [\"EUR\"], \"marquee\": {\"speed\": 1}, "
        + "\"ticker\": {}"),
    part("\"kind\": \"row\", \"currencies\": [\"EUR\"], \"marquee\": {}"),
    part("\"kind\": \"row\", \"currencies\": [\"EUR\"], \"marquee\": {\"speed\": -1}"),
    part(
      "\"kind\": \"row\", \"currencies\": [\"EUR\"], "
        + "\"timer\": {\"start\": 0, \"step\": 1, \"interval\": 1}"),
    part("\"kind\": \"orbit-system\", \"height\": 9, \"moons\": 1.5"),
    part("\"kind\": \"orbit-system\", \"height\": 9, \"moons\": [{\"phase\": 7}]"),
    part("\"kind\": \"field\", \"count\": 1"),
    part("\"kind\": \"view\", \"name\": \"v\""),
    part("\"kind\": \"view\", \"name\": \"v\", \"disc\": 1, \"text\": \"t\""),
    part("\"kind\": \"view\", \"disc\": 1"),
    part(
      "\"kind\": \"view\", \"name\": \"v\", \"disc\": 1, "
        + "\"keyframes\": [{\"property\": \"x\", \"track\": [{\"linear\": 1}]}]"),
    part(
      "\"kind\": \"view\", \"name\": \"v\", \"disc\": 1, \"keyframes\": [{\"property\": \"x\"}]"),
  ])
  func brokenSceneDoesNotFit(json: String) throws {
    #expect(throws: SceneError.self) { try SceneFile.decode(json, file: "f.json") }
    #expect(try faults(json) != [])
  }

  /// The choices of the schema are those that the decoder makes.
  @Test func keysThatExcludeEachOtherDoSoForBoth() throws {
    let spring = "\"every\": 1, "
    let choices: [(String, [String])] = [
      ("\"to\": 1, \"response\": 1, ", ["\"damping-ratio\": 1", "\"bounce\": 0"]),
      ("\"to\": 1, \"bounce\": 0, ", ["\"response\": 1", "\"duration\": 1"]),
      ("\"response\": 1, \"bounce\": 0, ", ["\"to\": 1", "\"distance\": 1"]),
    ]
    for (rest, keys) in choices {
      let chosen = keys.map { [$0] } + [keys, ["\"property\": \"x\""]]
      for (index, keys) in chosen.enumerated() {
        let inner = spring + rest + keys.joined(separator: ", ")
        let json = Self.part("\"kind\": \"field\", \"count\": 1, \"spring\": {\(inner)}")
        let isGood = (try? SceneFile.decode(json, file: "f.json")) != nil
        #expect(isGood == (index < 2), "\(json)")
        #expect(try faults(json).isEmpty == isGood, "\(json)")
      }
    }
  }
}
