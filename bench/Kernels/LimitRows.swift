// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrrerySim

/// Rows that move the bytes of a kernel and compute nothing: what bandwidth allows.
///
/// The same streams are moved in several ways, all at once or one after the other in blocks, with
/// ordinary stores and with stores past the caches; the fastest counts.
struct LimitRows {
  /// What streams there are, for which limits are the same.
  struct Shape: Hashable {
    let traffic: Traffic
    let ticks: Int
    let threads: Int
  }

  /// The ways, by shape.
  private(set) var rows: [Shape: [KernelRow]] = [:]

  /// Entities of which a kernel that computes several ticks takes the parameters at once.
  private static let blockEntities = 2048

  /// Makes the ways for all shapes that rows have.
  ///
  /// - Parameters:
  ///   - library: Of the best instruction set; nil gives no limits.
  ///   - count: Entities.
  ///   - subjects: The rows.
  /// - Throws: When a thread cannot be started.
  init(
    _ library: CalibrationLibrary?, count: Int, for subjects: [KernelRow]
  ) throws(SystemCallError) {
    guard let library else { return }
    let shapes = Set(subjects.compactMap(Self.shape))
    let streams = shapes.map { Streams($0.traffic, ticks: $0.ticks, count: count) }
    // One piece of memory for all: they take turns.
    let most = streams.map(\.arrayCount).max() ?? 0
    let memory = FrameMemory(
      bytes: [Int](repeating: 4 * (count + 64), count: most), destinations: 1)
    for (shape, streams) in zip(shapes, streams) {
      rows[shape] = try Self.ways(library, shape, streams, memory, count: count)
    }
  }

  private static func shape(_ row: KernelRow) -> Shape? {
    row.traffic.map { Shape(traffic: $0, ticks: row.ticksPerCall, threads: row.threads) }
  }

  private static func ways(
    _ library: CalibrationLibrary, _ shape: Shape, _ streams: Streams, _ memory: FrameMemory,
    count: Int
  ) throws(SystemCallError) -> [KernelRow] {
    let pool = WorkerBox(
      try WorkerPool(threadCount: shape.threads) { piece, _ in streams.work(piece) })
    var ways: [KernelRow] = []
    for isBlocked in [false, true] where isBlocked || streams.canBeFused {
      for isPastCaches in [false, true] {
        ways.append(
          KernelRow(
            .limit, name: isBlocked ? "in blocks" : "at once", family: "", count: count,
            traffic: shape.traffic, ticksPerCall: shape.ticks
          ) {
            streams.work = { piece in
              streams.move(
                piece, of: shape.threads, library, memory, isBlocked: isBlocked,
                isPastCaches: isPastCaches)
            }
            pool.pool.run(pieceCount: shape.threads)
          })
      }
    }
    return ways
  }

  /// Nanoseconds of an entity and a tick that bandwidth allows a row; nil if it was not measured.
  func ns(for row: KernelRow) -> Double? {
    Self.shape(row).flatMap { rows[$0] }?.map(\.rounds.min).min()
  }

  private final class WorkerBox {
    let pool: WorkerPool
    init(_ pool: WorkerPool) { self.pool = pool }
  }

  /// Arrays that together have the traffic.
  private final class Streams: @unchecked Sendable {
    var work: (Int) -> Void = { _ in }
    let canBeFused: Bool
    private let sizes: [UInt32]
    private let counts: (reads: Int, updates: Int, writes: Int)
    private let count: Int

    init(_ traffic: Traffic, ticks: Int, count: Int) {
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

    var arrayCount: Int { sizes.count }

    /// One thread's part of one call.
    func move(
      _ piece: Int, of pieces: Int, _ library: CalibrationLibrary, _ memory: FrameMemory,
      isBlocked: Bool, isPastCaches: Bool
    ) {
      // Parts begin at whole cache lines of the narrowest column.
      let share = ((count + pieces - 1) / pieces + 31) / 32 * 32
      let first = piece * share
      let size = min(share, count - first)
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
}
