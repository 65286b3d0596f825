// SPDX-License-Identifier: Apache-2.0

import OrreryScene

/// A set of lanes of one block, a bit for each.
struct LaneSet: ~Copyable, @unchecked Sendable {
  /// Must be the first field: for the thread sanitizer, Swift 6.3 compiles a type that is changed
  /// through a pointer only if its pointer comes first.
  private let words: UnsafeMutablePointer<UInt64>

  /// Lanes in the set.
  private(set) var count = 0

  private static var wordCount: Int { Blocks.entityCount / 64 }

  init() {
    words = .allocate(capacity: Self.wordCount)
    words.initialize(repeating: 0, count: Self.wordCount)
  }

  deinit { words.deallocate() }

  var isEmpty: Bool { count == 0 }

  @inline(__always)
  func contains(_ lane: Int) -> Bool { words[lane >> 6] >> UInt64(lane & 63) & 1 == 1 }

  @inline(__always)
  mutating func insert(_ lane: Int) {
    count += contains(lane) ? 0 : 1
    words[lane >> 6] |= 1 << UInt64(lane & 63)
  }

  /// Inserts lanes of a word: word w has the lanes from 64 · w on.
  @inline(__always)
  mutating func insert(_ lanes: UInt64, ofWord word: Int) {
    count += (lanes & ~words[word]).nonzeroBitCount
    words[word] |= lanes
  }

  /// Inserts successive lanes.
  mutating func insert(_ lanes: Range<Int>) {
    guard let last = lanes.last else { return }
    for word in lanes.lowerBound >> 6...last >> 6 {
      let low = UInt64.max << UInt64(max(lanes.lowerBound - word << 6, 0))
      insert(low & UInt64.max >> UInt64(max(word << 6 + 63 - last, 0)), ofWord: word)
    }
  }

  /// Whether none of successive lanes is in the set.
  func isDisjoint(with lanes: Range<Int>) -> Bool {
    next(from: lanes.lowerBound).map { $0 >= lanes.upperBound } ?? true
  }

  @inline(__always)
  mutating func remove(_ lane: Int) {
    count -= contains(lane) ? 1 : 0
    words[lane >> 6] &= ~(1 << UInt64(lane & 63))
  }

  /// Removes the lanes of another set.
  ///
  /// - Returns: The number of lanes removed.
  @discardableResult
  mutating func subtract(_ other: borrowing LaneSet) -> Int {
    var removedCount = 0
    for index in 0..<Self.wordCount {
      let removed = words[index] & other.words[index]
      words[index] ^= removed
      removedCount += removed.nonzeroBitCount
    }
    count -= removedCount
    return removedCount
  }

  mutating func removeAll() {
    words.update(repeating: 0, count: Self.wordCount)
    count = 0
  }

  /// The first lane of the set at or after a lane, or nil.
  func next(from lane: Int) -> Int? {
    var index = lane >> 6
    guard index < Self.wordCount else { return nil }
    var word = words[index] & ~0 << UInt64(lane & 63)
    while word == 0 {
      index += 1
      if index == Self.wordCount { return nil }
      word = words[index]
    }
    return index << 6 | word.trailingZeroBitCount
  }

  /// Calls `body` for each lane, in rising order.
  @inline(__always)
  func forEach(_ body: (Int) -> Void) {
    if isEmpty { return }
    for index in 0..<Self.wordCount {
      var word = words[index]
      while word != 0 {
        body(index << 6 | word.trailingZeroBitCount)
        word &= word - 1
      }
    }
  }

  /// The lane groups from the first to the last that contain a lane of the set.
  var groups: Range<Int> {
    guard let first = (0..<Self.wordCount).first(where: { words[$0] != 0 }),
      let last = (0..<Self.wordCount).last(where: { words[$0] != 0 })
    else { return 0..<0 }
    let low = first << 6 | words[first].trailingZeroBitCount
    let high = last << 6 | (63 - words[last].leadingZeroBitCount)
    return low / Blocks.laneCount..<high / Blocks.laneCount + 1
  }
}
