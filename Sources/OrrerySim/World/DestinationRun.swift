// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// The destinations of a tick's values, and of the values of ticks near it.
package struct DestinationRun: Sendable {
  /// The destination that holds the values of the tick before, if there is one.
  package var before: Int?

  /// Number of destinations: one for the tick and one for each tick that may be computed with it, all
  /// different.
  package private(set) var count = 1

  private var destinations = InlineArray<8, Int>(repeating: 0)

  /// The tick's destination alone.
  package init(_ destination: Int) {
    destinations[0] = destination
  }

  /// Successive destinations; after the last one comes the first.
  ///
  /// - Parameters:
  ///   - first: The tick's destination.
  ///   - ahead: Number of later ticks that may be computed with it, 0 … 7 and less than `count`.
  ///   - count: Number of all destinations.
  package init(_ first: Int, ahead: Int, of count: Int) {
    precondition(
      ahead >= 0 && ahead < Int(KERNEL_TILE_TICKS) && ahead < count,
      "\(ahead) ticks ahead in \(count) destinations")
    self.init(first)
    before = (first + count - 1) % count
    for next in 0..<ahead { append((first + next + 1) % count) }
  }

  /// Adds the destination of the tick after the last one; there are at most eight.
  package mutating func append(_ destination: Int) {
    precondition(count < destinations.count, "more than \(count) destinations")
    destinations[count] = destination
    count += 1
  }

  subscript(ahead: Int) -> Int { destinations[ahead] }
}
