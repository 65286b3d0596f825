// SPDX-License-Identifier: Apache-2.0

import Orrery

/// The part of a motion that does not depend on lane and interval: computed once for all lanes that begin it.
///
/// It is valid as long as the bank of its curve.
package struct LaneStart: @unchecked Sendable {
  let kind: Kind

  enum Kind {
    case hold(progress: Double)
    case tween(TweenStart, isReversed: Bool)
    case spring(Spring, velocity: Double, start: TickTime, isReversed: Bool)
  }

  /// Computes the start of a motion.
  package init(_ motion: LaneMotion, rate: TickRate) {
    switch motion {
    case .hold(let progress):
      kind = .hold(progress: progress)
    case .curve(let curve, let start, let duration, let isReversed):
      kind =
        duration > 0
        ? .tween(
          TweenStart(curve, start: start, period: duration, isCycle: false, rate: rate),
          isReversed: isReversed)
        : .hold(progress: isReversed ? 1 - curve.end : curve.end)
    case .cycle(let curve, let start, let period):
      kind =
        period > 0
        ? .tween(
          TweenStart(curve, start: start, period: period, isCycle: true, rate: rate),
          isReversed: false)
        : .hold(progress: curve.start)
    case .spring(let spring, let velocity, let start, let isReversed):
      kind = .spring(spring, velocity: velocity, start: start, isReversed: isReversed)
    }
  }
}

/// The start of a tween, without the values that it adds to its lane.
struct TweenStart: BitwiseCopyable {
  /// Nil for a track of keyframes.
  let curve: Unmanaged<LaneCurve>?
  let start: TickTime
  let isCycle: Bool
  let periodTicks: Double

  /// The last tick at which a kernel may compute it.
  let lastTick: Int64

  /// The curve's table; nil: it is computed in `Double`.
  let entry: UInt32?

  /// As in `TweenLayer`: turns in a tick, the same rounded, and turns at tick 0.
  let step64: UInt64
  let step: UInt32
  let origin: UInt64

  /// - Parameters:
  ///   - curve: Of the lanes' bank.
  ///   - start: Where the curve starts.
  ///   - period: Seconds; > 0.
  ///   - isCycle: Whether it begins again and again.
  ///   - rate: Ticks per second.
  init(_ curve: LaneCurve, start: TickTime, period: Double, isCycle: Bool, rate: TickRate) {
    self.init(
      .passUnretained(curve), entry: curve.entry, start: start, period: period, isCycle: isCycle,
      rate: rate)
  }

  /// The start, at tick 0, of a track of keyframes.
  init(_ track: LaneTrack, rate: TickRate) {
    self.init(
      nil, entry: track.entry, start: TickTime(tick: 0), period: track.duration, isCycle: true,
      rate: rate)
  }

  private init(
    _ curve: Unmanaged<LaneCurve>?, entry known: UInt32?, start: TickTime, period: Double,
    isCycle: Bool, rate: TickRate
  ) {
    self.curve = curve
    self.start = start
    self.isCycle = isCycle
    periodTicks = period * Double(rate.numerator) / Double(rate.denominator)
    lastTick = isCycle ? .max : Self.lastTick(start, periodTicks)
    let (turnsPerTick, residual) = Phases.turnsPerTick(speed: 1, period: period, rate: rate)
    // 64 bits cannot count periods longer than any run, or shorter than 2^-50 ticks.
    let isExtreme = !(turnsPerTick > 0x1p-64 && turnsPerTick < 0x1p50)
    entry = isExtreme ? nil : known
    step64 = isExtreme ? 0 : Phases.fixedPoint(turnsPerTick, residual: residual)
    step = UInt32(truncatingIfNeeded: (step64 &+ 0x8000_0000) >> 32)
    let sinceStart = isExtreme ? 0 : Phases.fixedPoint(start.fraction * turnsPerTick)
    origin = 0 &- step64 &* UInt64(bitPattern: start.tick) &- sinceStart
  }

  /// The last tick before a curve's end: later, a phase rounded to 23 bits could wrap to the curve's
  /// start.
  private static func lastTick(_ start: TickTime, _ periodTicks: Double) -> Int64 {
    let ticks = (start.fraction + periodTicks * (1 - 0x1p-23)).rounded(.down)
    return ticks < 0x1p61 ? start.tick + Int64(ticks) : .max
  }
}
