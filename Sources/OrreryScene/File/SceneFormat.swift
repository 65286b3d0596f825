// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrrerySceneBuilder

/// The two notations of a scene file, with the same keys.
package enum SceneFormat: CaseIterable, Sendable {
  case toml
  case json

  /// The ending of a file's name.
  package var ending: String {
    switch self {
    case .toml: ".toml"
    case .json: ".json"
    }
  }

  /// The notation of a text: JSON if the file's name ends in `.json`, or if the text begins with a
  /// brace, as no TOML does.
  package init(of text: String, file: String) {
    // A byte-order mark and the four blanks of JSON.
    let blanks: [Unicode.Scalar] = ["\u{feff}", " ", "\t", "\n", "\r"]
    let first = text.unicodeScalars.first { !blanks.contains($0) }
    self = file.hasSuffix(Self.json.ending) || first == "{" ? .json : .toml
  }

  /// Parses a text in this notation.
  ///
  /// - Parameter text: The text; a byte-order mark is skipped.
  /// - Returns: The document; its values have their offsets in the text.
  /// - Throws: `DocumentError` at the first error, or at the level below `fileDepthMax`.
  func parse(_ text: String) throws(DocumentError) -> DocumentTable {
    switch self {
    case .toml: try TOMLParser.parse(text, depthMax: SceneLimits.fileDepthMax)
    case .json: try JSONParser.parseTable(text)
    }
  }
}

/// A scene in either notation, whatever its file has.
extension SceneFile {
  /// The scene as TOML: the file's own text, or what `Scene.toml` writes.
  package var toml: String { format == .toml ? text : scene.toml + "\n" }

  /// The scene as JSON: the file's own text, or the same values as `Scene.toml` writes.
  package var json: String {
    if format == .json { return text }
    // What `Scene.toml` writes is TOML, so this fails for no scene.
    let document = try? SceneFormat.toml.parse(scene.toml)
    return JSONLayout.text(.table(document ?? DocumentTable())) + "\n"
  }
}
