// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryRender
import OrreryText

/// Layouts for tests.
enum Scenes {
  static let flagFont = "Noto Color Emoji 20"
  static let labelFont = "Noto Sans 13"

  /// A scene without sprites and batches.
  static func empty(width: Double, height: Double) -> Orrery_SceneLayout {
    var layout = Orrery_SceneLayout()
    layout.width = width
    layout.height = height
    layout.background = 0x1014_18FF
    return layout
  }

  /// One batch; every entity has the sprite with this index.
  static func batch(
    origins: [(Float, Float)], fields: [Orrery_Field], sprite: UInt32 = 0
  ) -> Orrery_Batch {
    var batch = Orrery_Batch()
    batch.entityCount = UInt32(origins.count)
    batch.fields = fields
    batch.originX = origins.map(\.0)
    batch.originY = origins.map(\.1)
    batch.sprites = [sprite]
    return batch
  }

  static func disc(x: Double = 0, y: Double = 0, radius: Double, color: UInt32 = 0xFFFF_FFFF)
    -> Orrery_Element
  {
    var element = Orrery_Element()
    element.x = x
    element.y = y
    element.disc.radius = radius
    element.disc.color = color
    return element
  }

  static func box(
    x: Double = 0, y: Double = 0, width: Double, height: Double, color: UInt32 = 0xFFFF_FFFF
  ) -> Orrery_Element {
    var element = Orrery_Element()
    element.x = x
    element.y = y
    element.box.width = width
    element.box.height = height
    element.box.color = color
    return element
  }

  static func text(
    _ text: String, x: Double, y: Double, font: String = labelFont, width: Double = 0,
    height: Double = 0
  ) -> Orrery_Element {
    var element = Orrery_Element()
    element.x = x
    element.y = y
    element.text.text = text
    element.text.font = font
    element.text.color = 0xE8EC_F0FF
    element.text.width = width
    element.text.height = height
    return element
  }

  static func image(
    _ image: UInt32 = 0, x: Double = 0, y: Double = 0, width: Double, height: Double
  ) -> Orrery_Element {
    var element = Orrery_Element()
    element.x = x
    element.y = y
    element.image.image = image
    element.image.width = width
    element.image.height = height
    return element
  }

  static func gradient(
    width: Double, height: Double, colors: [UInt32], angle: Double = 0
  ) -> Orrery_Element {
    var element = Orrery_Element()
    element.gradient.width = width
    element.gradient.height = height
    element.gradient.colors = colors
    element.gradient.angle = angle
    return element
  }

  /// Glyphs whose box stands at the entity's origin.
  static func mask(
    _ text: String, font: String = "Noto Sans Bold 40", width: Double = 0, height: Double = 0
  ) -> Orrery_Mask {
    var mask = Orrery_Mask()
    mask.text.text = text
    mask.text.font = font
    mask.text.width = width
    mask.text.height = height
    return mask
  }

  /// Gives the entities of all batches numbers from 0 on, in order.
  static func number(_ layout: inout Orrery_SceneLayout) {
    var number: UInt32 = 0
    for index in layout.batches.indices {
      layout.batches[index].firstEntity = number
      number += layout.batches[index].entityCount
    }
  }

  static func sprite(_ elements: [Orrery_Element], tilePeriod: Double = 0) -> Orrery_Sprite {
    var sprite = Orrery_Sprite()
    sprite.elements = elements
    sprite.tilePeriod = tilePeriod
    return sprite
  }

  /// Flags 40 wide with their names, 8 between all of them, repeated after a whole number of
  /// points.
  static func currencyRow() throws -> Orrery_Sprite {
    let cells = [
      ("🇨🇭", "Schweizer Franken"), ("🇯🇵", "日本円"), ("🇪🇺", "Euro"), ("🇸🇦", "ريال سعودي"),
    ]
    let measurer = TextMeasurer()
    var elements: [Orrery_Element] = []
    var x = 0.0
    for (flag, name) in cells {
      elements.append(text(flag, x: x, y: 0, font: flagFont, width: 40, height: 30))
      x += 48
      let size = try measurer.measure(name, font: labelFont)
      elements.append(text(name, x: x, y: 15 - size.height / 2))
      x += size.width + 8
    }
    return sprite(elements, tilePeriod: x.rounded(.up))
  }
}

/// Values of the fields of a scene's only batch.
typealias Values = [Orrery_Field: [Float]]

extension ScenePainter {
  /// Draws a frame in which all batches have these values.
  func draw(_ values: Values) { draw { _ in values } }

  /// Draws a frame: the values of each batch; batches without are at rest.
  func draw(_ batches: [Values]) { draw { $0 < batches.count ? batches[$0] : [:] } }

  private func draw(_ values: (_ batch: Int) -> Values) {
    var copies: [UnsafeMutableBufferPointer<Float>] = []
    draw { batch, field in
      guard let column = values(batch)[field] else { return nil }
      let copy = UnsafeMutableBufferPointer<Float>.allocate(capacity: column.count)
      _ = copy.initialize(from: column)
      copies.append(copy)
      return UnsafeBufferPointer(copy)
    }
    for copy in copies { copy.deallocate() }
  }

  /// The pixel at a place, as 0xAARRGGBB.
  func pixel(_ x: Int, _ y: Int) -> UInt32 {
    pixels.loadUnaligned(fromByteOffset: y * stride + x * 4, as: UInt32.self)
  }

  /// A copy of all bytes.
  var picture: [UInt8] { Array(pixels) }
}

/// How two pictures differ.
struct Difference {
  /// The largest difference of a channel.
  var largest = 0

  /// The mean difference of the channels of pixels that differ in either from the background.
  var mean = 0.0

  init(_ first: [UInt8], _ second: [UInt8]) {
    var (sum, count) = (0, 0)
    for (a, b) in zip(first, second) where a != first[0] || a != b {
      let difference = abs(Int(a) - Int(b))
      largest = max(largest, difference)
      sum += difference
      count += 1
    }
    mean = count == 0 ? 0 : Double(sum) / Double(count)
  }
}
