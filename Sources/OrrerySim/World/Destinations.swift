// SPDX-License-Identifier: Apache-2.0

/// Memory that a world writes to in turn, and what it knows of what lies there.
struct Destinations: ~Copyable {
  let count: Int

  /// What was written where.
  let written: WrittenBlocks

  private let columnCount: Int
  private let columns: UnsafeMutablePointer<UnsafeMutableRawPointer>

  /// Room for `count` destinations, whose columns are to be set.
  init(count: Int, columnCount: Int, blockCount: Int) {
    self.count = count
    self.columnCount = columnCount
    written = WrittenBlocks(destinationCount: count, blockCount: blockCount)
    columns = .allocate(capacity: max(count * columnCount, 1))
  }

  deinit { columns.deallocate() }

  /// Where a destination's columns lie.
  func pointers(_ destination: Int) -> UnsafeMutablePointer<UnsafeMutableRawPointer> {
    columns + destination * columnCount
  }
}
