// SPDX-License-Identifier: Apache-2.0

extension Scene {
  /// The scene as a scene file, in the format that docs/reference/scene-file.md describes.
  ///
  /// A file with this text gives every command the same scene, to the last bit of every number:
  ///
  ///     print(scene.toml)
  ///
  /// The name is always written. Other values that equal their defaults are left out, as they are
  /// in Swift; the rest is in the order of the document. Numbers have the fewest digits that give
  /// the same bits. The last line has no line end, since `print` adds one.
  ///
  /// A scene that would be refused still gives a text, and its file is refused with the same
  /// messages. Commands read files of up to 16 MiB.
  ///
  /// - Complexity: O(n) in the length of the text.
  public var toml: String {
    var lines = TOMLLines()
    lines.add(self, Scene.table)
    for part in content {
      lines.beginTable("content")
      lines.add(part)
    }
    for command in commands {
      lines.beginTable("command")
      lines.add(command, Command.table)
    }
    return lines.text
  }
}

extension TOMLLines {
  /// Writes the kind of an item of content, and its keys.
  fileprivate mutating func add(_ part: SceneContent) {
    switch part {
    case .row(let row): add(row, Row.table)
    case .orbitSystem(let system): add(system, OrbitSystem.table)
    case .field(let field): add(field, Field.table)
    case .text(let text): add(text, Text.table)
    case .view(let view): add(view, AnimatedView.table)
    case .accordion(let accordion): add(accordion, Accordion.table)
    case .flowText(let text): add(text, FlowText.table)
    case .clock(let clock): add(clock, TimelineClock.table)
    }
  }
}
