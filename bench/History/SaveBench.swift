// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase

/// Keeps a result in the repository.
struct SaveBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Adds a result to the history of its machine.",
    usage: "orrery bench save RESULT [OPTIONS]",
    discussion: """
      Example:
        orrery bench save study.json
      Adds a line for each row to FOLDER/MACHINE/rows.csv. A partial result, and one
      of a build of changed files or of no commit, is refused: nobody could measure
      it again.
      """)

  @Argument(help: "A result of study, run or capacity.", completion: .file(extensions: ["json"]))
  var result: String

  @Option(help: "The folder of all machines' results.", completion: .directory)
  var results = "bench/results"

  func run() throws {
    try runArea {
      let study = try StudyResult.read(result)
      let path = try ResultHistory.save(study, in: results)
      let rows = counted(study.rows.count { $0.summary != nil }, "row")
      Standard.output("\(path): \(rows) of commit \(study.context.commit ?? "") added\n")
      return []
    }
  }
}
