// SPDX-License-Identifier: Apache-2.0

/// The colours that terminals of 256 colours have in common: a cube of six levels, and 24 greys.
enum TerminalPalette {
  /// Red, green and blue, by number less `first`.
  static let colors: [SIMD3<Int>] = {
    let levels = [0, 95, 135, 175, 215, 255]
    var colors: [SIMD3<Int>] = []
    for number in 0..<216 {
      colors.append([levels[number / 36], levels[number / 6 % 6], levels[number % 6]])
    }
    for grey in 0..<24 { colors.append(SIMD3(repeating: 8 + 10 * grey)) }
    return colors
  }()

  /// The number of the first colour; those before it differ from terminal to terminal.
  static let first = 16

  /// The numbers of the nearest colours, by five bits each of red, green and blue.
  private static let nearest: [UInt8] = (0..<32_768).map { key in
    let five = SIMD3(key >> 10 & 31, key >> 5 & 31, key & 31)
    let color = (five &<< 3) | (five &>> 2)
    let cube = level(color.x) * 36 + level(color.y) * 6 + level(color.z)
    let grey = 216 + min(max((color.wrappedSum() / 3 - 3) / 10, 0), 23)
    return UInt8(first + (distance(grey, color) < distance(cube, color) ? grey : cube))
  }

  /// The level of the cube that is nearest to a channel.
  private static func level(_ part: Int) -> Int {
    if part < 48 { return 0 }
    return part < 115 ? 1 : (part - 35) / 40
  }

  private static func distance(_ index: Int, _ color: SIMD3<Int>) -> Int {
    let difference = colors[index] &- color
    return (difference &* difference).wrappedSum()
  }

  /// The number of the colour nearest to a pixel 0xAARRGGBB.
  @inline(__always)
  static func number(of pixel: UInt32) -> UInt8 { nearest[key(of: pixel)] }

  /// Five bits each of red, green and blue.
  @inline(__always)
  static func key(of pixel: UInt32) -> Int {
    let red = pixel >> 9 & 0x7C00
    let green = pixel >> 6 & 0x3E0
    let blue = pixel >> 3 & 31
    return Int(red | green | blue)
  }
}

extension [UInt8] {
  /// Appends a text.
  mutating func add(_ text: String) { append(contentsOf: text.utf8) }

  /// Appends a number from 0 in decimal digits.
  mutating func add(_ number: Int) {
    if number >= 10 { add(number / 10) }
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
