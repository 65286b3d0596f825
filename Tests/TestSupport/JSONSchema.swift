// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A JSON schema of docs/schemas, and what in a file is not as it says.
///
/// It knows the words of those schemas: type, enum, properties, required, additionalProperties (false), items,
/// minItems, minLength, minimum, exclusiveMinimum, maximum and references into `$defs`. Another word is a
/// fault of the schema.
package struct JSONSchema {
  private let root: JSONDocument

  private static let words: Set<String> = [
    "$schema", "$defs", "$ref", "title", "type", "enum", "properties", "required",
    "additionalProperties", "items", "minItems", "minLength", "minimum", "exclusiveMinimum",
    "maximum",
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
    faults += checkSize(value, schema, at: path)
    if case .object(let object) = value { faults += checkObject(object, schema, at: path) }
    if let items = schema["items"] {
      for (index, item) in value.members.enumerated() {
        faults += check(item, items, at: "\(path)/\(index)")
      }
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
    compare("minLength", value.string.map { Double($0.count) }, >=)
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
      }
    }
    return faults
  }
}
