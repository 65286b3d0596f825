// SPDX-License-Identifier: Apache-2.0

extension Text {
  /// `kind = "text"` in a scene file.
  package static let table = SceneTable(
    .text, base: Text("-"),
    [
      .required("text", \.content, .text(bytesMax: SceneLimits.textBytesMax)),
      .key("font", \.font, .font),
      .key("color", \.color, .color),
      .optional(
        "position", \.position, .position, "of its centre, or of the point that `alignment` names",
        default: "the middle of the picture"),
      .key(
        "alignment", \.alignment, .word("alignment"),
        "whether the middle of the leading edge, of the line or of the trailing edge is at `position`"
      ),
    ])
}
