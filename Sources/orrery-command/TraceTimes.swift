// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryReplay

/// Which part of a run's time: of every verb that takes a part, with one meaning.
struct TraceTimes: ParsableArguments {
  /// Ticks on the command line, at most.
  static let tickMax: UInt64 = 1_000_000_000_000_000_000

  @Option(
    parsing: .unconditional,
    help: "First scene time in seconds, 0 to 4000000000: its nearest tick. Default: the first.")
  var from: Double?

  @Option(
    parsing: .unconditional,
    help: "Last scene time in seconds, 0 to 4000000000: its nearest tick. Default: the last.")
  var to: Double?

  @Option(parsing: .unconditional, help: "First tick, in place of --from.")
  var fromTick: UInt64?

  @Option(parsing: .unconditional, help: "Last tick, in place of --to.")
  var toTick: UInt64?

  func validate() throws {
    for (name, seconds) in [("--from", from), ("--to", to)] {
      guard let seconds else { continue }
      guard (0...4e9).contains(seconds) else {
        throw ValidationError("\(name) \(seconds): use 0 to 4000000000 seconds")
      }
    }
    for (name, tick) in [("--from-tick", fromTick), ("--to-tick", toTick)] {
      guard let tick, tick > Self.tickMax else { continue }
      throw ValidationError("\(name) \(tick): use 0 to \(Self.tickMax)")
    }
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

  /// The options as words, for another program.
  var words: [String] {
    var words: [String] = []
    if let from { words += ["--from", "\(from)"] }
    if let to { words += ["--to", "\(to)"] }
    if let fromTick { words += ["--from-tick", "\(fromTick)"] }
    if let toTick { words += ["--to-tick", "\(toTick)"] }
    return words
  }
}
