// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryScene
import OrrerySim

/// What a run takes of memory beyond its plan, worked out before any of it is taken.
///
/// | part        | bytes                                                                      |
/// |-------------|----------------------------------------------------------------------------|
/// | `world`     | of each entity what its batch keeps                                        |
/// | `ring`      | the segment: frames, and the scene's static part                           |
/// | `passing`   | the static part before it is in the ring, or the values of tick 0, whichever is more |
/// | `threads`   | stacks, libraries' pages and ZeroMQ's buffers: the same for every scene       |
package struct MemoryNeed: Equatable, Sendable {
  package let world: UInt64
  package let ring: UInt64
  package let passing: UInt64

  /// All of it at the time when it is most.
  package var bytes: UInt64 { world + ring + passing + Self.threads }

  /// Measured: what a sim of 1000 entities came to hold after its plan was made.
  private static let threads: UInt64 = 2_500_000

  /// Works it out.
  ///
  /// - Parameters:
  ///   - plan: What is to be run.
  ///   - options: How.
  package init(_ plan: ScenePlan, options: SimOptions) {
    var (world, values, places) = (UInt64(0), UInt64(0), UInt64(0))
    for (index, batch) in plan.batches.enumerated() {
      let count = UInt64(batch.count)
      let valueBytes: UInt64 = options.output == .float32 || !batch.hasBounds ? 4 : 2
      world += count * batch.keptBytes
      values += count * UInt64(batch.fieldCount) * valueBytes
      let layout = plan.layout.batches.indices.contains(index) ? plan.layout.batches[index] : nil
      // An origin is two floats, the number of a sprite mostly a byte.
      if let layout {
        places += UInt64(4 * (layout.originX.count + layout.originY.count) + layout.sprites.count)
      }
    }
    let slotCount = options.slotCount ?? SimOptions.defaultSlotCount(frameBytes: values)
    let images = plan.layout.images.reduce(UInt64(0)) { $0 + UInt64($1.count) }
    let staticBytes = places + images + UInt64(plan.layout.source.utf8.count)
    self.world = world
    ring =
      SegmentMap(
        columnCount: UInt64(plan.batches.count * 2), slotCount: slotCount,
        spareCount: options.spareCount(frameBytes: values),
        staticBytes: staticBytes, frameBytes: values
      ).segmentBytes
    // Tick 0 is placed once into floats of its own.
    passing = max(staticBytes, values * (options.output == .float32 ? 1 : 2))
  }

  /// Refuses a run that would not fit.
  ///
  /// - Parameter available: Bytes that can be taken.
  /// - Throws: `Failure` with what is needed and what there is.
  package func check(available: UInt64 = Memory.availableBytes()) throws(Failure) {
    guard bytes + Self.reserve > available else { return }
    throw Failure(
      .resource,
      "this scene needs \(Self.megabytes(bytes)) MB of memory"
        + " (world \(Self.megabytes(world)), ring \(Self.megabytes(ring)));"
        + " \(Self.megabytes(available)) MB are available; use fewer --entities or --slots")
  }

  /// For threads and libraries, whatever the scene: eight stacks of which little is ever touched, and
  /// ZeroMQ's buffers.
  private static let reserve: UInt64 = 16 << 20

  private static func megabytes(_ bytes: UInt64) -> String {
    let tenths = (bytes + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension BatchPlan {
  /// Bytes that the world keeps for each entity; the batches say so in their comments.
  fileprivate var keptBytes: UInt64 {
    switch self {
    case .marquee: 16
    case .timer: 32
    case .orbit, .flow: 24
    case .tween: 20
    // 46 where springs share their form, 80 where each has its own.
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

  /// Whether the largest value is known, so that 16 bits can hold it.
  fileprivate var hasBounds: Bool {
    switch self {
    case .marquee, .orbit, .tween, .spring, .flow: true
    case .timer, .clock, .views: false
    }
  }
}
