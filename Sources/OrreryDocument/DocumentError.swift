// SPDX-License-Identifier: Apache-2.0

/// Why a text is not a document, and where.
package struct DocumentError: Error, Equatable {
  /// Bytes before the error.
  package let offset: Int

  /// What was expected, or which limit was exceeded.
  package let reason: String

  static func tooDeep(_ depthMax: Int, at offset: Int) -> DocumentError {
    DocumentError(offset: offset, reason: "nests deeper than \(depthMax) levels")
  }

  static func twice(_ key: String, at offset: Int) -> DocumentError {
    let shown = JSONWriter.string(String(key.prefix(100)), .answer)
    return DocumentError(offset: offset, reason: "the key \(shown) stands twice")
  }
}
