// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// Cells have their widths, and long lines are broken.
@Suite struct TextTableTests {
  @Test func lineHasACellForEachColumnAndTheRestAsItIs() {
    let columns = TextTable([.left(4), .right(5)])
    #expect(columns.line(["names", "12", " more"]) == "name   12 more\n")
    #expect(columns.line(["a", "123456"]) == "a   123456\n")
    #expect(columns.line(["a"]) == "a   \n")
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
  /// A row of Orrery's whose rounds took so many nanoseconds of one call.
  private func row(_ name: String = "", count: Int, ns: [UInt64]) -> BenchRow {
    let row = BenchRow(.ours, name: name, family: "", count: count, traffic: nil)
    for ns in ns { row.add(ns: ns, calls: 1) }
    return row
  }

  @Test func drawingIsToldInPicturesOfASecondUnderTheirNames() {
    #expect(
      DrawTable.heading(width: 320, height: 240)
        == "scene     entities  threads   pictures/s max   median   (320x240)\n")
    #expect(
      DrawTable.line(row("flags", count: 12, ns: [2_000_000, 1_000_000, 4_000_000]))
        == "flags           12        1             1000      500\n")
  }

  @Test func ticksAreToldInNanosecondsOfAnEntityUnderTheirNames() {
    let row = row(count: 10_000, ns: [15_000, 12_500, 20_000])
    (row.isa, row.threads) = ("avx2", 2)
    let two = TickReport.Row(row, threadsMean: 1.94, hashMode: .off, hash: 0xab, tick: 77)
    #expect(
      TickTable.line(two, toFirst: 1.786)
        == "     10000  avx2         1.9/2  off        1.250     1.500     1.79×"
        + "  00000000000000ab (77)\n")
    row.threads = 1
    let one = TickReport.Row(row, threadsMean: 1, hashMode: .rolling, hash: 0xab, tick: 77)
    #expect(
      TickTable.line(one, toFirst: 1)
        == "     10000  avx2             1  rolling    1.250     1.500     1.00×"
        + "  00000000000000ab (77)\n")
    #expect(
      TickTable.heading
        == "  entities  isa        threads  hash      ns min ns median  to first"
        + "  state hash (last tick)\n")
  }

  /// Rows are compared with the first of the same scene and instruction set.
  @Test func ticksAreComparedWithTheFirstOfTheirKind() {
    var report = TickReport(machine: HandMade.machine, lookAhead: 7, roundCount: 1)
    let kinds: [(count: Int, isa: String, ns: UInt64)] = [
      (10, "avx2", 100), (10, "baseline", 300), (20, "avx2", 400),
    ]
    for (count, isa, ns) in kinds {
      for index in 0..<2 {
        let row = row(count: count, ns: [ns / UInt64(index + 1)])
        (row.isa, row.threads) = (isa, index + 1)
        report.rows.append(.init(row, threadsMean: 1, hashMode: .full, hash: 0, tick: 1))
      }
    }
    #expect(report.rows.map { report.medianOfFirst(like: $0) } == [10, 10, 30, 30, 20, 20])
  }
}
