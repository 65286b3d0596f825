// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrreryScene

/// What `orrery scene list` prints: the built-in scenes.
package struct SceneListReport {
  /// The kind and version of the document that `json` prints.
  package static let schema = "orrery.scene-list.v1"

  /// A scene and what is seen of it.
  private let rows: [(name: String, sentence: String)]

  /// Takes the built-in scenes.
  package init() {
    rows = BuiltInScenes.names.map { ($0, BuiltInScenes.sentence($0) ?? "") }
  }

  /// A line for each scene, of at most 80 columns.
  package var text: String {
    let width = rows.map(\.name.count).max() ?? 0
    return rows.map { name, sentence in
      name.alignedLeft(width + 2) + sentence + "\n"
    }.joined()
  }

  /// One line of JSON.
  package var json: String {
    let scenes = rows.map { row -> DocumentValue in
      .table(["name": .string(row.name), "sentence": .string(row.sentence)])
    }
    let report: DocumentTable = [
      "schema": .string(Self.schema), "scenes": .array(DocumentArray(scenes)),
    ]
    return JSONWriter.text(.table(report), .answer) + "\n"
  }
}
