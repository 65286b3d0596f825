// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: a scene to begin with runs as it stands, and with each of its settings switched on.
///
/// Method: take the `#` away from one line, from all, and check; names of all sorts.
@Suite struct SceneTemplateTests {
  /// Whether a line is a setting that is switched off.
  private func isOff(_ line: String) -> Bool {
    line.hasPrefix("#") && !line.hasPrefix("# ") && line != "#"
  }

  private func lines(_ template: SceneTemplate) -> [String] {
    template.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private func planned(_ lines: [String], file: String) throws -> ScenePlan {
    let file = try SceneFile.decode(lines.joined(separator: "\n"), file: file)
    return try ScenePlan(file, text: FixedWidths())
  }

  @Test func templateRunsAsItStands() throws {
    let template = try SceneTemplate("mine")
    #expect(template.path == "mine.toml")
    #expect(template.text.hasSuffix("\n") && !template.text.hasSuffix("\n\n"))
    let plan = try planned(lines(template), file: template.path)
    #expect(plan.name == "mine")
    #expect(plan.entityCount == 7)
    #expect(lines(template).allSatisfy { $0.count <= 100 })
  }

  @Test func everySettingMayBeSwitchedOn() throws {
    let template = try SceneTemplate("mine")
    let lines = lines(template)
    let off = lines.indices.filter { isOff(lines[$0]) }
    #expect(off.count > 15)
    // A block is one setting: its lines are neighbours and its first one is a header.
    for index in off where !lines[index].hasPrefix("#[[") && !lines[index - 1].hasPrefix("#") {
      var changed = lines
      changed[index].removeFirst()
      #expect(throws: Never.self, "\(lines[index])") { try planned(changed, file: "mine.toml") }
    }
    let all = lines.map { isOff($0) ? String($0.dropFirst()) : $0 }
    #expect(!all.contains { isOff($0) })
    let plan = try planned(all, file: "other.toml")
    #expect(plan.name == "mine")
    #expect(plan.entityCount == 1_007)
  }

  @Test(arguments: [
    ("mine.toml", "mine.toml", "mine"), ("a/b c", "a/b c.toml", "b c"), ("-", "-", "mine"),
    ("say \"hi\" \\ 'x'", "say \"hi\" \\ 'x'.toml", "say \"hi\" \\ 'x'"),
    ("日本語", "日本語.toml", "日本語"), ("a#b=[1]", "a#b=[1].toml", "a#b=[1]"),
    ("../up", "../up.toml", "up"), ("a.b", "a.b.toml", "a.b"), ("toml", "toml.toml", "toml"),
  ])
  func namesAreQuoted(name: String, path: String, scene: String) throws {
    let template = try SceneTemplate(name)
    #expect(template.path == path)
    let on = lines(template).map { $0.hasPrefix("#name") ? String($0.dropFirst()) : $0 }
    #expect(try planned(on, file: "other.toml").name == scene)
    #expect(try planned(lines(template), file: path).name == (name == "-" ? "stdin" : scene))
  }

  @Test(arguments: [
    ("", "the name \"\": empty; 1...100 bytes of UTF-8 are wanted"),
    ("a/", "the name \"a/\": empty; 1...100 bytes of UTF-8 are wanted"),
    ("a\nb", "the name \"ab\": holds the control character U+000A"),
    ("a\u{202e}b", "the name \"ab\": holds the control character U+202E"),
    (String(repeating: "ä", count: 51), "102 bytes of UTF-8, more than 100"),
    ("mine.json", "\"mine.json\": a template has comments, so it is TOML, not JSON"),
  ])
  func nameThatNoSceneMayHaveIsRefused(name: String, says: String) {
    let error = #expect(throws: Failure.self) { try SceneTemplate(name) }
    #expect(error?.status == .usage)
    #expect(error?.description.hasSuffix(says) == true, "\(error as Any)")
  }
}
