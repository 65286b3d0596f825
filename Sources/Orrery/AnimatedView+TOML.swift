// SPDX-License-Identifier: Apache-2.0

/// Contents of a table of the kind `view`.
extension TOMLLines {
  mutating func add(_ view: AnimatedView) {
    add("kind", "view", TOMLText.string)
    add("name", view.name, TOMLText.string)
    if view.elements.count == 1, let element = view.elements.first, element.isInTheMiddle {
      for (key, value) in element.tomlValues { add(key, ifSet: value) { $0 } }
    } else {
      addColumn("elements", view.elements.map { TOMLText.table($0.tomlValues + $0.tomlPosition) })
    }
    add("position", ifSet: view.position, TOMLText.point)
    add("size", ifSet: view.size) { TOMLText.pair($0.width, $0.height) }
    for property in ViewProperty.allCases {
      addNumber(property.rawValue, view.initial[property], unless: property.defaultValue)
    }
    add("hidden", view.isHidden, unless: false) { "\($0)" }
    add("transition", ifSet: view.transition, TOMLText.transition)
    add("parent", ifSet: view.parent, TOMLText.string)
    if !view.keyframes.isEmpty { addColumn("keyframes", view.keyframes.map(TOMLText.keyframes)) }
    if !view.phases.isEmpty { addColumn("phases", view.phases.map(TOMLText.phase)) }
  }
}

extension ViewElement {
  /// Keys and values of its shape and colour.
  fileprivate var tomlValues: [(key: String, value: String?)] {
    var values: [(key: String, value: String?)] = []
    switch shape {
    case .text(let content, let font, let alignment):
      values = [
        ("text", TOMLText.string(content)), ("font", font == .body ? nil : TOMLText.font(font)),
        ("alignment", alignment == .center ? nil : TOMLText.string(alignment.rawValue)),
      ]
    case .disc(let radius): values = [("disc", TOMLText.number(radius))]
    case .box(let width, let height, let cornerRadius):
      values = [
        ("box", TOMLText.pair(width, height)),
        ("corner-radius", TOMLText.numberUnlessZero(cornerRadius)),
      ]
    case .flag(let region, let width):
      values = [
        ("flag", TOMLText.string(region)), ("width", width == 100 ? nil : TOMLText.number(width)),
      ]
    }
    return values + [("color", color == .black ? nil : TOMLText.color(color))]
  }

  /// Key and value of its position.
  fileprivate var tomlPosition: [(key: String, value: String?)] {
    [("at", isInTheMiddle ? nil : TOMLText.point(center))]
  }

  /// Whether its position need not be written.
  fileprivate var isInTheMiddle: Bool {
    Double(center.x).bitPattern == 0 && Double(center.y).bitPattern == 0
  }
}

extension TOMLText {
  /// A number, or nil for 0, but not for -0.
  fileprivate static func numberUnlessZero(_ value: Double) -> String? {
    value.bitPattern == 0 ? nil : number(value)
  }

  fileprivate static func keyframes(_ loop: KeyframeLoop) -> String {
    table([
      ("property", string(loop.property.rawValue)), ("repeat", loop.repeats ? nil : "false"),
      ("track", "[\(loop.steps.map(step).joined(separator: ", "))]"),
    ])
  }

  private static func step(_ step: KeyframeStep) -> String {
    switch step {
    case .linear(let value, let duration, let curve):
      table([
        ("linear", number(value)), ("duration", number(duration)),
        ("curve", curve == .linear ? nil : self.curve(curve)),
      ])
    case .cubic(let value, let duration, let start, let end):
      table([
        ("cubic", number(value)), ("duration", number(duration)),
        ("start-velocity", numberUnlessZero(start)),
        ("end-velocity", numberUnlessZero(end)),
      ])
    case .spring(let value, let spring):
      table([("spring-to", number(value)), ("spring", self.spring(spring))])
    case .move(let value): table([("move", number(value))])
    }
  }

  fileprivate static func phase(_ phase: ViewPhase) -> String {
    table(
      phase.changes.map { ($0.property.rawValue, number($0.value)) }
        + [("animation", phase.animation == .default ? nil : animation(phase.animation))])
  }
}
