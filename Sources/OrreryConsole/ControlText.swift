// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryWire

/// An answer as it is printed.
package struct ControlText {
  private let verb: ControlVerb
  private let fields: [String: ControlValue]

  /// Takes the fields of a successful answer.
  package init(_ verb: ControlVerb, _ fields: [String: ControlValue]) {
    self.verb = verb
    self.fields = fields.filter { $0.key != "id" && $0.key != "ok" }
  }

  /// One line of JSON.
  package var json: String {
    let all = fields.merging(["schema": .string("orrery.control.v1")]) { $1 }
    return String(decoding: all.json, as: UTF8.self)
  }

  /// For people: the state of the run in one line; `stats` and `snapshot` print a line per field.
  package var lines: String {
    switch verb {
    case .stats, .snapshot: return table
    case .quit: return "the run ends after frame \(text("sequence"))"
    default:
      let state = fields["paused"] == .bool(true) ? "paused" : "running"
      let speed = text("speed") == "1" ? "" : " at \(text("speed")) times"
      let changed = fields["applies_at"].map { "; changed from tick \(Self.text($0)) on" } ?? ""
      return "tick \(text("tick")), frame \(text("sequence")), \(state)\(speed)"
        + ", hash \(text("state_hash"))\(changed)"
    }
  }

  private var table: String {
    let width = fields.keys.map(\.count).max() ?? 0
    return fields.keys.sorted().map { key in
      key + String(repeating: " ", count: width - key.count + 2) + text(key)
    }.joined(separator: "\n")
  }

  private func text(_ key: String) -> String { fields[key].map(Self.text) ?? "-" }

  private static func text(_ value: ControlValue) -> String {
    switch value {
    case .bool(let value): value ? "yes" : "no"
    case .integer(let value): "\(value)"
    case .number(let value):
      value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    case .string(let value): value
    case .array(let values): values.map(text).joined(separator: ", ")
    case .object(let fields): fields.keys.sorted().joined(separator: ", ")
    }
  }
}
