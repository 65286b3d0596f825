// SPDX-License-Identifier: Apache-2.0

/// Which frames a subscriber wants; the numbers are those of a `join_request`.
package enum Reading: UInt32, CaseIterable, Sendable {
  /// Every frame; gaps only where it was overtaken.
  case every = 0
  /// The newest frame whenever it asks; those it skips count as missed. In lockstep delivery the same
  /// as `every`.
  case newest = 1
}
