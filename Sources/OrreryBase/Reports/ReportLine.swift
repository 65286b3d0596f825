// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reports as JSON, for programs: one style for every program.
///
/// Keys are in snake case and end in their unit: `p50_ns`, `elapsed_s`, `frame_bytes`, `rate_hz`.
/// The first key of a document is `schema`; docs/schemas has a file for each.
package enum ReportLine {
  /// A report as one line of JSON with a `schema` field.
  ///
  /// - Parameters:
  ///   - report: Encodes as an object, with keys in camel case.
  ///   - schema: The document's kind and version, as `orrery.sim.v2`.
  /// - Returns: A line without its end.
  package static func encode(_ report: some Encodable, schema: String) -> String {
    let encoder = encoder()
    guard let body = try? encoder.encode(report), body.first == UInt8(ascii: "{") else {
      preconditionFailure("\(report) cannot be encoded")
    }
    let separator = body.count == 2 ? "" : ","
    return "{\"schema\":\"\(schema)\"\(separator)"
      + String(decoding: body.dropFirst(), as: UTF8.self)
  }

  /// A report as a document in lines, for files; its first key is `schema`.
  ///
  /// - Parameters:
  ///   - report: Encodes as an object with at least one key, in camel case.
  ///   - schema: The document's kind and version.
  /// - Returns: A text without the end of its last line; nil if the report cannot be encoded.
  package static func document(_ report: some Encodable, schema: String) -> String? {
    let encoder = encoder()
    encoder.outputFormatting.insert(.prettyPrinted)
    guard let body = try? encoder.encode(report) else { return nil }
    return "{\n  \"schema\" : \"\(schema)\","
      + String(decoding: body.dropFirst(), as: UTF8.self)
  }

  /// An encoder that writes keys as documents have them.
  private static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // As `orrery eval` writes what JSON has no number for.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    encoder.keyEncodingStrategy = .custom { path in
      ReportKey(ReportKey.document(path.last?.stringValue ?? ""))
    }
    return encoder
  }

  /// Parses a line that `encode` made.
  package static func decode<Report: Decodable>(_ line: some StringProtocol) -> Report? {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .custom { path in
      ReportKey(ReportKey.property(path.last?.stringValue ?? ""))
    }
    return try? decoder.decode(Report.self, from: Data(line.utf8))
  }
}

/// A key of a document, and the name of its property: `elapsed_s` is `elapsedSeconds`.
package struct ReportKey: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }

  package init?(stringValue: String) { self.init(stringValue) }

  package init?(intValue: Int) { nil }

  /// The key of a property.
  ///
  /// - Parameter property: In camel case; a run of capitals is one word.
  /// - Returns: In snake case; `Seconds` at the end is the unit `s`.
  package static func document(_ property: String) -> String {
    var words = [""]
    var wasCapital = true
    for character in property {
      if character.isUppercase, !wasCapital { words.append("") }
      words[words.count - 1] += character.lowercased()
      wasCapital = character.isUppercase
    }
    if words.count > 1, words.last == "seconds" { words[words.count - 1] = "s" }
    return words.joined(separator: "_")
  }

  /// The property of a key; undoes `document`.
  package static func property(_ key: String) -> String {
    let words = key.split(separator: "_", omittingEmptySubsequences: false)
    return words.enumerated().map { index, word in
      switch word {
      case _ where index == 0: String(word)
      case "id": "ID"
      case "s" where index == words.count - 1: "Seconds"
      default: word.prefix(1).uppercased() + word.dropFirst()
      }
    }.joined()
  }
}
