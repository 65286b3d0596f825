// SPDX-License-Identifier: Apache-2.0

import OrrerySceneBuilder
import OrreryText

/// Looks up and measures the texts of one scene, each text once.
struct SceneTexts<Measuring: TextMeasuring> {
  private let locale: SceneLocale
  private let measuring: Measuring

  private struct Key: Hashable {
    let text: String
    let font: String
  }

  private var sizes: [Key: MeasuredText] = [:]
  private var flags: [String: Bool] = [:]
  private var aspects: [String: Double] = [:]

  init(locale: SceneLocale, measuring: Measuring) {
    self.locale = locale
    self.measuring = measuring
  }

  /// The size of a line of text.
  ///
  /// - Throws: `SceneFault.unavailable` without a font, else `notMeasured`, also for a size that is not a
  ///   number in 0...1,000,000.
  mutating func size(_ text: String, font: Font) throws(TextFault) -> MeasuredText {
    let key = Key(text: text, font: FontDescription.text(font))
    if let known = sizes[key] { return known }
    do {
      let size = try measuring.size(
        of: text, font: key.font, language: locale.identifier)
      guard (0...1e6).contains(size.width), (0...1e6).contains(size.height) else {
        throw TextFault(.notMeasured("\(size.width) by \(size.height) points"))
      }
      sizes[key] = size
      return size
    } catch let fault as TextFault {
      throw fault
    } catch {
      throw Self.fault(error)
    }
  }

  /// A currency's name in the scene's language.
  func name(ofCurrency code: String) throws(TextFault) -> String {
    guard let name = locale.name(ofCurrency: code) else {
      throw TextFault(.notMeasured("no name in \(locale.identifier)"))
    }
    return name
  }

  /// The fault of a text: its own, or this machine's if a font is missing.
  private static func fault(_ error: any Error) -> TextFault {
    let why = "cannot be measured: \(error)"
    let isOfMachine = (error as? TextError)?.isOfMachine ?? false
    return TextFault(isOfMachine ? .unavailable(why) : .notMeasured("\(error)"))
  }

  /// A region's flag, if the font draws it as a flag.
  ///
  /// - Throws: `SceneFault.noFlag`, or `unavailable` or `notMeasured` if the font cannot be asked.
  mutating func flag(ofRegion region: String) throws(TextFault) -> String {
    guard let flag = SceneLocale.flag(ofRegion: region) else {
      throw TextFault(.noFlag(region: region))
    }
    do {
      let isDrawn = try flags[flag] ?? measuring.draws(flag: flag)
      flags[flag] = isDrawn
      if isDrawn { return flag }
    } catch {
      throw Self.fault(error)
    }
    throw TextFault(.noFlag(region: region))
  }

  /// Height of a flag divided by its width.
  ///
  /// - Throws: `SceneFault.unavailable` or `notMeasured`.
  mutating func aspect(ofFlag flag: String) throws(TextFault) -> Double {
    do {
      let aspect = try aspects[flag] ?? measuring.aspect(ofFlag: flag)
      aspects[flag] = aspect
      return aspect
    } catch {
      throw Self.fault(error)
    }
  }
}

/// A fault of a text or image, thrown to the caller that knows its path.
struct TextFault: Error {
  let fault: SceneFault

  init(_ fault: SceneFault) {
    self.fault = fault
  }
}
