// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Orrery
import OrreryBase
import OrreryConsole
import OrreryScene
import TestSupport
import Testing

/// Goal: `orrery scene` says what it found, in lines and in JSON, and ends with the right code.
///
/// Method: reports on verdicts by hand and on files in a folder of their own.
@Suite struct SceneReportTests {
  private struct OneWidth: TextMeasuring {
    func size(of text: String, font: String, language: String) -> MeasuredText {
      MeasuredText(width: 10, height: 10)
    }
    func draws(flag: String) -> Bool { true }
    func aspect(ofFlag flag: String) -> Double { 0.75 }
  }

  @Test func everyBuiltInSceneHasASentenceInEightyColumns() throws {
    for name in BuiltInScenes.names {
      let sentence = try #require(BuiltInScenes.sentence(name), "\(name)")
      #expect(sentence.hasSuffix(".") && sentence.count > 20, "\(name): \(sentence)")
    }
    #expect(BuiltInScenes.sentence("nosuch") == nil)
    let lines = SceneListReport().text.split(separator: "\n")
    #expect(lines.count == BuiltInScenes.names.count)
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    #expect(lines.contains("flags                   \(BuiltInScenes.sentence("flags") ?? "")"))
  }

  @Test func listIsWrittenAsItsSchemaSays() throws {
    let json = SceneListReport().json
    #expect(try Repository.schema("scene-list").faults(of: Data(json.utf8)) == [])
    #expect(json.split(separator: "\n").count == 1)
    for name in BuiltInScenes.names { #expect(json.contains("\"name\":\"\(name)\"")) }
  }

  private static let good = SceneVerdict(
    file: "a.toml", outcome: .success(.init(entities: 25, rate: 60)))
  private static let one = SceneVerdict(
    file: "b.toml", outcome: .success(.init(entities: 1, rate: TickRate("59.94") ?? 60)))
  private static let missing = SceneVerdict(
    file: "c.toml",
    outcome: .failure(
      .unreadable(SystemCallError(call: "open", path: "c.toml", errno: ENOENT))))
  private static let unknown = SceneVerdict(
    file: "d", outcome: .failure(.unknownScene(name: "\"d\"", nearest: nil, known: ["flags"])))
  private static let bad = SceneVerdict(
    file: "e.toml",
    outcome: .failure(
      .invalid(
        [
          SceneProblem(
            location: .file("e.toml", line: 5, column: 21), key: "speed", fault: .noWidth),
          SceneProblem(
            location: .file("e.toml", line: 6, column: 1), key: "", fault: .syntax("expected =")),
        ], total: 3)))

  @Test func verdictsAreLines() {
    #expect(
      SceneCheckReport([Self.good, Self.bad, Self.one, Self.missing]).text == """
        a.toml: ok, 25 entities, 60 Hz
        e.toml:5:21: speed: 0 points wide
        e.toml:6:1: expected =
        e.toml: and 1 more
        b.toml: ok, 1 entity, 2997/50 Hz
        c.toml: open: No such file or directory

        """)
  }

  @Test func whatAFileHasAndASceneHasNotIsSaid() throws {
    let verdict = SceneVerdict(
      file: "a.json",
      outcome: .success(SceneVerdict.Facts(entities: 2, rate: 60, leftOut: "1 mask")))
    let report = SceneCheckReport([verdict])
    #expect(report.text == "a.json: ok, 2 entities, 60 Hz; left out: 1 mask\n")
    #expect(try Repository.schema("scene-check").faults(of: Data(report.json.utf8)) == [])
    #expect(report.json.contains(#""left_out":"1 mask""#))
  }

  @Test func codeIsThatOfABadSceneOrOfTheFirstFileThatIsNotThere() {
    let cases: [([SceneVerdict], OrreryBase.ExitStatus)] = [
      ([Self.good, Self.one], .done), ([Self.missing, Self.bad], .badData),
      ([Self.good, Self.missing], .unavailable), ([Self.unknown, Self.missing], .usage),
      ([Self.bad], .badData),
    ]
    for (verdicts, status) in cases { #expect(SceneCheckReport(verdicts).status == status) }
  }

  @Test func checkIsWrittenAsItsSchemaSays() throws {
    let all = [Self.good, Self.one, Self.missing, Self.unknown, Self.bad]
    let json = SceneCheckReport(all).json
    #expect(try Repository.schema("scene-check").faults(of: Data(json.utf8)) == [])
    #expect(
      SceneCheckReport([Self.good, Self.bad]).json
        == #"{"schema":"orrery.scene-check.v1","files":[{"file":"a.toml","ok":true,"entities":25,"#
        + #""rate":"60","ticks_per_second":60},{"file":"e.toml","ok":false,"exit_code":65,"#
        + #""problem_count":3,"problems":[{"line":5,"column":21,"key":"speed","#
        + #""message":"0 points wide"},{"line":6,"column":1,"message":"expected ="}]}]}"# + "\n")
  }

  /// Of each file what a run would find, in the planner too: an image that is not there.
  @Test func filesAreReadCheckedAndPlanned() throws {
    let base = try TemporaryBase()
    let texts = [
      "good.toml": "[[content]]\nkind = \"text\"\ntext = \"t\"\n",
      "good.json": "{\"content\": [{\"kind\": \"orbit-system\", \"height\": 9, \"moons\": 3}]}",
      "bad.json": "{\"content\": [{\"kind\": \"text\", \"text\": \"\"}]}",
      "image.toml": "[[content]]\nkind = \"flow-text\"\ntext = \"t\"\nimage = \"none.png\"\n",
    ]
    for (name, text) in texts {
      try NewFile.write(Array(text.utf8), to: base.path + "/" + name)
    }
    func lines(_ name: String) -> [String] {
      let verdict = SceneVerdict(checking: base.path + "/" + name, text: OneWidth())
      return SceneCheckReport([verdict]).text.split(separator: "\n").map {
        String($0.replacing(base.path + "/", with: ""))
      }
    }
    #expect(lines("good.toml") == ["good.toml: ok, 0 entities, 60 Hz"])
    #expect(lines("good.json") == ["good.json: ok, 3 entities, 60 Hz"])
    #expect(lines("bad.json").first?.hasPrefix("bad.json:1:39: text: empty") == true)
    #expect(lines("image.toml").first?.hasPrefix("image.toml:4:9: image: ") == true)
    #expect(lines("none.toml") == ["none.toml: open: No such file or directory"])
    #expect(SceneVerdict(checking: "flags", text: OneWidth()).status == .done)
  }

  @Test func templateReplacesAFileOnlyWhenAsked() throws {
    let base = try TemporaryBase()
    let template = try SceneTemplate(base.path + "/mine")
    try NewFile.write(template.text, to: template.path, replaces: false)
    #expect(FileManager.default.contents(atPath: template.path) == Data(template.text.utf8))
    try NewFile.write([1], to: template.path)
    let error = #expect(throws: Failure.self) {
      try NewFile.write(template.text, to: template.path, replaces: false)
    }
    #expect(error?.status == .inputOutput)
    #expect(error?.description == template.path + ": is there already; --force replaces it")
    #expect(FileManager.default.contents(atPath: template.path) == Data([1]))
    try NewFile.write(template.text, to: template.path, replaces: true)
    #expect(FileManager.default.contents(atPath: template.path) == Data(template.text.utf8))
    let lost = try SceneTemplate(base.path + "/none/mine")
    let missing = #expect(throws: Failure.self) {
      try NewFile.write(lost.text, to: lost.path, replaces: false)
    }
    #expect(missing?.status == .inputOutput)
    #expect(missing?.description.hasSuffix("open: No such file or directory") == true)
  }
}
