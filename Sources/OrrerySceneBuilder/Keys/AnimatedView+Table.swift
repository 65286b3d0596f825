// SPDX-License-Identifier: Apache-2.0

import Orrery

extension AnimatedView {
  /// `kind = "view"` in a scene file; the keys of a single element are also the view's.
  package static let table = SceneTable(
    .view, base: AnimatedView("-", .disc(radius: 1)),
    [
      .required("name", \.name, .name, "its name in commands", range: "no other view's or row's"),
      .other(
        "elements", "array of tables", "in place of one element of its own, the lowest first",
        range: "\(SceneLimits.elements)",
        schema: .list(of: .definition("view.elements"), SceneLimits.elements),
        write: \.writtenElements),
      .optional(
        "position", \.position, .position,
        "of its centre; it is scaled and turned about it",
        default: "the parent's position, or the middle of the picture"),
      .optional(
        "size", \.size, .size(SceneLimits.frameSide),
        "the size for transitions; its middle is the view's centre",
        default: "the size of its elements"),
    ] + ViewProperty.allCases.map(property) + [
      .key("hidden", \.isHidden, .bool, "whether it is hidden at the start"),
      .optional(
        "transition", \.transition, .transition, "how it appears and disappears",
        default: "none: at once"),
      .optional(
        "parent", \.parent, .parent,
        "the view that it moves with: the parent's translation, scale, rotation and opacity, about "
          + "the parent's centre, act on this view too. At most \(SceneLimits.parentsMax) parents in "
          + "a chain",
        default: "none"),
      .other(
        "keyframes", "array of tables", "see `view.keyframes`",
        range: "\(SceneLimits.keyframeTracks)", default: "none",
        schema: .list(of: .definition("view.keyframes"), SceneLimits.keyframeTracks)
      ) { view in
        view.keyframes.isEmpty
          ? [] : [("keyframes", .column(view.keyframes.map(KeyframeLoop.table.inline)))]
      },
      .other(
        "phases", "array of tables", "see `view.phases`", range: "\(SceneLimits.phases)",
        default: "none", schema: .list(of: .definition("view.phases"), SceneLimits.phases)
      ) { view in
        view.phases.isEmpty ? [] : [("phases", .column(view.phases.map(ViewPhase.table.inline)))]
      },
    ])

  private static func property(_ property: ViewProperty) -> SceneKey<AnimatedView> {
    let meaning =
      switch property {
      case .x: "translation to the right at the start"
      case .y: "translation downward at the start"
      case .opacity, .scale: "at the start"
      case .rotation: "at the start, clockwise"
      case .blur: "radius at the start"
      }
    return .key(
      property.rawValue, \.initial[property], .number(SceneLimits.of(property)), meaning)
  }

  /// A list, or the keys of a single element in the view's middle.
  private var writtenElements: [(key: String, value: WrittenValue)] {
    let tables = elements.map(ElementTable.init)
    if let only = tables.first, tables.count == 1 {
      let keys = ElementTable.table.written(only)
      if !keys.contains(where: { $0.key == "at" }) { return keys }
    }
    return [("elements", .column(tables.map(ElementTable.table.inline)))]
  }
}

/// An element of a view by the keys of `view.elements`.
package struct ElementTable: Sendable {
  var text: String?
  var font = Font.body
  var alignment = TextAlignment.center
  var disc: Double?
  var box: CGSize?
  var cornerRadius = 0.0
  var flag: String?
  var width = 100.0
  var color = Color.black
  var center = CGPoint.zero

  /// The shapes by their keys, the other keys of each, and an element to begin with.
  package static let shapes: [(key: String, others: [String], element: ViewElement)] = [
    ("text", ["font", "alignment"], .text("-")), ("disc", [], .disc(radius: 1)),
    ("box", ["corner-radius"], .box(width: 1, height: 1)), ("flag", ["width"], .flag("EU")),
  ]

  /// The keys of an element.
  package static let table = SceneTable(
    "view.elements", base: ElementTable(.disc(radius: 1)),
    checkedLast: Set(shapes.flatMap { [$0.key] + $0.others }),
    choices: [.one(of: shapes.map(\.key))],
    [
      .optional("text", \.text, .text(bytesMax: SceneLimits.textBytesMax), "a line of text"),
      .key("font", \.font, .font, "of the text"),
      .key("alignment", \.alignment, .word("alignment"), "which point of the text is at `at`"),
      .optional("disc", \.disc, .number(SceneLimits.elementRadius), "a disc, by its radius"),
      .optional("box", \.box, .size(SceneLimits.elementSide), "a rectangle"),
      .key(
        "corner-radius", \.cornerRadius, .number(SceneLimits.cornerRadius),
        "of the rectangle; at most half of its shorter side is used"),
      .optional(
        "flag", \.flag, .text("an ISO 3166 code of a region with a flag") { .flag($0) }, "a flag"),
      .key("width", \.width, .number(SceneLimits.flagWidth), "of the flag"),
      .key("color", \.color, .color, "flags have their own"),
      .key("at", \.center, .position, "its centre, from the view's"),
    ])

  /// Takes an element apart.
  package init(_ element: ViewElement) {
    (color, center) = (element.color, element.center)
    switch element.shape {
    case .text(let text, let font, let alignment):
      (self.text, self.font, self.alignment) = (text, font, alignment)
    case .disc(let radius): disc = radius
    case .box(let width, let height, let cornerRadius):
      (box, self.cornerRadius) = (CGSize(width: width, height: height), cornerRadius)
    case .flag(let region, let width): (flag, self.width) = (region, width)
    }
  }

  /// The element.
  package var element: ViewElement { ViewElement(shape, color: color, center: center) }

  private var shape: ViewElement.Shape {
    if let text { return .text(text, font: font, alignment: alignment) }
    if let box {
      return .box(width: box.width, height: box.height, cornerRadius: cornerRadius)
    }
    if let flag { return .flag(flag, width: width) }
    return .disc(radius: disc ?? 1)
  }
}

extension ViewPhase {
  /// One phase of a view in a scene file.
  package static let table = SceneTable(
    "view.phases", base: ViewPhase(),
    ViewProperty.allCases.map { property in
      .other(
        property.rawValue, "number",
        range: property == .rotation ? "\(SceneLimits.rotation)" : "as under `view`",
        default: "the view's at the start", schema: .number(SceneLimits.of(property)),
        write: { property == .x ? $0.changes.map(\.written) : [] })
    } + [
      .key(
        "animation", \.animation, .animation, "of the change to this phase",
        range: "complete after \(SceneLimits.duration)")
    ])
}

extension ViewChange {
  /// The property and its new value.
  var written: (key: String, value: WrittenValue) {
    (property.rawValue, .text(TOMLText.number(value)))
  }
}
