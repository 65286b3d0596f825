// SPDX-License-Identifier: Apache-2.0

/// Which events of its views a world keeps for whoever takes them.
package enum RecordedEvents: String, CaseIterable, Sendable {
  case none
  /// Ends of transactions that have a completion.
  case completions
  /// Legs, logical ends and removals too, with the cost of a record for each.
  case all
}
