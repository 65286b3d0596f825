// SPDX-License-Identifier: Apache-2.0

/// Which values the state hash of a tick covers: docs/explained/determinism.md.
package enum HashMode: String, CaseIterable, Sendable {
  /// All values.
  case full
  /// The values of every eighth block, in turn: eight ticks cover all values, at an eighth of the cost.
  case rolling
  /// None: the hash is 0.
  case off

  /// Ticks in which a rolling hash covers every block once.
  package static let rollingTicks: UInt64 = 8

  /// Whether a block's values count in a tick's hash.
  ///
  /// - Parameters:
  ///   - block: Index of the block in its batch.
  ///   - tick: Ticks since the scene began.
  /// - Returns: True if they do.
  @inline(__always)
  package func covers(block: Int, tick: UInt64) -> Bool {
    switch self {
    case .full: true
    case .rolling: (UInt64(block) &+ tick) % Self.rollingTicks == 0
    case .off: false
    }
  }
}
