// SPDX-License-Identifier: Apache-2.0

/// Indexes that are free for use again; the one that was freed last is used first.
///
/// Neighbours that are freed one after the other take the room of one: what ends together lies together. And to find
/// the next one, no memory of the freed elements is read.
package struct FreeIndexes {
  /// Successive indexes: `last`, `last - step`, and so on, `count` of them.
  private struct Run: BitwiseCopyable {
    var last: Int32 = 0
    var step: Int32 = 1
    var count: Int32 = 0
  }

  /// The newest run, and those before it.
  private var newest = Run()
  private var earlier: [Run] = []

  /// Number of indexes.
  package private(set) var count = 0

  /// None.
  package init() {}

  /// Adds an index.
  @inline(__always)
  package mutating func push(_ index: Int32) {
    count += 1
    if newest.count > 1, index == newest.last + newest.step {
      newest.last = index
      newest.count += 1
    } else {
      begin(index)
    }
  }

  private mutating func begin(_ index: Int32) {
    if newest.count == 1, index == newest.last - 1 || index == newest.last + 1 {
      newest.step = index - newest.last
    } else {
      if newest.count > 0 { earlier.append(newest) }
      newest = Run()
    }
    newest.last = index
    newest.count += 1
  }

  /// Takes the index that was added last; nil if there is none.
  @inline(__always)
  package mutating func pop() -> Int32? {
    guard newest.count > 0 else { return nil }
    count -= 1
    let index = newest.last
    newest.last -= newest.step
    newest.count -= 1
    if newest.count == 0 { takeEarlier() }
    return index
  }

  private mutating func takeEarlier() {
    if let run = earlier.popLast() { newest = run }
  }
}
