// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// Cells have their widths, and long lines are broken.
@Suite struct TextTableTests {
  @Test func cellsAreFilledWithSpaces() {
    #expect(TextTable.padded("ab", 4) == "  ab")
    #expect(TextTable.padded("ab", 4, isRight: false) == "ab  ")
    #expect(TextTable.padded("abcd", 4) == "abcd")
  }

  @Test func numbersAreNeverCutAndNamesAre() {
    #expect(TextTable.padded("12345", 4) == "12345")
    #expect(TextTable.padded("names", 4, isRight: false) == "name")
  }

  @Test func linesHaveAtMostEightyCharacters() {
    let word = String(repeating: "x", count: 39)
    #expect(TextTable.wrapped("\(word) \(word)") == "\(word) \(word)\n", "79")
    #expect(TextTable.wrapped("\(word) \(word)y") == "\(word) \(word)y\n", "80")
    #expect(TextTable.wrapped("\(word) \(word)yz") == "\(word)\n    \(word)yz\n", "81")
    #expect(TextTable.wrapped("a b") == "a b\n")
    #expect(TextTable.wrapped("") == "\n")
  }

  @Test func laterLinesAreIndentedAndLongWordsCut() {
    let long = String(repeating: "y", count: 90)
    let lines = TextTable.wrapped("first \(long) last").split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first == "first")
    #expect(lines.dropFirst().first.map(String.init) == "    " + long.prefix(76))
    #expect(lines.last == "    last")
  }
}

/// Rows of the two small benchmarks.
@Suite struct SmallTableTests {
  private var rounds: Rounds {
    var rounds = Rounds()
    for ns in [2_000_000.0, 1_000_000, 4_000_000] { rounds.add(ns) }
    return rounds
  }

  @Test func drawingIsToldInPicturesOfASecondUnderTheirNames() {
    #expect(
      DrawTable.heading(width: 320, height: 240)
        == "scene     entities   pictures/s max   median   (320x240, one core)\n")
    #expect(
      DrawTable.line("flags", entities: 12, rounds)
        == "flags           12             1000      500\n")
  }

  @Test func ticksAreToldInNanosecondsOfAnEntityUnderTheirNames() {
    #expect(TickTable.nsPerEntity(ns: 6000, ticks: 3, entities: 1000) == 2)
    var rounds = Rounds()
    for ns in [1.5, 1.25, 2] { rounds.add(ns) }
    let line = TickTable.line(
      entities: 10_000, isa: "avx2", threads: 2, rounds, hash: 0xab, tick: 77)
    #expect(
      line == "     10000  avx2              2     1.250        1.500  00000000000000ab (77)\n")
    #expect(
      TickTable.heading
        == "  entities  isa         threads    ns min    ns median  state hash (last tick)\n")
  }
}
