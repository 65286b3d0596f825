// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryPictures
import TestSupport
import Testing

/// Goal: what a terminal is sent makes it show the picture, and no more is sent than that takes.
///
/// Method: a terminal of a few lines that reads what was written; sixels and pieces of base64 that are read back.
@Suite struct TerminalTests {
  /// Cells with the colours of their upper and lower half; it fails at sequences that it does not know.
  private struct Cells {
    let columns: Int
    let isTrueColor: Bool
    var pixels: [UInt32]
    var written = 0
    private var (row, column) = (0, 0)
    private var (ink, paper): (UInt32, UInt32) = (0, 0)

    init(columns: Int, rows: Int, isTrueColor: Bool) {
      (self.columns, self.isTrueColor) = (columns, isTrueColor)
      pixels = Array(repeating: .max, count: columns * rows * 2)
    }

    mutating func read(_ bytes: [UInt8]) throws {
      let text = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
      var index = 0
      written = 0
      while index < text.count {
        guard text[index] == "\u{1b}" else {
          put(text[index])
          index += 1
          continue
        }
        let end = try #require(text[index...].firstIndex { ("A"..."z").contains($0) && $0 != "[" })
        let numbers = String(String.UnicodeScalarView(text[(index + 2)..<end]))
          .split(separator: ";").map { Int($0) ?? -1 }
        switch text[end] {
        case "H": (row, column) = (numbers[0] - 1, numbers[1] - 1)
        case "m": try style(numbers)
        default: Issue.record("unknown sequence \(text[end])")
        }
        index = end + 1
      }
    }

    private mutating func style(_ numbers: [Int]) throws {
      if numbers == [0] { return }
      var rest = numbers[...]
      while let kind = rest.popFirst() {
        let form = rest.popFirst()
        try #require(form == (isTrueColor ? 2 : 5))
        var color: UInt32 = 0
        for _ in 0..<(isTrueColor ? 3 : 1) { color = color << 8 | UInt32(rest.popFirst() ?? 0) }
        if kind == 38 { ink = color } else { paper = color }
      }
    }

    private mutating func put(_ character: Unicode.Scalar) {
      let (top, bottom) =
        switch character {
        case "▀": (ink, paper)
        case "▄": (paper, ink)
        default: (paper, paper)
        }
      pixels[2 * row * columns + column] = top
      pixels[(2 * row + 1) * columns + column] = bottom
      column += 1
      written += 1
    }
  }

  private static func picture(_ count: Int, seed: UInt64) -> [UInt32] {
    var random = SeededRandom(seed: seed)
    // Few colours, so that neighbours are often alike.
    let colors = (0..<5).map { _ in 0xFF00_0000 | UInt32.random(in: 0..<1 << 24, using: &random) }
    return (0..<count).map { _ in colors[Int.random(in: 0..<5, using: &random)] }
  }

  private static func paint(_ blocks: inout HalfBlocks, _ pixels: [UInt32], columns: Int) -> [UInt8]
  {
    var output: [UInt8] = []
    pixels.withUnsafeBufferPointer { blocks.paint($0, columns: columns, into: &output) }
    return output
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func cellsShowThePicture(seed: UInt64) throws {
    var blocks = HalfBlocks(isTrueColor: true, isUTF8: true)
    var cells = Cells(columns: 13, rows: 7, isTrueColor: true)
    var pixels = Self.picture(13 * 14, seed: seed)
    for turn in 0..<6 {
      try cells.read(Self.paint(&blocks, pixels, columns: 13))
      #expect(cells.pixels == pixels.map { $0 & 0xFF_FFFF })
      #expect(cells.written <= (turn == 0 ? 13 * 7 : 3), "only what has changed")
      for change in 0..<3 { pixels[(turn * 31 + change * 57) % pixels.count] ^= 0x40_2010 }
    }
    #expect(Self.paint(&blocks, pixels, columns: 13).count > 0)
    #expect(Self.paint(&blocks, pixels, columns: 13) == [])
    blocks.forget()
    cells = Cells(columns: 13, rows: 7, isTrueColor: true)
    try cells.read(Self.paint(&blocks, pixels, columns: 13))
    #expect(cells.written == 13 * 7)
  }

  /// Colours of the palette by their numbers, and one colour a cell where half a cell cannot be shown.
  @Test func lesserTerminalsGetWhatTheyShow() throws {
    let shades: [(UInt32, UInt32)] = [
      (0xFFFF_0000, 196), (0xFF00_0000, 16), (0xFFFF_FFFF, 231), (0xFF4E_4E4E, 239),
      (0xFF5F_87AF, 67), (0xFF00_FF00, 46),
    ]
    var blocks = HalfBlocks(isTrueColor: false, isUTF8: true)
    var cells = Cells(columns: 6, rows: 1, isTrueColor: false)
    let pixels = shades.map(\.0)
    try cells.read(Self.paint(&blocks, pixels + pixels, columns: 6))
    #expect(cells.pixels == shades.map(\.1) + shades.map(\.1))
    blocks = HalfBlocks(isTrueColor: true, isUTF8: false)
    let text = Self.paint(&blocks, [0xFF20_4060, 0xFF40_60A0], columns: 1)
    #expect(text.allSatisfy { $0 < 0x80 })
    #expect(String(decoding: text, as: UTF8.self) == "\u{1b}[1;1H\u{1b}[48;2;48;80;128m \u{1b}[0m")
  }

  /// Reads sixels as a terminal does.
  private static func pixels(ofSixels bytes: [UInt8]) throws -> (width: Int, colors: [[Int]?]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let body = try #require(text.range(of: "q\"1;1;"))
    #expect(text.hasPrefix("\u{1b}P") && text.hasSuffix("\u{1b}\\"))
    var scanner = Array(text[body.upperBound...].dropLast(2).utf8)[...]
    func number() -> Int {
      var value = 0
      while let byte = scanner.first, (48...57).contains(byte) {
        value = value * 10 + Int(byte) - 48
        scanner = scanner.dropFirst()
      }
      return value
    }
    func take(_ byte: Character) -> Bool {
      guard scanner.first == byte.asciiValue else { return false }
      scanner = scanner.dropFirst()
      return true
    }
    let width = number()
    #expect(take(";"))
    let height = number()
    var palette: [Int: [Int]] = [:]
    var colors = [[Int]?](repeating: nil, count: width * height)
    var (color, column, top) = (0, 0, 0)
    while !scanner.isEmpty {
      if take("#") {
        color = number()
        if take(";") {
          _ = number()
          palette[color] = (0..<3).map { _ in take(";") ? number() : -1 }
        }
      } else if take("$") {
        column = 0
      } else if take("-") {
        (column, top) = (0, top + 6)
      } else {
        let count = take("!") ? number() : 1
        let character = scanner.popFirst()
        let bits = try #require(character) - 63
        for _ in 0..<count {
          for row in 0..<6 where bits >> row & 1 == 1 {
            colors[(top + row) * width + column] = palette[color]
          }
          column += 1
        }
      }
    }
    return (width, colors)
  }

  @Test(arguments: [(1, 1), (7, 6), (30, 13)]) func sixelsAreThePicture(width: Int, height: Int)
    throws
  {
    let pixels = Self.picture(width * height, seed: UInt64(width))
    var bytes: [UInt8] = []
    pixels.withUnsafeBufferPointer { SixelPicture.write($0, width: width, into: &bytes) }
    let found = try Self.pixels(ofSixels: bytes)
    #expect(found.width == width && found.colors.count == pixels.count)
    for (pixel, color) in zip(pixels, found.colors) {
      let color = try #require(color)
      for (shift, percent) in zip([16, 8, 0] as [UInt32], color) {
        #expect(abs(Int(pixel >> shift & 255) - percent * 255 / 100) <= 3)
      }
    }
  }

  /// Of more colours than a terminal has, the most frequent are exact, and the others near.
  @Test func sixelsHaveTheColoursThatMatter() throws {
    let pixels = (0..<4096).map { (index: Int) -> UInt32 in
      if index % 2 == 0 { return 0xFF12_3456 }
      let (red, blue) = (UInt32(index / 16), UInt32(index * 3 % 256))
      return 0xFF00_0000 | red << 16 | blue
    }
    var bytes: [UInt8] = []
    pixels.withUnsafeBufferPointer { SixelPicture.write($0, width: 64, into: &bytes) }
    let found = try Self.pixels(ofSixels: bytes)
    for (pixel, color) in zip(pixels, found.colors) {
      let color = try #require(color)
      for (shift, percent) in zip([16, 8, 0] as [UInt32], color) {
        let distance = abs(Int(pixel >> shift & 255) - percent * 255 / 100)
        #expect(distance <= (pixel == 0xFF12_3456 ? 3 : 90))
      }
    }
  }

  @Test(arguments: [0, 1, 2, 3, 3071, 3072, 3073, 10_000])
  func kittyGetsTheFile(count: Int) throws {
    let file = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 >> 3) }
    var bytes: [UInt8] = []
    KittyPicture.write(png: file, into: &bytes)
    let pieces = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\u{1b}_G")
      .dropFirst()
    var text = ""
    for (index, piece) in pieces.enumerated() {
      let parts = piece.dropLast(2).split(separator: ";", omittingEmptySubsequences: false)
      #expect(parts.count == 2 && parts[1].count <= 4096 && piece.hasSuffix("\u{1b}\\"))
      #expect(parts[0].hasSuffix(index + 1 < pieces.count ? "m=1" : "m=0"))
      text += parts[1]
    }
    #expect(Data(base64Encoded: text) == Data(file))
  }

  @Test(arguments: [
    ("", false, TerminalGraphics.half, 0), ("\u{1b}[?1;2c", true, .half, 0),
    ("\u{1b}[?62;4;22c", true, .sixel, 0), ("\u{1b}[?1;4c", true, .half, 0),
    ("\u{1b}_Gi=31;OK\u{1b}\\\u{1b}[6;18;9t\u{1b}[?62;4c", true, .kitty, 9),
    ("\u{1b}_Gi=31;ENOTSUPPORTED\u{1b}\\\u{1b}[6;900;9t\u{1b}[?64;1c", true, .half, 0),
    ("q\u{1b}[A\u{1b}[6;1t\u{1b}[?c\u{1b}[?6", false, .half, 0),
    // The smallest cell, the largest, and one more.
    ("\u{1b}[6;1;1t", false, .half, 1), ("\u{1b}[6;200;200t", false, .half, 200),
    ("\u{1b}[6;201;9t", false, .half, 0), ("\u{1b}[6;9;201t", false, .half, 0),
  ])
  func answersAreUnderstood(
    text: String, isComplete: Bool, best: TerminalGraphics, cellWidth: Int
  ) {
    let answers = TerminalAnswers(Array(text.utf8))
    #expect(answers.isComplete == isComplete)
    #expect(answers.best == best)
    #expect(answers.cellWidth == cellWidth)
  }

  /// Whatever the length of a run: distinct frames in order, the first and the last kept one, at nearly equal distances.
  @Test func picturesAreSpreadOverARunOfAnyLength() {
    for (count, length) in [(2, 1), (2, 2), (20, 7), (20, 160), (20, 161), (6, 1000), (20, 54_321)]
    {
      var keeper = SpreadKeeper<UInt64>(countMax: count * 8)
      for sequence in 1...UInt64(length) where keeper.wants(sequence) {
        keeper.keep(sequence, sequence: sequence)
      }
      #expect(keeper.kept.count <= count * 8)
      let chosen = keeper.spread(count)
      #expect(chosen.count == min(count, length), "\(count) of \(length)")
      #expect(chosen == Set(chosen).sorted() && chosen.first == 1)
      let step = Double(length - 1) / Double(count - 1)
      if length > count {
        for (index, sequence) in chosen.enumerated() {
          #expect(abs(Double(sequence) - 1 - Double(index) * step) <= step / 4 + 1)
        }
      }
    }
  }
}
