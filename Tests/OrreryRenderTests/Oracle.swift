// SPDX-License-Identifier: Apache-2.0

import OrreryRender

/// A picture computed pixel by pixel, slowly, from the formulas that the painters' documents state.
struct Oracle {
  let width: Int
  let height: Int

  /// 0xAARRGGBB, premultiplied, row by row.
  private(set) var pixels: [UInt32]

  init(width: Int, height: Int, background: UInt32 = 0xFF00_0000) {
    (self.width, self.height) = (width, height)
    pixels = Array(repeating: background, count: width * height)
  }

  /// The nearest whole number to a 255th of a product of two bytes.
  private static func part(_ product: Int) -> Int { (2 * product + 255) / 510 }

  private static func channels(_ pixel: UInt32) -> [Int] {
    [24, 16, 8, 0].map { Int(pixel >> UInt32($0) & 255) }
  }

  /// A premultiplied pixel, weakened to so many 255ths.
  static func weakened(_ pixel: UInt32, _ strength: Int) -> UInt32 {
    channels(pixel).reduce(0) { $0 << 8 | UInt32(part($1 * strength)) }
  }

  /// A colour 0xRRGGBBAA as a premultiplied pixel.
  static func pixel(_ color: UInt32) -> UInt32 {
    let alpha = color & 255
    let parts = [24, 16, 8].map { ((color >> UInt32($0) & 255) * alpha + 127) / 255 }
    return parts.reduce(alpha) { $0 << 8 | $1 }
  }

  /// Lays a premultiplied pixel, weakened to so many 255ths, over one of the picture, if there is such a one.
  mutating func lay(_ pixel: UInt32, strength: Int, x: Int, y: Int) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    let weak = Self.channels(Self.weakened(pixel, strength))
    let below = Self.channels(pixels[y * width + x])
    pixels[y * width + x] = zip(weak, below).reduce(0) { sum, pair in
      sum << 8 | UInt32(pair.0 + Self.part(pair.1 * (255 - weak[0])))
    }
  }

  /// Where a painter's picture differs first, by more than `tolerance` in a channel; nil if nowhere.
  func difference(_ painter: ScenePainter, tolerance: Int = 0) -> String? {
    for y in 0..<height {
      for x in 0..<width {
        let (found, wanted) = (painter.pixel(x, y), pixels[y * width + x])
        if found == wanted { continue }
        let worst = zip(Self.channels(found), Self.channels(wanted)).map { abs($0 - $1) }.max()
        if (worst ?? 0) <= tolerance { continue }
        let texts = [found, wanted].map { String($0, radix: 16) }
        return "at (\(x), \(y)): \(texts[0]), expected \(texts[1])"
      }
    }
    return nil
  }
}

extension ScenePainter {
  /// The pixels of a rectangle that have this colour, as places "x,y".
  func places(of color: UInt32) -> Set<[Int]> {
    var places: Set<[Int]> = []
    for y in 0..<height {
      for x in 0..<width where pixel(x, y) == color { places.insert([x, y]) }
    }
    return places
  }
}
