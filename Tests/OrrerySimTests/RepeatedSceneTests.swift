// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySim
import TestSupport
import Testing

/// Goal: a scene with `repeat` computes the same bits as one in which each copy is written by hand.
///
/// Method: forty views with keyframes, orbits and staggered commands, both ways; compare hashes of many ticks, and one
/// with a constant.
@Suite struct RepeatedSceneTests {
  private func world(_ text: String) throws -> World {
    let plan = try ScenePlan(SceneFile.decode(text, file: "f.toml"), text: NoTexts())
    return try World(plan, instructionSet: .best, threadCount: 1)
  }

  private static func view(_ name: String, _ y: Int) -> String {
    """
    [[content]]
    kind = "view"
    name = "\(name)"
    disc = 4
    position = [320, \(y)]
    hidden = true
    transition = "move(edge: leading).combined(with: opacity)"
    keyframes = [{ property = "x", track = [{ cubic = 9, duration = 0.4 }, { cubic = 0, duration = 1 }] }]

    """
  }

  private static func orbits(_ x: Int) -> String {
    "[[content]]\nkind = \"orbit-system\"\nheight = 30\nmoons = 2\ncenter = [\(x), 50]\n"
  }

  private static func command(_ name: String, _ at: String) -> String {
    "[[command]]\nat = \(at)\nevery = 3\ntoggle = \"\(name)\"\nanimation = \"bouncy\"\n"
  }

  @Test func fortyCopiesHaveTheHashOfFortyEntries() throws {
    let numbers = 1...40
    let repeated =
      Self.view("row {i}", 20) + "repeat = { count = 40, offset = [0, 16] }\n" + Self.orbits(10)
      + "repeat = { count = 40, offset = [16, 0] }\n" + Self.command("row {i}", "0.5")
      + "repeat = { count = 40, stagger = 0.05 }\n"
    let hand =
      numbers.map { Self.view("row \($0)", 4 + 16 * $0) } + numbers.map { Self.orbits(16 * $0 - 6) }
      + numbers.map { number in
        let hundredths = 45 + 5 * number
        let digits = "\(hundredths % 100 / 10)\(hundredths % 10)"
        return Self.command("row \(number)", "\(hundredths / 100).\(digits)")
      }
    let (one, other) = (try world(repeated), try world(hand.joined()))
    #expect(one.entityCount == 120)
    for tick in stride(from: UInt64(0), through: 400, by: 8) {
      #expect(one.hash(tick) == other.hash(tick), "tick \(tick)")
    }
    #expect(one.hash(100) != one.hash(0))
  }
}
