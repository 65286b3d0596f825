// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files of this repository, by their paths from its root.
package enum Repository {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The bytes of a file.
  ///
  /// - Throws: What reading it meets.
  package static func data(_ path: String) throws -> Data {
    try Data(contentsOf: root.appendingPathComponent(path))
  }

  /// The text of a file.
  ///
  /// - Throws: What reading it meets.
  package static func text(_ path: String) throws -> String {
    String(decoding: try data(path), as: UTF8.self)
  }

  /// A schema of `docs/schemas`.
  ///
  /// - Parameter name: `sim` for `docs/schemas/sim.schema.json`.
  /// - Returns: The schema.
  /// - Throws: What reading or decoding it meets.
  package static func schema(_ name: String) throws -> JSONSchema {
    try JSONSchema(data("docs/schemas/\(name).schema.json"))
  }
}
