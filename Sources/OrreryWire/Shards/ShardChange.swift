// SPDX-License-Identifier: Apache-2.0

import OrreryDocument

/// A change of a run that several shards make: an entry of the log of changes.
///
/// A change of time (pause, resume, speed, step, seek) is made by all shards at the same frame, or by none. A
/// change of views belongs to the first shard; the others pass over it.
package struct ShardChange: Equatable, Sendable {
  /// Counts the run's changes from 1.
  package let number: UInt64

  /// The first frame that shows the change.
  package let sequence: UInt64

  /// When that frame is due, by wall time in nanoseconds since 1970; 0 for a change of views.
  package let wallNs: UInt64

  /// Of a change of views: the tick from which on it is in force; nil for a change of time.
  package let tick: UInt64?

  /// The request as a client sends it.
  package let request: String

  /// Whether it is made; nil: not decided yet.
  package var isMade: Bool?

  package init(
    number: UInt64, sequence: UInt64, wallNs: UInt64, tick: UInt64? = nil, request: String,
    isMade: Bool? = nil
  ) {
    (self.number, self.sequence, self.wallNs) = (number, sequence, wallNs)
    (self.tick, self.request, self.isMade) = (tick, request, isMade)
  }

  /// Reads an entry; nil if it is none.
  package init?(_ text: String) {
    guard let table = try? JSONParser.parseTable(text), let number = table["number"]?.countValue,
      let sequence = table["sequence"]?.countValue, let wallNs = table["wall_ns"]?.countValue,
      let request = table["request"]?.string
    else { return nil }
    self.init(
      number: number, sequence: sequence, wallNs: wallNs, tick: table["tick"]?.countValue,
      request: request, isMade: table["made"]?.bool)
  }

  /// The entry as a line of JSON.
  package var text: String {
    var fields: [String: DocumentValue] = [
      "number": .count(number), "sequence": .count(sequence), "wall_ns": .count(wallNs),
      "request": .string(request),
    ]
    if let tick { fields["tick"] = .count(tick) }
    if let isMade { fields["made"] = .bool(isMade) }
    return String(decoding: fields.json, as: UTF8.self)
  }
}

/// What was decided about a change: the content of a file that is written once, by one shard.
struct ShardDecision: Equatable, Sendable {
  /// Why the change is not made; nil: it is made.
  var refusal: String?

  init(refusal: String?) { self.refusal = refusal }

  /// Reads a decision; nil if it is none.
  init?(_ text: String) {
    guard let table = try? JSONParser.parseTable(text), let isMade = table["made"]?.bool else {
      return nil
    }
    self.init(refusal: isMade ? nil : table["reason"]?.string ?? "refused")
  }

  /// The decision as a line of JSON.
  var text: String {
    var fields: [String: DocumentValue] = ["made": .bool(refusal == nil)]
    if let refusal { fields["reason"] = .string(refusal) }
    return String(decoding: fields.json, as: UTF8.self)
  }
}
