// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryCommandLine

/// What becomes of the results of an area that has goals.
package struct ResultOptions: ParsableArguments {
  @Flag(help: "Exit with code 1 if a goal was missed.")
  var check = false

  @Option(help: "Writes everything measured to a file.", completion: .file(extensions: ["json"]))
  var json: String?

  package init() {}

  package func validate() throws {
    try CommandLineProgram.refuseStandardOutput([("--json", json)])
  }
}
