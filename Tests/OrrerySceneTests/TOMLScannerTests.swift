// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import Testing
import TOMLKit

/// Goal: every key and value is found where it stands, in every form that TOML has.
///
/// Method: texts with marks: «n» stands before the value whose way has number n.
@Suite struct TOMLScannerTests {
  /// Finds values in a text.
  ///
  /// - Returns: Lines and columns of the values, as `line:column`; nil for what is not found.
  private func places(_ text: String, _ paths: [ScenePath]) throws -> [String?] {
    _ = try TOMLTable(string: text)
    let bytes = Array(text.utf8)
    var scanner = TOMLScanner(bytes, wanted: Set(paths))
    try scanner.scan()
    return paths.map { path in
      scanner.valueOffsets[path].map { offset in
        let position = TextPosition(ofByte: offset, in: bytes)
        return "\(position.line):\(position.column)"
      }
    }
  }

  private func path(_ elements: ScenePath.Element...) -> ScenePath { ScenePath(elements) }

  @Test func commentsAndBlanksAreSkipped() throws {
    let text = "# a = 1\n\n  a = 2 # b = 3\n\tb=4#c\n#"
    #expect(try places(text, [path(.key("a")), path(.key("b"))]) == ["3:7", "4:4"])
  }

  @Test func dottedAndQuotedKeysAreOneWay() throws {
    let text = """
      a . "b c".'d.e' = 1
      a.f = 2
      "g\\u0041\\n" = 3
      1.2 = 4
      """
    let paths = [
      path(.key("a"), .key("b c"), .key("d.e")), path(.key("a"), .key("f")), path(.key("gA\n")),
      path(.key("1"), .key("2")),
    ]
    #expect(try places(text, paths) == ["1:19", "2:7", "3:15", "4:7"])
  }

  @Test func arraysOfTablesAreCounted() throws {
    let text = """
      [[a]]
      x = 1
      [[a.b]]
      x = 2
      [[a.b]]
      x = 3
      [a.c]
      x = 4
      [ [ a ] ]
      """.replacing("[ [ a ] ]", with: "[[ a ]]\nx = 5\n[[a.b]]\nx = 6")
    let a = ScenePath.Element.key("a")
    let (b, x) = (ScenePath.Element.key("b"), ScenePath.Element.key("x"))
    let paths = [
      path(a, .index(0), x), path(a, .index(0), b, .index(0), x),
      path(a, .index(0), b, .index(1), x),
      path(a, .index(0), .key("c"), x), path(a, .index(1), x), path(a, .index(1), b, .index(0), x),
    ]
    #expect(try places(text, paths) == ["2:5", "4:5", "6:5", "8:5", "10:5", "12:5"])
  }

  @Test func inlineTablesAndArraysAreEntered() throws {
    let text = """
      a = { b = [1, { c = 2 }, [3, 4]], d.e = 5 }
      f = [ # x
        { g = 6 }, # y

        7,
      ]
      """
    let (a, b, f) = (
      ScenePath.Element.key("a"), ScenePath.Element.key("b"), ScenePath.Element.key("f")
    )
    let paths = [
      path(a), path(a, b, .index(0)), path(a, b, .index(1), .key("c")),
      path(a, b, .index(2), .index(1)), path(a, .key("d"), .key("e")),
      path(f, .index(0), .key("g")), path(f, .index(1)),
    ]
    #expect(try places(text, paths) == ["1:5", "1:12", "1:21", "1:30", "1:41", "3:9", "5:3"])
  }

  @Test func stringsHideWhatIsInThem() throws {
    // A bar stands for a quotation mark.
    let lines = [
      "a = |x = 1 # [y]\\|]|", "b = 'C:\\'", "c = |||", "d = 1", "\\||| # ||", "|||||",
      "e = '''", "f = 2'''''", "g = [|]|, ']', |||]|||]", "h = 3",
    ].map { $0.replacing("|", with: "\"") }
    let keys = ["a", "b", "c", "d", "e", "f", "g", "h"].map { path(.key($0)) }
    #expect(
      try places(lines.joined(separator: "\n"), keys)
        == ["1:5", "2:5", "3:5", nil, "7:5", nil, "9:5", "10:5"])
  }

  @Test func otherValuesArePassed() throws {
    let text = """
      a = 1979-05-27 07:32:00
      b = [1979-05-27T07:32:00Z, 07:32:00]
      c = +1_000.5e-3
      d = 0xff
      e = -inf
      f = true
      g = {}
      h = []
      i = 1
      """
    let keys = ["a", "c", "d", "e", "f", "g", "h", "i"].map { path(.key($0)) }
    #expect(try places(text, keys).compactMap(\.self).count == 8)
    #expect(try places(text, [path(.key("b"), .index(1)), path(.key("i"))]) == ["2:28", "9:5"])
  }

  @Test func lineEndsAndWideCharactersCount() throws {
    let text = "\u{feff}a = 1\r\n# ä\r\n\"ä€😀\" = [\"é\", 2]\r\n[t]\r\nb = 3\r\n"
    let paths = [
      path(.key("a")), path(.key("ä€😀"), .index(1)), path(.key("t"), .key("b")),
    ]
    #expect(try places(text, paths) == ["1:5", "3:15", "5:5"])
  }

  @Test func tablesAreFoundWhereTheyAreNamed() throws {
    let text = "[a.b]\nc = 1\n[a]\nd.e = 2\n[\"f\" . g]\n"
    let (a, f) = (ScenePath.Element.key("a"), ScenePath.Element.key("f"))
    let paths = [path(a, .key("b")), path(a), path(a, .key("d"), .key("e")), path(f, .key("g"))]
    #expect(try places(text, paths) == ["1:4", "1:2", "4:7", "5:8"])
  }

  /// What is not TOML does not reach the parser, and the scanner ends without a trap.
  @Test(arguments: [
    ("[", "a key"), ("[[", "a key"), ("[a", "]"), ("[[a]", "]]"), ("a", "="), ("a =", "a value"),
    ("a = \"", "the end of the string"), ("a = \"\\", "the end of the string"),
    ("a = \"\\u12", "4 hexadecimal digits of a character"), ("a = [", "a value"),
    ("a = \"\\UFFFFFFFF\"", "8 hexadecimal digits of a character"),
    ("a = '''", "the end of the string"), ("a = [1", ", or ]"), ("a = {", "a key"),
    ("a = {b", "="), ("a = {b = 1", ", or }"), ("= 1", "a key"), ("a..b = 1", "a key"),
    ("a = ]", "a value"), ("\"a", "the end of the string"), ("[,]", "a key"), ("[[.]]", "a key"),
    ("a = \"\"\"\\", "the end of the string"), ("a = \"b\" c", "the end of the line"),
    ("[a] b = 1", "the end of the line"), ("a\n= 1", "="), ("[a\n]", "]"),
    ("a = 1234567890 1", "the end of the line"), ("a = 1979-05-27 b", "the end of the line"),
    ("a = 1979-05-2 1", "the end of the line"), ("a = '''b''''''", "the end of the line"),
    ("a = \"\\u0041", "the end of the string"), ("a = \"\\U00000041", "the end of the string"),
    ("a = \"\\u004", "4 hexadecimal digits of a character"),
    ("a = \"\\U0000004", "8 hexadecimal digits of a character"),
    ("a = \"\\ud800\"", "4 hexadecimal digits of a character"), ("a = xyz", "a value"),
    ("a = \"b\n\"", "the end of the string"), ("a b = 1", "="), ("a, = 1", "="),
  ])
  func brokenTextIsRefused(text: String, expected: String) {
    var scanner = TOMLScanner(Array(text.utf8))
    do throws(TOMLScanner.Refusal) {
      try scanner.scan()
      Issue.record("accepted")
    } catch {
      #expect(error.reason == .expected(expected))
    }
  }

  /// What ends with the text, and every character that keys have.
  @Test(arguments: [
    "", "#", "\u{feff}", "\u{feff}a = 1", "a = ''", "a = \"\"", "a = ''''''", "a = 'b'",
    "a = 1\r\n", "a = 1979-05-27", "a = 1979-05-27 ", "a = 1979-05-27 # b",
    "a = 1979-05-27 07:32:00 # b", "a = +1", "a = -1", "a = nan", "a = false", "azAZ09_- = 1",
    "\"\" = 1", "a = [\n]", "a = [1,\n]", "a = [ # b\n]", "[ a . b ]", "[[ a ]] # b",
  ])
  func goodTextIsTaken(text: String) throws {
    var scanner = TOMLScanner(Array(text.utf8))
    try scanner.scan()
  }

  /// Keys are found under the characters that their escapes stand for.
  @Test(arguments: [
    ("\\b", "\u{8}"), ("\\t", "\t"), ("\\n", "\n"), ("\\f", "\u{c}"), ("\\r", "\r"),
    ("\\\"", "\""), ("\\\\", "\\"), ("\\u00e4", "ä"), ("\\U0001F600", "😀"),
  ])
  func escapesInKeysAreRead(escape: String, character: String) throws {
    let text = "\"a\(escape)b\" = 1\n'c\(escape)d' = 2"
    let found = try places(text, [path(.key("a\(character)b")), path(.key("c\(escape)d"))])
    #expect(found == ["1:\(escape.count + 8)", "2:\(escape.count + 8)"])
  }

  /// The first of several places counts, and keys have places of their own.
  @Test func keysAreFoundWhereTheyBegin() throws {
    let text = "[[a]]\n b.c = 1\n[[a]]\n b.d = { e = 2 }\n"
    let a = ScenePath().key("a")
    let (b, c) = (a.index(0).key("b"), a.index(0).key("b").key("c"))
    let e = a.index(1).key("b").key("d").key("e")
    let paths = [a, a.index(0), a.index(1), b, c, e]
    var scanner = TOMLScanner(Array(text.utf8), wanted: Set(paths))
    try scanner.scan()
    #expect(paths.map { scanner.keyOffsets[$0] } == [2, 2, 17, 7, 9, 30])
    #expect(scanner.valueOffsets[a] == 2)
    #expect(scanner.valueOffsets[b] == nil)
    #expect(scanner.valueOffsets[c] == 13)
    #expect(scanner.valueOffsets[e] == 34)
  }

  /// A byte in the middle or behind the end of a text has a place, too.
  @Test func bytesHavePlaces() {
    func place(_ text: String, _ offset: Int) -> TextPosition {
      TextPosition(ofByte: offset, in: Array(text.utf8))
    }
    #expect(place("", 0) == TextPosition(line: 1, column: 1))
    #expect(place("a\nb", 1) == TextPosition(line: 1, column: 2))
    #expect(place("a\nb", 2) == TextPosition(line: 2, column: 1))
    #expect(place("a\nb", 99) == TextPosition(line: 2, column: 2))
    #expect(place("\u{feff}ab", 4) == TextPosition(line: 1, column: 2))
    #expect(place("\u{feff}ab\n\u{feff}c", 9) == TextPosition(line: 2, column: 2))
    #expect(place("äb", 2) == TextPosition(line: 1, column: 2))
  }

  /// Whatever TOML is cut off or has a byte changed, decoding ends with an error or a scene.
  @Test func damagedFilesAreReportedOrHarmless() throws {
    let bytes = Array(try #require(BuiltInScenes.text("flags-timer")).utf8)
    for index in stride(from: 0, to: bytes.count, by: 7) {
      for byte in [UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "."), 0x0a, 0x80] {
        var damaged = bytes
        damaged[index] = byte
        _ = problems(String(decoding: damaged, as: UTF8.self))
      }
      _ = problems(String(decoding: bytes[..<index], as: UTF8.self))
    }
  }
}
