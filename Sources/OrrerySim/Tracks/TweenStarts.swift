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

  /// The first field, as in `LaneSet`.
  private var shared: UnsafeMutablePointer<Shared>
  private var capacity = 4
  private var count = 0
  private var latest = TweenStarts.none
  private var free = FreeIndexes()

  init() { shared = .allocate(capacity: capacity) }

  deinit { shared.deallocate() }

  /// A start that is in use.
  subscript(index: Index) -> TweenStart { shared[Int(index)].start }

  /// Adds uses of a start.
  ///
  /// - Returns: Its index; valid until each use is released.
  @inline(__always)
  mutating func use(_ start: TweenStart, count: Int = 1) -> Index {
    if latest != Self.none, shared[Int(latest)].start.isSame(as: start) {
      shared[Int(latest)].useCount += Int32(count)
    } else {
      latest = add(start, count)
    }
    return latest
  }

  private mutating func add(_ start: TweenStart, _ useCount: Int) -> Index {
    let index = free.pop() ?? addIndex()
    (shared + Int(index)).initialize(to: Shared(start: start, useCount: Int32(useCount)))
    return Index(index)
  }

  private mutating func addIndex() -> Int32 {
    if count == capacity {
      let grown = UnsafeMutablePointer<Shared>.allocate(capacity: 2 * capacity)
      grown.moveInitialize(from: shared, count: count)
      shared.deallocate()
      (shared, capacity) = (grown, 2 * capacity)
    }
    count += 1
    return Int32(count - 1)
  }

  /// Releases one use.
  @inline(__always)
  mutating func release(_ index: Index) {
    guard index != Self.none else { return }
    shared[Int(index)].useCount -= 1
    if shared[Int(index)].useCount == 0 { remove(index) }
  }

  private mutating func remove(_ index: Index) {
    if latest == index { latest = Self.none }
    free.push(Int32(index))
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
