// SPDX-License-Identifier: Apache-2.0

import OrreryTrace
import Testing

/// Goal: a summary says what the data section has, or the reader says what differs and where.
///
/// Method: a data section made by hand with something of every kind, and summaries with one thing changed.
@Suite struct TraceSummaryTests {
  /// Data with a schema, a channel, an attachment, metadata and a chunk; and where they stand.
  private struct Data {
    let bytes: [UInt8]
    let attachmentAt: UInt64
    let metadataAt: UInt64
    let chunkAt: UInt64
    let indexAt: UInt64

    init() {
      let declared = Handmade.join(
        Handmade.start, TraceSummaryTests.schema, TraceSummaryTests.channel)
      attachmentAt = UInt64(declared.count)
      metadataAt = attachmentAt + UInt64(TraceSummaryTests.attachment.count)
      chunkAt = metadataAt + UInt64(TraceSummaryTests.metadata.count)
      indexAt = chunkAt + UInt64(TraceSummaryTests.chunk.count)
      bytes = Handmade.join(
        declared, TraceSummaryTests.attachment, TraceSummaryTests.metadata, TraceSummaryTests.chunk,
        TraceSummaryTests.index)
    }
  }

  private static let schema = Handmade.schema(1, "S", "enc", [1, 2])
  private static let channel = Handmade.channel(1, schema: 1)
  private static let attachment = Handmade.attachment(
    "n", "t", [5, 6], logTimeNs: 11, createTimeNs: 12)
  private static let metadata = Handmade.metadata("m", [("x", "y")])
  private static let first = Handmade.message(1, sequence: 1, at: 20, [7])
  private static let second = Handmade.message(1, sequence: 2, at: 10)
  private static let chunk = Handmade.chunk(first + second, from: 10, to: 20)
  private static let index = Handmade.messageIndex(1, [(20, 0), (10, UInt64(first.count))])
  private static let data = Data()
  private static let recordBytes = UInt64(first.count + second.count)

  private static let statistics = Handmade.statistics(
    messages: 2, schemas: 1, channels: 1, attachments: 1, metadata: 1, chunks: 1, from: 10, to: 20,
    counts: [(1, 2)])
  private static let chunkIndex = Handmade.chunkIndex(
    at: data.chunkAt, byteCount: UInt64(chunk.count), from: 10, to: 20,
    indexes: [(1, data.indexAt)], indexBytes: UInt64(index.count), stored: recordBytes,
    records: recordBytes)
  private static let attachmentIndex = Handmade.attachmentIndex(
    at: data.attachmentAt, byteCount: UInt64(attachment.count), logTimeNs: 11, createTimeNs: 12,
    dataBytes: 2, "n", "t")
  private static let metadataIndex = Handmade.metadataIndex(
    at: data.metadataAt, byteCount: UInt64(metadata.count), "m")

  private static let right = [
    schema, channel, statistics, chunkIndex, attachmentIndex, metadataIndex,
  ]

  /// Of the first record after the data section.
  private static let start = UInt64(data.bytes.count + 13)

  /// Where the summary's record of this number stands.
  private static func place(_ number: Int, in summary: [[UInt8]]) -> UInt64 {
    summary.prefix(number).reduce(start) { $0 + UInt64($1.count) }
  }

  /// A summary with one of its records replaced.
  private static func summary(_ number: Int, _ record: [UInt8]) -> [[UInt8]] {
    var summary = right
    summary[number] = record
    return summary
  }

  /// Where the footer stands.
  private static func footer(_ summary: [[UInt8]], _ offsets: [[UInt8]]? = nil) -> UInt64 {
    let offsets = offsets ?? Handmade.summaryOffsets(summary, from: Int(start))
    return place(summary.count, in: summary) + UInt64(offsets.joined().count)
  }

  // MARK: - What is allowed

  static let allowed: [(name: String, summary: [[UInt8]], hasOffsets: Bool)] = [
    ("all", right, true), ("none", [], true), ("no offsets", right, false),
    ("statistics only", [statistics], true),
    (
      "no counts by channel",
      summary(
        2,
        Handmade.statistics(
          messages: 2, schemas: 1, channels: 1, attachments: 1, metadata: 1, chunks: 1, from: 10,
          to: 20)), true
    ),
    ("an unknown kind", right + [Handmade.record(0x77, [1, 2])], true),
    ("schema 0", [Handmade.schema(0, "z")] + right, true),
    ("neither channel nor schema without chunk indexes", [attachmentIndex, metadataIndex], true),
    ("chunks only, with their channels", [schema, channel, chunkIndex], true),
    ("chunks without channels", [schema, statistics, chunkIndex], true),
    ("chunks and channels without schemas", [channel, statistics, chunkIndex], true),
    ("chunks with nothing of what they declare", [statistics, chunkIndex], true),
  ]

  @Test(arguments: allowed.indices)
  func summariesMaySayLess(number: Int) throws {
    let one = Self.allowed[number]
    let file = Handmade.whole(
      Self.data.bytes, summary: one.summary, offsets: one.hasOffsets ? nil : [])
    let reader = try TraceReader(bytes: file)
    #expect(throws: Never.self, "\(one.name)") { try reader.readToEnd() }
    #expect(reader.ending == .whole, "\(one.name)")
    #expect(reader.offset == UInt64(file.count), "\(one.name)")
  }

  /// Some writers list kinds of which there is nothing.
  @Test func offsetsOfNothingAreAllowed() throws {
    let offsets =
      Handmade.summaryOffsets(Self.right, from: Int(Self.start))
      + [Handmade.summaryOffset(0x66, at: 3, byteCount: 0)]
    let file = Handmade.whole(Self.data.bytes, summary: Self.right, offsets: offsets)
    #expect(try TraceReader(bytes: file).readToEnd() == .whole)
  }

  /// A list of offsets may be empty: then it begins where the footer does.
  @Test func emptyListOfOffsetsIsAllowed() throws {
    let footer = UInt64(Self.start)
    let file = Handmade.whole(
      Self.data.bytes, summary: [], offsets: [],
      but: Handmade.Fault(summaryOffsetStart: footer))
    #expect(try TraceReader(bytes: file).readToEnd() == .whole)
    #expect(throws: TraceError.self) {
      try TraceReader(
        bytes: Handmade.whole(
          Self.data.bytes, summary: [], offsets: [],
          but: Handmade.Fault(summaryOffsetStart: footer - 1))
      ).readToEnd()
    }
  }

  // MARK: - What is not

  /// A number of a record, counted from the start of its content, and what it is told to be of.
  struct Field: Sendable, CustomTestStringConvertible {
    let record: Int
    let offset: Int
    let size: Int
    let field: TraceField
    let actual: UInt64

    var testDescription: String { "\(field.rawValue), record \(record) at \(offset)" }

    init(_ record: Int, _ offset: Int, _ size: Int, _ field: TraceField, _ actual: UInt64) {
      (self.record, self.offset, self.size) = (record, offset, size)
      (self.field, self.actual) = (field, actual)
    }
  }

  static let fields: [Field] = [
    Field(2, 0, 8, .messageCount, 2), Field(2, 8, 2, .schemaCount, 1),
    Field(2, 10, 4, .channelCount, 1), Field(2, 14, 4, .attachmentCount, 1),
    Field(2, 18, 4, .metadataCount, 1), Field(2, 22, 4, .chunkCount, 1),
    Field(2, 26, 8, .startTime, 10), Field(2, 34, 8, .endTime, 20),
    // Behind the map's length and the channel's number.
    Field(2, 48, 8, .messageCount, 2),
    Field(3, 0, 8, .startTime, 10), Field(3, 8, 8, .endTime, 20),
    Field(3, 24, 8, .chunkIndex, UInt64(chunk.count)),
    Field(3, 38, 8, .messageIndex, data.indexAt),
    Field(3, 46, 8, .messageIndexBytes, UInt64(index.count)),
    Field(3, 58, 8, .chunkIndex, recordBytes), Field(3, 66, 8, .chunkIndex, recordBytes),
    Field(4, 8, 8, .attachmentIndex, UInt64(attachment.count)),
    Field(4, 16, 8, .attachmentIndex, 11), Field(4, 24, 8, .attachmentIndex, 12),
    Field(4, 32, 8, .attachmentIndex, 2),
    Field(5, 8, 8, .metadataIndex, UInt64(metadata.count)),
  ]

  @Test(arguments: fields, [-1, 1])
  func everyNumberOfTheSummaryIsCompared(field: Field, by step: Int) throws {
    var record = Self.right[field.record]
    let stored = UInt64(Int(field.actual) + step)
    for byte in 0..<field.size {
      record[9 + field.offset + byte] = UInt8(truncatingIfNeeded: stored >> (8 * UInt64(byte)))
    }
    let summary = Self.summary(field.record, record)
    let expected = TraceError.mismatch(
      field.field, offset: Self.place(field.record, in: summary), stored: stored,
      actual: field.actual)
    let file = Handmade.whole(Self.data.bytes, summary: summary)
    #expect(throws: expected) { try TraceReader(bytes: file).readToEnd() }
  }

  /// The places that chunk, attachment and metadata indexes point to.
  @Test(arguments: [(3, 16), (4, 0), (5, 0)], [-1, 1])
  func indexesPointToRecords(record: (Int, Int), by step: Int) throws {
    let (number, offset) = record
    let actual = [
      3: Self.data.chunkAt, 4: Self.data.attachmentAt, 5: Self.data.metadataAt,
    ]
    let field: [Int: TraceField] = [3: .chunkIndex, 4: .attachmentIndex, 5: .metadataIndex]
    let stored = UInt64(Int(try #require(actual[number])) + step)
    var bytes = Self.right[number]
    for byte in 0..<8 {
      bytes[9 + offset + byte] = UInt8(truncatingIfNeeded: stored >> (8 * UInt64(byte)))
    }
    let summary = Self.summary(number, bytes)
    let expected = TraceError.mismatch(
      try #require(field[number]), offset: Self.place(number, in: summary),
      stored: stored, actual: 0)
    let file = Handmade.whole(Self.data.bytes, summary: summary)
    #expect(throws: expected) { try TraceReader(bytes: file).readToEnd() }
  }

  /// A summary, the offsets after it, and what is wrong with them.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let summary: [[UInt8]]
    let offsets: [[UInt8]]?
    let expected: TraceError

    init(
      _ name: String, _ summary: [[UInt8]], offsets: [[UInt8]]? = nil, _ expected: TraceError
    ) {
      (testDescription, self.summary, self.offsets) = (name, summary, offsets)
      self.expected = expected
    }
  }

  static let cases: [Case] = {
    let twice = summary(2, statistics + statistics)
    let otherSchema = Handmade.schema(1, "T", "enc", [1, 2])
    let newChannel = Handmade.channel(2)
    let offsets = Handmade.summaryOffsets(right, from: Int(start))
    let offsetsAt = place(right.count, in: right)
    let offsetBytes = UInt64(offsets[0].count)
    func offset(_ opcode: UInt8, at place: UInt64, byteCount: UInt64) -> [[UInt8]] {
      [Handmade.summaryOffset(opcode, at: place, byteCount: byteCount)]
    }
    var cases: [Case] = []
    func add(
      _ name: String, _ summary: [[UInt8]], offsets: [[UInt8]]? = nil, _ expected: TraceError
    ) {
      cases.append(Case(name, summary, offsets: offsets, expected))
    }
    add(
      "statistics twice", twice,
      .mismatch(
        .statistics, offset: place(2, in: twice) + UInt64(statistics.count), stored: 2, actual: 1)
    )
    add(
      "schemas apart", right + [schema],
      .notGrouped(opcode: 0x03, offset: place(right.count, in: right)))
    add(
      "a record after the offsets", right + [offsets[0], statistics], offsets: [],
      .notGrouped(
        opcode: 0x0B, offset: place(right.count, in: right) + offsetBytes))
    add(
      "a message", right + [first],
      .unexpectedRecord(.message, offset: place(right.count, in: right)))
    add(
      "another schema", summary(0, otherSchema),
      .redefined(.schema, id: 1, offset: start + 9))
    // What is declared only here counts too.
    let more = [schema, Handmade.schema(2, "S")] + right.dropFirst()
    add(
      "a new schema", more,
      .mismatch(.schemaCount, offset: place(3, in: more), stored: 1, actual: 2))
    add(
      "another channel", summary(1, Handmade.channel(1, schema: 1, topic: "/b")),
      .redefined(.channel, id: 1, offset: place(1, in: right) + 9))
    add(
      "a new channel", summary(1, newChannel),
      .mismatch(
        .channelCount, offset: place(2, in: summary(1, newChannel)), stored: 1, actual: 2))
    add(
      "another compression",
      summary(
        3,
        Handmade.chunkIndex(
          at: data.chunkAt, byteCount: UInt64(chunk.count), from: 10, to: 20,
          indexes: [(1, data.indexAt)], indexBytes: UInt64(index.count), compression: "lz4",
          stored: recordBytes, records: recordBytes)),
      .unknownCompression(offset: place(3, in: right)))
    add(
      "an index of another channel",
      summary(
        3,
        Handmade.chunkIndex(
          at: data.chunkAt, byteCount: UInt64(chunk.count), from: 10, to: 20,
          indexes: [(1, data.indexAt), (7, 5)], indexBytes: UInt64(index.count),
          stored: recordBytes, records: recordBytes)),
      .mismatch(.messageIndex, offset: place(3, in: right), stored: 5, actual: 0))
    add(
      "a channel twice",
      summary(
        3,
        Handmade.chunkIndex(
          at: data.chunkAt, byteCount: UInt64(chunk.count), from: 10, to: 20,
          indexes: [(1, data.indexAt), (1, data.indexAt)], indexBytes: UInt64(index.count),
          stored: recordBytes, records: recordBytes)),
      .duplicateKey(offset: place(3, in: right) + 9 + 32 + 4 + 10))
    add(
      "messages of another channel",
      summary(
        2,
        Handmade.statistics(
          messages: 2, schemas: 1, channels: 1, attachments: 1, metadata: 1, chunks: 1, from: 10,
          to: 20, counts: [(1, 2), (4, 9)])),
      .mismatch(.messageCount, offset: place(2, in: right), stored: 9, actual: 0))
    add(
      "a chunk twice", summary(3, chunkIndex + chunkIndex),
      .mismatch(
        .chunkIndex, offset: place(3, in: right) + UInt64(chunkIndex.count), stored: data.chunkAt,
        actual: 0))
    add(
      "an attachment twice", summary(4, attachmentIndex + attachmentIndex),
      .mismatch(
        .attachmentIndex, offset: place(4, in: right) + UInt64(attachmentIndex.count),
        stored: data.attachmentAt, actual: 0))
    add(
      "metadata twice", summary(5, metadataIndex + metadataIndex),
      .mismatch(
        .metadataIndex, offset: place(5, in: right) + UInt64(metadataIndex.count),
        stored: data.metadataAt, actual: 0))
    add(
      "another name of an attachment",
      summary(
        4,
        Handmade.attachmentIndex(
          at: data.attachmentAt, byteCount: UInt64(attachment.count), logTimeNs: 11,
          createTimeNs: 12, dataBytes: 2, "o", "t")),
      .mismatch(
        .attachmentIndex, offset: place(4, in: right), stored: data.attachmentAt,
        actual: data.attachmentAt))
    add(
      "another kind of attachment",
      summary(
        4,
        Handmade.attachmentIndex(
          at: data.attachmentAt, byteCount: UInt64(attachment.count), logTimeNs: 11,
          createTimeNs: 12, dataBytes: 2, "n", "u")),
      .mismatch(
        .attachmentIndex, offset: place(4, in: right), stored: data.attachmentAt,
        actual: data.attachmentAt))
    add(
      "another name of metadata",
      summary(
        5, Handmade.metadataIndex(at: data.metadataAt, byteCount: UInt64(metadata.count), "n")),
      .mismatch(
        .metadataIndex, offset: place(5, in: right), stored: data.metadataAt,
        actual: data.metadataAt))
    add(
      "an offset of what is not there", right,
      offsets: offsets + offset(0x66, at: start, byteCount: 1),
      .notGrouped(opcode: 0x66, offset: offsetsAt + 6 * offsetBytes))
    add(
      "an offset twice", right, offsets: offsets + [offsets[2]],
      .notGrouped(opcode: 0x0B, offset: offsetsAt + 6 * offsetBytes))
    add(
      "a wrong offset", right,
      offsets: offset(0x03, at: start + 1, byteCount: UInt64(schema.count)),
      .mismatch(.groupStart, offset: offsetsAt, stored: start + 1, actual: start))
    add(
      "a wrong size of a group", right,
      offsets: offset(0x03, at: start, byteCount: UInt64(schema.count) + 1),
      .mismatch(
        .groupBytes, offset: offsetsAt, stored: UInt64(schema.count) + 1,
        actual: UInt64(schema.count)))
    add(
      "an offset left out", right, offsets: Array(offsets.dropLast()),
      .mismatch(
        .groupStart, offset: footer(right, Array(offsets.dropLast())), stored: 5, actual: 6))
    return cases
  }()

  @Test(arguments: cases)
  func whatIsWrongInTheSummaryIsToldWithItsPlace(one: Case) throws {
    let file = Handmade.whole(Self.data.bytes, summary: one.summary, offsets: one.offsets)
    #expect(throws: one.expected) { try TraceReader(bytes: file).readToEnd() }
    let scan = try TraceReader(bytes: file, mode: .scan)
    #expect(try scan.keptMessages().count == 2)
    #expect(scan.ending == .damaged(one.expected))
  }

  /// Whoever lists one chunk, attachment or metadata record lists them all.
  @Test(arguments: 0..<3) func listsAreWhole(kind: Int) throws {
    let again = [Self.chunk + Self.index, Self.attachment, Self.metadata][kind]
    let field = [TraceField.chunkIndex, .attachmentIndex, .metadataIndex][kind]
    let listed = [
      [Self.schema, Self.channel, Self.chunkIndex], [Self.attachmentIndex], [Self.metadataIndex],
    ][kind]
    let data = Self.data.bytes + again
    let file = Handmade.whole(data, summary: listed)
    let shift = UInt64(again.count)
    let expected = TraceError.mismatch(
      field, offset: Self.footer(listed) + shift, stored: 1, actual: 2)
    #expect(throws: expected) { try TraceReader(bytes: file).readToEnd() }
    // What is not listed at all is not missed.
    #expect(try TraceReader(bytes: Handmade.whole(data)).readToEnd() == .whole)
  }

  /// Each of several chunks is found by its place.
  @Test(arguments: [1, 2, 3, 8]) func everyChunkOfSeveralIsListed(count: Int) throws {
    var data = Self.data.bytes
    var indexes = [Self.chunkIndex]
    for _ in 1..<count {
      indexes.append(
        Handmade.chunkIndex(
          at: UInt64(data.count), byteCount: UInt64(Self.chunk.count), from: 10, to: 20,
          indexes: [(1, UInt64(data.count + Self.chunk.count))],
          indexBytes: UInt64(Self.index.count), stored: Self.recordBytes, records: Self.recordBytes)
      )
      data += Self.chunk + Self.index
    }
    for order in [indexes, indexes.reversed()] {
      let file = Handmade.whole(data, summary: [Self.schema, Self.channel] + order)
      #expect(try TraceReader(bytes: file).readToEnd() == .whole)
    }
  }

  // MARK: - The footer

  @Test func footerIsCompared() throws {
    let footer = Self.footer(Self.right)
    func file(_ fault: Handmade.Fault) -> [UInt8] {
      Handmade.whole(Self.data.bytes, summary: Self.right, but: fault)
    }
    let offsetsAt = Self.place(Self.right.count, in: Self.right)
    let faults: [(Handmade.Fault, TraceError)] = [
      (
        Handmade.Fault(summaryStart: Self.start + 1),
        .mismatch(
          .summaryStart, offset: footer, stored: Self.start + 1, actual: Self.start)
      ),
      (
        Handmade.Fault(summaryStart: 0),
        .mismatch(.summaryStart, offset: footer, stored: 0, actual: Self.start)
      ),
      (
        Handmade.Fault(summaryOffsetStart: 0),
        .mismatch(.summaryOffsetStart, offset: footer, stored: 0, actual: offsetsAt)
      ),
      (
        Handmade.Fault(footerTail: [0]),
        .mismatch(.recordBytes, offset: footer, stored: 21, actual: 20)
      ),
    ]
    for (fault, expected) in faults {
      #expect(throws: expected) { try TraceReader(bytes: file(fault)).readToEnd() }
    }
    let good = file(Handmade.Fault())
    let sum = Handmade.checksum(Array(good[Int(Self.start)..<(good.count - 12)]))
    #expect(throws: TraceError.checksum(.summary, offset: footer, stored: 3, computed: sum)) {
      try TraceReader(bytes: file(Handmade.Fault(checksum: 3))).readToEnd()
    }
  }

  /// Without a summary it starts nowhere.
  @Test func summaryThatIsNotThereStartsNowhere() throws {
    let place = Self.start
    let fault = Handmade.Fault(summaryStart: place)
    #expect(
      throws: TraceError.mismatch(.summaryStart, offset: place, stored: place, actual: 0)
    ) { try TraceReader(bytes: Handmade.whole(Self.data.bytes, but: fault)).readToEnd() }
  }

  @Test func whatComesAfterTheFooterIsReported() throws {
    let good = Handmade.whole(Self.data.bytes, summary: Self.right)
    let magicAt = UInt64(good.count - 8)
    #expect(throws: TraceError.trailingBytes(offset: UInt64(good.count), count: 3)) {
      try TraceReader(bytes: good + [1, 2, 3]).readToEnd()
    }
    #expect(throws: TraceError.fileEnds(offset: magicAt, needed: 8, have: 7)) {
      try TraceReader(bytes: Array(good.dropLast())).readToEnd()
    }
    var bad = good
    bad[bad.count - 1] = 0x0B
    #expect(throws: TraceError.badMagic(offset: magicAt)) {
      try TraceReader(bytes: bad).readToEnd()
    }
  }

  // MARK: - Limits

  private static func error(
    _ bytes: [UInt8], _ change: (inout TraceLimits) -> Void
  ) throws -> TraceError? {
    var limits = TraceLimits()
    change(&limits)
    let reader = try TraceReader(bytes: bytes, limits: limits)
    do throws(TraceError) {
      try reader.readToEnd()
      return nil
    } catch {
      return error
    }
  }

  @Test func recordsMayBeAsLargeAsTheLimit() throws {
    let large = Handmade.metadata("m", [("x", String(repeating: "y", count: 400))])
    let length = large.count - 9
    let file = Handmade.whole(Self.data.bytes + large)
    #expect(try Self.error(file) { $0.recordBytes = length } == nil)
    #expect(
      try Self.error(file) { $0.recordBytes = length - 1 }
        == .tooLarge(.recordBytes, value: UInt64(length), limit: UInt64(length - 1)))
  }

  /// Of the summary, where the whole record counts, also one of an unknown kind.
  @Test func recordsOfTheSummaryMayBeAsLargeAsTheLimit() throws {
    let large = Handmade.record(0x77, [UInt8](repeating: 1, count: 400))
    let file = Handmade.whole(Self.data.bytes, summary: [large])
    #expect(try Self.error(file) { $0.recordBytes = 409 } == nil)
    #expect(
      try Self.error(file) { $0.recordBytes = 408 }
        == .tooLarge(.recordBytes, value: 409, limit: 408))
  }

  @Test func chunksMayBecomeAsLargeAsTheLimit() throws {
    let folder = TemporaryFolder()
    let writer = try TraceWriter(path: folder.file(), compression: .zstd, clock: { 0 })
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    try writer.write(
      TraceMessageHead(channel, sequence: 1, logTimeNs: 1, publishTimeNs: 1),
      bytes: [UInt8](repeating: 7, count: 100_000))
    try writer.finish()
    let file = bytes(of: folder.file())
    let recordBytes = Handmade.channel(1, topic: "/t").count + 31 + 100_000
    #expect(try Self.error(file) { $0.recordBytes = recordBytes } == nil)
    #expect(
      try Self.error(file) { $0.recordBytes = recordBytes - 1 }
        == .tooLarge(
          .chunkBytes, value: UInt64(recordBytes), limit: UInt64(recordBytes - 1)))
  }

  @Test func catalogueMayBeAsLargeAsTheLimit() throws {
    let lengths = [Self.schema.count - 9, Self.channel.count - 9, 2, Self.metadata.count - 9]
    let sum = lengths.reduce(0, +)
    // What is declared again is not kept again.
    let file = Handmade.whole(Self.data.bytes + Self.schema + Self.channel, summary: Self.right)
    #expect(
      try Self.error(Handmade.whole(Self.data.bytes + Self.schema + Self.channel)) {
        $0.catalogueBytes = sum
      } == nil)
    for number in lengths.indices {
      let kept = lengths[...number].reduce(0, +)
      #expect(
        try Self.error(file) { $0.catalogueBytes = kept - 1 }
          == .tooLarge(.catalogueBytes, value: UInt64(kept), limit: UInt64(kept - 1)))
    }
    // Nor is schema 0, but it is not to be copied either.
    let nothing = Handmade.schema(0, "z", "enc", [UInt8](repeating: 1, count: 500))
    let length = nothing.count - 9
    for file in [
      Handmade.whole(Handmade.start + nothing), Handmade.whole(Handmade.start, summary: [nothing]),
    ] {
      #expect(try Self.error(file) { $0.catalogueBytes = length } == nil)
      #expect(
        try Self.error(file) { $0.catalogueBytes = length - 1 }
          == .tooLarge(.catalogueBytes, value: UInt64(length), limit: UInt64(length - 1)))
    }
  }

  @Test func asManyRecordsAsTheLimitAreIndexed() throws {
    let more = Self.chunk + Self.metadata + Self.attachment + Self.chunk
    let file = Handmade.whole(Self.data.bytes + more)
    #expect(try Self.error(file) { $0.indexedRecords = 7 } == nil)
    for limit in 0..<7 {
      #expect(
        try Self.error(file) { $0.indexedRecords = limit }
          == .tooLarge(.indexedRecords, value: UInt64(limit + 1), limit: UInt64(limit)))
    }
  }
}
