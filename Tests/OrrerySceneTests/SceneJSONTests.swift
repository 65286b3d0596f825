// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryDocument
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: a scene in JSON is the same as in TOML: the same keys, checks, messages and limits.
///
/// Method: built-in and random scenes written and read again; files with one fault each, at a known place; hostile
/// texts.
@Suite struct SceneJSONTests {
  /// The lines of the error that a JSON file gives, without the file's name; empty if it is good.
  private func faults(_ text: String, file: String = "f.json") -> [String] {
    do throws(SceneError) {
      _ = try SceneFile.decode(text, file: file)
      return []
    } catch {
      return "\(error)".split(separator: "\n").map { String($0.replacing(file + ":", with: "")) }
    }
  }

  private func expectSame(_ scene: Scene, _ json: String, _ note: String) {
    do throws(SceneError) {
      let read = try SceneFile.decode(json, file: "other.json").scene
      // Values print with the sign of zero and with their own Unicode scalars; `==` sees neither.
      let isSame = read == scene && "\(read)".utf8.elementsEqual("\(scene)".utf8)
      #expect(isSame, "\(note)\n\(json)")
    } catch {
      Issue.record("\(note) \(error)\n\(json)")
    }
  }

  @Test(arguments: BuiltInScenes.names)
  func builtInScenesComeBack(name: String) throws {
    let file = try SceneSource.load(nameOrPath: name)
    #expect(file.toml == BuiltInScenes.text(name))
    expectSame(file.scene, file.json, name)
    let copy = try SceneFile.decode(file.json, file: "other.json")
    #expect(copy.json == file.json)
    #expect(copy.toml == file.scene.toml + "\n")
    let plans = (
      try ScenePlan(file, text: FixedWidths()), try ScenePlan(copy, text: FixedWidths())
    )
    // The copy is not one of Orrery's own scenes, whose titles are translated.
    let isTranslated = !BuiltInScenes.workloads.contains(name)
    #expect(plans.0.layout.options.builtIn == isTranslated)
    #expect(!plans.1.layout.options.builtIn)
    var layout = plans.1.layout
    layout.options.builtIn = isTranslated
    #expect(plans.0.layout == layout)
  }

  @Test func randomScenesComeBack() throws {
    for seed in UInt64(1)...100 {
      var scenes = RandomScenes(seed: seed)
      let scene = scenes.next()
      let file = try SceneFile.decode(scene.toml, file: "other.toml")
      expectSame(scene, file.json, "seed \(seed)")
    }
  }

  /// JSON by its file's name, or by its first character that is no blank.
  @Test(arguments: [
    ("f.json", "{}", SceneFormat.json), ("f.toml", " \t\r\n{}", .json), ("-", "{", .json),
    ("f.toml", "\u{feff}{}", .json), ("f.json", "size = 1", .json), ("f.toml", "", .toml),
    ("f.toml", "# {}", .toml), ("json", "a = {}", .toml), ("f.json.toml", "[a]", .toml),
  ])
  func notationIsFound(file: String, text: String, format: SceneFormat) {
    #expect(SceneFormat(of: text, file: file) == format)
  }

  private static func text(_ rest: String) -> String {
    "{\n  \"content\": [{\"kind\": \"text\", \"text\": \"t\"}],\n  " + rest + "}"
  }

  @Test(arguments: [
    ("\"size\": [640, 0]", "3:17: size[1]: 0 is out of range 1...16384 points"),
    ("\"sise\": [640, 1]", "3:3: sise: unknown key; did you mean size?"),
    ("\"seed\": null", "3:11: seed: null is not a whole number"),
    ("\"size\": [1, null]", "3:15: size[1]: null is not a number"),
    ("\"size\": null", "3:11: size: null is not [width, height]"),
    ("\"command\": [null]", "3:15: command[0]: null is not a table"),
    ("\"seed\": 1.5", "3:11: seed: 1.5 is not a whole number"),
    ("\"seed\": 18446744073709551615", "3:11: seed: 1.8446744073709552e+19 is not a whole number"),
    ("\"seed\":   -1", "3:13: seed: -1 is out of range 0...18446744073709551615"),
    ("\"rate\": true", "3:11: rate: true is not a number or a string such as \"30000/1001\""),
    ("\"name\": \"a\", \"name\": \"b\"", "3:16: the key \"name\" stands twice"),
    ("\"ä\": 1, \"size\": [0, 1]", "3:20: size[0]: 0 is out"),
    ("\"locale\": \"\\u0000\"", "3:13: locale: \"\" is not a known locale"),
    ("\"name\": \"\\u0000\"", "3:11: name: holds the control character U+0000"),
    ("\"$schema\": 1", "3:14: $schema: 1 is not a string"),
    ("// no comments", "3:3: expected a key in \"\""),
    ("\"size\": [1e999, 1]", "3:12: the number is larger than a Double holds"),
  ])
  func faultHasItsPlace(rest: String, line: String) {
    let found = faults(Self.text(rest))
    #expect(found.contains { $0.hasPrefix(line) }, "\(found)")
  }

  @Test func whatIsNoObjectIsRefused() {
    for text in ["", "  ", "[]", "1", "\"a\"", "null", "content = 1"] {
      #expect(faults(text).count == 1)
      #expect(faults(text).first?.hasSuffix(": expected \"{\"") == true, "\(faults(text))")
    }
    #expect(faults("{}") == ["1:1: content: missing; at least one [[content]] is wanted"])
    let good = Self.text("\"name\": \"n\"")
    #expect(faults(good) == [])
    #expect(faults("\u{feff}" + good) == [])
    #expect(faults(good + " 1") == ["3:16: expected the end of the text"])
  }

  /// What TOML has and JSON has not: dates are texts, large seeds too.
  @Test func datesAndSeedsAreTexts() throws {
    let head = "\"date\": \"2025-10-26T00:59:57Z\", \"seed\": \"18446744073709551615\", "
    let text = Self.text(head + "\"rate\": 59.94, \"$schema\": \"./scene.schema.json\"")
    let scene = try SceneFile.decode(text, file: "f.json").scene
    #expect(scene.dateSeconds == 1_761_440_397)
    #expect(scene.seed == .max)
    #expect(scene.rate == TickRate("59.94"))
    #expect(scene.name == "f")
  }

  /// An editor's line at the top of a TOML file is a comment.
  @Test func schemaLineOfEditorsIsAccepted() {
    let rest = "[[content]]\nkind = \"text\"\ntext = \"t\"\n"
    #expect(problems("#:schema ./scene.schema.json\n" + rest) == [])
    #expect(problems("\"$schema\" = \"./scene.schema.json\"\n" + rest) == [])
  }

  @Test func deepAndLargeTextsAreRefused() throws {
    func nested(_ levels: Int) -> String {
      let inner = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
      return Self.text("\"size\": " + inner)
    }
    let line = "nests deeper than \(SceneLimits.fileDepthMax) levels"
    #expect(faults(nested(SceneLimits.fileDepthMax)) == ["3:74: " + line])
    #expect(faults(nested(1_000_000)) == ["3:74: " + line])
    #expect(faults(nested(SceneLimits.fileDepthMax - 1)).first?.hasPrefix("3:11: size") == true)
    let large = String(repeating: " ", count: SceneLimits.fileBytesMax) + "{}"
    #expect(faults(large) == [" larger than \(SceneLimits.fileBytesMax) bytes"])
  }

  /// Every prefix of a file is refused or harmless.
  @Test func everyPrefixIsRefused() throws {
    let text = try SceneSource.load(nameOrPath: "planets").json
    let bytes = Array(text.utf8)
    for count in stride(from: 0, to: bytes.count - 3, by: 7) {
      let prefix = String(decoding: bytes[..<count], as: UTF8.self)
      #expect(faults(prefix).count == 1, "\(count) bytes")
    }
  }

  /// The message about a thousand faults has a place for each.
  @Test func everyKeptProblemHasItsPlace() throws {
    let lines = (0..<1_500).map { _ in "{\"kind\": \"text\"}" }.joined(separator: ",\n")
    let error = #expect(throws: SceneError.self) {
      try SceneFile.decode("{\"content\": [\n\(lines)]}", file: "f.json")
    }
    guard case .invalid(let problems, let total) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((problems.count, total) == (FaultList.keptMax, 1_500))
    let last = SceneProblem.Location.file("f.json", line: 1_001, column: 1)
    #expect(problems.last?.location == last)
    #expect("\(error as Any)".contains("and 1480 more"))
  }
}
