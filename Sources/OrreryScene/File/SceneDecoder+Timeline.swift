// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Texts filled with a flowing picture, and clocks.
extension SceneDecoder {
  func flowText(_ reader: TableReader) -> FlowText {
    reader.require("text", "a string")
    var text = FlowText(reader.string("text") ?? "-")
    if let font = reader.font("font") { text.font = font }
    if let color = reader.color("color") { text.color = color }
    text.position = reader.point("position")
    if let image = reader.string("image") {
      text.fill = .image(image)
      for key in ["colors", "angle"] where reader.has(key) {
        faults.add(reader.path, .conflicting([key, "image"]))
      }
    } else {
      let colors = reader.colors("colors") ?? FlowText.spectrum
      text.fill = .gradient(colors, angle: reader.number("angle"))
    }
    text.speed = reader.number("speed")
    if let direction: FlowText.Direction = reader.word("direction", kind: "direction") {
      text.direction = direction
    }
    if let start = reader.number("start") { text.start = start }
    if let variant: FlowText.Variant = reader.word("variant", kind: "variant") {
      text.variant = variant
    }
    return text
  }

  func clock(_ reader: TableReader) -> TimelineClock {
    reader.require("schedule", "a schedule such as \"periodic(from: 0, by: 1)\"")
    var clock = TimelineClock(reader.schedule("schedule") ?? .everyMinute)
    if let format = reader.string("format") { clock.format = format }
    if let font = reader.font("font") { clock.font = font }
    if let color = reader.color("color") { clock.color = color }
    clock.position = reader.point("position")
    return clock
  }
}
