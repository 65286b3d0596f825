// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrrerySim

/// Rows that move the bytes of a kernel and compute nothing: what bandwidth allows.
///
/// The same streams are moved in several ways, all at once or one after the other in blocks, with
/// ordinary stores and with stores past the caches; the fastest counts.
package struct LimitRows {
  /// What streams there are, for which limits are the same.
  package struct Shape: Hashable {
    /// Bytes of an entity and a tick.
    package let traffic: Traffic
    /// Ticks.
    package let ticks: Int
    /// Threads that share the work.
    package let threads: Int
  }

  /// The ways, by shape.
  package private(set) var rows: [Shape: [KernelRow]] = [:]

  /// Entities of which a kernel that computes several ticks takes the parameters at once.
  static let blockEntities = 2048

  /// Makes the ways for all shapes that rows have.
  ///
  /// - Parameters:
  ///   - library: Of the best instruction set; nil gives no limits.
  ///   - count: Entities.
  ///   - subjects: The rows.
  /// - Throws: When a thread cannot be started.
  package init(
    _ library: CalibrationLibrary?, count: Int, for subjects: [KernelRow]
  ) throws(SystemCallError) {
    guard let library else { return }
    let shapes = Set(subjects.compactMap(Self.shape))
    let streams = shapes.map { LimitStreams($0.traffic, ticks: $0.ticks, count: count) }
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
    _ library: CalibrationLibrary, _ shape: Shape, _ streams: LimitStreams, _ memory: FrameMemory,
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
  package func ns(for row: KernelRow) -> Double? {
    Self.shape(row).flatMap { rows[$0] }?.map(\.rounds.min).min()
  }

  private final class WorkerBox {
    let pool: WorkerPool
    init(_ pool: WorkerPool) { self.pool = pool }
  }
}
