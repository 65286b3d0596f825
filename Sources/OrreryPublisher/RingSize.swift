// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase

/// How many frames the ring holds, if nobody says it.
///
/// More slots let a reader be later, and ticks be computed further ahead, but push more of the ring out
/// of the last-level cache and take memory.
package struct RingSize: Equatable, Sendable {
  /// Slots of the ring.
  package let slotCount: UInt64

  /// The default: about a second at 60 Hz while that is small, and always what a full look-ahead and a
  /// reader that is a quarter of a second late need, if it fits.
  ///
  /// - Parameters:
  ///   - frameBytes: Bytes of a frame.
  ///   - ticksPerSecond: Of a paced run; nil if no tick is due at a time.
  ///   - memoryMax: Bytes that the ring may take; nil: an eighth of what is free, and eight frames in
  ///     any case.
  ///   - freeBytes: Bytes of memory that are free.
  /// - Throws: `Failure` if `memoryMax` holds fewer than four frames.
  package init(
    frameBytes: UInt64, ticksPerSecond: Double?, memoryMax: UInt64?, freeBytes: UInt64
  ) throws(Failure) {
    let frameBytes = max(frameBytes, 1)
    let late = ticksPerSecond.map { UInt64(min($0 * Self.lateSeconds, 1e6).rounded(.up)) } ?? 0
    let wanted = min(
      max(
        min(Self.smallRingBytes / frameBytes, Self.secondSlots), Self.lookAheadSlots,
        late + SimOptions.lookAheadMax + 1),
      Self.slotsMax)
    if let memoryMax {
      let fitting = memoryMax / frameBytes
      guard fitting >= Self.slotsMin else {
        throw Failure(
          .resource,
          "--ring-memory holds \(fitting) \(fitting == 1 ? "frame" : "frames") of"
            + " \(MemoryNeed.megabytes(frameBytes)) MB; the ring needs \(Self.slotsMin), which take"
            + " \(MemoryNeed.megabytes(frameBytes * Self.slotsMin)) MB")
      }
      slotCount = min(wanted, fitting)
    } else {
      slotCount = min(wanted, max(freeBytes / Self.freeShare / frameBytes, Self.slotsMinUnasked))
    }
  }

  /// A ring of this size is small: half of a usual last-level cache.
  ///
  /// With 28 slots instead of 64, 100,000 entities of `stress` were computed 1.4 times as fast by two
  /// threads of an AMD EPYC with 32 MiB, and 300,000 of them 1.3 times as fast by one.
  private static let smallRingBytes: UInt64 = 16 << 20
  /// Slots of a small ring.
  private static let secondSlots: UInt64 = 64
  /// Slots of which a quarter are the ticks that can be computed ahead; see `SimOptions.lookAhead`.
  private static let lookAheadSlots = 4 * SimOptions.lookAheadMax
  /// How late a reader may be.
  private static let lateSeconds = 0.25
  /// Slots at rates so high that a quarter of a second is more.
  private static let slotsMax: UInt64 = 1024
  private static let slotsMin: UInt64 = 4
  private static let slotsMinUnasked: UInt64 = 8
  /// The ring takes one part in this many of the free memory.
  private static let freeShare: UInt64 = 8
}
