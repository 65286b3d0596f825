// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryFrame
import OrreryScene
import OrrerySim

/// The memory that a run needs in addition to its plan, estimated before it is allocated.
///
/// | part        | bytes                                                                      |
/// |-------------|----------------------------------------------------------------------------|
/// | `world`     | the batches' bytes per entity                                              |
/// | `ring`      | the segment: frames and the scene's static part                            |
/// | `transient` | the larger of the static part's first copy and the values of tick 0        |
/// | `threads`   | stacks, libraries' pages and ZeroMQ's buffers, the same for every scene    |
package struct MemoryNeed: Equatable, Sendable {
  /// Bytes of the batches.
  package let world: UInt64
  /// Bytes of the segment.
  package let ring: UInt64
  /// Bytes that are freed before the first frame.
  package let transient: UInt64

  /// The sum: the largest need at any time.
  package var bytes: UInt64 { world + ring + transient + Self.threads }

  /// Measured: bytes that a sim of 1000 entities took after its plan was made.
  private static let threads: UInt64 = 2_500_000

  /// Estimates the memory.
  ///
  /// - Parameters:
  ///   - plan: The scene's plan.
  ///   - options: The run's options.
  ///   - freeBytes: Bytes of memory that are free.
  /// - Throws: `Failure` if the options' ring memory is too little.
  package init(
    _ plan: ScenePlan, options: SimOptions, freeBytes: UInt64 = Memory.availableBytes()
  ) throws(Failure) {
    var (world, values, origins) = (UInt64(0), UInt64(0), UInt64(0))
    for (index, batch) in plan.batches.enumerated() {
      let count = UInt64(batch.count)
      let type = BatchKind(batch).type
      let isFixed = options.output == .fixed16 && type is any BoundedBatch.Type
      world += count * type.entityBytes
      values += count * UInt64(type.fieldCountMax) * (isFixed ? 2 : 4)
      let layout = plan.layout.batches.indices.contains(index) ? plan.layout.batches[index] : nil
      // An origin is two floats; a sprite's number usually takes one byte.
      if let layout {
        origins += UInt64(4 * (layout.originX.count + layout.originY.count) + layout.sprites.count)
      }
    }
    let slotCount = try options.slotCount(
      frameBytes: values, rate: plan.rate, freeBytes: freeBytes)
    let images = plan.layout.images.reduce(UInt64(0)) { $0 + UInt64($1.count) }
    // A name's bytes, and those of its tags and numbers.
    let names = plan.layout.names.reduce(UInt64(0)) { $0 + UInt64($1.name.utf8.count) + 16 }
    let staticBytes = origins + images + names + UInt64(plan.layout.source.utf8.count)
    self.world = world
    ring =
      SegmentMap(
        columnCount: UInt64(plan.batches.count * 2), slotCount: slotCount,
        spareCount: options.spareCount(frameBytes: values),
        staticBytes: staticBytes, frameBytes: values
      ).segmentBytes
    // Tick 0 is evaluated once into float arrays outside the ring.
    transient = max(staticBytes, values * (options.output == .float32 ? 1 : 2))
  }

  /// Estimates the memory of a played trace: its ring.
  ///
  /// - Parameters:
  ///   - frameBytes: Bytes of a frame.
  ///   - staticBytes: Bytes of the scene's static part.
  ///   - columnCount: Columns of a frame.
  ///   - rate: Ticks per second.
  ///   - options: The run's options.
  ///   - freeBytes: Bytes of memory that are free.
  /// - Throws: `Failure` if the options' ring memory is too little.
  package init(
    frameBytes: UInt64, staticBytes: UInt64, columnCount: Int, rate: TickRate, options: SimOptions,
    freeBytes: UInt64 = Memory.availableBytes()
  ) throws(Failure) {
    (world, transient) = (0, staticBytes)
    ring =
      SegmentMap(
        columnCount: UInt64(columnCount),
        slotCount: try options.slotCount(
          frameBytes: frameBytes, rate: rate, freeBytes: freeBytes),
        spareCount: options.spareCount(frameBytes: frameBytes), staticBytes: staticBytes,
        frameBytes: frameBytes
      ).segmentBytes
  }

  /// Refuses a run that would not fit.
  ///
  /// - Parameters:
  ///   - available: Bytes of memory that are available.
  ///   - limit: What limits them.
  /// - Throws: `Failure` with the needed and the available bytes, and what helps.
  package func check(available: UInt64, limit: Memory.Limit = .machine) throws(Failure) {
    guard bytes + Self.reserve > available else { return }
    // Rounded up.
    let missing = megabytes(bytes + Self.reserve - available + 49_999)
    let more =
      switch limit {
      case .machine: "free \(missing) MB of this machine's memory"
      case .group: "give its control group (container) \(missing) MB more"
      case .addressSpace: "raise ulimit -v by \(missing) MB"
      case .user: "raise --memory-limit by \(missing) MB"
      }
    // A scene without entities would not fit either.
    let helpsToShrink = Self.threads + Self.reserve < available
    throw Failure(
      .resource,
      "this scene needs \(megabytes(bytes)) MB of memory"
        + " (world \(megabytes(world)), ring \(megabytes(ring))),"
        + " and libraries \(megabytes(Self.reserve));"
        + " \(megabytes(available)) MB are available; "
        + (helpsToShrink ? "use fewer --entities or --slots, or " : "") + more)
  }

  /// Reserve for threads and libraries, the same for every scene: eight stacks, of which little is
  /// ever touched, and ZeroMQ's buffers.
  private static let reserve: UInt64 = 16 << 20
}
