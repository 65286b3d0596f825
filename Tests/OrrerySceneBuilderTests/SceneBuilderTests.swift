// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder
import Testing

/// Goal: a scene can be written in SwiftUI's words with `import Orrery` alone.
///
/// Method: write scenes in every form that the builder takes and look at the values they hold.
@Suite struct SceneBuilderTests {
  @Test func contentKeepsItsOrderAndModifiers() {
    let scene = Scene("mine", size: CGSize(width: 400, height: 300), seed: 7) {
      Text("Title").font(.largeTitle).foregroundColor(.teal).position(x: 200, y: 20)
      Row(currencies: ["EUR", "JPY"], flagWidth: 50, spacing: 4)
        .frame(width: 380, height: 60)
        .position(x: 200, y: 100)
        .font(.caption)
        .foregroundColor(.white)
        .clipped()
        .marquee(speed: 60, direction: .left)
      OrbitSystem(height: 500, moons: 5)
      Field.orbits(count: 10, radius: 1...2, duration: 10...20)
    }
    #expect(scene.size == CGSize(width: 400, height: 300))
    #expect(scene.rate == 60)
    guard case .text(let text) = scene.content[0], case .row(let row) = scene.content[1],
      case .orbitSystem(let system) = scene.content[2], case .field(let field) = scene.content[3]
    else {
      Issue.record("\(scene.content)")
      return
    }
    #expect(text.font.size == 34)
    #expect(text.position == CGPoint(x: 200, y: 20))
    #expect(row.cells == [.currency("EUR"), .currency("JPY")])
    #expect((row.flagWidth, row.spacing) == (50, 4))
    #expect((row.width, row.height) == (380, 60))
    #expect(row.font == .caption)
    #expect(row.color == .white)
    #expect(row.isClipped)
    #expect(row.motions == [.marquee(speed: 60, direction: .left)])
    #expect(system.moons == .count(5))
    #expect(system.duration == ValueRange(10...100))
    #expect(field.count == 10)
  }

  /// [S0-02] [S0-03] What a row is unless it says otherwise.
  @Test func rowDefaultsAreTheArticles() {
    let row = Row(cells: [.label("Euro", flag: "EU")])
    #expect((row.flagWidth, row.spacing, row.height) == (100, 8, 30))
    #expect(row.font.size == 13)
    #expect(row.width == nil)
    #expect(!row.isClipped)
    #expect(row.motions.isEmpty)
  }

  @Test(arguments: [true, false])
  func conditionsAndLoopsWork(isWide: Bool) {
    let scene = Scene("mine") {
      if isWide { Text("wide") } else { Text("narrow") }
      if isWide { Text("more") }
      for moons in 1...3 { OrbitSystem(height: 100, moons: moons) }
      [SceneContent.text(Text("last"))]
    }
    let texts = scene.content.compactMap {
      if case .text(let text) = $0 { text.content } else { nil }
    }
    #expect(texts == (isWide ? ["wide", "more", "last"] : ["narrow", "last"]))
    #expect(scene.content.count == texts.count + 3)
  }

  @Test func everyMotionCanBeSet() {
    let row = Row(currencies: ["EUR"])
    #expect(
      row.animation(from: -730, to: 0, duration: 60).motions
        == [.animation(from: -730, to: 0, duration: 60)])
    #expect(
      row.timer(start: -1550, step: 3, interval: 0.01, resetAt: 330).motions
        == [.timer(start: -1550, step: 3, interval: 0.01, resetAt: 330)])
    #expect(row.marquee(speed: 1).marquee(speed: 2).motions.count == 2)
  }

  /// The text styles at their default sizes, as Apple's guidelines list them.
  @Test func textStylesHaveSwiftUISizes() {
    let fonts: [Font] = [
      .largeTitle, .title, .title2, .title3, .headline, .body, .callout, .subheadline, .footnote,
      .caption, .caption2,
    ]
    #expect(fonts.map(\.size) == [34, 28, 22, 20, 17, 17, 16, 15, 13, 12, 11])
    #expect(Font.headline.weight == .semibold)
    #expect(Font.title.bold() == .system(size: 28, weight: .bold))
  }
}
