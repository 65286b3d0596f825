// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// Where a tick's values go, and those of ticks near it.
package struct DestinationRun: Sendable {
  /// Where the values of the tick before are, if anywhere.
  package var before: Int?

  /// Destinations of the tick and of those that may be computed with it, all different.
  package private(set) var count = 1

  private var destinations = InlineArray<8, Int>(repeating: 0)

  /// The tick's destination alone.
  package init(_ destination: Int) {
    destinations[0] = destination
  }

  /// Destinations that follow each other, the first one after the last.
  ///
  /// - Parameters:
  ///   - first: The tick's.
  ///   - ahead: Ticks that may be computed with it, 0 … 7 and fewer than there are destinations.
  ///   - count: How many destinations there are.
  package init(_ first: Int, ahead: Int, of count: Int) {
    precondition(
      ahead >= 0 && ahead < Int(KERNEL_TILE_TICKS) && ahead < count,
      "\(ahead) ticks ahead in \(count) destinations")
    self.init(first)
    before = (first + count - 1) % count
    for next in 0..<ahead { append((first + next + 1) % count) }
  }

  /// Adds the destination of the tick after the last; there may be eight.
  package mutating func append(_ destination: Int) {
    precondition(count < destinations.count, "more than \(count) destinations")
    destinations[count] = destination
    count += 1
  }

  subscript(ahead: Int) -> Int { destinations[ahead] }
}
