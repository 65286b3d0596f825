// SPDX-License-Identifier: Apache-2.0

/// The memory that a world writes to in turn, with a record of its content.
struct Destinations: ~Copyable {
  let count: Int

  /// The record of what was written to each destination.
  let written: WrittenBlocks

  private let columnCount: Int
  private let columns: FixedArray<UnsafeMutableRawPointer>

  /// Room for `count` destinations; the caller sets their columns.
  init(count: Int, columnCount: Int, blockCount: Int) {
    self.count = count
    self.columnCount = columnCount
    written = WrittenBlocks(destinationCount: count, blockCount: blockCount)
    columns = FixedArray(uninitializedCount: count * columnCount)
  }

  /// The addresses of a destination's columns.
  func pointers(_ destination: Int) -> UnsafeMutablePointer<UnsafeMutableRawPointer> {
    columns.elements + destination * columnCount
  }
}
