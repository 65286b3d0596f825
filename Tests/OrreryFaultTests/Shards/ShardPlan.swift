// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryPublisher

/// What a seed decides about a run of shards before it begins.
struct ShardPlan {
  let shardCount: Int
  let sceneSeed: UInt64
  let rate: TickRate
  let slotCount: UInt64

  /// How long a joined frame's part may come after the first.
  let leadNs: UInt64

  /// When tick 0 is due.
  let startNs: UInt64 = 2_000_000_000

  /// From when on no new trouble begins, and all that was made is mended.
  let calmNs: UInt64

  /// Frames that are due from then on have every shard's part.
  let wholeNs: UInt64

  /// The last tick; it is due after `wholeNs`.
  let tickCount: UInt64

  init(_ scheduler: Scheduler, shardCount: Int) {
    self.shardCount = shardCount
    sceneSeed = scheduler.random.next()
    let rates = shardCount < Self.largeCount ? Self.rates : Self.ratesOfManyShards
    rate = rates[scheduler.number(0...rates.count - 1)]
    slotCount = UInt64(scheduler.number(2...12))
    leadNs = [20, 50, 200, 500][scheduler.number(0...3)] * 1_000_000
    calmNs = startNs + scheduler.timeNs(1_000_000_000...3_500_000_000)
    wholeNs = calmNs + Self.mendingNs + leadNs
    tickCount = Self.ticks(rate, wholeNs - startNs) + UInt64(scheduler.number(5...10))
  }

  /// A shard whose clock was a second ahead has published a second ahead; looks for shards and late ticks
  /// take the rest.
  private static let mendingNs: UInt64 = 2_000_000_000

  /// So many shards have fewer ticks, to be affordable.
  private static let largeCount = 200

  private static let rates: [TickRate] =
    [4, 10, 60] + [TickRate(numerator: 30_000, denominator: 1001)].compactMap { $0 }
  private static let ratesOfManyShards: [TickRate] = [4, 8, 12]

  var tickNs: UInt64 { rate.timeNs(tick: 1) }

  /// When a tick is due.
  func dueNs(_ tick: UInt64) -> UInt64 { startNs + rate.timeNs(tick: tick) }

  /// Ticks that are due in a time since tick 0, as a sim counts them that comes when the others run.
  func ticks(sinceStartNs ns: UInt64) -> UInt64 { Self.ticks(rate, ns) }

  private static func ticks(_ rate: TickRate, _ ns: UInt64) -> UInt64 {
    UInt64(UInt128(ns) * UInt128(rate.numerator) / (UInt128(rate.denominator) * 1_000_000_000))
  }

  // MARK: - Contents of frames

  /// The state hash of one shard's frame.
  func hash(_ shard: Int, tick: UInt64) -> UInt64 {
    StableHash.mix(sceneSeed ^ UInt64(shard) << 40 ^ tick)
  }

  /// The value of a shard's only entity.
  func value(_ shard: Int, tick: UInt64) -> Float { Float(hash(shard, tick: tick) & 0xff_ffff) }

  /// The layout of a shard's frames: one value.
  func layout(_ shard: Int) throws(FrameError) -> FrameLayout {
    try FrameLayout(columns: [
      ColumnDescription(
        batch: 0, field: 1, firstEntity: UInt32(shard), valueCount: 1, format: .float32)
    ])
  }

  /// The encoded description of a shard.
  func staticPart(_ index: Int) -> [UInt8] {
    let shard = Shard(index, of: shardCount)
    var batch = Orrery_Batch()
    (batch.kind, batch.firstEntity, batch.entityCount) = ("dot", UInt32(index), 1)
    var scene = Orrery_SceneLayout()
    (scene.scene, scene.run, scene.entityCount) = ("dots", shard.run(of: "dots"), 1)
    scene.batches = [batch]
    (scene.shard.index, scene.shard.count) = (UInt32(index), UInt32(shardCount))
    (scene.shard.entityCount, scene.shard.batches) = (UInt64(shardCount), [0])
    return FrameContents.encoded(scene)
  }
}
