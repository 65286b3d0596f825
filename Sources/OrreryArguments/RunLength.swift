// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orrery
import OrreryCommandLine

/// How long a run lasts.
package struct RunLength: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: "Ticks to run, a whole number. Without --ticks and --duration: until stopped.")
  package var ticks: UInt64?

  @Option(
    parsing: .unconditional,
    help: "Seconds of scene time to run, \(Self.durationRange).")
  package var duration: Double?

  package init() {}

  /// Refuses both options at once, and a duration that is not in (0, thirty years].
  package func validate() throws {
    if ticks != nil, duration != nil {
      throw ValidationError("--ticks and --duration exclude each other")
    }
    try Self.durationRange.check("--duration", duration)
  }

  /// Up to thirty years.
  private static let durationRange = OptionRange(above: 0, to: 1e9, "seconds")

  /// Ticks to run; nil: until stopped.
  package func tickCount(rate: TickRate) -> UInt64? {
    ticks ?? duration.map { rate.tick(nearest: $0) }
  }

  /// Scene time of these ticks, in seconds; nil: until stopped.
  package func seconds(rate: TickRate) -> Double? {
    tickCount(rate: rate).map { rate.seconds(tick: $0) }
  }
}
