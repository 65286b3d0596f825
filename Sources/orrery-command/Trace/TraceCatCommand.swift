// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrreryConsole
import OrreryTrace
import OrreryTraceTools

/// Prints messages.
struct TraceCatCommand: MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "cat",
    abstract: "Print the messages of a trace, by rising log time.",
    usage: "orrery trace cat FILE ... [OPTIONS]",
    discussion: """
      Examples:
        orrery trace cat demo/flags.mcap --topic /orrery/events
        orrery trace cat demo/flags.mcap --from 1 --to 2 --every 60 --format csv
      --from and --to are scene times, as of play and export; of messages without
      one, that of the frame that was recorded nearest to them counts. time_s is log
      time after the first message's. Protobuf messages are decoded by the
      descriptors that the trace carries; others are printed as base64. Of lists
      longer than 16 values, the first 16 and their count are printed. orrery trace
      export prints the values of entities.
      """)

  @OptionGroup var part: TracePart

  @Option(help: "ndjson or csv.")
  var format = TraceListing.Format.ndjson

  @Flag(help: "Print lists and bytes in full.")
  var full = false

  @OptionGroup var memory: MemoryArguments

  func run() throws {
    let reading = TraceReading("orrery trace cat")
    let archive = try reading.archive(part.files)
    let output = LineOutput()
    let listing = TraceListing(
      archive, try part.filter(archive, isForReplay: false), format: format, isWhole: full)
    do throws(Failure) {
      try listing.write { line in
        output.write(line)
        return output.isWanted
      }
    } catch {
      output.flush()
      throw error
    }
    output.flush()
    reading.end()
  }
}

extension TraceListing.Format: ExpressibleByArgument {}
extension TraceCompression: ExpressibleByArgument {}
