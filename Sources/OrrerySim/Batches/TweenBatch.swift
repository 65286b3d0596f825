// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySceneBuilder

/// Moves from one value to another, repeated for ever.
///
/// | column  | unit        | changes              |
/// |---------|-------------|----------------------|
/// | phases  | turns       | see `Phases`         |
/// | `from`  | its field's | never                |
/// | `span`  | its field's | never                |
/// | `entry` | `CurveBank` | never; one per block if the block has one curve |
///
/// Curves without a table are evaluated one by one, in `Double`.
package final class TweenBatch: BoundedBatch {
  /// 24 if a block has several curves, and 48 more for each entity whose curve has no table.
  package static var entityBytes: UInt64 { 20 }

  package let fields: [ViewProperty]
  private let phases: Phases
  private let from: Column<Float>
  private let span: Column<Float>
  private let curves = CurveBank()

  /// The largest absolute value of all entities; nil if a curve has no table.
  private let bound: Double?

  /// The entry that all lanes of a block share; nil if they differ: see `entry`.
  private let sharedEntry: [UInt32?]

  /// The entry of each lane; empty if no block needs them.
  private let entry: Column<UInt32>

  /// Entities without a table, in rising order; and for each block, the index of its first one in this list.
  private let exact: [ExactTween]
  private let firstExact: [Int]

  /// An entity whose curve has no table.
  private struct ExactTween: Sendable {
    let entity: Int
    let cycle: TweenCycle
    let span: Double
    /// As in `Phases`, but both in units of 2^-64 turns.
    let origin: UInt64
    let step: UInt64

    /// Added to a phase where the curve may jump: `phaseSlack`, or 0 for a curve that does not.
    let slack: UInt64

    /// Progress at a tick.
    func progress(_ tick: UInt64) -> Double {
      let phase = origin &+ step &* tick
      // A steep curve would show a large value for a small error of the phase: show exactly its start.
      if phase &+ TweenBatch.phaseSlack < 2 * TweenBatch.phaseSlack { return cycle.value(at: 0) }
      return cycle.value(at: Double((phase &+ slack) >> 11) * 0x1p-53)
    }
  }

  /// The largest error of a phase that is ignored, in 2^-64 turns.
  ///
  /// A jump that is due exactly at a tick happens at that tick, although 64 bits round the turns of a
  /// tick. So does the start of a cycle. This holds for 2^25 ticks.
  private static let phaseSlack: UInt64 = 1 << 24

  /// Builds the columns.
  ///
  /// - Parameters:
  ///   - specs: The entities.
  ///   - property: The property that moves.
  ///   - rate: Ticks per second.
  package init(_ specs: Specs<TweenSpec>, property: ViewProperty = .x, rate: TickRate) {
    let count = specs.count
    fields = [property]
    phases = Phases(count: count, first: specs.first)
    from = Column(count: count, zero: 0)
    span = Column(count: count, zero: 0)
    var (shared, exact, firstExact) = ([UInt32?](), [ExactTween](), [0])
    var mixed: [(entity: Int, entry: UInt32)] = []
    var bound = 0.0
    var (first, isShared) = (LaneCurve.linearEntry, true)
    var (cycle, curve) = (TweenCycle.linear, curves.curve(TweenCycle.linear))
    var runs = specs.runs(of: Blocks.entityCount)
    while let (firstEntity, specs) = runs.next() {
      // By index: copying a spec would count references to its cycle.
      for index in specs.indices {
        let entity = firstEntity + index
        let range = Blocks.range(entity / Blocks.entityCount, entities: count)
        if entity == range.lowerBound { isShared = true }
        phases.set(
          entity, turns: specs[index].phase, speed: 1, period: specs[index].period, rate: rate)
        from.values[entity] = Float(specs[index].from)
        if specs[index].cycle !== cycle {
          (cycle, curve) = (specs[index].cycle, curves.curve(specs[index].cycle))
        }
        if let range = curve.range { bound = max(bound, specs[index].magnitudeMax(range)) }
        let entry = curve.entry
        if entry == nil {
          exact.append(Self.exact(entity, specs[index], rate))
        } else {
          span.values[entity] = Float(specs[index].to - specs[index].from)
        }
        let laneEntry = entry ?? LaneCurve.linearEntry
        if entity == range.lowerBound { first = laneEntry }
        if isShared && laneEntry != first {
          isShared = false
          mixed += (range.lowerBound..<entity).map { ($0, first) }
        }
        if !isShared { mixed.append((entity, laneEntry)) }
        if entity == range.upperBound - 1 {
          shared.append(isShared ? first : nil)
          firstExact.append(exact.count)
        }
      }
    }
    entry = Column(count: mixed.isEmpty ? 0 : count, zero: LaneCurve.linearEntry)
    for (entity, entry) in mixed { self.entry.values[entity] = entry }
    sharedEntry = shared
    self.bound = exact.isEmpty ? bound : nil
    self.exact = exact
    self.firstExact = firstExact
  }

  private static func exact(_ entity: Int, _ spec: TweenSpec, _ rate: TickRate) -> ExactTween {
    let (turns, residual) = Phases.turnsPerTick(speed: 1, period: spec.period, rate: rate)
    return ExactTween(
      entity: entity, cycle: spec.cycle, span: spec.to - spec.from,
      origin: Phases.fixedPoint(spec.phase), step: Phases.fixedPoint(turns, residual: residual),
      slack: spec.cycle.curve.mayJump ? phaseSlack : 0)
  }

  package var count: Int { span.count }

  /// Always: nothing happens to them.
  package func looksAhead(block: Int, tick: UInt64) -> Bool { true }

  /// The largest absolute value that any curve reaches; unknown if a curve has no table.
  package func valueBound(_ field: ViewProperty) -> Double? { bound }

  /// Computes one block; see `Batch.evaluate`.
  package func evaluate(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) -> Bool {
    tile.pointee.elapsed = phases.prepare(block: block, tick: tick)
    let first = Blocks.range(block, entities: count).lowerBound
    let (phase, step) = (phases.phase.values + first, phases.step.values + first)
    let (from, span) = (from.values + first, span.values + first)
    switch sharedEntry[block] {
    case LaneCurve.linearEntry:
      kernels.tween(tile, phase, step, from, span)
    case let shared?:
      let table = curves.rows + Int(shared >> 4) * 4
      kernels.tween_table(tile, table, shared & 15, phase, step, from, span)
    case nil:
      kernels.tween_mixed(tile, curves.rows, entry.values + first, phase, step, from, span)
    }
    let exactRange = firstExact[block]..<firstExact[block + 1]
    for index in exactRange {
      let tween = exact[index]
      for ahead in 0..<Int(tile.pointee.ticks) {
        let move = Float(tween.span * tween.progress(tick + UInt64(ahead)))
        tile.set(
          from[tween.entity - first] + move, lane: tween.entity - first, field: 0, tick: ahead)
      }
    }
    return exactRange.isEmpty
  }
}

extension TweenSpec {
  /// The largest absolute value of the tween if its curve's progress stays in this range.
  fileprivate func magnitudeMax(_ progress: ClosedRange<Double>) -> Double {
    let (low, high) = (progress.lowerBound, progress.upperBound)
    return max(abs(from + (to - from) * low), abs(from + (to - from) * high))
  }
}
