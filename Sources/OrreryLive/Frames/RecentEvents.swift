// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryMessages
import OrreryWire
import SwiftProtobuf

/// What happened since pages heard of it last: how much, and the newest of it.
package struct RecentEvents {
  private var count: UInt64 = 0
  private var newest: [Orrery_Event] = []

  /// A page lists fifty, and hears of them several times a second.
  package static let newestMax = 20

  /// The events of a larger message are only counted: a burst of a million is no list that somebody reads.
  package static let bytesMax = 64 << 10

  package init() {}

  /// Adds a message.
  ///
  /// - Parameters:
  ///   - bytes: An encoded `orrery.Events`.
  ///   - head: What was read of it.
  package mutating func add(_ bytes: UnsafeRawBufferPointer, _ head: EventsHead) {
    guard head.count > 0 else { return }
    count += head.count
    guard bytes.count <= Self.bytesMax,
      let message = try? Orrery_Events(serializedBytes: Array(bytes))
    else { return }
    newest = (newest + message.events).suffix(Self.newestMax)
  }

  /// Takes it all, as pages read it; nil if nothing happened.
  package mutating func take() -> DocumentTable? {
    guard count > 0 else { return nil }
    defer { self = RecentEvents() }
    let lines = newest.map { event in
      DocumentValue.table(
        DocumentTable(["at": .number(event.time), "text": .string(Self.text(of: event))]))
    }
    return DocumentTable(["count": .count(count), "newest": .array(DocumentArray(lines))])
  }

  private static func text(of event: Orrery_Event) -> String {
    switch event.kind {
    case .completed: "completed \(event.completion)"
    case .command: "command \(event.command)"
    case .keep: "recorders are asked to keep what they have"
    case .legEnded: "leg \(event.leg) of \(event.view) ended"
    case .logicallyComplete: "\(event.view) is logically complete"
    case .removed: "\(event.view) is \(event.cancelled ? "cancelled" : "removed")"
    case .unspecified, .UNRECOGNIZED: "an event of an unknown kind"
    }
  }
}
