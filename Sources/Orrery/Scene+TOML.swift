// SPDX-License-Identifier: Apache-2.0

extension Scene {
  /// The scene as a scene file, in the form that docs/scene-file.md describes.
  ///
  /// A file with this text is the same scene to every command, to the last bit of every number:
  ///
  ///     print(scene.toml)
  ///
  /// The name is always there. Other values that equal their defaults are left out, as they are in
  /// Swift; what remains stands in the order of the document. Numbers have as few digits as tell
  /// them apart from their neighbours. The last line has no line end, since `print` adds one.
  ///
  /// A scene that would be refused still gives a text, so that its file is refused in the same
  /// words. Commands read files of up to 16 MiB.
  ///
  /// - Complexity: O(n) in the length of the text.
  public var toml: String {
    let usual = Scene(name) {}
    var lines = TOMLLines()
    lines.add("name", name, TOMLText.string)
    lines.add("size", size, unless: usual.size) { TOMLText.pair($0.width, $0.height) }
    lines.add("background", background, unless: usual.background, TOMLText.color)
    lines.add("rate", rate, unless: usual.rate, TOMLText.rate)
    lines.add("seed", seed, unless: usual.seed, TOMLText.seed)
    lines.add("locale", locale, unless: usual.locale, TOMLText.string)
    lines.addNumber("date", dateSeconds, unless: usual.dateSeconds)
    lines.add("time-zone", timeZone, unless: usual.timeZone, TOMLText.string)
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
