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
    let numbers = pixels.map { TerminalPalette.number(of: $0) }
    output.add("\u{1b}P0;1;0q\"1;1;")
    output.add(width)
    output.add(";")
    output.add(height)
    define(Set(numbers).sorted(), into: &output)
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

  /// Defines colours, in percent of each channel.
  private static func define(_ numbers: [UInt8], into output: inout [UInt8]) {
    for number in numbers {
      let color = TerminalPalette.colors[Int(number) - TerminalPalette.first]
      output.add("#")
      output.add(Int(number))
      output.add(";2")
      for part in [color.x, color.y, color.z] {
        output.add(";")
        output.add((part * 100 + 127) / 255)
      }
    }
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
