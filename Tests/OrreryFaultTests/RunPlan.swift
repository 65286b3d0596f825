// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// What a seed decides about a run before it begins.
struct RunPlan {
  let sceneSeed: UInt64
  let layout: FrameLayout
  let slotCount: UInt64
  let lookAhead: UInt64
  let spareCount: UInt64
  let delivery: Delivery
  let tickNs: UInt64
  let framesMost: Int

  /// How long a lockstep reader may say nothing.
  let stallLimitNs: UInt64 = 10_000_000_000

  /// When no new trouble begins, and when all must be over.
  let calmNs: UInt64
  let endNs: UInt64

  init(_ scheduler: Scheduler) throws(FrameError) {
    sceneSeed = scheduler.random.next()
    var columns: [ColumnDescription] = []
    for index in 0..<scheduler.number(1...3) {
      columns.append(
        ColumnDescription(
          batch: 0, field: UInt32(index + 1), firstEntity: 0,
          valueCount: UInt32(scheduler.number(1...24)),
          format: scheduler.chance(3) ? .fixed16(unit: 0.125) : .float32))
    }
    layout = try FrameLayout(columns: columns)
    slotCount = UInt64(scheduler.number(2...8))
    let farthest = Int(slotCount) - 2
    lookAhead = scheduler.chance(2) ? 0 : UInt64(scheduler.number(0...farthest))
    spareCount = scheduler.chance(2) ? 0 : UInt64(scheduler.number(1...4))
    delivery = scheduler.chance(4) ? .lockstep : .live
    tickNs = [1_000_000, 16_666_667, 16_666_667, 100_000][scheduler.number(0...3)]
    framesMost = scheduler.chance(4) ? 200 : 60
    calmNs = tickNs * UInt64(framesMost) + 200_000_000
    endNs = calmNs + 400_000_000_000
  }
}
