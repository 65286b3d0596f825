// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The tables that `bench subscribers` prints, at most 80 columns wide.
package enum SubscriberTable {
  private static func us(_ ns: UInt64) -> String { decimal(Double(ns) / 1e3, places: 1) + " µs" }

  private static func line(_ name: String, _ sim: SubscriberBenchReport.SimFigures) -> String {
    "  \(name): work mean \(us(sim.work.meanNs)), p99 \(us(sim.work.p99Ns)),"
      + " publish p99 \(us(sim.publish.p99Ns)), late \(sim.lateTicks)\n"
  }

  /// Table of the runs alone and with subscribers.
  package static func pairs(_ report: SubscriberBenchReport) -> String {
    var text = "stress, \(report.entities) entities, alone and with logger and renderer\n"
    for pair in report.pairs {
      text += line("alone   ", pair.alone) + line("attached", pair.attached)
    }
    return text
  }

  /// Table of the stopped subscribers.
  package static func stop(_ stop: SubscriberBenchReport.Stop) -> String {
    "\nlogger and two subscribers stopped for \(stop.seconds) s\n"
      + line("they run", stop.undisturbed) + line("stopped ", stop.sim)
      + resources(stop.before, stop.after)
  }

  /// Table of the killed subscribers.
  package static func churn(_ churn: SubscriberBenchReport.Churn) -> String {
    "\n\(churn.subscribers) subscribers for \(churn.seconds) s: \(churn.joined) joined,"
      + " \(churn.killed) killed\n"
      + "  frames whole \(churn.whole), torn \(churn.torn), missed \(churn.missed)\n"
      + line("nobody  ", churn.alone) + line("churning", churn.sim)
      + resources(churn.before, churn.after)
  }

  private static func resources(
    _ before: StartedProgram.Resources, _ after: StartedProgram.Resources
  ) -> String {
    let mebibytes = { (bytes: Int) in decimal(Double(bytes) / Double(1 << 20), places: 1) }
    return "  sim: descriptors \(before.descriptors) → \(after.descriptors),"
      + " mappings \(before.mappings) → \(after.mappings),"
      + " resident \(mebibytes(before.residentBytes)) → \(mebibytes(after.residentBytes)) MiB\n"
  }
}
