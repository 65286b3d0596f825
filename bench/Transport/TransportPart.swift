// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CLinux
import OrreryBase

/// One end of one of Orrery's rows, which `bench transport` starts in a process of its own.
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

  @Option(help: "The ring's file.")
  var ring: String?

  @Option(help: "Its length.")
  var ringBytes: UInt64?

  func run() throws {
    do {
      linux_end_with_parent()
      guard let reader else { return try HandoverWriter(task).serve() }
      guard let board, let ring, let ringBytes else {
        throw Failure(.usage, "a reader needs --board, --ring and --ring-bytes")
      }
      try HandoverReader(task, index: reader, board: board, ring: ring, ringBytes: ringBytes)
        .serve()
    } catch let error as Failure {
      Standard.output(HandoverAnswer(error: error.description).text + "\n")
    }
  }
}

extension HandoverTask: ExpressibleByArgument {
  init?(argument: String) { self.init(text: argument) }
}
