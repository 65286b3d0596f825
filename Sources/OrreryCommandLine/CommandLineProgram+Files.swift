// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

extension CommandLineProgram {
  /// What stands for standard output where a file's name is wanted.
  package static let standardOutput = "-"

  /// Refuses `-` as the name of a file, which commands write beside their report.
  ///
  /// - Parameter files: Names of options, and the files that they name.
  /// - Throws: `ValidationError` that names the option.
  package static func refuseStandardOutput(_ files: [(option: String, path: String?)]) throws {
    guard let file = files.first(where: { $0.path == standardOutput }) else { return }
    throw ValidationError(
      "\(file.option) -: standard output has the report; give a name, such as ./-")
  }
}
