// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import Testing

/// Goal: names are in the language that was asked for, never in another one.
///
/// Method: names and flags that are known, in several languages and scripts.
@Suite struct SceneLocaleTests {
  @Test(arguments: [
    ("en", "CHF", "Swiss Franc"), ("de", "CHF", "Schweizer Franken"), ("ja", "CHF", "スイス フラン"),
    ("zh_Hans", "CHF", "瑞士法郎"), ("ar", "CHF", "فرنك سويسري"), ("zh-Hans", "JPY", "日元"),
    ("de_AT", "JPY", "Japanischer Yen"),
  ])
  func currenciesHaveTheirNames(locale: String, code: String, name: String) {
    #expect(SceneLocale(locale)?.name(ofCurrency: code) == name)
  }

  @Test(arguments: [
    "", "xx", "en_XYZ", "en_US.UTF-8", "C", "POSIX", "en us", "../en", "en\u{0}", "ｅｎ",
    "enenenenenenenenenenenenenenenenenenenenenenenenenenenen",
  ])
  func unknownLocalesAreRefused(name: String) {
    #expect(SceneLocale(name) == nil)
  }

  @Test(
    arguments: [
      ("ar", .rightToLeft), ("ar_EG", .rightToLeft), ("he", .rightToLeft), ("fa", .rightToLeft),
      ("ur", .rightToLeft), ("pa_Arab", .rightToLeft), ("pa", .leftToRight), ("en", .leftToRight),
      ("de", .leftToRight), ("ja", .leftToRight), ("zh_Hans", .leftToRight),
    ] as [(String, LayoutDirection)])
  func languagesHaveTheirDirection(locale: String, direction: LayoutDirection) {
    #expect(SceneLocale(locale)?.layoutDirection == direction)
  }

  @Test func flagsAreRegionalIndicators() {
    #expect(SceneLocale.flag(ofRegion: "EU") == "🇪🇺")
    #expect(SceneLocale.flag(ofRegion: "ZA") == "\u{1F1FF}\u{1F1E6}")
    for wrong in ["", "E", "EUR", "eu", "E1", "ÄÖ"] {
      #expect(SceneLocale.flag(ofRegion: wrong) == nil)
    }
  }

  /// [S0-26] Every language names all 25 currencies of the scene flags.
  @Test(arguments: ["en", "zh_Hans", "de", "ja", "ar"])
  func flagsCanBePlannedInEveryLanguage(locale: String) throws {
    let file = try SceneSource.load(nameOrPath: "flags")
    let plan = try ScenePlan(
      file, options: ScenePlanOptions(locale: locale), text: FixedWidths())
    let labels = plan.layout.sprites.dropFirst().flatMap { sprite in
      sprite.elements.map(\.text.text).enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }
    #expect(labels.count == 25)
    #expect(Set(labels).count == 25)
    #expect(plan.layout.locale == locale)
  }
}
