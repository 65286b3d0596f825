// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryReplay
import OrreryTrace
import OrreryTraceTools

/// The traces that a command reads: says on standard error which files are not whole, and ends with the code of that.
final class TraceReading {
  private let program: String
  private var files: [TraceArchiveFile] = []

  /// The code of the worst file.
  private(set) var status = ExitStatus.done

  /// - Parameter program: The command's words, before each line.
  init(_ program: String) { self.program = program }

  /// Opens the files of a trace, and says their states.
  ///
  /// - Throws: `Failure` if one cannot be opened.
  func archive(_ paths: [String]) throws(Failure) -> TraceArchive {
    let archive = try Failure.of { try TraceArchive(paths: paths) }
    for file in archive.files where file.state != .whole {
      Standard.error("\(program): \(file.path): \(file.state.text)\n")
      let own: ExitStatus = file.state.word == "damaged" ? .badData : .incomplete
      if own.rawValue > status.rawValue { status = own }
    }
    files += archive.files
    return archive
  }

  /// Opens the files of a trace of a run, and says their states.
  ///
  /// - Throws: `Failure` if they are none.
  func frames(_ paths: [String]) throws(Failure) -> FrameArchive {
    try FrameArchive(archive(paths))
  }

  /// A command's failure to compare: what is not whole may lack all that is compared.
  func comparing(_ failure: Failure) -> Failure {
    status != .done && [.incomplete, .badData].contains(failure.status)
      ? Failure(.unmet, failure.description) : failure
  }

  /// Says what was met while the files were read, and ends the program if one of them is not whole.
  func end() {
    for file in files {
      for note in file.notes { Standard.error("\(program): \(file.path): \(note)\n") }
    }
    if status != .done { Glibc.exit(status.rawValue) }
  }
}
