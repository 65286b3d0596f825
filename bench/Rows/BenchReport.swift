// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// The results of an area of the benchmark, as `--json` writes them: docs/schemas.
package protocol BenchReport: Encodable {
  /// The area's name, as on the command line.
  static var area: String { get }
  /// The machine of the run.
  var machine: BenchMachine { get }
}

extension BenchReport {
  /// The document's kind and version.
  package static var schema: String { "orrery.bench-\(area).v2" }

  /// Writes the report to a file.
  ///
  /// - Parameter path: The file's path; nil: nothing is written.
  /// - Throws: `Failure` if the file cannot be written.
  package func write(to path: String?) throws(Failure) {
    guard let path else { return }
    guard let text = ReportLine.document(self, schema: Self.schema),
      (try? Data(text.utf8).write(to: URL(fileURLWithPath: path))) != nil
    else { throw Failure(.inputOutput, "\(path): cannot be written") }
  }
}
