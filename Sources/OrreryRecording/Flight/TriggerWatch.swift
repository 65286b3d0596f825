// SPDX-License-Identifier: Apache-2.0

import OrreryMessages

/// Tells when a trigger's condition begins to hold.
///
/// It is tried on each frame whose timings come, with the counts of the last second, and again on the same frames when
/// new counts come. It has to be false once before it can begin to hold again.
package struct TriggerWatch: Sendable {
  private let trigger: Trigger
  private var values = TriggerValues()
  private var timings = Orrery_Timings()
  private var last: Orrery_Statistics?
  private var held = false

  /// Watches from now on.
  package init(_ trigger: Trigger) { self.trigger = trigger }

  /// Takes timings.
  ///
  /// - Returns: Whether the condition has begun to hold.
  package mutating func take(_ timings: Orrery_Timings) -> Bool {
    self.timings = timings
    return trigger.usesTimings ? evaluate() : false
  }

  /// Takes statistics.
  ///
  /// - Returns: Whether the condition has begun to hold.
  package mutating func take(_ statistics: Orrery_Statistics) -> Bool {
    let before = last ?? Orrery_Statistics()
    values[.received] = Double(statistics.received) - Double(before.received)
    values[.missed] = Double(statistics.missed) - Double(before.missed)
    // Before the first statistics the run may have been late for hours.
    values[.lateTicks] = last.map { Double(statistics.lateTicks) - Double($0.lateTicks) } ?? 0
    values[.framesPerSecond] = statistics.framesPerSecond
    values[.bytesPerSecond] = statistics.bytesPerSecond
    last = statistics
    return evaluate()
  }

  private mutating func evaluate() -> Bool {
    let before = held
    held = isTrue()
    return held && !before
  }

  private mutating func isTrue() -> Bool {
    guard trigger.usesTimings else { return trigger.holds(values) }
    let count = min(timings.waitNs.count, timings.computeNs.count, timings.publishNs.count)
    for index in 0..<count {
      let (compute, publish) = (timings.computeNs[index], timings.publishNs[index])
      values[.waitMs] = Double(timings.waitNs[index]) / 1e6
      values[.computeMs] = Double(compute) / 1e6
      values[.publishMs] = Double(publish) / 1e6
      values[.tickMs] = (Double(compute) + Double(publish)) / 1e6
      if trigger.holds(values) { return true }
    }
    return false
  }
}
