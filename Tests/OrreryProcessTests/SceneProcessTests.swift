// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `orrery scene` as people call it.
///
/// Method: real programs, with files; what they print is tested in their modules.
@Suite struct SceneProcessTests {
  private func scene(
    _ arguments: String, in place: Place
  ) throws -> (code: Int32?, text: String, errorText: String) {
    try Program.run(
      "/bin/bash", ["-c", "\(Program.directory)/orrery scene \(arguments)"], in: place)
  }

  @Test func whatIsShownRunsAsItStands() throws {
    let place = try Place()
    let wanted = try Program.run("orrery", ["hash", "planets", "--tick", "90"], in: place)
    #expect(wanted.code == 0)
    for show in ["show planets > a.toml", "show a.toml --json > b.json", "show b.json > c.toml"] {
      #expect(try scene(show, in: place).code == 0)
    }
    for file in ["a.toml", "b.json", "c.toml"] {
      let found = try Program.run("orrery", ["hash", file, "--tick", "90"], in: place)
      #expect(found.text == wanted.text, "\(file): \(found.errorText)")
    }
    let check = try scene("check a.toml ./b.json c.toml - < b.json", in: place)
    #expect(check.code == 0)
    #expect(
      check.text == """
        a.toml: ok, 30 entities, 60 Hz
        ./b.json: ok, 30 entities, 60 Hz
        c.toml: ok, 30 entities, 60 Hz
        -: ok, 30 entities, 60 Hz

        """)
  }

  /// People get a line for each scene, and programs that ask for it one object.
  @Test func listIsOfLinesOrOfJSON() throws {
    let place = try Place()
    let list = try scene("list", in: place)
    let lines = list.text.split(separator: "\n")
    #expect(list.code == 0 && lines.contains { $0.hasPrefix("planets ") }, "\(list.text)")
    #expect(!list.text.contains("{"))
    let json = try scene("list --json", in: place)
    #expect(json.code == 0)
    let scenes = try report("orrery.scene-list.v1", in: json.text)["scenes"] as? [Any]
    #expect(scenes?.count == lines.count, "\(json.text)")
  }

  @Test func codesSayWhatIsWrong() throws {
    let place = try Place()
    try place.write("{\"content\": [{\"kind\": \"text\", \"text\": \"\"}]}", to: "bad.json")
    let bad = try scene("check none.toml bad.json flags", in: place)
    #expect(bad.code == 65)
    #expect(bad.errorText.isEmpty)
    let lines = bad.text.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.last == "flags: ok, 2 entities, 60 Hz")
    #expect(lines.dropFirst().first?.hasPrefix("bad.json:1:39: text: empty") == true)
    #expect(try scene("check none.toml flags", in: place).code == 69)
    #expect(try scene("check - - < bad.json", in: place).code == 64)
    #expect(try scene("show bad.json", in: place).code == 65)
  }

  @Test func newSceneRuns() throws {
    let place = try Place()
    let made = try scene("new 'a scene'", in: place)
    #expect(made.text == "a scene.toml\n", "\(made.errorText)")
    let again = try scene("new 'a scene'", in: place)
    #expect(again.code == 74)
    #expect(again.errorText.contains("a scene.toml: is there already; --force replaces it"))
    #expect(try scene("new 'a scene' --force", in: place).code == 0)
    let check = try scene("check 'a scene.toml'", in: place)
    #expect(check.text == "a scene.toml: ok, 7 entities, 60 Hz\n")
    // Who leaves the ending out is told the file, though no built-in scene is near.
    let short = try scene("show 'a scene'", in: place)
    #expect(short.code == 64)
    #expect(short.errorText.contains("did you mean a scene.toml?"), "\(short.errorText)")
    try place.write("", to: "a scene.bak")
    let copy = try scene("show 'a scene.bak'", in: place)
    #expect(copy.errorText.contains("did you mean ./a scene.bak?"), "\(copy.errorText)")
  }
}
