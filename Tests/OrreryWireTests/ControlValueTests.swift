// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryWire
import Testing

/// What a request is refused with; nil if it is not.
private func refusal(of json: String) -> ControlRefusal? {
  do throws(ControlRefusal) {
    _ = try ControlRequest(json: Array(json.utf8))
    return nil
  } catch {
    return error
  }
}

/// Goal: a value of a control message has the type that its JSON has, and is written as JSON has it.
///
/// Method: tables of texts and values.
@Suite struct ControlValueTests {
  private static func read(_ json: String) throws -> [String: DocumentValue] {
    try Array(json.utf8).withUnsafeBytes { try [String: DocumentValue](json: $0) }
  }

  private static func written(_ fields: [String: DocumentValue]) -> String {
    String(decoding: fields.json, as: UTF8.self)
  }

  static let values: [(json: String, value: DocumentValue)] = [
    ("true", .bool(true)), ("false", .bool(false)), ("0", .integer(0)), ("1", .integer(1)),
    ("-1", .integer(-1)), ("127", .integer(127)), ("9223372036854775807", .integer(.max)),
    ("-4503599627370497", .integer(-4_503_599_627_370_497)),
    ("9223372036854775808", .number(9.223372036854775808e18)), ("1.5", .number(1.5)),
    ("-0.25", .number(-0.25)), (#""""#, .string("")), (#""1""#, .string("1")),
    (#""true""#, .string("true")), ("[]", .array([])), ("{}", .table([:])),
    (
      #"[1,[true],{"a":"b"}]"#,
      .array([.integer(1), .array([.bool(true)]), .table(["a": .string("b")])])
    ),
    (#"{"a":{"b":[0.5]}}"#, .table(["a": .table(["b": .array([.number(0.5)])])])),
  ]

  @Test(arguments: values.indices) func valueHasTheTypeOfItsText(index: Int) throws {
    let (json, value) = Self.values[index]
    #expect(try Self.read(#"{"x":\#(json)}"#) == ["x": value])
  }

  @Test(arguments: ["null", "[null]", "[1,null]", #"{"a":null}"#, #"[{"a":[null]}]"#])
  func nullIsNoValueAnywhere(json: String) {
    let reason = "not a JSON object of texts, numbers, booleans, lists and objects"
    #expect(throws: ControlRefusal(reason)) { try Self.read(#"{"x":\#(json)}"#) }
  }

  @Test func fieldsAreWrittenInOrderOnOneLine() {
    let fields: [String: DocumentValue] = [
      "b": .integer(-3), "a": .bool(true), "d": .string("x/y \"z\" ä"), "c": .number(0.25),
      "e": .array([.bool(false), .array([])]), "f": .table(["z": .integer(1), "y": .string("")]),
    ]
    #expect(
      Self.written(fields)
        == #"{"a":true,"b":-3,"c":0.25,"d":"x/y \"z\" ä","e":[false,[]],"f":{"y":"","z":1}}"#)
    #expect(Self.written([:]) == "{}")
  }

  @Test func numbersThatJSONHasNotAreTexts() {
    let fields: [String: DocumentValue] = [
      "a": .number(.infinity), "b": .number(-.infinity), "c": .number(.nan),
    ]
    #expect(Self.written(fields) == #"{"a":"inf","b":"-inf","c":"nan"}"#)
  }

  @Test func countsAndWordsHaveTheirForms() {
    #expect(DocumentValue.count(0) == .integer(0))
    #expect(DocumentValue.count(UInt64(Int64.max)) == .integer(.max))
    #expect(DocumentValue.count(.max) == .integer(.max))
    #expect(DocumentValue.word(0) == .string("0000000000000000"))
    #expect(DocumentValue.word(0xfeed_0000_0000_00a5) == .string("feed0000000000a5"))
  }

  // MARK: - Limits

  /// A request of so many bytes.
  private static func request(bytes: Int) -> String {
    let (head, tail) = (#"{"id":1,"do":"set","completion":""#, #""}"#)
    return head + String(repeating: "x", count: bytes - head.utf8.count - tail.utf8.count) + tail
  }

  /// A request with a list of so many numbers.
  private static func request(values: Int) -> String {
    #"{"id":1,"do":"set","views":["# + Array(repeating: "1", count: values).joined(separator: ",")
      + "]}"
  }

  @Test func longestRequestIsRead() {
    #expect(refusal(of: Self.request(bytes: 65_536)) == nil)
    #expect(
      refusal(of: Self.request(bytes: 65_537))
        == ControlRefusal("65537 bytes; at most 65536 are read"))
  }

  /// The object, two commas between its fields, and the list take four.
  @Test func thousandValuesAreRead() {
    #expect(refusal(of: Self.request(values: 997)) == nil)
    #expect(refusal(of: Self.request(values: 998)) == ControlRefusal("more than 1000 values"))
  }

  /// Each of the three signs counts.
  @Test(arguments: [(",", ""), ("[", "]"), (#"{"a":"#, "}")])
  func eachSignOfAnotherValueCounts(opening: String, closing: String) {
    let list = Array(repeating: "[]", count: 300).joined(separator: ",")
    func json(_ count: Int) -> String {
      // 1 object, 2 commas, 1 + 300 lists with 299 commas between them.
      let more =
        opening == ","
        ? String(repeating: ",1", count: count)
        : Array(repeating: "," + opening + "1" + closing, count: count).joined()
      return #"{"id":1,"do":"set","views":["# + list + more + "]}"
    }
    let each = opening == "," ? 1 : 2
    let room = (1000 - (1 + 2 + 1 + 300 + 299)) / each
    #expect(refusal(of: json(room)) == nil)
    #expect(refusal(of: json(room + 1)) == ControlRefusal("more than 1000 values"))
  }
}

/// Goal: each verb has the fields of docs/reference/wire.md and no other, and a field is read as its type or refused.
///
/// Method: tables of verbs and values.
@Suite struct ControlFieldTests {
  static let fields: [(verb: ControlVerb, names: [String])] = [
    (.join, ["compression", "events", "frames", "from", "name"]), (.leave, []),
    (.progress, ["missed", "sequence"]), (.pause, []), (.resume, []), (.step, ["ticks"]),
    (.seek, ["seconds", "tick"]), (.speed, ["factor"]),
    (.set, ["animation", "completion", "criteria", "seconds", "views"]),
    (.toggle, ["animation", "completion", "criteria", "names", "seconds"]), (.keep, []),
    (.stats, []),
    (.snapshot, []), (.quit, []),
  ]

  @Test func everyVerbHasItsFields() {
    #expect(Self.fields.map { $0.verb } == ControlVerb.allCases)
    for (verb, names) in Self.fields {
      #expect(verb.fields.map(\.name).sorted() == names, "\(verb)")
    }
  }

  @Test(arguments: fields.indices) func otherFieldsAreRefusedByName(index: Int) {
    let (verb, names) = Self.fields[index]
    let known = names.isEmpty ? "" : "; it knows " + names.joined(separator: ", ")
    #expect(
      refusal(of: #"{"id":-5,"do":"\#(verb.rawValue)","other":1,"zebra":2}"#)
        == ControlRefusal("'\(verb)' has no field 'other'" + known, id: -5))
    for name in names {
      #expect(refusal(of: #"{"id":1,"do":"\#(verb.rawValue)","\#(name)":1}"#) == nil)
    }
  }

  @Test func namesInRefusalsAreShortened() {
    let (name, most) = (String(repeating: "n", count: 33), String(repeating: "n", count: 32))
    let verbs =
      "join leave progress pause resume step seek speed set toggle keep stats snapshot quit"
    #expect(
      refusal(of: #"{"id":1,"do":"\#(name)"}"#)
        == ControlRefusal("'do' is '\(most)'; known are \(verbs)", id: 1))
    #expect(
      refusal(of: #"{"id":1,"do":7}"#)
        == ControlRefusal("'do' must be a verb: \(verbs)", id: 1))
    #expect(
      refusal(of: #"{"id":1,"do":"quit","\#(name)":1}"#)
        == ControlRefusal("'quit' has no field '\(most)'", id: 1))
  }

  /// A value, and what it is as a text, a boolean, a number and a count; nil is a refusal.
  static let values:
    [(value: DocumentValue, text: String?, flag: Bool?, number: Double?, count: UInt64?)] = [
      (.string(""), "", nil, nil, nil), (.string("5"), "5", nil, nil, nil),
      (.bool(true), nil, true, nil, nil), (.bool(false), nil, false, nil, nil),
      (.integer(0), nil, nil, 0, 0), (.integer(-1), nil, nil, -1, nil),
      (.integer(.max), nil, nil, 9.223372036854775808e18, 9_223_372_036_854_775_807),
      (.number(2), nil, nil, 2, nil), (.number(-0.5), nil, nil, -0.5, nil),
      (.number(.infinity), nil, nil, nil, nil), (.number(.nan), nil, nil, nil, nil),
      (.array([]), nil, nil, nil, nil), (.table([:]), nil, nil, nil, nil),
    ]

  /// What reading a field comes to: its value, or the refusal.
  private static func outcome<Value>(
    _ read: () throws(ControlRefusal) -> Value?
  ) -> (value: Value?, refusal: ControlRefusal?) {
    do throws(ControlRefusal) {
      return (try read(), nil)
    } catch {
      return (nil, error)
    }
  }

  @Test(arguments: values.indices) func valueIsReadAsItsTypeOrRefused(index: Int) {
    let (value, text, flag, number, count) = Self.values[index]
    let request = ControlRequest(verb: .set, id: 9, fields: ["x": value])
    func refusal(_ isRead: Bool, _ reason: String) -> ControlRefusal? {
      isRead ? nil : ControlRefusal("'x' " + reason, id: 9)
    }
    let asText = Self.outcome { () throws(ControlRefusal) in try request.string("x") }
    #expect(asText.value == text)
    #expect(asText.refusal == refusal(text != nil, "must be a text"))
    let asFlag = Self.outcome { () throws(ControlRefusal) in try request.bool("x") }
    #expect(asFlag.value == flag)
    #expect(asFlag.refusal == refusal(flag != nil, "must be true or false"))
    let asNumber = Self.outcome { () throws(ControlRefusal) in try request.number("x") }
    #expect(asNumber.value == number)
    #expect(asNumber.refusal == refusal(number != nil, "must be a number"))
    let asCount = Self.outcome { () throws(ControlRefusal) in try request.count("x") }
    #expect(asCount.value == count)
    #expect(asCount.refusal == refusal(count != nil, "must be a whole number from 0"))
  }

  @Test func fieldThatIsNotThereIsNone() throws {
    let request = ControlRequest(verb: .set, id: 9)
    #expect(try request.string("x") == nil)
    #expect(try request.bool("x") == nil)
    #expect(try request.number("x") == nil)
    #expect(try request.count("x") == nil)
  }

  /// What a request is and whose is not for its fields to say.
  @Test func verbAndNumberAreWrittenOverFieldsOfTheirNames() {
    let request = ControlRequest(
      verb: .step, id: 3, fields: ["do": .string("quit"), "id": .integer(4), "ticks": .integer(5)])
    #expect(String(decoding: request.json, as: UTF8.self) == #"{"do":"step","id":3,"ticks":5}"#)
  }

  // MARK: - Replies

  @Test func repliesSayHowItWent() {
    func text(_ reply: ControlReply, _ details: [String: DocumentValue] = [:]) -> String {
      String(decoding: reply.json(id: 7, details: details), as: UTF8.self)
    }
    #expect(text(.done()) == #"{"id":7,"ok":true}"#)
    // Details are a refusal's.
    #expect(text(.done(["ok": .bool(false)]), ["ended": .bool(true)]) == #"{"id":7,"ok":true}"#)
    #expect(
      text(.refused("why"), ["ended": .bool(true), "ok": .bool(true), "reason": .integer(1)])
        == #"{"ended":true,"id":7,"ok":false,"reason":"why"}"#)
    #expect(
      String(decoding: ControlReply.done().json(id: nil), as: UTF8.self) == #"{"ok":true}"#)
  }
}
