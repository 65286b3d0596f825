// SPDX-License-Identifier: Apache-2.0

import OrreryTrace
import Testing

/// Goal: a reader takes what the specification allows, and says of everything else what is wrong and where.
///
/// Method: files made by hand with one thing changed, and the very error, or none.
@Suite struct TraceRulesTests {
  /// Bytes, and what is wrong with them.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let expected: TraceError

    init(_ name: String, _ bytes: [UInt8], _ expected: TraceError) {
      (testDescription, self.bytes, self.expected) = (name, bytes, expected)
    }
  }

  private static let start = Handmade.start
  private static let at = UInt64(Handmade.start.count)

  /// Where a record's content begins, if the record stands at the end of `data`.
  private static func content(after data: [UInt8]) -> UInt64 { UInt64(data.count + 9) }

  // MARK: - The data section

  static let records: [Case] = {
    let schema = Handmade.schema(3, "a")
    let channel = Handmade.channel(1)
    let withSchema = start + schema
    let withChannel = start + channel
    let headless = Handmade.magic + Handmade.metadata("m")
    let attachment = Handmade.attachment("n", "t", [5], logTimeNs: 1, createTimeNs: 2)
    let attachmentSum = Handmade.checksum(Array(attachment.dropFirst(9).dropLast(4)))
    let shortMessage = Handmade.record(
      0x05, Handmade.join([1, 0], [0, 0, 0, 0], [UInt8](repeating: 0, count: 15)))
    var cases: [Case] = []
    func add(_ name: String, _ bytes: [UInt8], _ expected: TraceError) {
      cases.append(Case(name, bytes, expected))
    }
    add("a record before the header", headless, .unexpectedRecord(.metadata, offset: 8))
    add(
      "two headers", start + Handmade.record(0x01, [UInt8](repeating: 0, count: 8)),
      .unexpectedRecord(.header, offset: at))
    add(
      "a record of kind 0", start + [UInt8](repeating: 0, count: 9), .invalidOpcode(offset: at))
    add("nothing", start, .fileEnds(offset: at, needed: 9, have: 0))
    add("half a head", start + [0x0C, 0], .fileEnds(offset: at, needed: 9, have: 2))
    add(
      "a record longer than the file",
      Handmade.join(start, [0x0C], Handmade.number(UInt64(11)), [UInt8](repeating: 0, count: 10)),
      .fileEnds(offset: at, needed: 20, have: 19))
    add(
      "a record longer than any file",
      Handmade.join(start, [0x99], Handmade.number(UInt64.max), [UInt8](repeating: 0, count: 10)),
      .fileEnds(offset: at, needed: .max, have: 19))
    add(
      "half a number", start + Handmade.record(0x03, [1]),
      .recordEnds(offset: at + 9, needed: 2, have: 1))
    add(
      "a text longer than its record",
      start + Handmade.record(0x03, [1, 0, 5, 0, 0, 0, 65, 65, 65, 65]),
      .recordEnds(offset: at + 15, needed: 5, have: 4))
    add(
      "a text that is none", start + Handmade.record(0x0C, [1, 0, 0, 0, 0xFF, 0, 0, 0, 0]),
      .invalidText(offset: at + 9))
    add(
      "a key twice", start + Handmade.metadata("m", [("k", "1"), ("l", "2"), ("k", "1")]),
      .duplicateKey(offset: at + 9 + 5 + 4 + 20))
    add(
      "a map that ends within an entry",
      start + Handmade.record(0x0C, [0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 65, 0, 0, 0, 0]),
      .recordEnds(offset: at + 9 + 8, needed: 4, have: 3))
    add(
      "a channel without its schema", start + Handmade.channel(1, schema: 7),
      .undeclared(.schema, id: 7, offset: at + 9))
    add(
      "a schema that changes", withSchema + Handmade.schema(3, "b"),
      .redefined(.schema, id: 3, offset: content(after: withSchema)))
    add(
      "a channel that changes", withChannel + Handmade.channel(1, topic: "/b"),
      .redefined(.channel, id: 1, offset: content(after: withChannel)))
    add(
      "a message of no channel", withChannel + Handmade.message(4, at: 1),
      .undeclared(.channel, id: 4, offset: content(after: withChannel)))
    add(
      "half a message", withChannel + shortMessage,
      .recordEnds(offset: content(after: withChannel) + 14, needed: 8, have: 7))
    add(
      "an index without a chunk", start + Handmade.messageIndex(1, []),
      .unexpectedRecord(.messageIndex, offset: at))
    add(
      "a long end", start + Handmade.record(0x0F, [1, 2, 3, 4, 5]),
      .trailingBytes(offset: at + 13, count: 1))
    add(
      "a wrong checksum of all", start + Handmade.dataEnd(after: start, checksum: 77),
      .checksum(
        .dataSection, offset: at, stored: 77, computed: Handmade.checksum(start)))
    add(
      "a wrong checksum of an attachment",
      start
        + Handmade.attachment("n", "t", [5], logTimeNs: 1, createTimeNs: 2, checksum: 78),
      .checksum(.attachment, offset: at, stored: 78, computed: attachmentSum))
    return cases
  }()

  static let chunks: [Case] = {
    let channel = Handmade.channel(1)
    let withChannel = start + channel
    let place = UInt64(withChannel.count)
    let first = Handmade.message(1, sequence: 1, at: 20, [7])
    let second = Handmade.message(1, sequence: 2, at: 10)
    let both = first + second
    let length = UInt64(first.count)
    let sum = Handmade.checksum(both)
    let withChunk = withChannel + Handmade.chunk(both, from: 10, to: 20)
    let indexAt = UInt64(withChunk.count)
    let index = Handmade.messageIndex(1, [(20, 0), (10, length)])
    let two = Handmade.join(
      Handmade.channel(2), Handmade.message(2, at: 5), Handmade.message(1, at: 5))
    let withTwo = withChannel + Handmade.chunk(two, from: 5, to: 5)
    let ofTwo = Handmade.messageIndex(2, [(5, UInt64(Handmade.channel(2).count))])
    var cases: [Case] = []
    func add(_ name: String, _ bytes: [UInt8], _ expected: TraceError) {
      cases.append(Case(name, bytes, expected))
    }
    add(
      "a wrong checksum of records", withChannel + Handmade.chunk(both, checksum: 79),
      .checksum(.chunkRecords, offset: place, stored: 79, computed: sum))
    add(
      "an unknown compression", withChannel + Handmade.chunk(both, compression: "brotli"),
      .unknownCompression(offset: place + 9 + 28))
    add(
      "fewer records than declared",
      withChannel + Handmade.chunk(both, declared: both.count + 1),
      .decompression(
        offset: place, declared: UInt64(both.count + 1), produced: UInt64(both.count)))
    add(
      "no LZ4", withChannel + Handmade.chunk(both, compression: "lz4"),
      .decompression(offset: place, declared: UInt64(both.count), produced: nil))
    add(
      "no Zstandard", withChannel + Handmade.chunk(both, compression: "zstd"),
      .decompression(offset: place, declared: UInt64(both.count), produced: nil))
    add(
      "a record of kind 0 in a chunk",
      withChannel + Handmade.chunk(first + [UInt8](repeating: 0, count: 9)),
      .invalidOpcode(offset: length))
    add(
      "an attachment in a chunk",
      withChannel + Handmade.chunk(first + Handmade.record(0x09, [])),
      .unexpectedRecord(.attachment, offset: length))
    add(
      "a record longer than its chunk",
      withChannel
        + Handmade.chunk(Handmade.join(first, [0x99], Handmade.number(UInt64(3)), [1, 2])),
      .recordEnds(offset: length + 9, needed: 3, have: 2))
    add(
      "a message of no channel in a chunk",
      withChannel + Handmade.chunk(first + Handmade.message(9, at: 1)),
      .undeclared(.channel, id: 9, offset: length + 9))
    add(
      "a wrong start", withChannel + Handmade.chunk(both, from: 11, to: 20),
      .mismatch(.startTime, offset: place, stored: 11, actual: 10))
    add(
      "a wrong end", withChannel + Handmade.chunk(both, from: 10, to: 21),
      .mismatch(.endTime, offset: place, stored: 21, actual: 20))
    add(
      "a start without messages", withChannel + Handmade.chunk(channel, from: 1),
      .mismatch(.startTime, offset: place, stored: 1, actual: 0))
    add(
      "an index of another channel", withChunk + Handmade.messageIndex(2, []),
      .undeclared(.channel, id: 2, offset: indexAt))
    add(
      "the same index twice", withChunk + index + index,
      .undeclared(.channel, id: 1, offset: indexAt + UInt64(index.count)))
    add(
      "an index of one message", withChunk + Handmade.messageIndex(1, [(20, 0)]),
      .mismatch(.messageIndex, offset: indexAt, stored: 1, actual: 2))
    add(
      "an index with a wrong place",
      withChunk + Handmade.messageIndex(1, [(20, 0), (10, length + 1)]),
      .mismatch(.messageIndex, offset: indexAt, stored: length + 1, actual: length))
    add(
      "an index with a wrong time", withChunk + Handmade.messageIndex(1, [(21, 0), (10, length)]),
      .mismatch(.messageIndex, offset: indexAt, stored: 21, actual: 20))
    add(
      "an index that ends within an entry",
      withChunk + Handmade.record(0x07, [1, 0, 9, 0, 0, 0] + [UInt8](repeating: 0, count: 9)),
      .recordEnds(offset: indexAt + 9 + 6 + 8, needed: 8, have: 1))
    add(
      "one index of two", withTwo + ofTwo + Handmade.metadata("m"),
      .mismatch(
        .messageIndex, offset: UInt64(withTwo.count + ofTwo.count), stored: 1, actual: 2))
    add(
      "an index that comes late", withChunk + Handmade.metadata("m") + index,
      .unexpectedRecord(
        .messageIndex, offset: indexAt + UInt64(Handmade.metadata("m").count)))
    return cases
  }()

  @Test(arguments: records + chunks)
  func whatIsWrongInTheDataSectionIsToldWithItsPlace(one: Case) throws {
    try Self.check(one)
  }

  /// Strict, twice; and as far as a scan comes.
  private static func check(_ one: Case) throws {
    let strict = try TraceReader(bytes: one.bytes)
    #expect(throws: one.expected) { try strict.readToEnd() }
    #expect(throws: one.expected) { try strict.nextMessage() }
    #expect(strict.ending == nil)
    let scan = try TraceReader(bytes: one.bytes, mode: .scan)
    let ending = try scan.readToEnd()
    switch one.expected {
    case .fileEnds(let offset, _, 0): #expect(ending == .unfinished(.end(offset: offset)))
    case .fileEnds(let offset, let needed, let have):
      #expect(ending == .unfinished(.restOfRecord(offset: offset, needed: needed, have: have)))
    default: #expect(ending == .damaged(one.expected))
    }
    #expect(try scan.nextMessage() == nil)
    #expect(scan.ending == ending)
  }

  @Test(arguments: [0x02, 0x08, 0x0A, 0x0B, 0x0D, 0x0E] as [UInt8])
  func recordsOfTheSummaryAreNotData(opcode: UInt8) throws {
    let kind = try #require(TraceOpcode(rawValue: opcode))
    let record = Handmade.record(opcode, [UInt8](repeating: 0, count: 80))
    try Self.check(
      Case("\(opcode)", Self.start + record, .unexpectedRecord(kind, offset: Self.at)))
  }

  @Test func whatIsNoTraceIsRefusedAtOnce() {
    for mode in [TraceReader.Mode.strict, .scan] {
      #expect(throws: TraceError.fileEnds(offset: 0, needed: 8, have: 7)) {
        _ = try TraceReader(bytes: Array(Handmade.magic.dropLast()), mode: mode)
      }
      #expect(throws: TraceError.badMagic(offset: 0)) {
        _ = try TraceReader(bytes: [UInt8](repeating: 0, count: 40), mode: mode)
      }
    }
  }

  // MARK: - What is allowed

  private static func complete(_ bytes: [UInt8]) throws -> TraceReader {
    let reader = try TraceReader(bytes: bytes)
    #expect(try reader.readToEnd() == .whole)
    return reader
  }

  /// Messages outside of chunks are messages, with their times in the statistics.
  @Test func messagesOutsideOfChunksAreRead() throws {
    let data = Handmade.join(
      Self.header(profile: "p", library: "l"), Handmade.channel(1), Handmade.channel(9),
      Handmade.message(9, sequence: 5, at: 40, published: 41, [1, 2]),
      Handmade.message(1, sequence: 6, at: 30, published: 31))
    let reader = try TraceReader(
      bytes: Handmade.whole(
        data,
        summary: [
          Handmade.statistics(
            messages: 2, channels: 2, from: 30, to: 40, counts: [(9, 1), (1, 1)])
        ]))
    let messages = try reader.keptMessages()
    #expect(messages.map(\.sequence) == [5, 6])
    #expect(messages.map(\.logTimeNs) == [40, 30])
    #expect(messages.map(\.publishTimeNs) == [41, 31])
    #expect(messages.map(\.bytes) == [[1, 2], []])
    #expect(reader.profile == "p")
    #expect(reader.library == "l")
    #expect(reader.statistics.startNs == 30)
    #expect(reader.statistics.endNs == 40)
    #expect(reader.statistics.chunkCount == 0)
    #expect(reader.statistics.channelCount == 2)
  }

  private static func header(profile: String, library: String) -> [UInt8] {
    Handmade.magic
      + Handmade.record(0x01, Handmade.join(Handmade.text(profile), Handmade.text(library)))
  }

  @Test func schemaZeroIsIgnored() throws {
    let nothing = Handmade.schema(0, "nothing", "enc", [1])
    let reader = try Self.complete(
      Handmade.whole(
        Self.start + nothing + Handmade.channel(1),
        summary: [nothing, Handmade.channel(1), Handmade.statistics(channels: 1)]))
    #expect(reader.schemas.isEmpty)
    #expect(reader.statistics.schemaCount == 0)
    #expect(reader.channels[TraceChannelID(number: 1)]?.schema == nil)
  }

  /// Writers may say a schema or channel again in each chunk, and that is one schema and one channel.
  @Test func whatIsDeclaredAgainIsOne() throws {
    let declared = Handmade.schema(2, "S") + Handmade.channel(4, schema: 2)
    let reader = try Self.complete(
      Handmade.whole(
        Handmade.join(Self.start, declared, Handmade.chunk(declared), Handmade.chunk(declared))))
    #expect(reader.statistics.schemaCount == 1)
    #expect(reader.statistics.channelCount == 1)
    #expect(reader.statistics.chunkCount == 2)
  }

  /// A chunk may have no index at all, entries in any order, and records of kinds that nobody knows.
  @Test(arguments: 0..<3)
  func chunksMayComeInSeveralForms(form: Int) throws {
    let unknown = Handmade.record(0x99, [1, 2, 3])
    let (first, second) = (Handmade.message(1, at: 7), Handmade.message(1, at: 6, [1]))
    let records = Handmade.join(Handmade.channel(1), first, unknown, second)
    let firstAt = UInt64(Handmade.channel(1).count)
    let secondAt = firstAt + UInt64(first.count + unknown.count)
    let entries: [(UInt64, UInt64)] = [(7, firstAt), (6, secondAt)]
    let index: [UInt8] =
      form == 0 ? [] : Handmade.messageIndex(1, form == 1 ? entries : entries.reversed())
    let reader = try TraceReader(
      bytes: Handmade.whole(
        Handmade.join(
          Self.start, Handmade.chunk(records, from: 6, to: 7), index,
          Handmade.chunk(second, from: 6, to: 6))))
    #expect(try reader.keptMessages().map(\.logTimeNs) == [7, 6, 6])
    #expect(reader.ending == .whole)
    #expect(reader.statistics.messageCounts == [TraceChannelID(number: 1): 3])
  }

  /// Records of unknown kinds are passed over whatever their size, also where a known one would be too large,
  /// and their bytes belong to the checksum.
  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
  func unknownRecordsMayBeOfAnySize(byteCount: Int) throws {
    let unknown = Handmade.record(0x80, noise(byteCount, seed: 3))
    let data = Handmade.join(Handmade.magic, unknown, Array(Handmade.start.dropFirst(8)), unknown)
    var limits = TraceLimits()
    limits.recordBytes = 100
    let reader = try TraceReader(bytes: Handmade.whole(data), limits: limits)
    #expect(try reader.readToEnd() == .whole)
    let damaged = Handmade.whole(data, but: Handmade.Fault(dataChecksum: 5))
    let sum = Handmade.checksum(data)
    let expected = TraceError.checksum(
      .dataSection, offset: UInt64(data.count), stored: 5, computed: sum)
    #expect(throws: expected) { try TraceReader(bytes: damaged).readToEnd() }
  }

  /// MCAP allows a writer to leave checksums out, as 0: they are named, and everything else is checked.
  ///
  /// Orrery's writer has them all.
  @Test(arguments: [TraceReader.Mode.strict, .scan])
  func checksumsThatWereLeftOutAreNamedAndNoFault(mode: TraceReader.Mode) throws {
    let message = Handmade.message(1, at: 3, [1])
    let records = Handmade.join(
      Handmade.channel(1), Handmade.chunk(message, from: 3, to: 3, checksum: 0),
      Handmade.attachment("n", "t", [1], logTimeNs: 1, createTimeNs: 1, checksum: 0))
    let data = Self.start + records
    let fault = Handmade.Fault(dataChecksum: 0, checksum: 0)
    let reader = try TraceReader(bytes: Handmade.whole(data, but: fault), mode: mode)
    #expect(try reader.keptMessages().count == 1)
    #expect(reader.attachments.count == 1)
    #expect(reader.ending == .whole)
    #expect(reader.absentChecksums == [.chunkRecords, .attachment, .dataSection, .summary])
    #expect(try TraceReader(bytes: Handmade.whole(data)).absentChecksums.isEmpty)
    let own = Handmade.whole(Handmade.ownStart + records, but: fault)
    let expected = TraceError.checksum(
      .chunkRecords, offset: UInt64(Handmade.ownStart.count + Handmade.channel(1).count),
      stored: 0, computed: Handmade.checksum(message))
    #expect(throws: expected) { try TraceReader(bytes: own).readToEnd() }
    // One that is there and wrong is missed by nobody.
    let wrong = Handmade.whole(data, but: Handmade.Fault(dataChecksum: 1, checksum: 0))
    let ending = try TraceReader(bytes: wrong, mode: .scan).readToEnd()
    guard case .damaged(.checksum(.dataSection, _, 1, _)) = ending else {
      Issue.record("\(ending)")
      return
    }
  }

  /// What a chunk may have is one decision of the strict, the indexed and the salvaging reader.
  @Test(arguments: [
    TraceOpcode.header, .footer, .chunk, .messageIndex, .attachment, .metadata, .statistics,
    .dataEnd,
  ])
  func everyReaderRefusesWhatNoChunkMayHave(opcode: TraceOpcode) throws {
    let records = Handmade.channel(1) + Handmade.message(1, at: 5, [7])
    let chunk = Handmade.chunk(records + Handmade.record(opcode.rawValue, []), from: 5, to: 5)
    let file = Handmade.whole(Handmade.join(Handmade.start, chunk))
    let fault = TraceError.unexpectedRecord(opcode, offset: UInt64(records.count))
    #expect(throws: fault) { try TraceReader(bytes: file).readToEnd() }
    #expect(try TraceArchiveFile(bytes: file).state == .damaged(fault))
    let salvage = TraceSalvage(bytes: file)
    try salvage.run { _ in Issue.record("salvaged") }
    #expect(salvage.losses.first?.fault == fault)
  }
}
