// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase
import OrreryDocument
import OrreryScene
import OrrerySceneBuilder
import Synchronization

/// Sizes of labels in the installed fonts, and the row of cells that they make.
///
///     {"label":"Swiss Franc","font":{"size":13}}
///     {"label":["CHF","JPY"],"currency":true,"locale":"zh","script":"Hant"}
struct LabelRequest: EvalRequest {
  static let keys = ["label", "font", "locale", "script", "currency", "flag", "spacing"]

  private let texts: [String]

  /// A Pango font description.
  private let font: String
  private let locale: SceneLocale

  /// Points of every flag.
  private let flag: Double

  /// Points after each flag and each label.
  private let spacing: Double

  init(_ reader: RequestReader) throws(EvalError) {
    locale = try Self.locale(reader)
    font = try Self.font(reader)
    flag = try reader.number("flag", else: 100, in: 0...1e6, "points")
    spacing = try reader.number("spacing", else: 8, in: 0...1e6, "points")
    var texts: [String]
    if case .string(let text) = try reader.value("label", "a string, or an array of strings") {
      texts = [text]
    } else {
      texts = try reader.strings("label", countMax: EvalLimits.labelCountMax)
    }
    if try reader.bool("currency", else: false) {
      for (index, code) in texts.enumerated() {
        guard SceneLocale.currencies.contains(code), let name = locale.name(ofCurrency: code)
        else {
          throw EvalError(
            path: reader.path.key("label").index(index),
            reason: "\(DocumentValue.string(code).shown) is not a currency with a name in "
              + "\(locale.identifier); allowed: codes as CHF")
        }
        texts[index] = name
      }
    }
    self.texts = texts
  }

  private static func font(_ reader: RequestReader) throws(EvalError) -> String {
    guard reader.has("font") else { return FontDescription.text(.footnote) }
    if case .string(let text) = try reader.value("font", "a font") { return text }
    let font = try reader.object("font", known: ["size", "weight"])
    return FontDescription.text(
      .system(
        size: try font.number("size", else: Font.footnote.size, in: 1...1000, "points"),
        weight: try font.word(
          "weight", else: "regular", Font.Weight.allCases.map { ($0.rawValue, $0) })))
  }

  /// The locale, with the requested script.
  private static func locale(_ reader: RequestReader) throws(EvalError) -> SceneLocale {
    let name = try reader.string("locale", else: "en")
    guard let locale = SceneLocale(name) else {
      let nearest = NearestName.find(name, among: SceneLocale.known.sorted())
      throw EvalError(
        path: reader.path.key("locale"),
        reason: "\(DocumentValue.string(name).shown) is not a known locale; "
          + "\(nearest.map { "did you mean \($0)? " } ?? "")allowed: names as de or zh_Hans")
    }
    guard reader.has("script") else { return locale }
    let script = try reader.string("script")
    var components = Locale.Components(identifier: locale.identifier)
    components.languageComponents.script = Locale.Script(script)
    let wanted = Locale(components: components).identifier
    guard script.utf8.count == 4, let scripted = SceneLocale(wanted) ?? sameScript(locale, script)
    else {
      throw EvalError(
        path: reader.path.key("script"),
        reason: "\(locale.identifier) is not written in \(DocumentValue.string(script).shown); "
          + "allowed: scripts that the locale has, as Latn, Arab, Hans or Hant")
    }
    return scripted
  }

  /// The locale itself, if its usual script is the requested one: `en_Latn` is not in the list.
  private static func sameScript(_ locale: SceneLocale, _ script: String) -> SceneLocale? {
    let usual = Locale(identifier: locale.identifier).language.script?.identifier
    return usual == script ? locale : nil
  }

  func answer(_ kernels: (any KernelEvaluating)?) throws(EvalError) -> EvalAnswer {
    var sizes: [MeasuredText] = []
    for (index, text) in texts.enumerated() {
      switch Self.measure(text, font: font, language: locale.identifier) {
      case .success(let size): sizes.append(size)
      case .failure(let error):
        throw EvalError(path: DocumentPath().key("label").index(index), reason: error.reason)
      }
    }
    let flag = flag
    let items = zip(texts, sizes).flatMap { text, size in
      [
        (content: RowLayout.Content.flag(""), width: flag, height: size.height),
        (content: .label(text), width: size.width, height: size.height),
      ]
    }
    let row = RowLayout(items, spacing: spacing)
    let isMirrored = locale.layoutDirection == .rightToLeft
    let shown = (isMirrored ? row.mirrored : row).items
    let cells = stride(from: 0, to: shown.count, by: 2).map { index in
      DocumentValue.numbers([shown[index].x, shown[index + 1].x])
    }
    return EvalAnswer([
      "texts": .array(DocumentArray(texts.map { .string($0) })),
      "width": .numbers(sizes.map(\.width)), "height": .numbers(sizes.map(\.height)),
      "cells": .array(DocumentArray(cells)),
      "advance": .numbers(sizes.map { flag + spacing + $0.width + spacing }),
      "period": .number(row.period), "locale": .string(locale.identifier),
      "layout_direction": .string(isMirrored ? "rightToLeft" : "leftToRight"),
    ])
  }

  /// The installed fonts, read once; text is measured by one thread at a time.
  private static let fonts = Mutex(InstalledFonts())

  private struct Failure: Error {
    let reason: String
  }

  private static func measure(
    _ text: String, font: String, language: String
  ) -> Result<MeasuredText, Failure> {
    fonts.withLock { fonts in
      do {
        return .success(try fonts.size(of: text, font: font, language: language))
      } catch {
        return .failure(Failure(reason: "\(error)"))
      }
    }
  }
}
