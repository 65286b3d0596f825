// SPDX-License-Identifier: Apache-2.0

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
  package let world: UInt64
  package let ring: UInt64
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
  package init(_ plan: ScenePlan, options: SimOptions) {
    var (world, values, origins) = (UInt64(0), UInt64(0), UInt64(0))
    for (index, batch) in plan.batches.enumerated() {
      let count = UInt64(batch.count)
      let valueBytes: UInt64 = options.output == .float32 || !batch.hasBounds ? 4 : 2
      world += count * batch.keptBytes
      values += count * UInt64(batch.fieldCount) * valueBytes
      let layout = plan.layout.batches.indices.contains(index) ? plan.layout.batches[index] : nil
      // An origin is two floats; a sprite's number usually takes one byte.
      if let layout {
        origins += UInt64(4 * (layout.originX.count + layout.originY.count) + layout.sprites.count)
      }
    }
    let slotCount = options.slotCount ?? SimOptions.defaultSlotCount(frameBytes: values)
    let images = plan.layout.images.reduce(UInt64(0)) { $0 + UInt64($1.count) }
    let staticBytes = origins + images + UInt64(plan.layout.source.utf8.count)
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

  /// Refuses a run that would not fit.
  ///
  /// - Parameter available: Bytes of memory that are available.
  /// - Throws: `Failure` with the needed and the available bytes.
  package func check(available: UInt64 = Memory.availableBytes()) throws(Failure) {
    guard bytes + Self.reserve > available else { return }
    throw Failure(
      .resource,
      "this scene needs \(Self.megabytes(bytes)) MB of memory"
        + " (world \(Self.megabytes(world)), ring \(Self.megabytes(ring)));"
        + " \(Self.megabytes(available)) MB are available; use fewer --entities or --slots")
  }

  /// Reserve for threads and libraries, the same for every scene: eight stacks, of which little is
  /// ever touched, and ZeroMQ's buffers.
  private static let reserve: UInt64 = 16 << 20

  private static func megabytes(_ bytes: UInt64) -> String {
    let tenths = (bytes + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension BatchPlan {
  /// Bytes that the world keeps for each entity, as the batches' comments state.
  fileprivate var keptBytes: UInt64 {
    switch self {
    case .marquee: 16
    case .timer: 32
    case .orbit, .flow: 24
    case .tween: 20
    // 46 if springs share their coefficients, 80 if each has its own.
    case .spring: 64
    case .clock: 16
    case .views: 600
    }
  }

  fileprivate var fieldCount: Int {
    switch self {
    case .orbit: 2
    case .views: 6
    case .marquee, .timer, .tween, .spring, .flow, .clock: 1
    }
  }

  /// Whether its values have a known bound, so that they can be stored in 16 bits.
  fileprivate var hasBounds: Bool {
    switch self {
    case .marquee, .orbit, .tween, .spring, .flow: true
    case .timer, .clock, .views: false
    }
  }
}
