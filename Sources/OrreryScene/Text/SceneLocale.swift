// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery

/// The language of a scene, one of Foundation's known locales.
package struct SceneLocale {
  /// The identifier in its usual form: `zh_Hans` for `zh-hans`.
  package let identifier: String

  private let locale: Locale

  /// All locales that Foundation knows, by identifier.
  package static let known = Set(Locale.availableIdentifiers)

  /// ISO 4217 codes, current and former.
  package static let currencies = Set(Locale.Currency.isoCurrencies.map(\.identifier))

  /// ISO 3166 codes of regions.
  package static let regions = Set(Locale.Region.isoRegions.map(\.identifier))

  /// Finds a locale; nil if Foundation does not know it: it would silently use another language.
  ///
  /// - Parameter name: Such as `de`, `zh-Hans` or `pt_BR`.
  package init?(_ name: String) {
    let isPlain = name.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789_-".unicodeScalars.contains(scalar))
    }
    guard isPlain, !name.isEmpty, name.utf8.count <= 50 else { return nil }
    let identifier = Locale.identifier(.icu, from: name)
    guard Self.known.contains(identifier) else { return nil }
    self.identifier = identifier
    locale = Locale(identifier: identifier)
  }

  /// The direction in which the language is written.
  package var layoutDirection: LayoutDirection {
    locale.language.characterDirection == .rightToLeft ? .rightToLeft : .leftToRight
  }

  /// The language with its script, such as `zh_Hans` for `zh`; the script only where the
  /// translations of the built-in scenes need it.
  package var translation: String {
    let code = locale.language.languageCode?.identifier ?? ""
    return code == "zh" ? code + "_" + (locale.language.script?.identifier ?? "") : code
  }

  /// A currency's name in this language, or nil if it has none.
  package func name(ofCurrency code: String) -> String? {
    locale.localizedString(forCurrencyCode: code)
  }

  /// A region's flag: the two letters of its code as regional indicators, EU as 🇪🇺.
  ///
  /// - Parameter region: ISO 3166 code of two capital letters.
  /// - Returns: Nil if `region` is not two capital letters.
  package static func flag(ofRegion region: String) -> String? {
    let letters = Array(region.utf8)
    guard letters.count == 2 else { return nil }
    var flag = ""
    for letter in letters {
      guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter),
        let indicator = Unicode.Scalar(0x1f1e6 + UInt32(letter - UInt8(ascii: "A")))
      else { return nil }
      flag.unicodeScalars.append(indicator)
    }
    return flag
  }
}
