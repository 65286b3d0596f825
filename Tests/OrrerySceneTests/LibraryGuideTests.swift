// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryScene
import OrrerySceneBuilder
import TestSupport
import Testing

/// Goal: the example of the library's guide is the one that is built and run, and its scene file can be read.
///
/// Method: compare the guide with the example's source; `ExampleFolderProcessTests` runs that.
@Suite struct LibraryGuideTests {
  private let guide: String

  init() throws {
    guide = try Repository.text(
      "Sources/OrrerySceneBuilder/OrrerySceneBuilder.docc/OrrerySceneBuilder.md")
  }

  /// The first block of the guide in a language.
  private func block(_ language: String) throws -> String {
    let blocks = guide.components(separatedBy: "```\(language)\n").dropFirst()
    return try #require(blocks.first?.components(separatedBy: "\n```").first)
  }

  @Test func exampleIsTheOneThatIsCompiled() throws {
    let source = try Repository.text("docs/examples/scene/Sources/mine/main.swift")
    #expect(source.hasSuffix("Apache-2.0\n\n\(try block("swift"))\n"))
  }

  @Test func pageOfScenesInSwiftShowsTheSameExample() throws {
    let page = try Repository.text("docs/how-to/a-scene-in-swift.md")
    #expect(page.contains("```swift\n\(try block("swift"))\n```"))
  }

  @Test func fileOfTheExampleCanBeRead() throws {
    let toml = try block("toml")
    #expect(try SceneFile.decode(toml, file: "mine.toml").scene.toml == toml)
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
