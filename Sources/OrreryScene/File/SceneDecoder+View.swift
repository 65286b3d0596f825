// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder

extension SceneDecoder {
  /// The keys of an element, in its own table or in its view's.
  static let elementKeys = ElementTable.table.names.filter { $0 != "at" }

  func view(_ reader: TableReader) -> AnimatedView {
    var view = AnimatedView.table.read(reader)
    view.elements = elements(reader)
    view.keyframes = keyframes(reader)
    view.phases = phases(reader)
    return view
  }

  /// The elements of a view; without `elements`, the view's own keys are one element in its middle.
  private func elements(_ view: TableReader) -> [ViewElement] {
    guard view.has("elements") else { return [element(view)] }
    if let first = Self.elementKeys.first(where: view.has) {
      faults.add(view.path, .conflicting([first, "elements"]))
    }
    let table = ElementTable.table
    let tables = view.tables("elements", SceneLimits.elements, known: table.names)
    return (tables ?? [nil]).map { $0.map(element) ?? table.base.element }
  }

  private func element(_ reader: TableReader) -> ViewElement {
    let shapes = ElementTable.shapes.filter { reader.has($0.key) }
    if shapes.count > 1 { faults.add(reader.path, .conflicting(shapes.map(\.key))) }
    if shapes.isEmpty {
      let expected = "one of " + ElementTable.shapes.map(\.key).joined(separator: ", ")
      faults.add(reader.path, .missing(expected: expected))
    }
    var unread: Set<String> = reader.isKnown("at") ? [] : ["at"]
    for shape in ElementTable.shapes where shape.key != shapes.first?.key {
      unread.formUnion([shape.key] + shape.others)
      guard !shapes.isEmpty, !reader.has(shape.key) else { continue }
      for key in shape.others where reader.has(key) {
        faults.add(reader.path.key(key), .onlyWith(key: shape.key))
      }
    }
    var keys = shapes.first.map { ElementTable($0.element) } ?? ElementTable.table.base
    ElementTable.table.read(reader, into: &keys) { !unread.contains($0) }
    return keys.element
  }

  // MARK: Keyframes and phases

  private func keyframes(_ view: TableReader) -> [KeyframeLoop] {
    let known = KeyframeLoop.table.names
    let tables = view.tables("keyframes", SceneLimits.keyframeTracks, known: known) ?? []
    return tables.compactMap { $0 }.map { reader in
      var loop = KeyframeLoop.table.read(reader)
      reader.require("track", "an array of keyframes")
      let known = StepTable.table.names
      let steps = reader.tables("track", SceneLimits.keyframes, known: known) ?? [nil]
      loop.steps = steps.map { $0.map(step) ?? .move(0) }
      return loop
    }
  }

  private func step(_ reader: TableReader) -> KeyframeStep {
    let kinds = StepTable.kinds.filter { reader.has($0.key) }
    guard let kind = kinds.first, kinds.count == 1 else {
      let expected = "one of " + StepTable.kinds.map(\.key).joined(separator: ", ")
      faults.add(
        reader.path,
        kinds.isEmpty ? .missing(expected: expected) : .conflicting(kinds.map(\.key)))
      return .move(0)
    }
    let others = Set(StepTable.kinds.flatMap(\.others)).subtracting(kind.others)
    for key in others.sorted() where reader.has(key) {
      let owners = StepTable.kinds.filter { $0.others.contains(key) }.map(\.key).sorted()
      faults.add(reader.path.key(key), .onlyWith(key: owners.joined(separator: " or ")))
    }
    var keys = StepTable(kind.step, .x)
    StepTable.table.read(reader, into: &keys) { ([kind.key] + kind.others).contains($0) }
    return keys.step
  }

  private func phases(_ view: TableReader) -> [ViewPhase] {
    let known = ViewPhase.table.names
    let tables = view.tables("phases", SceneLimits.phases, known: known) ?? []
    return tables.compactMap { $0 }.map { reader in
      var phase = ViewPhase.table.read(reader)
      phase.changes = changes(reader)
      return phase
    }
  }

  /// The properties with a value in a table.
  func changes(_ reader: TableReader) -> [ViewChange] {
    ViewProperty.allCases.filter { reader.has($0.rawValue) }.map { property in
      ViewChange(property, reader.number(property.rawValue) ?? property.defaultValue)
    }
  }
}
