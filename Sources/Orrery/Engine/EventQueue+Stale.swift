// SPDX-License-Identifier: Apache-2.0

/// Removal of events that have become stale long before their times, such as the ends of animations that
/// were interrupted.
extension EventQueue {
  /// Whether the queue has become so large that stale events are worth a search: twice as large as after the
  /// last one, and more.
  @inlinable package var isLarge: Bool { count > largeCount }

  /// Removes events wherever they wait.
  ///
  /// - Parameter isStale: Whether an event is to be removed.
  /// - Complexity: O(n).
  @inlinable package mutating func removeAll(where isStale: (Event) -> Bool) {
    insertLatest()
    due = kept(due[dueIndex...], isStale)
    dueIndex = 0
    let late = early.filter { !isStale($0) }
    early.removeAll()
    for event in late { pushEarly(event) }
    count = early.count + due.reduce(0) { $0 + $1.count }
    for index in slots.indices where !slots[index].isEmpty {
      slots[index] = kept(slots[index], isStale)
      count += slots[index].reduce(0) { $0 + $1.count }
      if slots[index].isEmpty { vacate(level: index >> 8, digit: index & 255) }
    }
    largeCount = 2 * count + Self.largeCountMin
  }

  /// 2 MB of events; fewer are left alone.
  @usableFromInline static var largeCountMin: Int { 1 << 16 }
}
