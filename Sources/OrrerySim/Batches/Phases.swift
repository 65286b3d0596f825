// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene

/// The phases of periodic entities, in units of 2^-32 turns, exact at any tick.
///
/// The phase of an entity at tick t is the upper half of the 64-bit number
///
///     origin · 2^32 + step₆₄ · t        (modulo 2^64: whole turns vanish by themselves)
///
/// whose error is t/2 units of 2^-64 turns; `origin` is the phase at tick 0. A kernel reads only the
/// upper 32 bits of step₆₄, rounded, and would drift. Therefore each block keeps its phases as of an
/// anchor: a tick less than `windowTicks` back. When the window has passed, the block is re-anchored:
/// its phases are computed again from the exact number. So a kernel's results are a function of the
/// tick alone, whichever ticks were computed before.
///
/// | column      | unit          | changes            |
/// |-------------|---------------|--------------------|
/// | `phase`     | turns · 2^32  | once in a window   |
/// | `step`      | turns · 2^32  | never              |
/// | `remainder` | turns · 2^64  | never              |
///
/// step₆₄ = step · 2^32 + remainder, remainder signed. The origin is not stored: it is exactly the
/// phase at an anchor minus the upper half of step₆₄ · anchor. 12 bytes per entity, of which a tick
/// reads 8.
package struct Phases: ~Copyable, Sendable {
  /// Phase of each entity in the window, in turns · 2^32.
  package let phase: Column<UInt32>
  /// Change of the phase in a tick, in turns · 2^32.
  package let step: Column<UInt32>
  private let remainder: Column<Int32>

  /// The tick for which each block's phases hold.
  private let anchors: Column<Int64>

  /// Index in the scene's batch of block 0: not 0 in a shard.
  private let firstBlock: Int

  /// Ticks between two re-anchorings of a block.
  ///
  /// 256: the rounded step is off by at most 2^-33 turns, so a phase is off by less than 2^-25, three
  /// parts in 10^8 of a loop.
  package static let windowTicks: Int64 = 256

  /// Phases of entities that stand still at 0.
  ///
  /// - Parameters:
  ///   - count: Number of entities.
  ///   - first: Index in the scene's batch of the first of them, a multiple of a block.
  package init(count: Int, first: Int = 0) {
    precondition(first % Blocks.entityCount == 0, "\(first) is not the first entity of a block")
    firstBlock = first / Blocks.entityCount
    phase = Column(count: count, zero: 0)
    step = Column(count: count, zero: 0)
    remainder = Column(count: count, zero: 0)
    anchors = Column(count: Blocks.count(entities: count), zero: 0)
  }

  /// Sets one entity's motion to speed / period turns per second.
  ///
  /// The quotient has about 104 bits: rounded to a `Double` it would be off by 10^-7 of a loop after some
  /// 10^8 loops.
  ///
  /// - Parameters:
  ///   - entity: Index in the batch.
  ///   - turns: Phase at tick 0, in turns.
  ///   - speed: Points, or turns, per second; finite, not negative.
  ///   - period: Points, or seconds, of a turn; finite, > 0.
  ///   - rate: Ticks per second.
  package func set(
    _ entity: Int, turns: Double, speed: Double, period: Double, rate: TickRate
  ) {
    let (turnsPerTick, residual) = Self.turnsPerTick(speed: speed, period: period, rate: rate)
    set(entity, turns: turns, turnsPerTick: turnsPerTick, residual: residual)
  }

  /// Sets one entity's motion to speed / period turns per second, with phase 0 at a time.
  ///
  /// - Parameters:
  ///   - entity: Index in the batch.
  ///   - start: When its phase is 0; the phase continues before it, too.
  ///   - speed: Points, or turns, per second; not negative.
  ///   - period: Points, or seconds, of a turn; > 0.
  ///   - rate: Ticks per second.
  package func set(
    _ entity: Int, start: TickTime, speed: Double, period: Double, rate: TickRate
  ) {
    let (turnsPerTick, residual) = Self.turnsPerTick(speed: speed, period: period, rate: rate)
    set(entity, turns: 0, turnsPerTick: turnsPerTick, residual: residual)
    let step64 = Self.fixedPoint(turnsPerTick, residual: residual)
    let sinceTick = Self.fixedPoint(start.fraction * turnsPerTick)
    let exact = 0 &- step64 &* UInt64(bitPattern: start.tick) &- sinceTick
    setOrigin(entity, UInt32(truncatingIfNeeded: exact >> 32))
  }

  /// Turns in a tick at speed / period turns per second; `residual` is the true number minus the
  /// rounded one.
  static func turnsPerTick(
    speed: Double, period: Double, rate: TickRate
  ) -> (turns: Double, residual: Double) {
    // Products and quotient, each with its rounding error.
    let (above, below) = (Double(rate.denominator), Double(rate.numerator))
    let product = speed * above
    let productResidual =
      rate.denominator == 1 ? 0 : ExactProduct.residual(of: speed, above, product)
    let divisor = period * below
    let divisorResidual = ExactProduct.residual(of: period, below, divisor)
    let quotient = product / divisor
    let quotientResidual = ExactProduct.difference(product, quotient, divisor)
    let residual = quotientResidual + productResidual - quotient * divisorResidual
    return (quotient, residual / divisor)
  }

  /// Sets one entity's motion.
  ///
  /// - Parameters:
  ///   - entity: Index in the batch.
  ///   - turns: Phase at tick 0, in turns.
  ///   - turnsPerTick: Finite, not negative; whole turns are dropped.
  ///   - residual: True value minus `turnsPerTick`; less than its last bit.
  package func set(_ entity: Int, turns: Double, turnsPerTick: Double, residual: Double = 0) {
    precondition(turnsPerTick.isFinite && turns.isFinite, "\(turns), \(turnsPerTick) turns")
    let step64 = Self.fixedPoint(turnsPerTick, residual: residual)
    let upper = UInt32(truncatingIfNeeded: (step64 &+ 0x8000_0000) >> 32)
    step.values[entity] = upper
    remainder.values[entity] = Int32(truncatingIfNeeded: step64 &- UInt64(upper) << 32)
    setOrigin(entity, UInt32(truncatingIfNeeded: Self.fixedPoint(turns) >> 32))
  }

  /// Sets the phase at tick 0 of an entity whose step is set.
  private func setOrigin(_ entity: Int, _ origin: UInt32) {
    let anchor = anchors.values[entity / Blocks.entityCount]
    phase.values[entity] = origin &+ turned(entity, at: anchor)
  }

  /// How far an entity has turned from tick 0 to a tick.
  private func turned(_ entity: Int, at tick: Int64) -> UInt32 {
    UInt32(truncatingIfNeeded: (step64(entity) &* UInt64(bitPattern: tick)) >> 32)
  }

  private func step64(_ entity: Int) -> UInt64 {
    UInt64(step.values[entity]) << 32 &+ UInt64(bitPattern: Int64(remainder.values[entity]))
  }

  /// How far an entity turns in a tick, in turns, within ±1/2.
  package func turnsPerTick(_ entity: Int) -> Double {
    Double(Int64(bitPattern: step64(entity))) * 0x1p-64
  }

  /// Makes a block's phases ready for a tick.
  ///
  /// - Returns: Ticks from the anchor to `tick`: a kernel multiplies the steps by them.
  package func prepare(block: Int, tick: UInt64) -> UInt32 {
    let anchor = Self.anchor(block: firstBlock + block, tick: tick)
    if anchors.values[block] != anchor { move(block, to: anchor) }
    return UInt32(Int64(tick) - anchor)
  }

  /// Ticks since a block's last border of tiles, 0 … 7.
  func ticksSinceBorder(block: Int, tick: UInt64) -> Int {
    Self.ticksSinceBorder(block: firstBlock + block, tick: tick)
  }

  /// The anchor of a block at a tick: at most 255 ticks before it.
  ///
  /// The block is named by its index in the scene's batch.
  package static func anchor(block: Int, tick: UInt64) -> Int64 {
    anchor(tick: tick, stagger: stagger(block))
  }

  /// The anchor of a block of lanes: those of neighbours come in successive tiles.
  ///
  /// A block of lanes is re-anchored field by field and spring by spring, which takes longer than to compute it.
  package static func laneAnchor(block: Int, tick: UInt64) -> Int64 {
    anchor(
      tick: tick,
      stagger: stagger(block) + Int64(block % neighbours * Int(KERNEL_TILE_TICKS)))
  }

  private static func anchor(tick: UInt64, stagger: Int64) -> Int64 {
    (Int64(tick) + stagger) / windowTicks * windowTicks - stagger
  }

  /// Ticks since the last border of tiles of a block, by its index in the scene's batch, 0 … 7; windows
  /// begin at borders.
  package static func ticksSinceBorder(block: Int, tick: UInt64) -> Int {
    Int((Int64(tick) + stagger(block)) % Int64(KERNEL_TILE_TICKS))
  }

  /// How many ticks the block's windows begin earlier than those of block 0.
  ///
  /// Windows are staggered so that no tick re-anchors all blocks, or begins the tiles of all blocks.
  /// Four neighbours share a window, since their stores continue from one to the next: with a million
  /// entities in tiles this is a tenth faster than one at a time, and eight are no better. 97 is odd
  /// and near 3/8 of the window: windows of successive neighbours begin far apart.
  private static func stagger(_ block: Int) -> Int64 {
    Int64(block / neighbours % Int(windowTicks)) * 97 % windowTicks
  }

  private static let neighbours = 4

  /// Re-anchors a block: computes its phases at a tick from the exact numbers.
  private func move(_ block: Int, to anchor: Int64) {
    let before = anchors.values[block]
    for entity in Blocks.range(block, entities: phase.count) {
      phase.values[entity] =
        phase.values[entity] &- turned(entity, at: before) &+ turned(entity, at: anchor)
    }
    anchors.values[block] = anchor
  }

  /// The fraction of a number of turns, in units of 2^-64.
  ///
  /// - Parameters:
  ///   - turns: Finite.
  ///   - residual: True value minus `turns`; less than its last bit.
  /// - Returns: The nearest whole number of units; a whole turn is 0.
  package static func fixedPoint(_ turns: Double, residual: Double = 0) -> UInt64 {
    // Numbers this large have no useful fraction, and a residual of many turns.
    if abs(turns) >= 0x1p52 { return 0 }
    // Whole parts by way of integers: without SSE 4.1, `rounded` is a call.
    var whole = Double(Int64(turns))
    if whole > turns { whole -= 1 }
    // The upper and the lower 32 bits, without an unpredictable branch; a fraction that is rounded to a
    // whole turn vanishes in the shift.
    let upper = (turns - whole) * 0x1p32
    let upperBits = Int64(upper)
    let lower = (upper - Double(upperBits)) * 0x1p32
    let lowerBits = Int64(lower)
    let correction = lower - Double(lowerBits) + residual * 0x1p64
    let rounded = Int64(correction)
    // Rounds halves away from zero: twice the rest is truncated to -1, 0 or 1.
    let carry = Int64((correction - Double(rounded)) * 2)
    return UInt64(bitPattern: upperBits << 32 &+ lowerBits &+ rounded &+ carry)
  }
}
