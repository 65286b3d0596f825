// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages
import OrrerySceneBuilder

/// Makes the layout's drawing messages.
enum SpriteMaker {
  /// A disc around the origin.
  static func disc(radius: Double, color: Color) -> Orrery_Sprite {
    var sprite = Orrery_Sprite()
    sprite.elements = [discElement(radius: radius, color: color, x: 0, y: 0)]
    return sprite
  }

  /// A disc around a point.
  static func discElement(radius: Double, color: Color, x: Double, y: Double) -> Orrery_Element {
    var disc = Orrery_Disc()
    disc.radius = radius
    disc.color = color.rgba
    var element = Orrery_Element()
    element.x = x
    element.y = y
    element.disc = disc
    return element
  }

  /// A rectangle whose centre is the origin.
  static func box(_ size: CGSize, cornerRadius: Double, color: Color) -> Orrery_Sprite {
    var box = Orrery_Box()
    box.width = size.width
    box.height = size.height
    box.cornerRadius = min(cornerRadius, size.width / 2, size.height / 2)
    box.color = color.rgba
    let bounds = CGRect(
      x: -size.width / 2, y: -size.height / 2, width: size.width, height: size.height)
    var sprite = Orrery_Sprite()
    sprite.elements = [element(at: bounds) { $0.box = box }]
    return sprite
  }

  /// An element with the left and top of a rectangle.
  static func element(
    at bounds: CGRect, _ fill: (inout Orrery_Element) -> Void
  ) -> Orrery_Element {
    var element = Orrery_Element()
    element.x = bounds.minX
    element.y = bounds.minY
    fill(&element)
    return element
  }

  /// A line of text; its alignment says which of its points is the origin.
  static func text(
    _ text: Text, size: MeasuredText, mirror: SceneMirror = SceneMirror()
  ) -> Orrery_Sprite {
    var message = Orrery_Text()
    message.text = text.content
    message.font = FontDescription.text(text.font)
    message.color = text.color.rgba
    let bounds = mirror.rectangle(
      CGRect(
        x: -text.alignment.share * size.width, y: -size.height / 2, width: size.width,
        height: size.height))
    var sprite = Orrery_Sprite()
    sprite.elements = [element(at: bounds) { $0.text = message }]
    return sprite
  }

  /// Copies of a row with their left edges at `copyXs`; the frame's top is at the origin.
  static func row(_ row: Row, _ layout: RowLayout, copyXs: [Double]) -> Orrery_Sprite {
    var sprite = Orrery_Sprite()
    for x in copyXs {
      sprite.elements += layout.items.map { element($0, of: row, x: x + $0.x) }
    }
    return sprite
  }

  private static func element(_ item: RowLayout.Item, of row: Row, x: Double) -> Orrery_Element {
    var message = Orrery_Text()
    message.color = row.color.rgba
    var element = Orrery_Element()
    element.x = x
    switch item.content {
    case .flag(let flag, let width):
      let width = width ?? item.width
      element.x += (item.width - width) / 2
      message.text = flag
      message.font = FontDescription.flag(row.font)
      message.width = width
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
