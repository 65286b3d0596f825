// SPDX-License-Identifier: Apache-2.0

extension FlowText {
  /// `kind = "flow-text"` in a scene file.
  package static let table = SceneTable(
    .flowText, base: FlowText("-"),
    [
      .required("text", \.content, .text(bytesMax: SceneLimits.textBytesMax)),
      .key("font", \.font, .font, default: "34 points, bold"),
      .key("color", \.color, .color, "of the text below"),
      .optional(
        "position", \.position, .position, "of its centre", default: "the middle of the picture"),
      .optional(
        "image", \.fill.image, .text("the plain name of a file") { .image($0) },
        "in place of `colors`: a PNG file in the folder of the scene file, at most 16 MiB and "
          + "8192 pixels a side"),
      .optional(
        "colors", \.fill.colors, .colors,
        "a gradient; without a seam if the last colour is the first", default: "a rainbow",
        unless: FlowText.spectrum),
      .optional(
        "angle", \.fill.angle, .number(SceneLimits.angle),
        "of the gradient, clockwise from the right", default: "along the flow"),
      .optional(
        "speed", \.speed, .number(SceneLimits.speed),
        "a tenth of its width, or of its height if the flow is up or down",
        default: "a tenth of the text per second"),
      .key("direction", \.direction, .word("direction")),
      .key("start", \.start, .number(SceneLimits.time), "the picture rests until then"),
      .key("variant", \.variant, .word("variant"), "see below"),
    ])
}

extension FlowText.Fill {
  fileprivate var image: String? {
    get { if case .image(let name) = self { name } else { nil } }
    set { if let newValue { self = .image(newValue) } }
  }

  fileprivate var colors: [Color]? {
    get { if case .gradient(let colors, _) = self { colors } else { nil } }
    set { if let newValue { self = .gradient(newValue, angle: angle) } }
  }

  fileprivate var angle: Double? {
    get { if case .gradient(_, let angle) = self { angle } else { nil } }
    set { self = .gradient(colors ?? FlowText.spectrum, angle: newValue) }
  }
}
