// SPDX-License-Identifier: Apache-2.0

/// Which events of its views a world records.
package enum RecordedEvents: String, CaseIterable, Sendable {
  case none
  /// Ends of transactions that have a completion.
  case completions
  /// Also legs, logical ends and removals; recording each of them takes time.
  case all
}
