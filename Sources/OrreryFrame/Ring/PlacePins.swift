// SPDX-License-Identifier: Apache-2.0

import CFrameLayout

/// A frame whose place is not overwritten before it is unpinned.
package struct PinnedFrame {
  /// Number of the frame.
  package let sequence: UInt64

  /// Index of the place to unpin.
  package let place: Int

  /// The `orrery.Frame` message.
  package let bytes: UnsafeRawBufferPointer
}

/// The pins of each place, and the count of pinned places.
///
/// One thread at a time adds pins; any thread removes them. There are never more pinned places than
/// spare ones, so a writer that finds its place pinned always finds another one.
struct PlacePins: ~Copyable {
  /// Most places that may be pinned at once.
  let limit: UInt64

  private let placeCount: Int

  /// Count of pins of each place, and after them the count of places that have one.
  private let words: UnsafeMutablePointer<UInt64>

  init(placeCount: Int, limit: UInt64) {
    self.placeCount = placeCount
    self.limit = limit
    words = .allocate(capacity: placeCount + 1)
    words.initialize(repeating: 0, count: placeCount + 1)
  }

  deinit { words.deallocate() }

  /// Count of pinned places.
  var count: UInt64 { word_load_relaxed(words + placeCount) }

  func isPinned(_ place: Int) -> Bool {
    // The caller has made a full fence before.
    word_load_acquire(words + place) != 0
  }

  /// Pins a place once more.
  ///
  /// - Returns: False if the limit of pinned places is reached.
  func pin(_ place: Int) -> Bool {
    while true {
      let pins = word_load_relaxed(words + place)
      if pins == 0 {
        // No other thread raises a zero. A place counts from before its first pin until after its
        // last, so the count is never too small.
        guard raise(placeCount, below: limit) else { return false }
        if word_raise(words + place, 0) != 0 { return true }
        _ = word_lower(words + placeCount)
      } else if word_raise(words + place, pins) != 0 {
        return true
      }
    }
  }

  func unpin(_ place: Int) {
    precondition(place >= 0 && place < placeCount, "place \(place) of \(placeCount)")
    if word_lower(words + place) == 0 { _ = word_lower(words + placeCount) }
  }

  private func raise(_ index: Int, below limit: UInt64) -> Bool {
    while true {
      let value = word_load_relaxed(words + index)
      if value >= limit { return false }
      if word_raise(words + index, value) != 0 { return true }
    }
  }
}
