// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orrery

/// How long a run lasts.
package struct RunLength: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: "Ticks to run, a whole number. Without --ticks and --duration: until stopped.")
  package var ticks: UInt64?

  @Option(
    parsing: .unconditional,
    help: "Seconds of scene time to run, more than 0 and at most 1000000000.")
  package var duration: Double?

  package init() {}

  /// Refuses both options at once, and a duration that is not in (0, thirty years].
  package func validate() throws {
    if ticks != nil, duration != nil {
      throw ValidationError("--ticks and --duration exclude each other")
    }
    if let duration, !(duration.isFinite && duration > 0 && duration <= Self.durationMax) {
      throw ValidationError(
        "--duration \(duration): use more than 0 and at most \(Int(Self.durationMax)) seconds")
    }
  }

  /// Thirty years.
  private static let durationMax = 1e9

  /// The options as arguments, to pass on to another program.
  package var arguments: [String] {
    if let ticks { return ["--ticks", "\(ticks)"] }
    return duration.map { ["--duration", "\($0)"] } ?? []
  }

  /// Ticks to run; nil: until stopped.
  package func tickCount(rate: TickRate) -> UInt64? {
    ticks ?? duration.map { rate.tick(nearest: $0) }
  }
}
