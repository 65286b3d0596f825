// SPDX-License-Identifier: Apache-2.0

/// What the views of a scene did up to the tick that was handled last; a function of plan, changes and tick.
///
/// Each is counted where it happens, which costs an addition.
package struct DirectorCounts: Equatable, Sendable {
  /// Animations that began at rest.
  package var begins: UInt64 = 0
  /// Animations that began while another moved the same property of the view.
  package var retargets: UInt64 = 0
  /// Animations that ended in their own time: all motions of a property were over.
  package var ends: UInt64 = 0
  /// Animations that were ended early: by a value without an animation, or with their view.
  package var cuts: UInt64 = 0
  /// Transactions whose animations were all complete.
  package var completions: UInt64 = 0
  /// Entries of the queue that were handled, such as commands, ends, completions and reactions.
  package var queued: UInt64 = 0

  /// Nothing happened yet.
  package init() {}

  /// What happened since earlier counts.
  package static func - (later: Self, earlier: Self) -> Self { later.combined(with: earlier, &-) }

  /// What happened in both.
  package static func + (one: Self, other: Self) -> Self { one.combined(with: other, &+) }

  private func combined(with other: Self, _ operation: (UInt64, UInt64) -> UInt64) -> Self {
    var result = Self()
    for field in [\Self.begins, \.retargets, \.ends, \.cuts, \.completions, \.queued] {
      result[keyPath: field] = operation(self[keyPath: field], other[keyPath: field])
    }
    return result
  }
}
