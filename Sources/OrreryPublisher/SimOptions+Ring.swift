// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase

extension SimOptions {
  /// Slots of the ring: `slotCount`, or else about a second at 60 Hz while that is small, and always what
  /// a full look-ahead and a reader that is a quarter of a second late need, if it fits.
  ///
  /// More slots let a reader be later, and ticks be computed further ahead, but push more of the ring
  /// out of the last-level cache and take memory: at most `ringMemory`, or else an eighth of what is free,
  /// and eight frames in any case.
  ///
  /// - Parameters:
  ///   - frameBytes: Bytes of a frame.
  ///   - rate: The scene's tick rate.
  ///   - freeBytes: Bytes of memory that were free before the run took any.
  /// - Returns: The number of slots.
  /// - Throws: `Failure` if `ringMemory` holds fewer than four frames.
  package func slotCount(
    frameBytes: UInt64, rate: TickRate, freeBytes: UInt64
  ) throws(Failure) -> UInt64 {
    if let slotCount { return slotCount }
    let frameBytes = max(frameBytes, 1)
    let small = min(Self.smallRingBytes / frameBytes, Self.secondSlots)
    // In a run that is not paced, ticks have no due times.
    let late = isPaced ? min(rate.ticksPerSecond * Self.lateSeconds, 1e6).rounded(.up) : 0
    let lateSlots = UInt64(late) + Self.lookAheadMax + 1
    let wanted = min(max(small, Self.lookAheadSlots, lateSlots), Self.slotsMax)
    guard let ringMemory else {
      return min(wanted, max(freeBytes / Self.freeShare / frameBytes, Self.slotsMinUnasked))
    }
    let fitting = ringMemory / frameBytes
    guard fitting >= Self.slotsMin else {
      throw Failure(
        .resource,
        "--ring-memory holds \(counted(fitting, "frame")) of"
          + " \(megabytes(frameBytes)) MB; the ring needs \(Self.slotsMin), which take"
          + " \(megabytes(frameBytes * Self.slotsMin)) MB")
    }
    return min(wanted, fitting)
  }

  /// A ring of this size is small: half of a usual last-level cache.
  ///
  /// With 28 slots instead of 64, 100,000 entities of `stress` were computed 1.4 times as fast by two
  /// threads of an AMD EPYC with 32 MiB, and 300,000 of them 1.3 times as fast by one.
  private static let smallRingBytes: UInt64 = 16 << 20
  /// Slots of a small ring.
  private static let secondSlots: UInt64 = 64
  /// Slots for a full look-ahead, which uses a quarter of them; see `SimOptions.lookAhead`.
  private static let lookAheadSlots = 4 * SimOptions.lookAheadMax
  /// How late a reader may be.
  private static let lateSeconds = 0.25
  /// Most slots, at rates at which a quarter of a second would need more.
  private static let slotsMax: UInt64 = 1024
  private static let slotsMin: UInt64 = 4
  private static let slotsMinUnasked: UInt64 = 8
  /// The ring takes one part in this many of the free memory.
  private static let freeShare: UInt64 = 8
}
