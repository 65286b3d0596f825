// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages

/// Makes the layout's drawing messages.
enum SpriteMaker {
  /// A disc around the origin.
  static func disc(radius: Double, color: Color) -> Orrery_Sprite {
    var disc = Orrery_Disc()
    disc.radius = radius
    disc.color = color.rgba
    var element = Orrery_Element()
    element.disc = disc
    var sprite = Orrery_Sprite()
    sprite.elements = [element]
    return sprite
  }

  /// A line of text whose centre is the origin.
  static func text(_ text: Text, size: MeasuredText) -> Orrery_Sprite {
    var message = Orrery_Text()
    message.text = text.content
    message.font = FontDescription.text(text.font)
    message.color = text.color.rgba
    var element = Orrery_Element()
    element.x = -size.width / 2
    element.y = -size.height / 2
    element.text = message
    var sprite = Orrery_Sprite()
    sprite.elements = [element]
    return sprite
  }

  /// So many copies of a row, the first one's left edge and the frame's top at the origin.
  static func row(_ row: Row, _ layout: RowLayout, copies: Int) -> Orrery_Sprite {
    var sprite = Orrery_Sprite()
    for copy in 0..<copies {
      sprite.elements += layout.items.map { item in
        element(item, of: row, x: Double(copy) * layout.period + item.x)
      }
    }
    return sprite
  }

  private static func element(_ item: RowLayout.Item, of row: Row, x: Double) -> Orrery_Element {
    var message = Orrery_Text()
    message.color = row.color.rgba
    var element = Orrery_Element()
    element.x = x
    switch item.content {
    case .flag(let flag):
      message.text = flag
      message.font = FontDescription.flag(row.font)
      message.width = item.width
      message.height = item.height
    case .label(let label):
      message.text = label
      message.font = FontDescription.text(row.font)
    }
    element.y = (row.height - item.height) / 2
    element.text = message
    return element
  }
}
