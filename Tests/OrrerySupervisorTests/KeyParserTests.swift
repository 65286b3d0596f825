// SPDX-License-Identifier: Apache-2.0

import OrrerySupervisor
import Testing

/// Goal: keys are read as they were typed, however the terminal's bytes arrive, and other bytes do nothing.
///
/// Method: bytes in one piece, and cut at every place.
@Suite struct KeyParserTests {
  private static func keys(_ text: String) -> [RunKey] {
    var parser = KeyParser()
    return parser.take(text.utf8)
  }

  static let known: [(String, [RunKey])] = [
    (" ", [.pause]), (".", [.step]), ("+", [.faster]), ("=", [.faster]), ("-", [.slower]),
    ("q", [.end]), ("\u{1b}[A", [.seek(seconds: 10)]), ("\u{1b}[B", [.seek(seconds: -10)]),
    ("\u{1b}[C", [.seek(seconds: 1)]), ("\u{1b}[D", [.seek(seconds: -1)]),
    // As terminals send arrows in their application mode.
    ("\u{1b}OC", [.seek(seconds: 1)]), ("\u{1b}OD", [.seek(seconds: -1)]),
    (" .\u{1b}[C-", [.pause, .step, .seek(seconds: 1), .slower]),
  ]

  @Test(arguments: known)
  func keysAreRead(text: String, keys: [RunKey]) { #expect(Self.keys(text) == keys) }

  @Test(arguments: known)
  func keysAreReadHoweverTheyArrive(text: String, keys: [RunKey]) {
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var parser = KeyParser()
      let first = parser.take(bytes[..<cut])
      #expect(first + parser.take(bytes[cut...]) == keys, "cut at \(cut)")
    }
    var parser = KeyParser()
    #expect(bytes.flatMap { parser.take([$0]) } == keys)
  }

  /// A character that means nothing shows the keys; the key after it counts.
  @Test(arguments: ["x", "Q", "~", "!"])
  func otherCharactersAskForTheKeys(text: String) {
    #expect(Self.keys(text) == [.other])
    #expect(Self.keys(text + " ") == [.other, .pause])
  }

  /// Function keys, arrows with Ctrl, what is not text; the key after them counts again.
  @Test(arguments: [
    "é", "\n", "\u{3}", "\u{1b}[3~", "\u{1b}[1;5C", "\u{1b}OP", "\u{1b}[15~", "\u{1b}x",
    "\u{1b}[H", "\u{1b}\u{1b}[Z", "\u{1b}[\r",
  ])
  func otherBytesDoNothing(text: String) {
    #expect(Self.keys(text) == [])
    #expect(Self.keys(text + " ") == [.pause])
  }

  /// Escape alone is a key of nothing; an arrow after it is an arrow.
  @Test func sequenceBeginsWhereverEscapeStands() {
    #expect(Self.keys("\u{1b}\u{1b}[C") == [.seek(seconds: 1)])
    #expect(Self.keys("\u{1b}[1\u{1b}[C") == [.seek(seconds: 1)])
  }
}
