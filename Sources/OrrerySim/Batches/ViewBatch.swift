// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySceneBuilder

/// Views whose properties are animated by commands, completions and transitions.
///
/// Its `director` handles events; between events, lanes move by themselves. Its fields are those that
/// something can change or that differ from their default. A hidden view has opacity 0.
package final class ViewBatch: Batch {
  package static var entityBytes: UInt64 { 600 }
  package static var fieldCountMax: Int { ViewProperty.allCases.count }
  package let fields: [ViewProperty]
  package let count: Int

  /// Handles the events of the views.
  package let director: Director

  private let viewLanes: ViewLanes

  /// Makes the views in their state at time 0.
  ///
  /// - Parameters:
  ///   - plan: Checked.
  ///   - rate: Ticks per second.
  ///   - records: Which of the director's events are recorded.
  package init(_ plan: ViewsPlan, rate: TickRate, records: RecordedEvents = .none) {
    let curves = CurveBank()
    count = plan.views.count
    viewLanes = ViewLanes(plan, rate: rate, curves: curves)
    fields = viewLanes.fields
    director = Director(
      plan, viewLanes: viewLanes, rate: rate, curves: curves, records: records)
  }

  /// Handles the events that are due; see `Batch.prepare`.
  package func prepare(tick: UInt64) {
    director.handleEvents(through: tick)
    viewLanes.applyChanges()
  }

  /// See `Batch.unchangedSince`.
  package func unchangedSince(block: Int, tick: UInt64) -> UInt64? {
    viewLanes.unchangedSince(block: block)
  }

  /// Computes one block; see `Batch.evaluate`.
  package func evaluate(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) -> Bool {
    viewLanes.evaluate(block: block, tick: tick, kernels: kernels, tile: tile)
  }

  /// See `ViewLanes.looksAhead`.
  package func looksAhead(block: Int, tick: UInt64) -> Bool {
    viewLanes.looksAhead(block: block, tick: tick)
  }

  /// See `Batch.takeOutdated`.
  package func takeOutdated(_ body: (Int) -> Void) { viewLanes.takeOutdated(body) }
}
