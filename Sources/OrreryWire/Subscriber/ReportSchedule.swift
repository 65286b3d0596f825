// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// When a subscriber reports to its sim how far it is.
struct ReportSchedule {
  /// Every frame up to this one is reported.
  var reported: UInt64

  /// When the last report was due, in live delivery.
  private var dueNs: UInt64 = 0

  /// Time between two reports in live delivery.
  private static let liveNs: UInt64 = 100_000_000

  /// A schedule of a subscriber that has joined after a frame.
  init(joinedAfter: UInt64) { reported = joinedAfter }

  /// Whether a report is due; asked after each frame.
  ///
  /// In lockstep delivery the sim waits for reports: one is due after a quarter of the ring. In live delivery
  /// the sim only counts.
  ///
  /// - Parameters:
  ///   - last: The last frame that was received or missed.
  ///   - delivery: The run's.
  ///   - slotCount: Slots of the ring.
  /// - Returns: True if it is due now.
  mutating func isDue(_ last: UInt64, _ delivery: Delivery, slotCount: UInt64) -> Bool {
    if delivery == .lockstep { return last - reported >= max(slotCount / 4, 1) }
    let nowNs = Clock.monotonicNs()
    guard nowNs >= dueNs + Self.liveNs else { return false }
    dueNs = nowNs
    return true
  }
}
