// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine

/// What becomes of a result, in all areas and verbs that measure.
package struct ResultOptions: ParsableArguments {
  @Option(
    name: [.short, .long], help: "Writes the result, with all rounds, to a file.",
    completion: .file(extensions: ["json"]))
  package var out: String?

  @Flag(help: "Prints the result as JSON, in place of tables.")
  package var json = false

  package init() {}

  /// Prints a text, where no JSON is asked for.
  func show(_ text: String) {
    if !json { Standard.output(text) }
  }

  package func validate() throws {
    try CommandLineProgram.checkOutputs([("--out", out)])
  }
}

/// What becomes of goals.
struct GoalOptions: ParsableArguments {
  @Flag(help: "Exit with code 1 if a goal was missed.")
  var check = false
}
