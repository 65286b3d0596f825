// SPDX-License-Identifier: Apache-2.0

extension Scene {
  /// The scene as a scene file, in the format that docs/scene-file.md describes.
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
    let defaults = Scene(name) {}
    var lines = TOMLLines()
    lines.add("name", name, TOMLText.string)
    lines.add("size", size, unless: defaults.size) { TOMLText.pair($0.width, $0.height) }
    lines.add("background", background, unless: defaults.background, TOMLText.color)
    lines.add("rate", rate, unless: defaults.rate, TOMLText.rate)
    lines.add("seed", seed, unless: defaults.seed, TOMLText.seed)
    lines.add("locale", locale, unless: defaults.locale, TOMLText.string)
    lines.addNumber("date", dateSeconds, unless: defaults.dateSeconds)
    lines.add("time-zone", timeZone, unless: defaults.timeZone, TOMLText.string)
    for part in content {
      lines.beginTable("content")
      lines.add(part)
    }
    for command in commands {
      lines.beginTable("command")
      lines.add(command)
    }
    return lines.text
  }
}
