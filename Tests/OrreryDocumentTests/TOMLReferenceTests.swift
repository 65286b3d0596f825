// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryDocument
import OrreryScene
import TestSupport
import Testing

/// Goal: any text is read as Python's `tomllib` reads it, or refused as it refuses it, and no text ends the process.
///
/// Method: the built-in scenes and a text of all forms, each with a few bytes changed, moved or left out; both
/// readers write what they read in one form, which is compared text by text.
@Suite struct TOMLReferenceTests {
  /// A Python with `tomllib`, which 3.11 brought; nil if there is none.
  static let python: String? = {
    let name = ProcessInfo.processInfo.environment["ORRERY_PYTHON"] ?? "python3"
    let result = try? run(name, ["-c", "import tomllib"], input: "")
    return result?.code == 0 ? name : nil
  }()

  private static func run(
    _ program: String, _ arguments: [String], input: String
  ) throws -> (code: Int32, text: String) {
    let base = try TemporaryBase()
    let file = URL(fileURLWithPath: base.path + "/input")
    try Data(input.utf8).write(to: file)
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardInput = try FileHandle(forReadingFrom: file)
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  /// Writes each text of a JSON array as what it is, on a line of its own.
  ///
  /// What we refuse by choice is refused here too: integers beyond 64 bits, numbers that no Double holds, U+0000.
  private static let reference = """
    import datetime, json, struct, sys, tomllib

    def show(v):
        if isinstance(v, bool): return str(v).lower()
        if isinstance(v, int):
            if not -2**63 <= v < 2**63: raise ValueError
            return "i%d" % v
        if isinstance(v, float): return "nan" if v != v else "f" + struct.pack(">d", v).hex()
        if isinstance(v, str):
            if "\\0" in v: raise ValueError
            return "s" + v.encode().hex()
        if isinstance(v, list): return "[" + ",".join(map(show, v)) + "]"
        if isinstance(v, dict):
            return "{" + ",".join(sorted(show(k) + ":" + show(x) for k, x in v.items())) + "}"
        day = second = micro = offset = "-"
        if isinstance(v, datetime.date): day = v.toordinal() - 719163
        if not isinstance(v, datetime.date) or isinstance(v, datetime.datetime):
            second, micro = v.hour * 3600 + v.minute * 60 + v.second, v.microsecond
            if v.tzinfo is not None: offset = int(v.utcoffset().total_seconds()) // 60
        return "d%s/%s/%s/%s" % (day, second, micro, offset)

    def number(text):
        value = float(text)
        if abs(value) == float("inf") and "inf" not in text: raise ValueError
        return value

    for text in json.load(sys.stdin.buffer):
        try: print(show(tomllib.loads(text, parse_float=number)))
        except (ValueError, RecursionError): print("refused")
    """

  /// The same form of what we read.
  private static func shown(_ text: String) -> String {
    do throws(DocumentError) {
      return show(.table(try TOMLParser.parse(text, depthMax: 64)))
    } catch {
      return "refused"
    }
  }

  private static func show(_ value: DocumentValue) -> String {
    switch value {
    case .null: return "null"
    case .bool(let value): return "\(value)"
    case .integer(let value): return "i\(value)"
    case .number(let value):
      return value.isNaN ? "nan" : "f" + hexadecimal(bytes(of: value.bitPattern))
    case .string(let value): return "s" + hexadecimal(Array(value.utf8))
    case .dateTime(let value):
      let micro = value.second.map { _ in "\(value.nanosecond / 1000)" } ?? "-"
      let parts = [
        value.day.map(String.init) ?? "-", value.second.map(String.init) ?? "-", micro,
        value.offsetMinutes.map(String.init) ?? "-",
      ]
      return "d" + parts.joined(separator: "/")
    case .array(let array): return "[" + array.elements.map(show).joined(separator: ",") + "]"
    case .table(let table):
      let members = table.members.map { show(.string($0.key)) + ":" + show($0.value) }
      return "{" + members.sorted().joined(separator: ",") + "}"
    }
  }

  private static func bytes(of word: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Every form that TOML has.
  private static let forms = #"""
    # comment
    title = "a \"b\" \t\u00e9\U0001F600"   # é
    'lit eral'.b."c d" = 'C:\a'
    numbers = [ 0, -17, +1_000, 0xDEAD_beef, 0o755, 0b11, 1.5, -3e-2, 6_0.5E+1_0, inf, -inf, nan ]
    bool = true
    dates = [1979-05-27T07:32:00Z, 1979-05-27 00:32:00.999999-07:00, 1979-05-27T07:32:00,
      1979-05-27, 07:32:00.5, ]
    text = """
    one \
       two ""
    three"""
    raw = '''
    a \ 'b' '''
    inline = { x = 1, y.z = { w = "v" }, y.u = [ { } ] }
    [table]
    a.b.c = 1
    a.b.d = 2
    [table.sub."quoted key"]
    [[list]]
    name = "first"
      [list.inner]
      k = 1
      [[list.deep]]
      [[list.deep]]
      v = [[1, 2], ["x"]]
    [[list]]
    name = "second"
    [implied.by.this]
    [implied]
    own = 1
    """#

  /// A text with one to four changes.
  private static func changed(_ text: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    let signs = Array("[]{}.,=\"'#\\\n\r\t _-+:0123456789abeftuxTZ\u{1}\u{7f}".utf8)
    var bytes = text
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &random)
      let count = min(Int.random(in: 1...12, using: &random), bytes.count - index)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[index] = signs[Int.random(in: signs.indices, using: &random)]
      case 1: bytes.insert(signs[Int.random(in: signs.indices, using: &random)], at: index)
      case 2: bytes.removeSubrange(index..<index + count)
      case 3:
        let part = Array(bytes[index..<index + count])
        bytes.insert(contentsOf: part, at: Int.random(in: bytes.indices, using: &random))
      default: bytes.removeSubrange(index...)
      }
    }
    return bytes
  }

  /// Texts in UTF-8, each made by a few changes of a good one; the same for the same seed.
  private static func texts(seed: UInt64, count: Int) throws -> [String] {
    var random = SeededRandom(seed: seed)
    let scenes = try BuiltInScenes.names.map { try #require(BuiltInScenes.text($0)) }
    let shortest = scenes.sorted { $0.utf8.count < $1.utf8.count }.prefix(4)
    let good = ([forms] + shortest).map { Array($0.utf8) }
    return (0..<count).map { index in
      // The text of all forms is half of them.
      let source = good[index % 2 == 0 ? 0 : index / 2 % good.count]
      // A cut character becomes U+FFFD, as it would not in a file, and stays valid.
      return String(decoding: changed(source, &random), as: UTF8.self)
    }
  }

  @Test func goodTextsAreRead() throws {
    #expect(Self.shown(Self.forms) != "refused")
    for name in BuiltInScenes.names {
      #expect(Self.shown(try #require(BuiltInScenes.text(name))) != "refused", "\(name)")
    }
  }

  /// A prefix and a changed text are read or refused at a byte of theirs.
  @Test func damagedTextsAreReadOrRefused() throws {
    let bytes = Array(Self.forms.utf8)
    let prefixes = bytes.indices.map { String(decoding: bytes[..<$0], as: UTF8.self) }
    var readCount = 0
    for text in prefixes + (try Self.texts(seed: 0x7031, count: 3_000 * testEffort)) {
      do throws(DocumentError) {
        _ = try TOMLParser.parse(text, depthMax: 64)
        readCount += 1
      } catch {
        #expect((0...text.utf8.count).contains(error.offset), "\(text)")
        #expect(!error.reason.isEmpty)
      }
    }
    #expect(readCount > 100)
  }

  @Test(.enabled(if: python != nil, "no Python with tomllib: set ORRERY_PYTHON"))
  func textsAreReadAsPythonReadsThem() throws {
    let python = try #require(Self.python)
    // `tomllib` reads no byte-order mark, and its years begin with 1.
    let texts =
      [Self.forms]
      + (try Self.texts(seed: 0x7032, count: 3_000 * testEffort))
      .filter { !$0.hasPrefix("\u{feff}") && !$0.contains("0000-") }
    let input = JSONWriter.text(
      .array(DocumentArray(texts.map(DocumentValue.string))), .answer)
    let result = try Self.run(python, ["-c", Self.reference], input: input)
    #expect(result.code == 0)
    let lines = result.text.split(separator: "\n").map(String.init)
    #expect(lines.count == texts.count)
    #expect(lines.count { $0 != "refused" } > 100)
    for (text, line) in zip(texts, lines) where Self.shown(text) != line {
      Issue.record("\(text.debugDescription)\nours:   \(Self.shown(text))\nPython: \(line)")
    }
  }
}
