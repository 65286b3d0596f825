// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Says now and then how far the sim is, for the program that started it.
struct SimProgress {
  let isJSON: Bool
  let tickSeconds: Double
  private var nextNs: UInt64 = 0

  /// Four times a second.
  private static let intervalNs: UInt64 = 250_000_000

  init(isJSON: Bool, tickSeconds: Double) {
    self.isJSON = isJSON
    self.tickSeconds = tickSeconds
  }

  mutating func show(tick: UInt64, lateTicks: UInt64) {
    guard isJSON else { return }
    let now = Clock.monotonicNs()
    guard now >= nextNs else { return }
    nextNs = now + Self.intervalNs
    let report = ProgressReport(
      tick: tick, seconds: Double(tick) * tickSeconds, lateTicks: lateTicks)
    Standard.output(ReportLine.encode(report, schema: "orrery.progress.v1") + "\n")
  }
}
