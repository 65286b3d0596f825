// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Elements by index, in memory that grows; the memory of ended ones is used again.
///
/// Memory, not an array: each change of a burst would check twice who else has that. It moves when it grows, so addresses
/// are valid until the next `reserve`.
struct IndexedPool<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  /// The first field, as in `LaneSet`.
  private var elements: UnsafeMutablePointer<Element>
  private var capacity: Int

  /// Largest number of elements at the same time so far.
  private(set) var count = 0
  private var free = FreeIndexes()

  /// - Parameter capacity: Elements for which there is room at first; at least one.
  init(capacity: Int) {
    self.capacity = capacity
    elements = .allocate(capacity: capacity)
  }

  deinit { elements.deallocate() }

  /// Number of elements.
  var liveCount: Int { count - free.count }

  /// An element's address.
  @inline(__always)
  subscript(index: Int32) -> UnsafeMutablePointer<Element> {
    assert(index >= 0 && index < count, "element \(index) of \(count)")
    return elements + Int(index)
  }

  /// Adds an element whose memory is to be initialized next.
  @inline(__always)
  mutating func reserve() -> Int32 { free.pop() ?? addIndex() }

  private mutating func addIndex() -> Int32 {
    if count == capacity {
      let grown = UnsafeMutablePointer<Element>.allocate(capacity: 2 * capacity)
      grown.moveInitialize(from: elements, count: count)
      elements.deallocate()
      (elements, capacity) = (grown, 2 * capacity)
    }
    count += 1
    return Int32(count - 1)
  }

  /// Ends an element; its memory is free for another one.
  @inline(__always)
  mutating func release(_ index: Int32) { free.push(index) }
}
