// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine

/// Prints the version, as `--version` does.
struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version",
    abstract: "Print the version and the commit.",
    usage: "orrery version [OPTIONS]",
    discussion: """
      Example:
        orrery version
      """)

  func run() { Standard.output(Version.text + "\n") }
}
