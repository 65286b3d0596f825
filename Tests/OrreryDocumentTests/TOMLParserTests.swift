// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import Testing

private func parse(_ text: String) throws(DocumentError) -> DocumentTable {
  try TOMLParser.parse(text, depthMax: 64)
}

/// Goal: every key and value is read as TOML 1.0 says, and found where it stands, in every form that TOML has.
///
/// Method: texts with known values, lines and columns.
@Suite struct TOMLParserTests {
  /// Finds values in a text.
  ///
  /// - Returns: Lines and columns of the values, as `line:column`; nil for what is not found.
  private func places(_ text: String, _ paths: [DocumentPath]) throws -> [String?] {
    let document = try parse(text)
    return paths.map { path in
      document.offsets(at: path).map { offsets in
        let before = String(decoding: Array(text.utf8)[..<offsets.value], as: UTF8.self)
        let lines = before.replacing("\u{feff}", with: "").split(
          omittingEmptySubsequences: false
        ) { $0.isNewline }
        return "\(lines.count):\((lines.last?.unicodeScalars.count ?? 0) + 1)"
      }
    }
  }

  private func path(_ elements: DocumentPath.Element...) -> DocumentPath { DocumentPath(elements) }

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
    let a = DocumentPath.Element.key("a")
    let (b, x) = (DocumentPath.Element.key("b"), DocumentPath.Element.key("x"))
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
      DocumentPath.Element.key("a"), DocumentPath.Element.key("b"), DocumentPath.Element.key("f")
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
    let (a, f) = (DocumentPath.Element.key("a"), DocumentPath.Element.key("f"))
    let paths = [path(a, .key("b")), path(a), path(a, .key("d"), .key("e")), path(f, .key("g"))]
    #expect(try places(text, paths) == ["1:4", "1:2", "4:7", "5:8"])
  }

  /// What is not TOML is refused, and what is wanted in its place is said.
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
    ("a = 1979-05-2 1", "a number of 64 bits, a date, true, false, inf or nan"),
    ("a = '''b''''''", "the end of the line"),
    ("a = \"\\u0041", "the end of the string"), ("a = \"\\U00000041", "the end of the string"),
    ("a = \"\\u004", "4 hexadecimal digits of a character"),
    ("a = \"\\U0000004", "8 hexadecimal digits of a character"),
    ("a = \"\\ud800\"", "4 hexadecimal digits of a character"),
    ("a = xyz", "a value: a text has quotes"),
    ("a = \"b\n\"", "the end of the string"), ("a b = 1", "="), ("a, = 1", "="),
  ])
  func brokenTextIsRefused(text: String, expected: String) {
    let error = #expect(throws: DocumentError.self) { try parse(text) }
    #expect(error?.reason == "expected \(expected)")
  }

  /// What ends with the text, and every character that keys have.
  @Test(arguments: [
    "", "#", "\u{feff}", "\u{feff}a = 1", "a = ''", "a = \"\"", "a = ''''''", "a = 'b'",
    "a = 1\r\n", "a = 1979-05-27", "a = 1979-05-27 ", "a = 1979-05-27 # b",
    "a = 1979-05-27 07:32:00 # b", "a = +1", "a = -1", "a = nan", "a = false", "azAZ09_- = 1",
    "\"\" = 1", "a = [\n]", "a = [1,\n]", "a = [ # b\n]", "[ a . b ]", "[[ a ]] # b",
  ])
  func goodTextIsTaken(text: String) {
    #expect(throws: Never.self) { try parse(text) }
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
    let a = DocumentPath().key("a")
    let (b, c) = (a.index(0).key("b"), a.index(0).key("b").key("c"))
    let e = a.index(1).key("b").key("d").key("e")
    let paths = [a, a.index(0), a.index(1), b, c, e]
    let document = try parse(text)
    #expect(paths.map { document.offsets(at: $0)?.key } == [2, 2, 17, 7, 9, 30])
    #expect(paths.map { document.offsets(at: $0)?.value } == [2, 2, 17, 7, 13, 34])
    #expect(document.offsets(at: a.index(2)) == nil)
    #expect(document.offsets(at: c.key("f")) == nil)
    #expect(document.offsets(at: DocumentPath()) == nil)
  }

  // MARK: - Values

  static let values: [(text: String, value: DocumentValue)] = [
    ("0", .integer(0)), ("+99", .integer(99)), ("-17", .integer(-17)), ("-0", .integer(0)),
    ("1_000", .integer(1000)), ("0xDead_beef", .integer(0xdead_beef)), ("0o755", .integer(493)),
    ("0b1101", .integer(13)), ("9223372036854775807", .integer(.max)),
    ("-9223372036854775808", .integer(.min)), ("0x7fffffffffffffff", .integer(.max)),
    ("1.0", .number(1)), ("-0.01", .number(-0.01)), ("5e+22", .number(5e22)),
    ("1e06", .number(1e6)), ("6.626E-34", .number(6.626e-34)), ("9_2.2_5", .number(92.25)),
    ("inf", .number(.infinity)), ("+inf", .number(.infinity)), ("-inf", .number(-.infinity)),
    ("true", .bool(true)), ("false", .bool(false)), ("''", .string("")),
    (#"'C:\a'"#, .string(#"C:\a"#)),
    (#""a\tb\u00e4\U0001F600\"""#, .string("a\tbä😀\"")),
    ("\"\"\"\na\r\nb \\\n \n  c\"\"\"", .string("a\nb c")),
    ("\"\"\"a\"\"b\"\"\"\"\"", .string("a\"\"b\"\"")),
    ("\'\'\'\r\na\\\n\'b\'\'\'\'", .string("a\\\n\'b\'")),
    (
      "[1, [2.5], 'x', {}]",
      .array([.integer(1), .array([.number(2.5)]), .string("x"), .table([:])])
    ),
    (
      "{ a.b = 1, a.c = {}, d = [] }",
      .table([
        "a": .table(["b": .integer(1), "c": .table([:])]), "d": .array([]),
      ])
    ),
    (
      "1979-05-27T00:32:00.9999999999-07:00",
      .dateTime(.init(day: 3433, second: 1920, nanosecond: 999_999_999, offsetMinutes: -420))
    ),
    ("1979-05-27 07:32:00z", .dateTime(.init(day: 3433, second: 27_120, offsetMinutes: 0))),
    ("1979-05-27t07:32:00.5", .dateTime(.init(day: 3433, second: 27_120, nanosecond: 500_000_000))),
    ("1969-12-31", .dateTime(.init(day: -1))), ("2024-02-29", .dateTime(.init(day: 19_782))),
    ("23:59:59", .dateTime(.init(second: 86_399))),
  ]

  @Test(arguments: values.indices) func valueIsRead(index: Int) throws {
    let (text, value) = Self.values[index]
    #expect(try parse("k = \(text)")["k"] == value, "\(text)")
    #expect(try parse("k = [\(text)]")["k"] == .array([value]), "\(text)")
    #expect(try parse("k = {l=\(text)}")["k"]?.table?["l"] == value, "\(text)")
  }

  @Test func nanIsRead() throws {
    for text in ["nan", "+nan", "-nan"] {
      #expect(try parse("k = \(text)")["k"]?.number?.isNaN == true)
    }
  }

  @Test(arguments: [
    "01", "+01", "1_", "1__0", "0x", "0x_1", "0xg", "-0x1", "0o8", "0b2", "0X1", "1.", "1.e1",
    "1e", "1e+", "1._0", "1_.0", "1e1_", "1.5.2", "1e999", "-1e999", "9223372036854775808",
    "-9223372036854775809", "0x8000000000000000", "+true", "tru", "infinity", "+", "-",
    "1979-5-27", "1979-05-27T", "1979-05-27T00:00Z", "1979-05-27T00:00:00.Z",
    "1979-05-27T00:00:00+0100", "1979-05-27Z", "07:32:00Z", "7:32:00", "07:32", "99:99", "1979-99",
    "1979-13-01T", "24:00:00Z", "1979-13-01x",
  ])
  func whatIsNoScalarIsRefusedWhereItBegins(text: String) {
    let error = #expect(throws: DocumentError.self) { try parse("k = \(text)") }
    let hint = text.first?.isLetter == true ? ": a text has quotes" : ""
    #expect(error?.reason == "expected a number of 64 bits, a date, true, false, inf or nan" + hint)
    #expect(error?.offset == 4)
  }

  /// Of a date or a time that does not exist, the first wrong number, and where the date begins.
  @Test(arguments: [
    ("1979-02-29", "day 29 is out of range 1...28"),
    ("1979-13-01", "month 13 is out of range 1...12"),
    ("1979-00-01", "month 0 is out of range 1...12"),
    ("1979-01-00", "day 0 is out of range 1...31"),
    ("1979-01-32", "day 32 is out of range 1...31"),
    ("2024-02-30", "day 30 is out of range 1...29"),
    ("1979-13-32", "month 13 is out of range 1...12"),
    ("1979-05-27T24:00:00Z", "hour 24 is out of range 0...23"),
    ("1979-05-27T00:60:00Z", "minute 60 is out of range 0...59"),
    ("2016-12-31T23:59:60Z", "second 60 is out of range 0...59"),
    ("2016-12-31 23:59:60.5+01:00", "second 60 is out of range 0...59"),
    ("2016-12-31T23:59:60", "second 60 is out of range 0...59"),
    ("23:59:60", "second 60 is out of range 0...59"),
    ("24:00:00", "hour 24 is out of range 0...23"),
    ("1979-05-27T00:00:00+24:00", "offset's hour 24 is out of range 0...23"),
    ("1979-05-27T00:00:00-01:60", "offset's minute 60 is out of range 0...59"),
  ])
  func datesThatDoNotExistAreToldWhy(text: String, reason: String) {
    for (around, offset) in [("k = \(text)", 4), ("k = [ \(text) ]", 6)] {
      let error = #expect(throws: DocumentError.self) { try parse(around) }
      #expect(error?.reason == reason)
      #expect(error?.offset == offset)
    }
  }

  @Test func datesAreSecondsOnlyWithAnOffset() throws {
    #expect(
      try parse("k = 1970-01-02T00:00:00.25+01:00")["k"]?.dateTime?.unixSeconds == 82_800.25)
    for text in ["1970-01-02T00:00:00", "1970-01-02", "00:00:00"] {
      #expect(try parse("k = \(text)")["k"]?.dateTime?.unixSeconds == nil)
    }
  }

  /// The byte and the reason of what is refused inside strings, comments and line ends.
  @Test(arguments: [
    ("k = \"\\q\"", 6, #"expected one of b t n f r u U " \ after the backslash"#),
    ("k = \"\"\"\\ q\"\"\"", 8, #"expected one of b t n f r u U " \ after the backslash"#),
    ("k = \"\u{1}\"", 5, "a control character in a string"),
    ("k = '\u{7f}'", 5, "a control character in a string"),
    ("k = \"\"\"\r\"\"\"", 7, "a control character in a string"),
    ("# \u{1}", 2, "a control character in a comment"),
    ("#\r", 1, "a control character in a comment"),
    ("k = 1\rl = 2", 5, "expected the end of the line"), ("\rk = 1", 0, "expected a key"),
    ("k = [\r]", 5, "expected a value"), ("k = True", 4, "expected a value: a text has quotes"),
    ("k = _1", 4, "expected a value"), ("k = {\n}", 5, "expected a key"),
    ("k = {a = 1,}", 11, "no comma stands before }"), ("k = {,}", 5, "expected a key"),
    ("k = {a = 1 b = 2}", 11, "expected , or }"),
    ("k = \"\\u0000\"", 5, "holds the character U+0000"),
    ("k = 1 # \u{0}", 8, "holds the character U+0000"),
    ("k = \"\\u+041\"", 7, "expected 4 hexadecimal digits of a character"),
    ("\"\"\"k\"\"\" = 1", 2, "expected ="), ("ä = 1", 0, "expected a key"),
  ])
  func errorsSayWhere(text: String, offset: Int, reason: String) {
    let error = #expect(throws: DocumentError.self) { try parse(text) }
    #expect(error?.reason == reason)
    #expect(error?.offset == offset)
  }

  // MARK: - Tables

  /// No table and no value is defined twice, whichever way it is.
  @Test(arguments: [
    ("a = 1\na = 2", "a", 6), ("[a]\n[a]", "a", 5), ("[a]\n[[a]]", "a", 6), ("[[a]]\n[a]", "a", 7),
    ("a = 1\n[a]", "a", 7), ("a = 1\n[a.b]", "a", 7), ("a = []\n[[a]]", "a", 9),
    ("a = [{}]\n[a.b]", "a", 10), ("a = {}\n[a.b]", "a", 8), ("a = {}\na.b = 1", "a", 7),
    ("a.b = 1\na.b.c = 2", "b", 10), ("a.b = 1\n[a]", "a", 9), ("[a]\nb.c = 1\n[a.b]", "b", 15),
    ("[a.b]\n[a]\nb.c = 1", "b", 10), ("[[a.b]]\n[a]\nb.c = 1", "b", 12),
    ("[a.b]\n[[a]]", "a", 8), ("a = {b = 1, b = 2}", "b", 12), ("a = {b = {}, b.c = 2}", "b", 13),
    ("a = {b.c = 1, b = 2}", "b", 14), ("[a.b.c]\n[a]\nb.c.d = 1", "c", 14),
    ("\"a\" = 1\n'a' = 2", "a", 8),
  ])
  func nothingStandsTwice(text: String, key: String, offset: Int) {
    let error = #expect(throws: DocumentError.self) { try parse(text) }
    #expect(error?.reason == "the key \"\(key)\" stands twice")
    #expect(error?.offset == offset)
  }

  @Test(
    arguments: [
      (
        "[a.b]\nc = 1\n[a]\nd = 2",
        ["a": .table(["b": .table(["c": .integer(1)]), "d": .integer(2)])]
      ),
      ("a.b = 1\na.c = 2", ["a": .table(["b": .integer(1), "c": .integer(2)])]),
      (
        "[a]\nb.c = 1\n[a.b.d]\ne = 2",
        ["a": .table(["b": .table(["c": .integer(1), "d": .table(["e": .integer(2)])])])]
      ),
      (
        "[[a]]\n[a.b]\n[[a]]\n[a.b]\nc = 1",
        ["a": .array([.table(["b": .table([:])]), .table(["b": .table(["c": .integer(1)])])])]
      ),
      (
        "[a.b.c]\n[a]\nb.d = 1", ["a": .table(["b": .table(["c": .table([:]), "d": .integer(1)])])]
      ),
    ] as [(String, DocumentTable)])
  func tablesGrow(text: String, document: DocumentTable) throws {
    #expect(try parse(text) == document)
  }

  /// Long tables are searched another way than short ones.
  @Test func longTablesFindTheirKeys() throws {
    let text = (0..<40).map { "k\($0) = \($0)\n" }.joined()
    let table = try parse(text)
    for index in 0..<40 { #expect(table["k\(index)"] == .integer(Int64(index))) }
    #expect(table["k40"] == nil)
    #expect(table.members.map(\.key) == (0..<40).map { "k\($0)" })
    let error = #expect(throws: DocumentError.self) { try parse(text + "k3 = 1") }
    #expect(error?.reason == "the key \"k3\" stands twice")
    #expect(
      table
        == DocumentTable(
          Dictionary(uniqueKeysWithValues: table.members.reversed().map { ($0.key, $0.value) })))
  }

  /// Equal are tables with the same values, whatever their order and wherever they stand.
  @Test func orderMakesNoDifference() throws {
    #expect(try parse("a = 1\nb = [2]") == parse("# c\nb = [ 2 ]\na = 1"))
    #expect(try parse("a = 1") != parse("a = 2"))
    #expect(try parse("a = 1") != parse("b = 1"))
    #expect(try parse("a = 1") != parse("a = 1\nb = 1"))
    let table: DocumentTable = ["b": .null, "ä": .null, "B": .null, "a": .null]
    #expect(table.keys(except: ["a"]) == ["B", "b", "ä"])
  }

  /// However deep a text nests, no recursion over its document is deeper than twice the limit.
  @Test func nestingIsLimited() {
    let key = Array(repeating: "a", count: 64).joined(separator: ".")
    #expect(throws: Never.self) { try parse("[\(key)]\n\(key) = 1") }
    for text in [
      "\(key).a = 1", "[\(key).a]", "\(key) = [1]", "a = {\(key) = 1}",
      "a = " + String(repeating: "[", count: 65), "a = " + String(repeating: "{b=", count: 65),
    ] {
      let error = #expect(throws: DocumentError.self) { try parse(text) }
      #expect(error?.reason == "nests deeper than 64 levels", "\(text)")
    }
    for depth in [63, 64] {
      let brackets = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      #expect(throws: Never.self) { try parse("a = " + brackets) }
    }
  }
}
