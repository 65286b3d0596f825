// SPDX-License-Identifier: Apache-2.0

/// Something that happened once, in words for a person.
package struct NoteReport: Codable, Equatable, Sendable {
  /// Schema of its line of JSON.
  package static let schema = "orrery.note.v1"

  /// What happened.
  package let text: String

  package init(text: String) { self.text = text }

  /// The note as a line of JSON.
  package var line: String { ReportLine.encode(self, schema: Self.schema) }
}
