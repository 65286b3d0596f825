// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene

/// Views whose properties are animated by commands, completions and transitions.
///
/// Its `director` plays what happens; between that, lanes move by themselves. Fields are those that
/// something can change or that differ from their default. A view that is not there has opacity 0.
package final class ViewBatch: Batch {
  package let kind = "view"
  package let fields: [Field]
  package let count: Int

  /// Plays what happens to the views.
  package let director: Director

  private let stage: ViewLanes

  /// Makes the views as they are at time 0.
  ///
  /// - Parameters:
  ///   - plan: Checked.
  ///   - rate: Ticks per second.
  ///   - records: What somebody is going to take of the director's events.
  package init(_ plan: ViewsPlan, rate: TickRate, records: RecordedEvents = .none) {
    let curves = CurveBank()
    count = plan.views.count
    stage = ViewLanes(plan, rate: rate, curves: curves)
    fields = stage.fields
    director = Director(
      plan, stage: stage, rate: rate, curves: curves, records: records)
  }

  /// Plays what is due; see `Batch.prepare`.
  package func prepare(tick: UInt64) {
    director.play(to: tick)
    stage.settle()
  }

  /// See `Batch.unchangedSince`.
  package func unchangedSince(block: Int, tick: UInt64) -> UInt64? {
    stage.unchangedSince(block: block)
  }

  /// Computes one block; see `Batch.place`.
  package func evaluate(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) -> Bool {
    stage.evaluate(block: block, tick: tick, kernels: kernels, tile: tile)
    return false
  }
}
