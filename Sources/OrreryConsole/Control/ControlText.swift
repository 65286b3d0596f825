// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrreryWire

/// An answer as it is printed.
package struct ControlText {
  /// The kind and version of the document that `json` prints.
  package static let schema = "orrery.control.v1"

  private let verb: ControlVerb
  private let fields: [String: DocumentValue]

  /// Takes the fields of a successful answer.
  package init(_ verb: ControlVerb, _ fields: [String: DocumentValue]) {
    self.verb = verb
    self.fields = fields.filter { $0.key != "id" && $0.key != "ok" }
  }

  /// One line of JSON that begins with what it is.
  package var json: String {
    let rest = fields.filter { $0.key != "schema" }
    var report: DocumentTable = ["schema": .string(Self.schema)]
    for (key, value) in rest.sorted(by: { $0.key < $1.key }) { report.append(key, value) }
    return JSONWriter.text(.table(report), .answer)
  }

  /// For people: the state of the run in one line; `stats` and `snapshot` print a line per field, and
  /// one per subscriber.
  package var lines: String {
    switch verb {
    case .stats, .snapshot:
      let accounts = SubscriberText.lines(of: fields).map { "subscriber " + $0 }
      return ([table] + accounts).joined(separator: "\n")
    case .keep:
      let count = text("loggers")
      return "\(count) logger\(count == "1" ? " was" : "s were") told at tick \(text("tick"))"
    case .quit: return "the run ends after frame \(text("sequence"))"
    default:
      let state = fields["paused"] == .bool(true) ? "paused" : "running"
      let speed = text("speed") == "1" ? "" : " at \(text("speed")) times"
      let changed = fields["applies_at"].map { "; changed from tick \(Self.text($0)) on" } ?? ""
      let stepped = fields["stepped"].map { "; ticks stepped: \(Self.text($0))" } ?? ""
      // A sim of an earlier version does not say the time.
      let time = fields["seconds"]?.number.map { ", \(decimal($0, places: 3)) s" } ?? ""
      return "tick \(text("tick"))\(time), frame \(text("sequence")), \(state)\(speed)"
        + ", hash \(text("state_hash"))\(changed)\(stepped)"
    }
  }

  private var table: String {
    let keys = fields.keys.filter { $0 != SubscriberText.key }.sorted()
    let width = keys.map(\.count).max() ?? 0
    return keys.map { $0.alignedLeft(width + 2) + text($0) }.joined(separator: "\n")
  }

  private func text(_ key: String) -> String { fields[key].map(Self.text) ?? "-" }

  private static func text(_ value: DocumentValue) -> String {
    switch value {
    case .bool(let value): value ? "yes" : "no"
    case .integer(let value): "\(value)"
    case .number(let value):
      value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    case .string(let value): value
    case .array(let array): array.elements.map(text).joined(separator: ", ")
    case .table(let table): table.keys(except: []).joined(separator: ", ")
    case .null, .dateTime: "-"
    }
  }
}
