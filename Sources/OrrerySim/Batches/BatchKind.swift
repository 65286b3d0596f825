// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// The kind of a planned batch: its type, and how it is built.
///
/// A new kind is a spec, a case of `BatchPlan`, a batch and a case here.
package struct BatchKind: Sendable {
  /// The type of the batch.
  package let type: any Batch.Type

  /// Builds the batch.
  let build: @Sendable (_ rate: TickRate, _ records: RecordedEvents) -> any Batch

  /// The kind of a batch, from its plan.
  package init(_ plan: BatchPlan) {
    switch plan {
    case .marquee(let specs): self.init { rate, _ in MarqueeBatch(specs, rate: rate) }
    case .timer(let specs): self.init { rate, _ in TimerBatch(specs, rate: rate) }
    case .orbit(let specs): self.init { rate, _ in OrbitBatch(specs, rate: rate) }
    case .tween(let specs, let property):
      self.init { rate, _ in TweenBatch(specs, property: property, rate: rate) }
    case .spring(let specs, let property):
      self.init { rate, _ in SpringBatch(specs, property: property, rate: rate) }
    case .flow(let specs, let property):
      self.init { rate, _ in FlowBatch(specs, property: property, rate: rate) }
    case .clock(let specs): self.init { rate, _ in ClockBatch(specs, rate: rate) }
    case .views(let plan):
      self.init { rate, records in ViewBatch(plan, rate: rate, records: records) }
    }
  }

  private init<Built: Batch>(
    _ build: @escaping @Sendable (_ rate: TickRate, _ records: RecordedEvents) -> Built
  ) {
    type = Built.self
    self.build = build
  }
}
