// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryScene
import OrrerySceneBuilder
import TestSupport
import Testing

/// Goal: the example of the library's guide compiles, and gives the scene file that the guide
/// shows.
///
/// Method: the example stands here too; compare the guide with this file's text and with its
/// values.
@Suite struct LibraryGuideTests {
  private static func example() -> Scene {
    let scene = Scene("mine", size: CGSize(width: 960, height: 540), background: .black) {
      Text("Exchange Rates")
        .font(.largeTitle)
        .foregroundColor(.white)
        .position(x: 480, y: 60)
      for (index, currencies) in [["EUR", "JPY", "CHF"], ["USD", "INR", "ZAR"]].enumerated() {
        Row(currencies: currencies)
          .frame(height: 96)
          .position(x: 480, y: 150 + 110 * Double(index))
          .foregroundColor(.white)
          .clipped()
          .marquee(speed: 60, direction: index == 0 ? .leading : .trailing)
      }
      OrbitSystem(height: 180, moons: 5, center: CGPoint(x: 480, y: 430))
    }
    return scene
  }

  private let guide: String
  private let source: String

  init() throws {
    guide = try Repository.text(
      "Sources/OrrerySceneBuilder/OrrerySceneBuilder.docc/OrrerySceneBuilder.md")
    source = try Repository.text("Tests/OrrerySceneTests/LibraryGuideTests.swift")
  }

  /// The first block of the guide in a language.
  private func block(_ language: String) throws -> String {
    let blocks = guide.components(separatedBy: "```\(language)\n").dropFirst()
    return try #require(blocks.first?.components(separatedBy: "\n```").first)
  }

  @Test func exampleIsTheOneThatIsCompiled() throws {
    let lines = try block("swift").components(separatedBy: "\n")
    #expect(lines.prefix(3) == ["import Orrery", "import OrrerySceneBuilder", ""])
    #expect(lines.last == "print(scene.toml)")
    let body = lines.dropFirst(3).dropLast().map { $0.isEmpty ? "" : "    \($0)\n" }.joined()
    #expect(source.contains("-> Scene {\n\(body)    return scene\n  }\n"))
  }

  @Test func pageOfScenesInSwiftShowsTheSameExample() throws {
    let page = try Repository.text("docs/how-to/a-scene-in-swift.md")
    #expect(page.contains("```swift\n\(try block("swift"))\n```"))
  }

  @Test func fileOfTheExampleIsTheOneShown() throws {
    let scene = Self.example()
    #expect(scene.toml == (try block("toml")))
    #expect(try SceneFile.decode(scene.toml, file: "mine.toml").scene == scene)
  }

  @Test func typesOfTheGuideExist() {
    let types: [String: Any.Type] = [
      "Scene": Scene.self, "SceneBuilder": SceneBuilder.self, "SceneContent": SceneContent.self,
      "Row": Row.self, "Cell": Cell.self, "RowMotion": RowMotion.self,
      "MarqueeDirection": MarqueeDirection.self, "OrbitSystem": OrbitSystem.self,
      "Moon": Moon.self, "Field": Field.self, "Text": Text.self, "Color": Color.self,
      "Font": Font.self, "ValueRange": ValueRange.self,
      "FlowText": FlowText.self, "TimelineClock": TimelineClock.self, "Accordion": Accordion.self,
      "AccordionRow": AccordionRow.self, "AnimatedView": AnimatedView.self,
      "ViewElement": ViewElement.self, "ViewValues": ViewValues.self,
      "ViewProperty": ViewProperty.self, "Command": Command.self,
      "CommandAction": CommandAction.self, "ViewChange": ViewChange.self,
      "KeyframeLoop": KeyframeLoop.self, "KeyframeStep": KeyframeStep.self,
      "ViewPhase": ViewPhase.self, "TickerVariant": TickerVariant.self,
      "FieldTween": FieldTween.self, "FieldSpring": FieldSpring.self,
      "FieldMoveEnd": FieldMoveEnd.self, "TextAlignment": TextAlignment.self,
    ]
    let links = guide.matches(of: /``([A-Za-z]+)(?:\/[a-z]+)?``/).map { String($0.1) }
    #expect(Set(links) == Set(types.keys).union(["OrrerySceneBuilder"]))
  }
}
