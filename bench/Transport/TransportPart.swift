// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CLinux
import OrreryBase

/// The writer or a reader of one of Orrery's rows; `bench transport` runs each in its own process.
struct TransportPart: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transport-part", abstract: "One end of a row of bench transport.",
    shouldDisplay: false)

  @Argument(help: "What to do, as JSON.")
  var task: HandoverTask

  @Option(help: "Reads, as the reader of this number, and does not write.")
  var reader: Int?

  @Option(help: "The memory that writer and readers share.")
  var board: String?

  @Option(help: "Where frames are: a ring's file, the folder of a run, or an address.")
  var source: String?

  func run() throws {
    do {
      linux_die_with_parent()
      guard let reader else { return try HandoverWriter(task).serve() }
      guard let board, let source else {
        throw Failure(.usage, "a reader needs --board and --source")
      }
      try HandoverReader(task, index: reader, memoryPath: board, source: source).serve()
    } catch let error as Failure {
      Standard.output(HandoverAnswer(error: error.description).text + "\n")
    }
  }
}

extension HandoverTask: ExpressibleByArgument {
  /// Reads a word of the command line; nil if it is not a task.
  package init?(argument: String) { self.init(text: argument) }
}
