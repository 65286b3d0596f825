// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// The results of a benchmark, as `--json` writes them.
package protocol BenchReport: Encodable {}

extension BenchReport {
  /// Writes the report to a file.
  ///
  /// - Throws: `Failure` if the file cannot be written.
  package func write(to path: String) throws(Failure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    } catch {
      throw Failure(.inputOutput, "\(path): cannot be written")
    }
  }
}
