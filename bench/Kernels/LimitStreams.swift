// SPDX-License-Identifier: Apache-2.0

/// Arrays that together have the traffic.
package final class LimitStreams: @unchecked Sendable {
  /// What a thread does at present, of a piece.
  var work: (Int) -> Void = { _ in }
  /// Whether there are few enough, all of four bytes, to be moved at once.
  package let canBeFused: Bool
  /// Bytes of an entity in each array: those that are read, then updated, then written.
  package let sizes: [UInt32]
  /// How many arrays of each sort.
  package let counts: (reads: Int, updates: Int, writes: Int)
  private let count: Int

  /// Arrays for the traffic of so many ticks in a call.
  package init(_ traffic: Traffic, ticks: Int, count: Int) {
    self.count = count
    // What a call moves of an entity, in arrays of four bytes, and one of what is left.
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

  /// All of them.
  package var arrayCount: Int { sizes.count }

  /// The entities of one thread; parts begin at whole cache lines of the narrowest column.
  ///
  /// - Returns: The first of them, and how many; 0 or less if there are none left.
  package func part(_ piece: Int, of pieces: Int) -> (first: Int, size: Int) {
    let share = ((count + pieces - 1) / pieces + 31) / 32 * 32
    let first = piece * share
    return (first, min(share, count - first))
  }

  /// One thread's part of one call.
  func move(
    _ piece: Int, of pieces: Int, _ library: CalibrationLibrary, _ memory: FrameMemory,
    isBlocked: Bool, isPastCaches: Bool
  ) {
    let (first, size) = part(piece, of: pieces)
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
