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
