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

  /// What phases are computed from, apart from the rest: at each anchor it is read for all lanes.
  private struct Turns: BitwiseCopyable {
    let origin: UInt64
    let step64: UInt64

    @inline(__always)
    func phase(at tick: Int64) -> UInt32 {
      UInt32(truncatingIfNeeded: (origin &+ step64 &* UInt64(bitPattern: tick)) >> 32)
    }
  }

  private var shared = IndexedPool<Shared>(capacity: 4)
  /// With the same indexes.
  private var turns = IndexedPool<Turns>(capacity: 4)
  private var latest = TweenStarts.none

  init() {}

  /// A start that is in use.
  subscript(index: Index) -> TweenStart { shared[Int32(index)].pointee.start }

  /// Finds the phases of lanes at a tick, turns · 2^32.
  ///
  /// - Parameters:
  ///   - lanes: Which.
  ///   - tick: Any.
  ///   - indexes: The start of each lane.
  ///   - phases: Receives those of the lanes.
  func findPhases(
    _ lanes: borrowing LaneSet, at tick: Int64, _ indexes: UnsafePointer<Index>,
    _ phases: UnsafeMutablePointer<UInt32>
  ) {
    if lanes.isEmpty { return }
    // An address: the loop below writes, so it would find that of a property again for each lane.
    let turns = UnsafePointer(turns[0])
    lanes.forEach { phases[$0] = turns[Int(indexes[$0])].phase(at: tick) }
  }

  /// The phase of a start at a tick.
  func phase(_ index: Index, at tick: Int64) -> UInt32 {
    turns[Int32(index)].pointee.phase(at: tick)
  }

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
      turns[turns.reserve()].initialize(to: Turns(origin: start.origin, step64: start.step64))
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
    turns.release(Int32(index))
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
