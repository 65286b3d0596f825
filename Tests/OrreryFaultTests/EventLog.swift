// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// What happened in a simulated run, in order, and its hash: the same seed gives the same log.
struct EventLog {
  /// One thing that happened.
  struct Entry {
    let timeNs: UInt64
    let actor: String
    let what: String
    let number: UInt64
  }

  private(set) var entries: [Entry] = []
  private(set) var hash = StableHash()

  mutating func note(_ timeNs: UInt64, _ actor: String, _ what: String, _ number: UInt64) {
    entries.append(Entry(timeNs: timeNs, actor: actor, what: what, number: number))
    hash.combine(timeNs)
    for byte in actor.utf8 { hash.combine(UInt64(byte)) }
    for byte in what.utf8 { hash.combine(UInt64(byte)) }
    hash.combine(number)
  }

  /// The last entries as lines to read.
  func tail(_ count: Int) -> String {
    entries.suffix(count).map { entry in
      "\(Double(entry.timeNs) / 1e6) ms  \(entry.actor)  \(entry.what) \(entry.number)"
    }.joined(separator: "\n")
  }
}
