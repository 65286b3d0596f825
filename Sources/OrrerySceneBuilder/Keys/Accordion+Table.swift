// SPDX-License-Identifier: Apache-2.0

extension Accordion {
  /// `kind = "accordion"` in a scene file.
  package static let table = SceneTable(
    .accordion, base: Accordion(AccordionRow.table.base),
    [
      .required(
        "rows", \.rows, .tables(AccordionRow.table, SceneLimits.accordionRows),
        "from the top: see `accordion.rows`"),
      .key("width", \.width, .number(SceneLimits.frameSide), "of headers and panels"),
      .key("row-height", \.rowHeight, .number(SceneLimits.frameSide), "of a header"),
      .key("panel-height", \.panelHeight, .number(SceneLimits.frameSide), "of a panel"),
      .key(
        "spacing", \.spacing, .number(SceneLimits.spacing),
        "below each header and each open panel"),
      .optional(
        "position", \.position, .position, "of the middle of the first header's top edge",
        default: "the middle of the width, 30 points from the top"),
      .key(
        "transition", \.transition, .transition, "how panels appear and disappear",
        default: "see below"),
      .key(
        "animation", \.animation, .animation, "of taps without an animation of their own"),
      .key("font", \.font, .font, "of the titles"),
      .key("color", \.color, .color, "of the titles"),
      .key("header-color", \.headerColor, .color),
      .key("panel-color", \.panelColor, .color),
      .key("moon-color", \.moonColor, .color),
      .key(
        "duration", \.duration, .range(SceneLimits.duration),
        "of a moon's turn; drawn for each moon"),
    ])
}

extension AccordionRow {
  /// One row of an accordion in a scene file.
  static let table = SceneTable(
    "accordion.rows", base: AccordionRow("-"),
    [
      .required("name", \.name, .name, "its name in commands", range: "no other row's or view's"),
      .optional(
        "title", \.title, .text(bytesMax: SceneLimits.textBytesMax), "the text of its header",
        default: "its name"),
      .key("color", \.color, .color, "of its planet"),
      .key("moons", \.moons, .moons, "how many, or each as under `orbit-system.moons`"),
    ])
}
