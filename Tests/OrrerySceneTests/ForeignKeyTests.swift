// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import Testing

/// Goal: a key of SwiftUI or of another engine leads to what a scene file has in its place.
///
/// Method: write such keys where users would, and look for the advice.
@Suite struct ForeignKeyTests {
  private static let advice = "scene files have no such key; "

  @Test(arguments: [
    ("offset = [1, 2]", "write x and y, which move it from its position"),
    ("rotationEffect = 1", "write rotation, in radians"),
    ("scale-effect = 2", "write scale, which is one number"),
    ("alpha = 0.5", "write opacity, from 0 to 1"),
    ("visible = true", "write hidden = true or false"),
    ("foregroundStyle = \"red\"", "write color"), ("zIndex = 2", "what stands later in the file"),
    ("frame = [1, 2]", "write box = [width, height]"), ("children = [\"w\"]", "write parent"),
    ("delay = 1", "a view changes by a [[command]]"),
    ("animation = \"easeIn\"", "a view changes by a [[command]]"),
    ("onTapGesture = \"w\"", "a view changes by a [[command]]"),
    ("keyframe_animator = 1", "write [[content.keyframes]]"),
    ("count = 40", "write repeat = { count = 40 }"), ("stagger = 0.1", "write repeat = { count"),
    ("rotation3DEffect = 1", "the Swift library Orrery computes it"),
    ("shadow = 3", "a view shows texts, discs, boxes and flags"),
  ])
  func keyOfAViewLeadsToItsOwn(line: String, expected: String) throws {
    let file = "[[content]]\nkind = \"view\"\nname = \"v\"\ndisc = 1\n\(line)\n"
    let key = line.prefix { $0 != " " }
    let lines = problems(file)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("5:1: \(key): \(Self.advice)\(expected)") == true, "\(lines)")
  }

  @Test(arguments: [
    ("duration = 2", "write it in the animation"),
    ("curve = \"easeIn\"", "write it in the animation"),
    ("repeatForever = true", "write it in the animation: \"linear"),
    ("onCompletion = \"x\"", "write completion"), ("time = 2", "write at, in seconds"),
  ])
  func keyOfACommandLeadsToItsOwn(line: String, expected: String) {
    let file = """
      [[content]]
      kind = "view"
      name = "v"
      disc = 1
      [[command]]
      at = 1
      show = "v"
      \(line)
      """
    let key = line.prefix { $0 != " " }
    #expect(
      problems(file).first?.hasPrefix("8:1: \(key): \(Self.advice)\(expected)") == true,
      "\(problems(file))")
  }

  @Test func keyOfTheSceneLeadsToItsOwn() {
    let file = "fps = 30\n[[content]]\nkind = \"text\"\ntext = \"t\"\n"
    #expect(problems(file) == ["1:1: fps: \(Self.advice)write rate, in ticks per second"])
  }

  @Test func misspeltKeyIsStillAQuestion() {
    let file = "[[content]]\nkind = \"text\"\ntext = \"t\"\ncolr = \"red\"\n"
    #expect(problems(file) == ["4:1: colr: unknown key; did you mean color?"])
  }
}
