// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrrerySim

/// Rows that move the bytes of a kernel and compute nothing: the limit that bandwidth sets.
///
/// The same streams are moved in several ways: all at once or one after the other in blocks, with
/// ordinary stores or past the caches. The fastest way counts.
package struct LimitRows {
  /// The properties of rows that share a limit.
  package struct Shape: Hashable {
    /// Bytes per entity and tick.
    package let traffic: Traffic
    /// Ticks that one call computes.
    package let ticks: Int
    /// Threads that share the work.
    package let threads: Int
  }

  /// The rows of all ways, by shape.
  package private(set) var rows: [Shape: [BenchRow]] = [:]

  /// Entities in a block of a kernel that computes several ticks.
  static let blockEntities = 2048

  /// Creates the limit rows for all shapes of other rows.
  ///
  /// - Parameters:
  ///   - library: The library of the best instruction set; nil: no limits.
  ///   - count: Count of entities.
  ///   - subjects: The other rows.
  /// - Throws: If a thread cannot be started.
  package init(
    _ library: CalibrationLibrary?, count: Int, for subjects: [BenchRow]
  ) throws(SystemCallError) {
    guard let library else { return }
    let shapes = Set(subjects.compactMap(Self.shape))
    let streams = shapes.map { LimitStreams($0.traffic, ticks: $0.ticks, count: count) }
    // One allocation serves all: they take turns.
    let arrayCount = streams.map(\.arrayCount).max() ?? 0
    let memory = FrameMemory(
      bytes: [Int](repeating: 4 * (count + 64), count: arrayCount), destinations: 1)
    for (shape, streams) in zip(shapes, streams) {
      rows[shape] = try Self.ways(library, shape, streams, memory, count: count)
    }
  }

  private static func shape(_ row: BenchRow) -> Shape? {
    row.traffic.map { Shape(traffic: $0, ticks: row.ticksPerCall, threads: row.threads) }
  }

  private static func ways(
    _ library: CalibrationLibrary, _ shape: Shape, _ streams: LimitStreams, _ memory: FrameMemory,
    count: Int
  ) throws(SystemCallError) -> [BenchRow] {
    let pool = WorkerBox(
      try WorkerPool(threadCount: shape.threads) { task, _ in streams.work(task) })
    var ways: [BenchRow] = []
    for isBlocked in [false, true] where isBlocked || streams.canBeFused {
      for isPastCaches in [false, true] {
        ways.append(
          BenchRow(
            .limit, name: isBlocked ? "in blocks" : "at once", family: "", count: count,
            traffic: shape.traffic, ticksPerCall: shape.ticks
          ) {
            streams.work = { task in
              streams.move(
                task, of: shape.threads, library, memory, isBlocked: isBlocked,
                isPastCaches: isPastCaches)
            }
            pool.pool.run(taskCount: shape.threads)
          })
      }
    }
    return ways
  }

  /// The limit of a row by rounds, in nanoseconds per entity and tick: the way with the fastest round; nil if it
  /// was not measured.
  package func ns(for row: BenchRow) -> [Double]? {
    Self.shape(row).flatMap { rows[$0] }?.map(\.rounds).min { $0.min < $1.min }?.all
  }

  private final class WorkerBox {
    let pool: WorkerPool
    init(_ pool: WorkerPool) { self.pool = pool }
  }
}
