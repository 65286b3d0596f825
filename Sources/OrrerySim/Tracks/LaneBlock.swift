// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import CLinux
import Orrery
import OrreryScene

/// The values of one field of a block; each is at rest, or any number of contributions move it.
///
///     value = base + contribution + contribution + …
///
/// Contributions are kept in layers, with at most one for each lane in a layer: some layers hold
/// tweens, the others springs. A contribution takes the layer that it is given, or the first that is free
/// in its lane, so another layer is made only when contributions to one lane overlap; an empty one costs
/// nothing. Sums are in the order of layers.
///
/// One thread changes the block between ticks, and one thread evaluates it; different threads may
/// evaluate different blocks at the same time. The values at a tick are a function of the tick and of
/// the contributions that have begun and not ended: the same bits whichever ticks were evaluated
/// before. Before its start, and after the end of a curve that was not ended, a contribution stands
/// still.
package final class LaneBlock: @unchecked Sendable {
  /// Lanes in the block.
  package let count: Int

  private let rate: TickRate
  private let curves: CurveBank
  private let stagger: Int
  let bases: Column<Double>

  /// The sum without movement: base and the constant parts of contributions.
  let resting: Column<Float>

  /// Layers of tweens and of springs, not checked for overlapping accesses.
  ///
  /// With checks, of these and of the layers' sets, the row *begin* of `bench views` spends a tenth of its time on them.
  @exclusivity(unchecked) var tweens: [TweenLayer] = []
  @exclusivity(unchecked) var springs: [SpringLayer] = []

  /// The first of `tweens`; nil if there is none.
  @exclusivity(unchecked) private var firstTweens: Unmanaged<TweenLayer>?

  /// Tracks of keyframes; nil until there is one.
  @exclusivity(unchecked) var tracks: TweenLayer?

  /// Whether any tween waits for `endPending`.
  @exclusivity(unchecked) private var hasPending = false

  /// Names one contribution to one lane; a handle of an ended contribution is recognised.
  package struct Handle: Hashable, BitwiseCopyable, Sendable {
    fileprivate let laneNumber: UInt32

    /// Index of a layer of tweens, or -1 minus that of a layer of springs.
    fileprivate let layer: Int32
    fileprivate let generation: UInt32

    /// The lane in its block.
    package var lane: Int { Int(laneNumber) }

    /// Its layer among those of tweens; nil if it has one among those of springs.
    var tweenLayer: Int? { layer < 0 ? nil : Int(layer) }
    var springLayer: Int? { layer < 0 ? -1 - Int(layer) : nil }
  }

  /// Lanes at rest.
  ///
  /// - Parameters:
  ///   - count: 0 … `Blocks.entityCount`.
  ///   - base: The value of every lane.
  ///   - rate: Ticks per second.
  ///   - curves: The bank of all curves that are given to `begin`.
  ///   - stagger: Index of the block among others; blocks of different indexes are re-anchored at
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
  /// 40 bytes for each lane and tween, and 64 for each lane and spring.
  package func reserve(tweens: Int, springs: Int) {
    while self.tweens.count < tweens {
      self.tweens.append(TweenLayer(count: count, stagger: stagger))
    }
    while self.springs.count < springs {
      self.springs.append(SpringLayer(count: count, stagger: stagger, rate: rate))
    }
    firstTweens = self.tweens.first.map { .passUnretained($0) }
  }

  /// Sets the value of a lane at rest: the model's value.
  package func setBase(_ lane: Int, _ value: Double) {
    precondition(lane >= 0 && lane < count, "lane \(lane) of \(count)")
    endPending()
    bases.values[lane] = value
    updateResting(lane)
  }

  /// The value of a lane at rest.
  package func base(_ lane: Int) -> Double {
    precondition(lane >= 0 && lane < count, "lane \(lane) of \(count)")
    return bases.values[lane]
  }

  /// Adds a contribution to a lane.
  ///
  /// - Parameters:
  ///   - lane: In `0..<count`.
  ///   - motion: How the contribution moves.
  ///   - interval: New value minus old value, in the lane's unit.
  ///   - layer: Index among the layers of its kind, free in this lane; nil: the first that is free.
  /// - Returns: A handle for `end`.
  @discardableResult
  package func begin(
    _ lane: Int, _ motion: LaneMotion, interval: Double, layer: Int? = nil
  ) -> Handle {
    precondition(lane >= 0 && lane < count, "lane \(lane) of \(count)")
    return begin(
      lane, LaneStart(motion, rate: rate), interval: interval, velocityUnit: 1, layer: layer)
  }

  /// Sets the value of a lane at rest, and adds a contribution that leads to it.
  ///
  /// - Parameters:
  ///   - lane: In `0..<count`.
  ///   - start: How the contribution moves, with velocities in intervals per second.
  ///   - base: The new value at rest.
  ///   - interval: New value minus old value, in the lane's unit.
  /// - Returns: A handle for `end`.
  package func begin(
    _ lane: Int, _ start: LaneStart, base: Double, interval: Double
  ) -> Handle {
    precondition(lane >= 0 && lane < count, "lane \(lane) of \(count)")
    bases.values[lane] = base
    return begin(lane, start, interval: interval, velocityUnit: interval, layer: nil)
  }

  /// As the other, of a tween from the old value to the new one.
  func begin(
    _ lane: Int, _ start: UnsafePointer<TweenStart>, base: Double, interval: Double
  ) -> Handle {
    precondition(lane >= 0 && lane < count, "lane \(lane) of \(count)")
    endPending()
    bases.values[lane] = base
    if let generation = firstTweens?._withUnsafeGuaranteedRef({
      $0.used.contains(lane)
        ? nil : $0.begin(lane, start.pointee, span: interval, offset: -interval)
    }) {
      setResting(lane, from: base - interval)
      return handle(lane, 0, generation)
    }
    let (index, layer) = tweenLayer(nil, free: lane)
    let generation = layer._withUnsafeGuaranteedRef {
      $0.begin(lane, start.pointee, span: interval, offset: -interval)
    }
    updateResting(lane)
    return handle(lane, index, generation)
  }

  /// Whether a lane is free in the first layer of tweens, which is there.
  @inline(__always)
  func hasFirstLayer(free lane: Int) -> Bool {
    firstTweens?._withUnsafeGuaranteedRef { !$0.used.contains(lane) } ?? false
  }

  /// Whether lanes are free in the first layer of tweens, which is there.
  func hasFirstLayer(free lanes: Range<Int>) -> Bool {
    firstTweens?._withUnsafeGuaranteedRef { $0.used.isDisjoint(with: lanes) } ?? false
  }

  /// As `begin`, in successive lanes that are free in the first layer of tweens, all from one value to another.
  func begin(
    _ start: UnsafePointer<TweenStart>, _ lanes: Range<Int>, base: Double, interval: Double
  ) {
    guard let firstTweens else { return }
    precondition(lanes.lowerBound >= 0 && lanes.upperBound <= count, "lanes \(lanes) of \(count)")
    endPending()
    firstTweens._withUnsafeGuaranteedRef { $0.begin(start.pointee, lanes, interval: interval) }
    (bases.values + lanes.lowerBound).update(repeating: base, count: lanes.count)
    if tweens.count + springs.count == 1 {
      let value = Float(base - interval) + 0
      (resting.values + lanes.lowerBound).update(repeating: value, count: lanes.count)
    } else {
      lanes.forEach(updateResting)
    }
  }

  /// As `begin`, in many lanes.
  ///
  /// - Parameters:
  ///   - start: How all move; a kernel computes it.
  ///   - changes: Of lanes in rising order, free in the first layer of tweens; they receive their generations.
  ///   - count: How many there are.
  func begin(
    _ start: UnsafePointer<TweenStart>, _ changes: UnsafeMutablePointer<LaneChange>, count: Int
  ) {
    guard count > 0, let firstTweens else { return }
    let (first, last) = (changes[0].lane, changes[count - 1].lane)
    precondition(first >= 0 && first <= last && last < self.count, "lanes \(first) to \(last)")
    endPending()
    firstTweens._withUnsafeGuaranteedRef { $0.begin(start.pointee, changes, count: count) }
    for change in UnsafeBufferPointer(start: changes, count: count) {
      bases.values[Int(change.lane)] = change.base
      setResting(Int(change.lane), from: change.base - change.interval)
    }
  }

  /// Sets the resting value of a lane whose tween in the first layer began at a value.
  @inline(__always)
  private func setResting(_ lane: Int, from value: Double) {
    if tweens.count + springs.count == 1 {
      resting.values[lane] = Float(value) + 0
    } else {
      updateResting(lane)
    }
  }

  private func begin(
    _ lane: Int, _ start: LaneStart, interval: Double, velocityUnit: Double, layer given: Int?
  ) -> Handle {
    endPending()
    defer { updateResting(lane) }
    switch start.kind {
    case .hold(let progress):
      let (index, layer) = tweenLayer(given, free: lane)
      let offset = interval * (progress - 1)
      return handle(lane, index, layer._withUnsafeGuaranteedRef { $0.hold(lane, offset: offset) })
    case .tween(let tween, let isReversed):
      let (index, layer) = tweenLayer(given, free: lane)
      let generation = layer._withUnsafeGuaranteedRef {
        $0.begin(
          lane, tween, span: isReversed ? -interval : interval, offset: isReversed ? 0 : -interval)
      }
      return handle(lane, index, generation)
    case .spring(let spring, let givenVelocity, let start, let isReversed):
      let (index, layer) = springLayer(given, free: lane)
      let velocity = givenVelocity * velocityUnit
      let generation = layer._withUnsafeGuaranteedRef {
        $0.begin(
          lane, spring, displacement: isReversed ? interval : -interval,
          velocity: isReversed ? -velocity : velocity, start: start,
          offset: isReversed ? -interval : 0)
      }
      return handle(lane, -1 - index, generation)
    }
  }

  /// Sets the value of a lane at rest, and lets a spring take over its only contribution.
  ///
  /// - Parameters:
  ///   - handle: The contribution.
  ///   - spring: How the value moves from now on.
  ///   - start: When.
  ///   - base: The new value at rest.
  ///   - displacement: Value minus `base`, at the start.
  ///   - velocity: Per second, at the start.
  /// - Returns: A handle for `end`.
  func takeOver(
    _ handle: Handle, _ spring: Spring, _ start: TickTime, base: Double, displacement: Double,
    velocity: Double
  ) -> Handle {
    let (lane, index) = (handle.lane, -1 - Int(handle.layer))
    endPending()
    bases.values[lane] = base
    resting.values[lane] = Float(base) + 0
    if index >= 0,
      let generation = Unmanaged.passUnretained(springs[index])._withUnsafeGuaranteedRef({
        $0.takeOver(
          lane, generation: handle.generation, spring, displacement: displacement,
          velocity: velocity, start: start)
      })
    {
      return self.handle(lane, Int(handle.layer), generation)
    }
    end(handle)
    return begin(
      lane, LaneStart(.spring(spring, velocity: velocity, start: start), rate: rate),
      interval: -displacement, velocityUnit: 1, layer: nil)
  }

  /// Brings the memory of a lane's first spring into the cache.
  func prefetch(_ lane: Int) {
    linux_prefetch(bases.values + lane)
    linux_prefetch(resting.values + lane)
    if !springs.isEmpty {
      Unmanaged.passUnretained(springs[0])._withUnsafeGuaranteedRef { $0.prefetch(lane) }
    }
  }

  /// Lets keyframes move a lane that nothing moves, from tick 0 on.
  func beginTrack(_ lane: Int, _ track: LaneTrack) {
    let layer = tracks ?? TweenLayer(count: count, stagger: stagger, isGrid: true)
    tracks = layer
    bases.values[lane] = track.low
    _ = layer.begin(lane, TweenStart(track, rate: rate), span: track.span, offset: 0)
    updateResting(lane)
  }

  /// Ends the keyframes of a lane; its value at rest is then to be set.
  func endTrack(_ lane: Int) {
    guard let tracks else { return }
    _ = tracks.end(lane, generation: tracks.generation(lane))
  }

  private func handle(_ lane: Int, _ layer: Int, _ generation: UInt32) -> Handle {
    Handle(laneNumber: UInt32(lane), layer: Int32(layer), generation: generation)
  }

  /// Ends a contribution.
  ///
  /// - Returns: False if it had ended before.
  @discardableResult
  package func end(_ handle: Handle) -> Bool {
    let (lane, generation, index) = (handle.lane, handle.generation, Int(handle.layer))
    let hasEnded =
      index < 0
      ? springs[-1 - index].end(lane, generation: generation)
      : tweens[index].end(lane, generation: generation)
    if hasEnded { updateResting(lane) }
    return hasEnded
  }

  /// Ends a contribution that has not ended yet, at the latest before the block's next operation.
  ///
  /// Ending many at once is faster: memory is visited in order. Call `endPending` before `evaluate`,
  /// which does not end them.
  @inline(__always)
  package func endLater(_ handle: Handle) {
    let layer = Int(handle.layer)
    if layer < 0 {
      end(handle)
    } else {
      hasPending = true
      if layer == 0, let firstTweens {
        firstTweens._withUnsafeGuaranteedRef {
          $0.endLater(handle.lane, generation: handle.generation)
        }
        return
      }
      Unmanaged.passUnretained(tweens[layer])._withUnsafeGuaranteedRef {
        $0.endLater(handle.lane, generation: handle.generation)
      }
    }
  }

  /// As `endLater`, of the tweens of successive lanes in the first layer.
  func endLater(_ lanes: Range<Int>) {
    precondition(lanes.lowerBound >= 0 && lanes.upperBound <= count, "lanes \(lanes) of \(count)")
    hasPending = true
    firstTweens?._withUnsafeGuaranteedRef { $0.endLater(lanes) }
  }

  /// Names the tween of a lane in the first layer.
  func firstTween(_ lane: Int) -> Handle? {
    firstTweens?._withUnsafeGuaranteedRef { handle(lane, 0, $0.generation(lane)) }
  }

  /// Ends the contributions that were given to `endLater`.
  @inline(__always)
  package func endPending() {
    if hasPending { endAllPending() }
  }

  private func endAllPending() {
    hasPending = false
    if tweens.count + springs.count == 1 {
      tweens[0].endPending { resting.values[$0] = Float(bases.values[$0]) + 0 }
    } else {
      for layer in tweens { layer.endPending(updateResting) }
    }
  }

  /// Ends all contributions to a lane.
  package func endAll(_ lane: Int) {
    precondition(lane >= 0 && lane < count, "lane \(lane) of \(count)")
    endPending()
    for layer in tweens { _ = layer.end(lane, generation: layer.generation(lane)) }
    for layer in springs { _ = layer.end(lane, generation: layer.generation(lane)) }
    updateResting(lane)
  }

  /// Whether any contribution changes from tick to tick; holds do not.
  package var isMoving: Bool {
    tracks?.isMoving == true || tweens.contains { $0.isMoving } || springs.contains { $0.isMoving }
  }

  /// Whether any contribution to a lane changes from tick to tick.
  package func isMoving(_ lane: Int) -> Bool {
    tracks?.isMoving(lane) == true || tweens.contains { $0.isMoving(lane) }
      || springs.contains { $0.isMoving(lane) }
  }

  /// Computes the values at a tick, and allocates nothing.
  ///
  /// - Parameters:
  ///   - tick: Ticks since the scene began; at most 2^62.
  ///   - kernels: Those of the instruction set in use.
  ///   - values: Receives `count` values; aligned to 64 bytes.
  package func evaluate(
    tick: UInt64, kernels: borrowing kernel_table, into values: UnsafeMutablePointer<Float>
  ) {
    var isFilled = false
    if let tracks, tracks.isMoving {
      let base = fill(values, around: tracks.kernelGroups(tick: tick), isFilled: &isFilled)
      tracks.add(tick: tick, kernels: kernels, rows: curves.rows, base: base, values: values)
    }
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

  /// Whether nothing moves the block's lanes, or nothing but keyframes that kernels evaluate.
  var isSteady: Bool {
    !tweens.contains { $0.isMoving } && !springs.contains { $0.isMoving }
      && tracks?.isEndless ?? true
  }

  /// Computes the values at a tile's ticks while the block is steady, and adds their hash terms.
  ///
  /// - Parameters:
  ///   - tick: The tile's first.
  ///   - kernels: Those of the instruction set in use.
  ///   - tile: Has the block's column as its first field.
  func evaluateSteady(
    tick: UInt64, kernels: borrowing kernel_table, tile: UnsafeMutablePointer<kernel_tile>
  ) {
    if let tracks, tracks.isMoving {
      tracks.fill(tile, tick: tick, kernels: kernels, rows: curves.rows, base: resting.values)
      return
    }
    for ahead in 0..<Int(tile.pointee.ticks) {
      tile.floats(field: 0, tick: ahead).update(from: resting.values, count: count)
    }
    kernels.hash(tile, 1)
  }

  /// Copies the resting values once, except for groups that a layer is about to compute from them.
  ///
  /// - Returns: The values to which the layer adds.
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

  /// Computes a lane's resting value again.
  private func updateResting(_ lane: Int) { resting.values[lane] = restingValue(lane) }

  /// The sum of a lane's base and of the constant parts of its contributions.
  func restingValue(_ lane: Int) -> Float {
    var sum = bases.values[lane]
    for index in tweens.indices { sum += tweens[index].offset(lane) }
    for index in springs.indices { sum += springs[index].offset(lane) }
    // Adding zero turns -0 into +0.
    return Float(sum) + 0
  }

  /// A layer that is free in a lane: the given one, or the first; it lives as long as the block.
  private func tweenLayer(_ given: Int?, free lane: Int) -> (Int, Unmanaged<TweenLayer>) {
    var index = given ?? 0
    while given == nil, index < tweens.count, tweens[index].used.contains(lane) { index += 1 }
    if index >= tweens.count { reserve(tweens: index + 1, springs: 0) }
    precondition(!tweens[index].used.contains(lane), "lane \(lane) has a tween in layer \(index)")
    return (index, .passUnretained(tweens[index]))
  }

  /// As `tweenLayer`, for springs.
  private func springLayer(_ given: Int?, free lane: Int) -> (Int, Unmanaged<SpringLayer>) {
    var index = given ?? 0
    while given == nil, index < springs.count, springs[index].used.contains(lane) { index += 1 }
    if index >= springs.count { reserve(tweens: 0, springs: index + 1) }
    precondition(!springs[index].used.contains(lane), "lane \(lane) has a spring in layer \(index)")
    return (index, .passUnretained(springs[index]))
  }
}

/// The change of one lane among many.
struct LaneChange: BitwiseCopyable {
  let lane: Int32

  /// Of its tween in the first layer.
  var generation: UInt32 = 0

  /// The new value at rest.
  let base: Double

  /// That minus the one before.
  let interval: Double

  init(lane: Int, base: Double, interval: Double) {
    (self.lane, self.base, self.interval) = (Int32(lane), base, interval)
  }

  /// The end of a tween in the first layer.
  init(_ handle: LaneBlock.Handle) {
    (lane, generation, base, interval) = (Int32(handle.lane), handle.generation, 0, 0)
  }

  /// Names its tween.
  var handle: LaneBlock.Handle {
    LaneBlock.Handle(laneNumber: UInt32(lane), layer: 0, generation: generation)
  }
}
