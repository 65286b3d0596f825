// SPDX-License-Identifier: Apache-2.0

import Orrery
import TOMLKit

/// A scene that was read from TOML, with the locations of its values.
///
/// docs/scene-file.md describes the format.
package struct SceneFile: Sendable {
  /// The scene; every value is in its range.
  package let scene: Scene

  /// Locations of its values in the file.
  package let locations: SceneLocations

  /// The file's text.
  package let text: String

  /// Reads a scene.
  ///
  /// - Parameters:
  ///   - text: TOML.
  ///   - file: The file's name, for messages; its last part names a scene that has no name.
  /// - Returns: The scene with the locations of its values.
  /// - Throws: `SceneError.invalid` with all problems; `tooLarge`.
  package static func decode(_ text: String, file: String) throws(SceneError) -> SceneFile {
    guard text.utf8.count <= SceneLimits.fileBytesMax else {
      throw .tooLarge(file: file, limitBytes: SceneLimits.fileBytesMax)
    }
    let table = try parse(text, file: file)
    let faults = FaultList()
    let scene = SceneDecoder(faults: faults).scene(table, name: name(ofFile: file))
    faults.add(SceneChecker.check(scene))
    let locations = SceneLocations(file: file, text: text)
    guard faults.isEmpty else { throw locations.error(faults) }
    return SceneFile(scene: scene, locations: locations, text: text)
  }

  private static func parse(_ text: String, file: String) throws(SceneError) -> TOMLTable {
    let bytes = Array(text.utf8)
    if let offset = bytes.firstIndex(of: 0) {
      throw invalid(.nul, at: TextPosition(ofByte: offset, in: bytes), file)
    }
    do throws(TOMLScanner.Refusal) {
      var scanner = TOMLScanner(bytes)
      try scanner.scan()
    } catch {
      let fault: SceneFault =
        switch error.reason {
        case .tooDeep: .tooDeep(limit: SceneLimits.fileDepthMax)
        case .nulEscape: .nul
        case .expected(let what): .syntax("expected \(what)")
        }
      throw invalid(fault, at: TextPosition(ofByte: error.offset, in: bytes), file)
    }
    do {
      return try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      let begin = error.source.begin
      let why = String(error.description.map { $0.isNewline ? " " : $0 })
      throw invalid(.syntax(why), at: TextPosition(line: begin.line, column: begin.column), file)
    } catch {
      throw invalid(.syntax("\(error)"), at: TextPosition(line: 1, column: 1), file)
    }
  }

  private static func invalid(
    _ fault: SceneFault, at position: TextPosition, _ file: String
  ) -> SceneError {
    let location = SceneProblem.Location.file(file, line: position.line, column: position.column)
    return .invalid([SceneProblem(location: location, key: "", fault: fault)], total: 1)
  }

  /// `mine` for `scenes/mine.toml`.
  private static func name(ofFile file: String) -> String {
    let last = file.split(separator: "/").last.map(String.init) ?? file
    return last.hasSuffix(".toml") && last.count > 5 ? String(last.dropLast(5)) : last
  }
}
