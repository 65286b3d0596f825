// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryConsole

/// Looks for what on this machine keeps Orrery from working, or makes it slower.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find what on this machine is missing, or makes runs slower or late.",
    usage: "orrery doctor [OPTIONS]",
    discussion: """
      Examples:
        orrery doctor
        orrery doctor --json
      Looks at fonts, ffmpeg, Python, the folder of runs, limits, memory, /dev/shm,
      processor time, cores, huge pages, the governor and the clock source. Below
      each finding stand its cost and its remedy. The exit code is 1 if there is one.
      """)

  @Flag(help: "Print a JSON object.")
  var json = false

  func run() throws {
    let report = Doctor(python: try? PythonTables.python()).report()
    Standard.output(json ? report.json : report.text)
    if report.findings > 0 { throw ExitCode(ExitStatus.unmet.rawValue) }
  }
}
