// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrrerySceneBuilder

/// Decodes a scene from a document of TOML or JSON.
///
/// The keys are those of the `SceneTable`s; keys that exclude or need each other are read here.
/// Where a value is missing or has the wrong type, the decoder records the fault and continues with
/// a valid placeholder at the same path. So it checks the rest too, and reports no fault that only
/// follows from another.
struct SceneDecoder {
  /// Receives the faults.
  let faults: FaultList

  /// Decodes a document.
  ///
  /// - Parameters:
  ///   - table: The document.
  ///   - name: The scene's name if the document has none.
  /// - Returns: The scene, with placeholders where there are faults; its ranges are not checked.
  func scene(_ table: DocumentTable, name: String) -> Scene {
    let reader = TableReader(table, at: DocumentPath(), known: Scene.table.names, faults: faults)
    var scene = Scene(name) {}
    Scene.table.read(reader, into: &scene)
    _ = reader.string("$schema")
    reader.require("content", "at least one [[content]]")
    let tables = reader.tables("content", SceneLimits.content, known: nil)
    scene.content = (tables ?? [nil]).map { $0.map(content) ?? .text(Text.table.base) }
    let commands = reader.tables("command", SceneLimits.commands, known: Command.table.names)
    scene.commands = (commands ?? []).map { $0.map(command) ?? Command.table.base }
    return scene
  }

  private func content(_ reader: TableReader) -> SceneContent {
    let kinds = SceneContent.Kind.allCases.map(\.rawValue)
    reader.require("kind", "one of " + kinds.joined(separator: ", "))
    guard let kind: SceneContent.Kind = reader.word("kind", kind: "kind") else {
      return .text(Text.table.base)
    }
    let reader = reader.allowing(kind.keys)
    switch kind {
    case .row: return .row(row(reader))
    case .orbitSystem: return .orbitSystem(OrbitSystem.table.read(reader))
    case .field: return .field(field(reader))
    case .text: return .text(Text.table.read(reader))
    case .view: return .view(view(reader))
    case .accordion: return .accordion(Accordion.table.read(reader))
    case .flowText: return .flowText(flowText(reader))
    case .clock: return .clock(TimelineClock.table.read(reader))
    }
  }

  private func flowText(_ reader: TableReader) -> FlowText {
    let gradient = ["colors", "angle"]
    var text = FlowText.table.read(reader) { !gradient.contains($0) }
    if case .image = text.fill {
      for key in gradient where reader.has(key) {
        faults.add(reader.path, .conflicting([key, "image"]))
      }
    } else {
      FlowText.table.read(reader, into: &text, where: gradient.contains)
    }
    return text
  }
}

extension SceneContent.Kind {
  /// The keys of its tables; a view may have those of its only element.
  fileprivate var keys: [String] {
    switch self {
    case .row: Row.table.names
    case .orbitSystem: OrbitSystem.table.names
    case .field: Field.table.names
    case .text: Text.table.names
    case .view: AnimatedView.table.names + SceneDecoder.elementKeys
    case .accordion: Accordion.table.names
    case .flowText: FlowText.table.names
    case .clock: TimelineClock.table.names
    }
  }
}
