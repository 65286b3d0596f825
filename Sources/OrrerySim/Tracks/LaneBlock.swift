// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery

/// The values of one field of a block, each at rest or moved by any number of contributions.
///
///     value = base + contribution + contribution + …
///
/// Contributions lie in layers, one for each lane in a layer: tweens in some, springs in others. A layer
/// is there once two contributions to one lane overlap, and costs nothing while it is empty. Sums are in
/// order of the layers, of which a contribution takes the first that is free in its lane.
///
/// One thread changes it between ticks, and one thread places it; different blocks may be placed by
/// different threads at one time. What it places at a tick is a function of what was begun and not ended,
/// and of the tick: the same bits whichever ticks were placed before. At a tick before a contribution's
/// start, or behind the end of a curve that was not ended, it stands still.
package final class LaneBlock: @unchecked Sendable {
  /// Lanes in the block.
  package let count: Int

  private let rate: TickRate
  private let curves: CurveBank
  private let stagger: Int
  private let bases: Column<Double>

  /// What is there without movement: base and the constant parts of contributions.
  private let resting: Column<Float>
  private var tweens: [TweenLayer] = []
  private var springs: [SpringLayer] = []

  /// Names one contribution to one lane; one that has ended is recognised.
  package struct Handle: Hashable, Sendable {
    /// The lane in its block.
    package let lane: Int
    fileprivate let layer: Int
    fileprivate let isSpring: Bool
    fileprivate let generation: UInt32
  }

  /// Lanes at rest.
  ///
  /// - Parameters:
  ///   - count: 0 … `Blocks.entityCount`.
  ///   - base: The value of all of them.
  ///   - rate: Ticks per second.
  ///   - curves: Where the curves come from that `begin` is given.
  ///   - stagger: Number of the block among others; blocks of different numbers are re-anchored at
  ///     different ticks.
  package init(
    count: Int, base: Double = 0, rate: TickRate, curves: CurveBank, stagger: Int = 0
  ) {
    precondition((0...Blocks.entityCount).contains(count), "\(count) lanes")
    precondition(stagger >= 0, "block \(stagger)")
    self.count = count
    self.rate = rate
    self.curves = curves
    self.stagger = stagger
    bases = Column(count: count, zero: base)
    resting = Column(count: count, zero: Float(base) + 0)
  }

  /// Makes room for contributions to one lane at one time, so that `begin` need not allocate.
  ///
  /// 100 bytes for each lane and tween, and 120 for each lane and spring.
  package func reserve(tweens: Int, springs: Int) {
    while self.tweens.count < tweens {
      self.tweens.append(TweenLayer(count: count, stagger: stagger))
    }
    while self.springs.count < springs {
      self.springs.append(SpringLayer(count: count, stagger: stagger))
    }
  }

  /// Sets what a lane shows when nothing moves it: the model's value.
  package func setBase(_ lane: Int, _ value: Double) {
    precondition(lane >= 0 && lane < count, "lane \(lane) of \(count)")
    bases.values[lane] = value
    settle(lane)
  }

  /// What a lane shows when nothing moves it.
  package func base(_ lane: Int) -> Double {
    precondition(lane >= 0 && lane < count, "lane \(lane) of \(count)")
    return bases.values[lane]
  }

  /// Adds a contribution to a lane.
  ///
  /// - Parameters:
  ///   - lane: In `0..<count`.
  ///   - motion: What it does.
  ///   - interval: New value minus old value, in the lane's unit.
  /// - Returns: What `end` wants.
  @discardableResult
  package func begin(_ lane: Int, _ motion: LaneMotion, interval: Double) -> Handle {
    precondition(lane >= 0 && lane < count, "lane \(lane) of \(count)")
    defer { settle(lane) }
    switch motion {
    case .hold(let progress):
      return hold(lane, offset: interval * (progress - 1))
    case .curve(let curve, let start, let duration, let isReversed):
      guard duration > 0 else {
        return hold(lane, offset: interval * ((isReversed ? 1 - curve.end : curve.end) - 1))
      }
      return tween(
        lane, curve, start: start, period: duration, isCycle: false,
        span: isReversed ? -interval : interval, offset: isReversed ? 0 : -interval)
    case .cycle(let curve, let start, let period):
      guard period > 0 else { return hold(lane, offset: interval * (curve.start - 1)) }
      return tween(
        lane, curve, start: start, period: period, isCycle: true, span: interval, offset: -interval)
    case .spring(let spring, let velocity, let start, let isReversed):
      let (index, layer) = springLayer(free: lane)
      let generation = layer.begin(
        lane, spring, displacement: isReversed ? interval : -interval,
        velocity: isReversed ? -velocity : velocity, start: start,
        offset: isReversed ? -interval : 0, rate: rate)
      return Handle(lane: lane, layer: index, isSpring: true, generation: generation)
    }
  }

  private func hold(_ lane: Int, offset: Double) -> Handle {
    let (index, layer) = tweenLayer(free: lane)
    let generation = layer.hold(lane, offset: offset)
    return Handle(lane: lane, layer: index, isSpring: false, generation: generation)
  }

  private func tween(
    _ lane: Int, _ curve: LaneCurve, start: TickTime, period: Double, isCycle: Bool, span: Double,
    offset: Double
  ) -> Handle {
    let (index, layer) = tweenLayer(free: lane)
    let generation = layer.begin(
      lane, curve, start: start, period: period, isCycle: isCycle, span: span, offset: offset,
      rate: rate)
    return Handle(lane: lane, layer: index, isSpring: false, generation: generation)
  }

  /// Takes a contribution away.
  ///
  /// - Returns: Whether it was there.
  @discardableResult
  package func end(_ handle: Handle) -> Bool {
    let (lane, generation) = (handle.lane, handle.generation)
    let wasThere =
      handle.isSpring
      ? springs[handle.layer].end(lane, generation: generation)
      : tweens[handle.layer].end(lane, generation: generation)
    if wasThere { settle(lane) }
    return wasThere
  }

  /// Takes all contributions to a lane away.
  package func endAll(_ lane: Int) {
    precondition(lane >= 0 && lane < count, "lane \(lane) of \(count)")
    for layer in tweens { _ = layer.end(lane, generation: layer.generation(lane)) }
    for layer in springs { _ = layer.end(lane, generation: layer.generation(lane)) }
    settle(lane)
  }

  /// Whether any contribution changes with the tick; holds do not.
  package var isMoving: Bool {
    tweens.contains { $0.isMoving } || springs.contains { $0.isMoving }
  }

  /// Whether any contribution to a lane changes with the tick.
  package func isMoving(_ lane: Int) -> Bool {
    tweens.contains { $0.isMoving(lane) } || springs.contains { $0.isMoving(lane) }
  }

  /// Computes the values at a tick, and allocates nothing.
  ///
  /// - Parameters:
  ///   - tick: Ticks since the scene began; at most 2^62.
  ///   - kernels: Of the instruction set in use.
  ///   - values: Where `count` values go; aligned to 64 bytes.
  package func place(
    tick: UInt64, kernels: borrowing kernel_table, into values: UnsafeMutablePointer<Float>
  ) {
    var isFilled = false
    for layer in tweens where layer.isMoving {
      let base = fill(values, around: layer.kernelGroups(tick: tick), isFilled: &isFilled)
      layer.add(tick: tick, kernels: kernels, rows: curves.rows, base: base, values: values)
    }
    for layer in springs where layer.isMoving {
      let base = fill(values, around: layer.kernelGroups(), isFilled: &isFilled)
      layer.add(tick: tick, kernels: kernels, base: base, values: values)
    }
    _ = fill(values, around: 0..<0, isFilled: &isFilled)
  }

  /// Sets values to what rests, once, but for groups that are about to be computed from it.
  ///
  /// - Returns: What a layer is to add to.
  private func fill(
    _ values: UnsafeMutablePointer<Float>, around groups: Range<Int>, isFilled: inout Bool
  ) -> UnsafePointer<Float> {
    if isFilled { return UnsafePointer(values) }
    isFilled = true
    let first = groups.lowerBound * Blocks.laneCount
    let end = min(groups.upperBound * Blocks.laneCount, count)
    values.update(from: resting.values, count: first)
    (values + end).update(from: resting.values + end, count: count - end)
    return UnsafePointer(resting.values)
  }

  /// Computes what a lane shows without movement.
  private func settle(_ lane: Int) {
    var sum = bases.values[lane]
    for layer in tweens { sum += layer.offset(lane) }
    for layer in springs { sum += layer.offset(lane) }
    // Adding zero makes +0 of -0.
    resting.values[lane] = Float(sum) + 0
  }

  private func tweenLayer(free lane: Int) -> (Int, TweenLayer) {
    let index = tweens.firstIndex { !$0.used.contains(lane) } ?? tweens.count
    reserve(tweens: index + 1, springs: 0)
    return (index, tweens[index])
  }

  private func springLayer(free lane: Int) -> (Int, SpringLayer) {
    let index = springs.firstIndex { !$0.used.contains(lane) } ?? springs.count
    reserve(tweens: 0, springs: index + 1)
    return (index, springs[index])
  }
}
