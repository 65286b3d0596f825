// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import Testing

/// Goal: cells, paths and CSV have one form in all programs.
///
/// Method: examples, with the shortest texts among them.
@Suite struct TextFormTests {
  @Test func cellIsAsWideAsItsColumnOrItsText() {
    #expect("ab".alignedRight(4) == "  ab")
    #expect("ab".alignedLeft(4) == "ab  ")
    #expect("abcd".alignedRight(4) == "abcd")
    #expect("12345".alignedRight(4) == "12345")
    #expect("names".alignedLeft(4) == "names")
    #expect("µs".alignedLeft(3) == "µs ")
    #expect("7".alignedRight(3, filler: "0") == "007")
  }

  @Test(
    arguments: [
      ("out.mcap", "out-2.mcap"), ("demo/out.tar.gz", "demo/out.tar-2.gz"), ("out", "out-2"),
      ("a.d/out", "a.d/out-2"), (".hidden", ".hidden-2"), ("a/.hidden", "a/.hidden-2"),
      ("a/.hidden.mp4", "a/.hidden-2.mp4"), ("out.", "out-2."), ("", "-2"), ("a/", "a/-2"),
    ])
  func markStandsBeforeTheEndingOfAFile(path: String, marked: String) {
    let halves = PathHalves(path)
    #expect(halves.joined(by: "-2") == marked)
    #expect(halves.stem + halves.ending == path)
  }

  /// A dot of a folder is none of its files'.
  @Test func unfinishedFileIsInTheFolderOfTheFile() {
    #expect(PartialFile.path(for: "a.d/out", processID: 7) == "a.d/out.7.partial")
    #expect(PartialFile.path(for: "a.d/out.mp4", processID: 7) == "a.d/out.7.partial.mp4")
    #expect(PartialFile.path(for: "a.d/.gif", processID: 7) == "a.d/.7.partial.gif")
  }

  @Test(
    arguments: [
      ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""),
      ("a\nb", "\"a\nb\""), ("a\rb", "\"a\rb\""), ("a b", "a b"),
    ])
  func cellOfCSVIsQuotedWhereItNeedsIt(text: String, cell: String) {
    #expect(CSVText.cell(text) == cell)
  }
}
