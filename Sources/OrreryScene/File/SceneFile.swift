// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrrerySceneBuilder

/// A scene that was read from TOML or JSON, with the locations of its values.
///
/// docs/reference/scene-file.md describes the format.
package struct SceneFile: Sendable {
  /// The scene; every value is in its range.
  package let scene: Scene

  /// Locations of its values in the file.
  package let locations: SceneLocations

  /// The file's text.
  package let text: String

  /// Whether it comes with Orrery; its texts are then translated.
  package private(set) var isBuiltIn = false

  /// Whether it was made of another tool's file, and what that has and the scene has not.
  package private(set) var isImported = false
  package private(set) var leftOut = LeftOut()

  /// The same file, marked as one that comes with Orrery.
  package var asBuiltIn: SceneFile {
    var file = self
    file.isBuiltIn = true
    return file
  }

  /// The notation of the text.
  package let format: SceneFormat

  /// Reads a scene.
  ///
  /// - Parameters:
  ///   - text: TOML or JSON; `SceneFormat` finds out which.
  ///   - file: The file's name, for messages; its last part names a scene that has no name.
  /// - Returns: The scene with the locations of its values.
  /// - Throws: `SceneError.invalid` with all problems; `tooLarge`; `isResult`; `isPlan`.
  package static func decode(_ text: String, file: String) throws(SceneError) -> SceneFile {
    guard text.utf8.count <= SceneLimits.fileBytesMax else {
      throw .tooLarge(file: file, limitBytes: SceneLimits.fileBytesMax)
    }
    if SampleImport.isSamples(text, file: file) { return try played(text, file: file) }
    return try decodeScene(text, file: file)
  }

  /// Reads a scene of any size.
  private static func decodeScene(
    _ text: String, file: String
  ) throws(SceneError) -> SceneFile {
    let format = SceneFormat(of: text, file: file)
    var table = try parse(text, format, file: file)
    if table["schema"]?.string?.hasPrefix("orrery.bench-result.") == true {
      throw .isResult(file: file)
    }
    if table["content"] == nil, table["grid"]?.table != nil { throw .isPlan(file: file) }
    if LottieImport.isLottie(table) || WebImport.isWeb(table) {
      return try imported(table, text: text, file: file)
    }
    let locations = SceneLocations(file: file, text: text)
    let faults = FaultList()
    table = SceneRepeats.writtenOut(table, faults: faults)
    let scene = SceneDecoder(faults: faults).scene(table, name: name(ofFile: file))
    let checked = SceneChecker.check(scene)
    // Names that are unknown because of another fault are no second thing to mend.
    faults.add(faults.mayHideNames ? checked.withoutUnknownNames : checked)
    guard faults.isEmpty else { throw locations.error(faults) }
    return SceneFile(scene: scene, locations: locations, text: text, format: format)
  }

  /// A scene that is made of a Lottie file or of a web page's animations; its text is that of the scene.
  private static func imported(
    _ document: DocumentTable, text: String, file: String
  ) throws(SceneError) -> SceneFile {
    let imported: ImportedScene
    do throws(ImportError) {
      let name = name(ofFile: file)
      imported =
        LottieImport.isLottie(document)
        ? try LottieImport.scene(document, name: name) : try WebImport.scene(document, name: name)
    } catch {
      let offset = error.path.prefixes.lazy.compactMap(document.offsets(at:)).first?.value ?? 0
      let position = TextPosition(ofByte: offset, in: Array(text.utf8))
      let location = SceneProblem.Location.file(file, line: position.line, column: position.column)
      throw .invalid(
        [
          SceneProblem(location: location, key: error.path.text, fault: .notPlannable(error.reason))
        ],
        total: 1)
    }
    return try read(imported, file: file)
  }

  /// A scene that plays samples; its text is that of the scene.
  private static func played(_ text: String, file: String) throws(SceneError) -> SceneFile {
    let scene: Scene
    do throws(SampleFault) {
      scene = try SampleImport.scene(text, name: name(ofFile: file))
    } catch {
      let location = SceneProblem.Location.file(file, line: error.line, column: 1)
      throw .invalid(
        [SceneProblem(location: location, key: "", fault: .notPlannable(error.reason))], total: 1)
    }
    return try read(ImportedScene(scene: scene, leftOut: LeftOut()), file: file)
  }

  private static func read(
    _ imported: ImportedScene, file: String
  ) throws(SceneError) -> SceneFile {
    // The notation of a scene takes more room than that of other tools.
    var scene = try decodeScene(imported.scene.toml + "\n", file: file + SceneFormat.toml.ending)
    (scene.isImported, scene.leftOut) = (true, imported.leftOut)
    return scene
  }

  private static func parse(
    _ text: String, _ format: SceneFormat, file: String
  ) throws(SceneError) -> DocumentTable {
    do throws(DocumentError) {
      return try format.parse(text)
    } catch {
      let position = TextPosition(ofByte: error.offset, in: Array(text.utf8))
      let location = SceneProblem.Location.file(
        file, line: position.line, column: position.column)
      let problem = SceneProblem(location: location, key: "", fault: .syntax(error.reason))
      throw .invalid([problem], total: 1)
    }
  }

  /// The endings of files that hold a scene, or what is read as one.
  package static let endings = SceneFormat.allCases.map(\.ending) + SampleImport.endings

  /// `mine` for `scenes/mine.toml`.
  package static func name(ofFile file: String) -> String {
    if file == "-" { return "stdin" }
    let last = file.split(separator: "/").last.map(String.init) ?? file
    for ending in endings
    where last.hasSuffix(ending) && last.count > ending.count {
      return String(last.dropLast(ending.count))
    }
    return last
  }
}
