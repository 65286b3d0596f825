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

  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (12_345, "12,345"), (123_456, "123,456"),
    (1_234_567, "1,234,567"),
  ])
  func thousandsAreGrouped(number: Int, text: String) {
    #expect(TextTable.grouped(number) == text)
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
