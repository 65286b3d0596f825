// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryCommandLine
import OrreryReplay

/// Which part of a run's time: of every verb that takes a part, with one meaning.
struct TraceTimes: ParsableArguments {
  /// Ticks on the command line.
  private static let ticks = OptionRange<UInt64>(0...1_000_000_000_000_000_000)

  @Option(
    parsing: .unconditional,
    help: """
      First scene time in seconds, \(OptionRanges.sceneTime): its nearest tick. Default: the first.
      """)
  var from: Double?

  @Option(
    parsing: .unconditional,
    help: """
      Last scene time in seconds, \(OptionRanges.sceneTime): its nearest tick. Default: the last.
      """)
  var to: Double?

  @Option(parsing: .unconditional, help: "First tick, in place of --from.")
  var fromTick: UInt64?

  @Option(parsing: .unconditional, help: "Last tick, in place of --to.")
  var toTick: UInt64?

  func validate() throws {
    try OptionRanges.sceneTime.check("--from", from)
    try OptionRanges.sceneTime.check("--to", to)
    try Self.ticks.check("--from-tick", fromTick)
    try Self.ticks.check("--to-tick", toTick)
    if from != nil, fromTick != nil {
      throw ValidationError("--from and --from-tick exclude each other")
    }
    if to != nil, toTick != nil { throw ValidationError("--to and --to-tick exclude each other") }
    if let from, let to, from > to {
      throw ValidationError("--from \(from) is after --to \(to)")
    }
    if let fromTick, let toTick, fromTick > toTick {
      throw ValidationError("--from-tick \(fromTick) is after --to-tick \(toTick)")
    }
  }

  /// The part.
  var wanted: WantedTimes {
    var wanted = WantedTimes()
    wanted.from = fromTick.map { .tick($0) } ?? from.map { .seconds($0) }
    wanted.to = toTick.map { .tick($0) } ?? to.map { .seconds($0) }
    return wanted
  }
}
