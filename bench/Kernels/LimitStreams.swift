// SPDX-License-Identifier: Apache-2.0

/// Arrays that together have a row's traffic.
package final class LimitStreams: @unchecked Sendable {
  /// The current work of a thread: its argument is the task's index.
  var work: (Int) -> Void = { _ in }
  /// Whether all arrays can be moved at once: few, and of four bytes per entity.
  package let canBeFused: Bool
  /// Bytes per entity in each array: first the read arrays, then the updated, then the written.
  package let sizes: [UInt32]
  /// Counts of arrays of each sort.
  package let counts: (reads: Int, updates: Int, writes: Int)
  private let count: Int

  /// Creates arrays for the traffic of a call that computes `ticks` ticks.
  package init(_ traffic: Traffic, ticks: Int, count: Int) {
    self.count = count
    // A call's bytes per entity, as arrays of four bytes and one of the remaining bytes.
    func arrays(_ bytes: Double, _ times: Int) -> [UInt32] {
      let whole = Int((bytes * Double(times)).rounded(.up))
      return [UInt32](repeating: 4, count: whole / 4)
        + (whole % 4 > 0 ? [UInt32((whole % 4 + 1) / 2 * 2)] : [])
    }
    let reads = arrays(traffic.reads, ticks)
    let updates = arrays(traffic.updates, ticks)
    let perTick = arrays(traffic.writes, 1)
    let writes = [[UInt32]](repeating: perTick, count: ticks).flatMap { $0 }
    sizes = reads + updates + writes
    counts = (reads.count, updates.count, writes.count)
    canBeFused =
      ticks == 1 && sizes.allSatisfy { $0 == 4 } && reads.count <= 8 && updates.count <= 2
      && writes.count <= 2
  }

  /// Count of arrays.
  package var arrayCount: Int { sizes.count }

  /// The entities of one task; parts begin at whole cache lines of the narrowest column.
  ///
  /// - Returns: The first entity, and the count; 0 or less if no entities are left.
  package func part(_ task: Int, of tasks: Int) -> (first: Int, size: Int) {
    let share = ((count + tasks - 1) / tasks + 31) / 32 * 32
    let first = task * share
    return (first, min(share, count - first))
  }

  /// Moves one task's part of a call.
  func move(
    _ task: Int, of tasks: Int, _ library: CalibrationLibrary, _ memory: FrameMemory,
    isBlocked: Bool, isPastCaches: Bool
  ) {
    let (first, size) = part(task, of: tasks)
    guard size > 0 else { return }
    withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: sizes.count) {
      arrays in
      for (index, column) in memory.columns.prefix(sizes.count).enumerated() {
        arrays[index] = column + first * Int(sizes[index])
      }
      guard let base = arrays.baseAddress else { return }
      let (reads, updates, writes) = counts
      if isBlocked {
        library.blocks(
          Int32(reads), Int32(updates), Int32(writes), isPastCaches ? 1 : 0, base, sizes,
          UInt64(size), UInt64(LimitRows.blockEntities))
      } else {
        _ = library.fused(
          Int32(reads), Int32(updates), Int32(writes), isPastCaches ? 1 : 0, base,
          UInt64((size * 4 + 63) / 64 * 64))
      }
    }
  }
}
