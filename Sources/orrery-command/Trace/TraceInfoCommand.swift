// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryBase
import OrreryCommandLine
import OrreryReplay
import OrreryTrace
import OrreryTraceTools

/// Prints what a trace holds.
struct TraceInfoCommand: MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Print what a trace holds, and whether it is whole.",
    usage: "orrery trace info FILE ... [OPTIONS]",
    discussion: """
      Examples:
        orrery trace info demo/flags.mcap
        orrery trace info part-*.mcap --json
      Little is read, whatever the size of the files: orrery trace verify reads all.
      Files that are unfinished or damaged are described up to there, with exit code
      3 or 65.
      """)

  @Argument(help: "The files of the trace.")
  var files: [String]

  @Flag(help: "Print a line of JSON.")
  var json = false

  @OptionGroup var memory: MemoryArguments

  func run() throws {
    let reading = TraceReading("orrery trace info")
    let archive = try reading.archive(files)
    // What is left of a damaged file is shown, without the runs.
    let info = try TraceInfo(archive, runs: (try? RunInfo.read(archive)) ?? [])
    Standard.output(
      json ? ReportLine.encode(info, schema: TraceInfo.schema) + "\n" : info.text)
    reading.end()
  }
}

/// Checks traces from front to back.
struct TraceVerifyCommand: MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check every checksum, index and reference of traces, and their frames.",
    usage: "orrery trace verify FILE ... [OPTIONS]",
    discussion: """
      Examples:
        orrery trace verify demo/flags.mcap
        orrery trace verify a.mcap b.mcap --json
      A fault is printed with its offset and kind, and the exit code is then 1. Files
      are checked one by one. Where nothing is wrong, the run is simulated again and
      every frame compared with it, as 'orrery trace prove' does: the first tick that
      differs is printed, and the exit code is 1. It is 3 if a file is unfinished. A
      checksum that a file does not have is named, and is no fault.
      """)

  @Argument(help: "The files.")
  var files: [String]

  @Flag(help: "Do not simulate the run again.")
  var container = false

  @Flag(help: "Print lines of JSON.")
  var json = false

  @OptionGroup var memory: MemoryArguments

  func run() throws {
    let check = try TraceCheck(paths: files)
    Standard.output(
      json ? ReportLine.encode(check, schema: TraceCheck.schema) + "\n" : check.text)
    for file in check.files where !file.isWhole {
      Standard.error("orrery trace verify: \(file.path): \(file.state): \(file.fault ?? "")\n")
    }
    if check.isDamaged { Glibc.exit(ExitStatus.unmet.rawValue) }
    if !container { try verifyContent() }
    if !check.isWhole { Glibc.exit(ExitStatus.incomplete.rawValue) }
  }
}

/// Copies what is whole of a damaged trace.
struct TraceRecoverCommand: MemoryLimited {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Copy everything that is whole of a damaged trace, and verify the copy.",
    usage: "orrery trace recover IN OUT [OPTIONS]",
    discussion: """
      Example:
        orrery trace recover killed.mcap whole.mcap
      Lost parts are printed with offset, bytes and kind. The exit code is 0 if
      nothing was lost, 3 if something in the file was or the file is unfinished, and
      65 if nothing is whole.
      """)

  @Argument(help: "The damaged trace.")
  var input: String

  @Argument(help: "The new file.")
  var output: String

  @Flag(help: "Replace the new file if it is there.")
  var force = false

  @Flag(help: "Print a line of JSON.")
  var json = false

  @OptionGroup var memory: MemoryArguments

  func validate() throws { try TraceOutputFile.check(output, option: "OUT") }

  func run() throws {
    var check = MessageCheck()
    let recovery = try TraceRecovery(input: input, output: output, overwrite: force) {
      check.isPossible($0)
    }
    if let fault = recovery.fault {
      Standard.error("orrery trace recover: \(input): \(recovery.state): \(fault)\n")
    }
    Standard.output(
      json
        ? ReportLine.encode(recovery, schema: TraceRecovery.schema) + "\n" : recovery.text)
    if recovery.isLossy || recovery.state == "unfinished" {
      Glibc.exit(ExitStatus.incomplete.rawValue)
    }
  }
}
