// SPDX-License-Identifier: Apache-2.0

import Orrery

extension SceneDecoder {
  /// The keys of an element, in its own table or in its view's.
  static let elementKeys = [
    "text", "font", "alignment", "disc", "box", "corner-radius", "flag", "width", "color",
  ]

  /// The keys that give an element's shape.
  private static let shapeKeys = ["text", "disc", "box", "flag"]

  func view(_ reader: TableReader) -> AnimatedView {
    reader.require("name", "a string")
    var view = AnimatedView(reader.string("name") ?? "-", elements: elements(reader))
    view.position = reader.point("position")
    view.size = reader.size("size")
    for property in ViewProperty.allCases {
      if let value = reader.number(property.rawValue) { view.initial[property] = value }
    }
    view.isHidden = reader.bool("hidden") ?? false
    view.transition = reader.transition("transition")
    view.parent = reader.string("parent")
    view.keyframes = keyframes(reader)
    view.phases = phases(reader)
    return view
  }

  /// The elements of a view; without `elements`, the view's own keys are one element in its middle.
  private func elements(_ view: TableReader) -> [ViewElement] {
    let own = Self.elementKeys.filter(view.has)
    guard view.has("elements") else { return [element(view)] }
    if let first = own.first { faults.add(view.path, .conflicting([first, "elements"])) }
    let tables = view.tables("elements", SceneLimits.elements, known: Self.elementKeys + ["at"])
    return (tables ?? [nil]).map { $0.map(element) ?? .disc(radius: 1) }
  }

  private func element(_ reader: TableReader) -> ViewElement {
    let shapes = Self.shapeKeys.filter(reader.has)
    if shapes.count > 1 { faults.add(reader.path, .conflicting(shapes)) }
    if shapes.isEmpty {
      let expected = "one of " + Self.shapeKeys.joined(separator: ", ")
      faults.add(reader.path, .missing(expected: expected))
    }
    let shape = shapes.first.map { self.shape($0, reader) } ?? .disc(radius: 1)
    let uses = ["text": ["font", "alignment"], "box": ["corner-radius"], "flag": ["width"]]
    for (owner, keys) in uses where shapes.first != nil && !shapes.contains(owner) {
      for key in keys where reader.has(key) {
        faults.add(reader.path.key(key), .onlyWith(key: owner))
      }
    }
    let center = reader.isKnown("at") ? reader.point("at") : nil
    return ViewElement(shape, color: reader.color("color") ?? .black, center: center ?? .zero)
  }

  private func shape(_ key: String, _ reader: TableReader) -> ViewElement.Shape {
    switch key {
    case "text":
      return .text(
        reader.string("text") ?? "-", font: reader.font("font") ?? .body,
        alignment: reader.word("alignment", kind: "alignment") ?? .center)
    case "disc": return .disc(radius: reader.number("disc") ?? 1)
    case "box":
      let size = reader.size("box") ?? CGSize(width: 1, height: 1)
      return .box(
        width: size.width, height: size.height, cornerRadius: reader.number("corner-radius") ?? 0)
    default:
      return .flag(reader.string("flag") ?? "EU", width: reader.number("width") ?? 100)
    }
  }

  // MARK: Keyframes and phases

  private func keyframes(_ view: TableReader) -> [KeyframeLoop] {
    guard view.has("keyframes") else { return [] }
    let keys = ["property", "repeat", "track"]
    let tables = view.tables("keyframes", SceneLimits.keyframeTracks, known: keys) ?? []
    return tables.compactMap { $0 }.map { reader in
      reader.require("property", "a property")
      reader.require("track", "an array of keyframes")
      let keys = [
        "linear", "cubic", "spring-to", "move", "duration", "curve", "start-velocity",
        "end-velocity", "spring",
      ]
      let steps = reader.tables("track", SceneLimits.keyframes, known: keys) ?? [nil]
      return KeyframeLoop(
        property: reader.word("property", kind: "property") ?? .x,
        repeats: reader.bool("repeat") ?? true, steps: steps.map { $0.map(step) ?? .move(0) })
    }
  }

  private func step(_ reader: TableReader) -> KeyframeStep {
    let uses = [
      "linear": ["duration", "curve"], "cubic": ["duration", "start-velocity", "end-velocity"],
      "spring-to": ["spring"], "move": [],
    ]
    let kinds = ["linear", "cubic", "spring-to", "move"].filter(reader.has)
    guard let kind = kinds.first, kinds.count == 1 else {
      let expected = "one of linear, cubic, spring-to, move"
      faults.add(reader.path, kinds.isEmpty ? .missing(expected: expected) : .conflicting(kinds))
      return .move(0)
    }
    let others = Set(uses.values.flatMap { $0 }).subtracting(uses[kind] ?? [])
    for key in others.sorted() where reader.has(key) {
      let owners = uses.filter { $0.value.contains(key) }.keys.sorted()
      faults.add(reader.path.key(key), .onlyWith(key: owners.joined(separator: " or ")))
    }
    let value = reader.number(kind) ?? 0
    switch kind {
    case "linear":
      reader.require("duration", "a number")
      return .linear(
        value, duration: reader.number("duration") ?? 1,
        timingCurve: reader.curve("curve") ?? .linear)
    case "cubic":
      reader.require("duration", "a number")
      return .cubic(
        value, duration: reader.number("duration") ?? 1,
        startVelocity: reader.number("start-velocity") ?? 0,
        endVelocity: reader.number("end-velocity") ?? 0)
    case "spring-to": return .spring(value, reader.spring("spring") ?? Spring())
    default: return .move(value)
    }
  }

  private func phases(_ view: TableReader) -> [ViewPhase] {
    guard view.has("phases") else { return [] }
    let keys = ViewProperty.allCases.map(\.rawValue) + ["animation"]
    let tables = view.tables("phases", SceneLimits.phases, known: keys) ?? []
    return tables.compactMap { $0 }.map { reader in
      ViewPhase(changes(reader), animation: reader.animation("animation") ?? .default)
    }
  }

  /// The properties with a value in a table.
  func changes(_ reader: TableReader) -> [ViewChange] {
    ViewProperty.allCases.filter { reader.has($0.rawValue) }.map { property in
      ViewChange(property, reader.number(property.rawValue) ?? property.defaultValue)
    }
  }
}
