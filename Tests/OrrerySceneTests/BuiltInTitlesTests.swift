// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: the titles of the built-in scenes are in the language that was asked for, and the language
/// changes no motion but that of currency names.
///
/// Method: collect the texts of all scenes and look each up; plan scenes with texts as wide as
/// they are long.
@Suite struct BuiltInTitlesTests {
  /// Names of Swift, the same in every language.
  private static let names: Set<String> = [
    "FlowTextModifier", "animation", "everyMinute", "explicit", "from: 0, by: 1", "periodic",
    "spring",
  ]

  private static func texts(_ scene: Scene) -> [String] {
    scene.content.flatMap { part -> [String] in
      switch part {
      case .text(let text): [text.content]
      case .flowText(let text): [text.content]
      case .accordion(let accordion): accordion.rows.map { $0.title ?? $0.name }
      case .row(let row):
        row.cells.compactMap { if case .label(let text, _) = $0 { text } else { nil } }
      case .view(let view):
        view.elements.compactMap { if case .text(let text, _, _) = $0.shape { text } else { nil } }
      case .orbitSystem, .field, .clock: []
      }
    }
  }

  private static let translated = BuiltInScenes.names.filter {
    !BuiltInScenes.workloads.contains($0)
  }

  private static func allTexts() throws -> Set<String> {
    Set(try translated.flatMap { texts(try SceneSource.load(nameOrPath: $0).scene) })
  }

  @Test func tableHasTheTextsOfTheScenesAndNoOther() throws {
    #expect(Set(BuiltInTitles.texts).count == BuiltInTitles.texts.count)
    #expect(Set(BuiltInTitles.texts) == (try Self.allTexts()).subtracting(Self.names))
  }

  /// A translation may be planned like any text, and has letters of its language.
  @Test(arguments: BuiltInTitles.languages)
  func translationsAreTexts(language: String) throws {
    let scene = Scene("s") {
      for text in BuiltInTitles.texts { Text(BuiltInTitles.text(text, in: language)) }
    }
    #expect(throws: Never.self) { try ScenePlan(scene, text: FixedWidths()) }
    for text in BuiltInTitles.texts where language == "ar" {
      let translated = BuiltInTitles.text(text, in: language)
      #expect(translated.unicodeScalars.contains { (0x600...0x6FF).contains($0.value) }, "\(text)")
    }
  }

  @Test(arguments: [
    ("de", "Wechselkurse"), ("de_AT", "Wechselkurse"), ("ja", "為替レート"), ("zh_Hans", "汇率"),
    ("zh", "汇率"), ("zh_Hans_SG", "汇率"), ("zh_Hant", "Exchange Rates"), ("ar", "أسعار الصرف"),
    ("ar_EG", "أسعار الصرف"), ("en_GB", "Exchange Rates"), ("fr", "Exchange Rates"),
  ])
  func sceneHasItsTitleInTheLanguage(locale: String, title: String) throws {
    let file = try SceneSource.load(nameOrPath: "flags")
    let plan = try ScenePlan(file, options: ScenePlanOptions(locale: locale), text: FixedWidths())
    #expect(plan.layout.sprites[0].elements[0].text.text == title)
  }

  /// A row without a title is named as it is called, and commands keep that name.
  @Test func planetsHaveTheirNames() throws {
    let file = try SceneSource.load(nameOrPath: "planets")
    let plan = try ScenePlan(file, options: ScenePlanOptions(locale: "ja"), text: FixedWidths())
    let texts = Set(plan.layout.sprites.flatMap(\.elements).map(\.text.text))
    #expect(texts.isSuperset(of: ["火星", "木星", "土星", "天王星"]))
    #expect(plan.views?.views.contains { $0.name == "Mars.header" } == true)
  }

  @Test func textsOfOtherScenesStayAsTheyAre() throws {
    let text = "locale = \"de\"\n[[content]]\nkind = \"text\"\ntext = \"Exchange Rates\""
    let plan = try ScenePlan(SceneFile.decode(text, file: "flags.toml"), text: FixedWidths())
    #expect(plan.layout.sprites[0].elements[0].text.text == "Exchange Rates")
  }

  /// Every text is as wide as it is long, so that a translation has another width.
  private struct WidthsByLength: TextMeasuring {
    func size(of text: String, font: String, language: String) -> MeasuredText {
      MeasuredText(width: Double(text.utf8.count), height: 16)
    }

    func draws(flag: String) -> Bool { true }
    func aspect(ofFlag flag: String) -> Double { 0.75 }
  }

  /// Left to right, translations change neither specs nor transitions, so no hash.
  @Test(arguments: ["de", "ja", "zh_Hans"])
  func translationsMoveNothing(language: String) throws {
    for name in BuiltInScenes.names where !name.hasPrefix("flags") && name != "stress" {
      let file = try SceneSource.load(nameOrPath: name)
      let plain = try ScenePlan(file, text: WidthsByLength())
      let other = try ScenePlan(
        file, options: ScenePlanOptions(locale: language), text: WidthsByLength())
      #expect(other.marquees == plain.marquees, "\(name)")
      #expect(other.timers == plain.timers, "\(name)")
      #expect(other.flows == plain.flows, "\(name)")
      #expect(
        other.views?.views.map(\.transition) == plain.views?.views.map(\.transition), "\(name)")
    }
  }
}
