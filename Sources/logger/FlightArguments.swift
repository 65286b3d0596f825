// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryRecording
import OrreryRecordingArguments

/// Arguments: what a flight recorder keeps.
struct FlightArguments: ParsableArguments {
  @Option(
    help: """
      With --mode flight: how much is written when it is asked for, as 10s, 500ms or 2min. (default: 10s)
      """)
  var keep: TimeSpan?

  @Option(help: "With --mode flight: how long it goes on after that, as --keep. (default: 0s)")
  var after: TimeSpan?

  @Option(
    help: """
      With --mode flight: ask for it whenever this begins to hold. It compares tick_ms, wait_ms, compute_ms and \
      publish_ms of each frame, and received, missed, late_ticks, frames_per_second and bytes_per_second of the last \
      second, with numbers, by <, <=, >, >=, == and !=; and, or, not and parentheses join comparisons.
      """)
  var trigger: String?

  func validate() throws {
    if let keep, !(1_000_000...3_600_000_000_000).contains(keep.ns) {
      throw ValidationError("--keep \(keep): use 1ms to 60min")
    }
    if let after, after.ns > 3_600_000_000_000 {
      throw ValidationError("--after \(after): use up to 60min")
    }
    _ = try parsedTrigger()
  }

  /// Refuses options that mean nothing in another mode.
  func check(mode: RecordingMode) throws {
    guard mode != .flight else { return }
    let given = [("--keep", keep != nil), ("--after", after != nil), ("--trigger", trigger != nil)]
    if let option = given.first(where: \.1)?.0 {
      throw ValidationError("\(option) needs --mode flight")
    }
  }

  /// The trigger; nil if there is none.
  func parsedTrigger() throws -> Trigger? {
    guard let trigger else { return nil }
    do throws(TriggerError) {
      return try Trigger(trigger)
    } catch {
      throw ValidationError("--trigger \(error)")
    }
  }

  /// The time before a request that is kept, in nanoseconds.
  var keepNs: UInt64 { keep?.ns ?? 10_000_000_000 }
}

/// A length of time, as typed: `10s`, `500ms`, `2min`, or a number of seconds.
struct TimeSpan: ExpressibleByArgument, CustomStringConvertible {
  /// The length in nanoseconds.
  let ns: UInt64
  /// The word, as typed.
  let description: String

  private static let units: [String: Double] = ["": 1e9, "s": 1e9, "ms": 1e6, "min": 60e9]

  init?(argument: String) {
    let digits = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits),
      let unit = Self.units[String(argument.dropFirst(digits.count))], number * unit <= 1e18
    else { return nil }
    (ns, description) = (UInt64(number * unit), argument)
  }
}
