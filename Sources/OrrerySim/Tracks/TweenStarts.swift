// SPDX-License-Identifier: Apache-2.0

/// The starts of a layer's tweens: those that begin one after the other and alike share one.
///
/// A lane then has two bytes in place of eighty: memory is the cost of a million that begin in a tick.
struct TweenStarts: ~Copyable, @unchecked Sendable {
  /// Names a start.
  typealias Index = UInt16

  /// No start; a block has far fewer lanes.
  static let none = Index.max

  private struct Shared: BitwiseCopyable {
    let start: TweenStart
    var useCount: Int32
  }

  private var shared = IndexedPool<Shared>(capacity: 4)
  private var latest = TweenStarts.none

  init() {}

  /// A start that is in use.
  subscript(index: Index) -> TweenStart { shared[Int32(index)].pointee.start }

  /// Adds uses of a start.
  ///
  /// - Returns: Its index; valid until each use is released.
  @inline(__always)
  mutating func use(_ start: TweenStart, count: Int = 1) -> Index {
    if latest != Self.none, self[latest].isSame(as: start) {
      shared[Int32(latest)].pointee.useCount += Int32(count)
    } else {
      let index = shared.reserve()
      shared[index].initialize(to: Shared(start: start, useCount: Int32(count)))
      latest = Index(index)
    }
    return latest
  }

  /// Releases one use.
  @inline(__always)
  mutating func release(_ index: Index) {
    guard index != Self.none else { return }
    shared[Int32(index)].pointee.useCount -= 1
    if shared[Int32(index)].pointee.useCount == 0 { remove(index) }
  }

  private mutating func remove(_ index: Index) {
    if latest == index { latest = Self.none }
    shared.release(Int32(index))
  }
}

extension TweenStart {
  /// Whether a lane that begins with the other one moves in the same way.
  @inline(__always)
  fileprivate func isSame(as other: TweenStart) -> Bool {
    origin == other.origin && step64 == other.step64 && entry == other.entry
      && start == other.start && periodTicks == other.periodTicks && isCycle == other.isCycle
      && curve?.toOpaque() == other.curve?.toOpaque()
  }
}
