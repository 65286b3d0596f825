// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase

extension CommandLineProgram {
  /// What stands for standard output where a file's name is wanted.
  package static let standardOutput = "-"

  /// Refuses files that commands would write over each other or over what they read, and `-`: standard output has the
  /// report.
  ///
  /// - Parameters:
  ///   - files: Names of options, and the files that they name.
  ///   - inputs: Files that the command reads.
  /// - Throws: `ValidationError` that names the option.
  package static func checkOutputs(
    _ files: [(option: String, path: String?)], inputs: [String] = []
  ) throws {
    if let file = files.first(where: { $0.path == standardOutput }) {
      throw ValidationError(
        "\(file.option) -: standard output has the report; give a name, such as ./-")
    }
    let outputs = files.compactMap { file in file.path.map { (file.option, $0) } }
    if let clash = OutputPaths.clash(outputs, inputs: inputs) { throw ValidationError(clash) }
  }
}
