// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A JSON schema of docs/schemas, and what in a file is not as it says.
///
/// It knows the words of those schemas: type, const, enum, properties, required, additionalProperties, items, their
/// counts, lengths, pattern, minimum, exclusiveMinimum, maximum, allOf, anyOf, oneOf and references into `$defs`, beside
/// which only a description may stand. Another word is a fault of the schema.
package struct JSONSchema {
  private let root: JSONDocument

  private static let words: Set<String> = [
    "$schema", "$defs", "$ref", "title", "description", "type", "const", "enum", "properties",
    "required", "additionalProperties", "items", "minItems", "maxItems", "minLength", "maxLength",
    "pattern", "minimum", "exclusiveMinimum", "maximum", "allOf", "anyOf", "oneOf",
  ]

  /// Reads a schema.
  ///
  /// - Throws: What decoding the JSON meets.
  package init(_ data: Data) throws {
    root = try JSONDecoder().decode(JSONDocument.self, from: data)
  }

  /// What is wrong with a file, a line for each fault; empty if nothing is.
  ///
  /// - Throws: What decoding the JSON meets.
  package func faults(of data: Data) throws -> [String] {
    check(try JSONDecoder().decode(JSONDocument.self, from: data), root, at: "")
  }

  private func check(_ value: JSONDocument, _ schema: JSONDocument, at path: String) -> [String] {
    if let name = schema["$ref"]?.string?.split(separator: "/").last {
      guard let schema = root["$defs"]?[String(name)] else { return ["\(path): no \(name)"] }
      return check(value, schema, at: path)
    }
    if let type = schema["type"]?.string, type != value.type,
      type != "number" || value.type != "integer"
    {
      return ["\(path): \(value.type) instead of \(type)"]
    }
    var faults: [String] = []
    if case .object(let words) = schema {
      faults += words.keys.filter { !Self.words.contains($0) }.map { "\(path): what is \($0)?" }
    }
    if let all = schema["enum"]?.members, !all.contains(value) {
      faults.append("\(path): not in enum")
    }
    if let only = schema["const"], only != value { faults.append("\(path): not the const") }
    faults += checkChoices(value, schema, at: path)
    faults += checkSize(value, schema, at: path)
    if case .object(let object) = value { faults += checkObject(object, schema, at: path) }
    if let items = schema["items"] {
      for (index, item) in value.members.enumerated() {
        faults += check(item, items, at: "\(path)/\(index)")
      }
    }
    return faults
  }

  private func checkChoices(
    _ value: JSONDocument, _ schema: JSONDocument, at path: String
  ) -> [String] {
    var faults = (schema["allOf"]?.members ?? []).flatMap { check(value, $0, at: path) }
    func fitting(_ word: String) -> Int? {
      schema[word]?.members.count { check(value, $0, at: path).isEmpty }
    }
    if fitting("anyOf") == 0 { faults.append("\(path): fits none of anyOf") }
    if let count = fitting("oneOf"), count != 1 {
      faults.append("\(path): fits \(count) of oneOf")
    }
    return faults
  }

  private func checkSize(_ value: JSONDocument, _ schema: JSONDocument, at path: String) -> [String]
  {
    var faults: [String] = []
    func compare(_ word: String, _ size: Double?, _ isRight: (Double, Double) -> Bool) {
      guard let limit = schema[word]?.number, let size, !isRight(size, limit) else { return }
      faults.append("\(path): \(size) against \(word)")
    }
    compare("minimum", value.number, >=)
    compare("exclusiveMinimum", value.number, >)
    compare("maximum", value.number, <=)
    compare("minItems", value.type == "array" ? Double(value.members.count) : nil, >=)
    compare("maxItems", value.type == "array" ? Double(value.members.count) : nil, <=)
    let length = value.string.map { Double($0.unicodeScalars.count) }
    compare("minLength", length, >=)
    compare("maxLength", length, <=)
    if let pattern = schema["pattern"]?.string, let text = value.string,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      faults.append("\(path): not as its pattern")
    }
    return faults
  }

  private func checkObject(
    _ object: [String: JSONDocument], _ schema: JSONDocument, at path: String
  ) -> [String] {
    var faults: [String] = []
    for key in (schema["required"]?.members ?? []).compactMap(\.string) where object[key] == nil {
      faults.append("\(path): no \(key)")
    }
    for (key, value) in object.sorted(by: { $0.key < $1.key }) {
      if let property = schema["properties"]?[key] {
        faults += check(value, property, at: "\(path)/\(key)")
      } else if schema["additionalProperties"] == .boolean(false) {
        faults.append("\(path): what is \(key)?")
      } else if let others = schema["additionalProperties"] {
        faults += check(value, others, at: "\(path)/\(key)")
      }
    }
    return faults
  }
}
