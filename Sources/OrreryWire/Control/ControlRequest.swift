// SPDX-License-Identifier: Apache-2.0

import OrreryDocument

/// Why a request is refused.
package struct ControlRefusal: Error, Equatable, CustomStringConvertible {
  /// The request's ID, if it could be read.
  package var id: Int64?

  /// What is wrong with the request, for people.
  package let description: String

  /// The same for programs, if they can act on it.
  package let details: [String: DocumentValue]

  package init(_ description: String, id: Int64? = nil, details: [String: DocumentValue] = [:]) {
    self.id = id
    self.description = description
    self.details = details
  }
}

/// One request of a client, read strictly.
package struct ControlRequest: Equatable, Sendable {
  /// The requested action.
  package let verb: ControlVerb

  /// Chosen by the client; the reply carries the same ID.
  package let id: Int64

  /// Everything but `do` and `id`.
  package let fields: [String: DocumentValue]

  /// The longest request that is read.
  package static let bytesMax = 64 << 10

  package init(verb: ControlVerb, id: Int64, fields: [String: DocumentValue] = [:]) {
    self.verb = verb
    self.id = id
    self.fields = fields
  }

  /// Reads a request.
  ///
  /// - Parameter bytes: One JSON object, `{"do":"join","id":7,…}`.
  /// - Throws: `ControlRefusal` for anything else: an unknown verb or field, a missing `id`.
  package init(json bytes: UnsafeRawBufferPointer) throws(ControlRefusal) {
    try self.init([String: DocumentValue](json: bytes))
  }

  private init(_ message: [String: DocumentValue]) throws(ControlRefusal) {
    var fields = message
    guard case .integer(let id) = fields.removeValue(forKey: "id") else {
      throw ControlRefusal("'id' must be a whole number")
    }
    guard case .string(let name) = fields.removeValue(forKey: "do") else {
      throw ControlRefusal("'do' must be a verb: \(Self.verbs)", id: id)
    }
    guard let verb = ControlVerb(rawValue: name) else {
      throw ControlRefusal("'do' is '\(name.prefix(32))'; known are \(Self.verbs)", id: id)
    }
    for name in fields.keys.sorted() where verb.field(name) == nil {
      let known = verb.fields.map(\.name).sorted().joined(separator: ", ")
      throw ControlRefusal(
        "'\(verb)' has no field '\(name.prefix(32))'"
          + (known.isEmpty ? "" : "; it knows \(known)"), id: id)
    }
    self.init(verb: verb, id: id, fields: fields)
  }

  /// Reads a request from an array.
  package init(json bytes: [UInt8]) throws(ControlRefusal) {
    try self.init([String: DocumentValue](json: bytes))
  }

  /// The request as it is sent.
  package var json: [UInt8] {
    fields.merging(["do": .string(verb.rawValue), "id": .integer(id)]) { $1 }.json
  }

  private static let verbs = ControlVerb.allCases.map(\.rawValue).joined(separator: " ")
}

// MARK: - Fields

extension ControlRequest {
  /// A string field; nil if it is missing.
  package func string(_ name: String) throws(ControlRefusal) -> String? {
    guard let value = fields[name] else { return nil }
    guard let text = value.string else { throw bad(name, "must be a text") }
    return text
  }

  /// A boolean field; nil if it is missing.
  package func bool(_ name: String) throws(ControlRefusal) -> Bool? {
    guard let value = fields[name] else { return nil }
    guard let flag = value.bool else { throw bad(name, "must be true or false") }
    return flag
  }

  /// A finite number, whole or not; nil if it is missing.
  package func number(_ name: String) throws(ControlRefusal) -> Double? {
    guard let value = fields[name] else { return nil }
    guard let number = value.number, number.isFinite else { throw bad(name, "must be a number") }
    return number
  }

  /// A whole number from 0; nil if it is missing.
  package func count(_ name: String) throws(ControlRefusal) -> UInt64? {
    guard let value = fields[name] else { return nil }
    guard let count = value.countValue else { throw bad(name, "must be a whole number from 0") }
    return count
  }

  /// A refusal of a field of this request.
  package func bad(_ name: String, _ reason: String) -> ControlRefusal {
    ControlRefusal("'\(name)' \(reason)", id: id)
  }
}
