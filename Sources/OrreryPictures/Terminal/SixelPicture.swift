// SPDX-License-Identifier: Apache-2.0

/// A picture as sixels: six rows of pixels at a time, each colour by itself.
package enum SixelPicture {
  /// Appends a picture, which the terminal shows from the cursor on.
  ///
  /// - Parameters:
  ///   - pixels: 0xAARRGGBB.
  ///   - width: Pixels of a row.
  ///   - output: Gets the control sequence.
  package static func write(
    _ pixels: UnsafeBufferPointer<UInt32>, width: Int, into output: inout [UInt8]
  ) {
    let height = pixels.count / width
    let palette = SixelPalette(pixels)
    let numbers = pixels.map { palette.number(of: $0) }
    output.add("\u{1b}P0;1;0q\"1;1;")
    output.add(width)
    output.add(";")
    output.add(height)
    for (number, color) in palette.colors.enumerated() {
      // In percent of each channel.
      output.add("#")
      output.add(number)
      output.add(";2")
      for part in [color.x, color.y, color.z] {
        output.add(";")
        output.add((part * 100 + 127) / 255)
      }
    }
    // Which of the six pixels of a column have a colour, by colour and column.
    var sixels = [UInt8](repeating: 0, count: 256 * width)
    for top in stride(from: 0, to: height, by: 6) {
      var isUsed = [Bool](repeating: false, count: 256)
      for row in top..<min(top + 6, height) {
        let bit = UInt8(1) << UInt8(row - top)
        for column in 0..<width {
          let number = Int(numbers[row * width + column])
          isUsed[number] = true
          sixels[number * width + column] |= bit
        }
      }
      for number in 0..<256 where isUsed[number] {
        output.add("#")
        output.add(number)
        let line = number * width..<(number + 1) * width
        write(sixels[line], into: &output)
        for index in line { sixels[index] = 0 }
        output.add("$")
      }
      output.add("-")
    }
    output.add("\u{1b}\\")
  }

  /// Writes a line without the empty sixels at its end; equal ones as a count.
  private static func write(_ line: ArraySlice<UInt8>, into output: inout [UInt8]) {
    guard let last = line.lastIndex(where: { $0 != 0 }) else { return }
    var index = line.startIndex
    while index <= last {
      var end = index + 1
      while end <= last, line[end] == line[index] { end += 1 }
      let character = UInt8(63) + line[index]
      if end - index > 3 {
        output.add("!")
        output.add(end - index)
        output.append(character)
      } else {
        for _ in index..<end { output.append(character) }
      }
      index = end
    }
  }
}

/// The colours of a picture: those that most of its pixels have, and for others the nearest of these.
private struct SixelPalette {
  /// Red, green and blue by number.
  private(set) var colors: [SIMD3<Int>] = []

  /// Numbers by five bits each of red, green and blue.
  private var numbers = [UInt8](repeating: 0, count: 32_768)

  /// What terminals have at least.
  private static let colorMax = 256

  init(_ pixels: UnsafeBufferPointer<UInt32>) {
    var counts = [Int](repeating: 0, count: numbers.count)
    var examples = [UInt32](repeating: 0, count: numbers.count)
    for pixel in pixels {
      let key = TerminalPalette.key(of: pixel)
      counts[key] += 1
      examples[key] = pixel
    }
    let keys = counts.indices.filter { counts[$0] > 0 }.sorted { counts[$0] > counts[$1] }
    for key in keys {
      let pixel = examples[key]
      let color = SIMD3(Int(pixel >> 16 & 255), Int(pixel >> 8 & 255), Int(pixel & 255))
      if colors.count < Self.colorMax {
        numbers[key] = UInt8(colors.count)
        colors.append(color)
      } else {
        numbers[key] = nearest(color)
      }
    }
  }

  func number(of pixel: UInt32) -> UInt8 { numbers[TerminalPalette.key(of: pixel)] }

  private func nearest(_ color: SIMD3<Int>) -> UInt8 {
    var (best, leastSquare) = (0, Int.max)
    for (number, other) in colors.enumerated() {
      let difference = other &- color
      let square = (difference &* difference).wrappedSum()
      if square < leastSquare { (best, leastSquare) = (number, square) }
    }
    return UInt8(best)
  }
}
