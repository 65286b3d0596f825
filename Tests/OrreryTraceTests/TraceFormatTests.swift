// SPDX-License-Identifier: Apache-2.0

import OrreryTrace
import TestSupport
import Testing

/// Goal: a trace is the bytes that MCAP's specification asks for, not only bytes that our own reader likes.
///
/// Method: a small trace with something of every kind, compared with bytes made by hand; the heads of
/// compressed chunks, as their formats' own specifications have them.
@Suite struct TraceFormatTests {
  /// Two chunks, the second with times before the first's; an attachment and metadata between them.
  private static func write(_ path: String) throws {
    let writer = try TraceWriter(path: path, clock: { 0 })
    let schema = try writer.addSchema(TraceSchema(name: "S", encoding: "enc", data: [1, 2]))
    let one = try writer.addChannel(
      TraceChannel(
        schema: schema, topic: "/a", messageEncoding: "raw", metadata: ["k": "v", "a": "b"]))
    let other = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/b", messageEncoding: "json"))
    try writer.addMetadata(name: "m", ["x": "y"])
    try writer.write(
      TraceMessageHead(other, sequence: 7, logTimeNs: 500, publishTimeNs: 400), bytes: [9, 9, 9])
    try writer.write(
      TraceMessageHead(one, sequence: 8, logTimeNs: 300, publishTimeNs: 200), bytes: [])
    try writer.flush()
    try writer.addAttachment(
      TraceAttachmentHead(name: "n", mediaType: "t", logTimeNs: 11, createTimeNs: 12), [5, 6])
    try writer.write(
      TraceMessageHead(one, sequence: 9, logTimeNs: 100, publishTimeNs: 50), bytes: [1])
    try writer.finish()
  }

  private static func expected() -> [UInt8] {
    let schema = Handmade.schema(1, "S", "enc", [1, 2])
    let channels = [
      Handmade.channel(1, schema: 1, metadata: [("a", "b"), ("k", "v")]),
      Handmade.channel(2, topic: "/b", encoding: "json"),
    ]
    let declared = Handmade.join(schema, channels[0], channels[1])
    let first = Handmade.message(2, sequence: 7, at: 500, published: 400, [9, 9, 9])
    let second = Handmade.message(1, sequence: 8, at: 300, published: 200)
    let third = Handmade.message(1, sequence: 9, at: 100, published: 50, [1])
    let records = Handmade.join(declared, first, second)

    var file = Handmade.join(
      Handmade.magic,
      Handmade.record(0x01, Handmade.join(Handmade.text(""), Handmade.text("orrery 0.1"))))
    let metadataAt = file.count
    let metadata = Handmade.metadata("m", [("x", "y")])
    file += metadata
    let chunksAt = [file.count]
    let chunk = Handmade.chunk(records, from: 300, to: 500)
    file += chunk
    let indexesAt = [file.count]
    let indexes = [
      Handmade.messageIndex(1, [(300, UInt64(declared.count + first.count))]),
      Handmade.messageIndex(2, [(500, UInt64(declared.count))]),
      Handmade.messageIndex(1, [(100, 0)]),
    ]
    file += Handmade.join(indexes[0], indexes[1])
    let attachmentAt = file.count
    let attachment = Handmade.attachment("n", "t", [5, 6], logTimeNs: 11, createTimeNs: 12)
    file += attachment
    let lastChunkAt = file.count
    let lastChunk = Handmade.chunk(third, from: 100, to: 100)
    file += lastChunk
    let lastIndexAt = file.count
    file += indexes[2]
    return Handmade.whole(
      file,
      summary: [
        schema, channels[0], channels[1],
        Handmade.statistics(
          messages: 3, schemas: 1, channels: 2, attachments: 1, metadata: 1, chunks: 2, from: 100,
          to: 500, counts: [(1, 2), (2, 1)]),
        Handmade.chunkIndex(
          at: UInt64(chunksAt[0]), byteCount: UInt64(chunk.count), from: 300, to: 500,
          indexes: [
            (1, UInt64(indexesAt[0])), (2, UInt64(indexesAt[0] + indexes[0].count)),
          ],
          indexBytes: UInt64(indexes[0].count + indexes[1].count), stored: UInt64(records.count),
          records: UInt64(records.count)),
        Handmade.chunkIndex(
          at: UInt64(lastChunkAt), byteCount: UInt64(lastChunk.count), from: 100, to: 100,
          indexes: [(1, UInt64(lastIndexAt))], indexBytes: UInt64(indexes[2].count),
          stored: UInt64(third.count), records: UInt64(third.count)),
        Handmade.attachmentIndex(
          at: UInt64(attachmentAt), byteCount: UInt64(attachment.count), logTimeNs: 11,
          createTimeNs: 12, dataBytes: 2, "n", "t"),
        Handmade.metadataIndex(at: UInt64(metadataAt), byteCount: UInt64(metadata.count), "m"),
      ])
  }

  @Test func traceIsWhatTheSpecificationSays() throws {
    let folder = TemporaryFolder()
    try Self.write(folder.file())
    #expect(firstDifference(bytes(of: folder.file()), Self.expected()) == nil)
  }

  @Test func everythingIsReadFromBytesMadeByHand() throws {
    let reader = try TraceReader(bytes: Self.expected())
    let messages = try reader.keptMessages()
    #expect(messages.map(\.topic) == ["/b", "/a", "/a"])
    #expect(messages.map(\.sequence) == [7, 8, 9])
    #expect(messages.map(\.logTimeNs) == [500, 300, 100])
    #expect(messages.map(\.publishTimeNs) == [400, 200, 50])
    #expect(messages.map(\.bytes) == [[9, 9, 9], [], [1]])
    #expect(reader.ending == .whole)
    #expect(reader.offset == UInt64(Self.expected().count))
    let schema = try #require(reader.schemas[TraceSchemaID(number: 1)])
    #expect(schema.name == "S")
    #expect(schema.encoding == "enc")
    #expect(schema.data == [1, 2])
    let channel = try #require(reader.channels[TraceChannelID(number: 1)])
    #expect(channel.schema == TraceSchemaID(number: 1))
    #expect(channel.topic == "/a")
    #expect(channel.messageEncoding == "raw")
    #expect(channel.metadata == ["a": "b", "k": "v"])
    let attachment = try #require(reader.attachments.first)
    #expect(attachment.head.name == "n")
    #expect(attachment.head.mediaType == "t")
    #expect(attachment.head.logTimeNs == 11)
    #expect(attachment.head.createTimeNs == 12)
    #expect(attachment.head.dataBytes == 2)
    #expect(try reader.data(of: attachment) == [5, 6])
    var statistics = TraceStatistics()
    (statistics.messageCount, statistics.schemaCount, statistics.channelCount) = (3, 1, 2)
    (statistics.attachmentCount, statistics.metadataCount) = (1, 1)
    statistics.chunkCount = 2
    (statistics.startNs, statistics.endNs) = (100, 500)
    statistics.messageCounts = [TraceChannelID(number: 1): 2, TraceChannelID(number: 2): 1]
    #expect(reader.statistics == statistics)
  }

  /// What the writer says of itself while it writes is what a reader finds.
  @Test func writersStatisticsAreTheReaders() throws {
    let folder = TemporaryFolder()
    let writer = try TraceWriter(path: folder.file(), chunkBytes: 200, clock: { 0 })
    #expect(writer.statistics == TraceStatistics())
    #expect(writer.byteCount == 35)
    try SmallTrace.fill(writer)
    #expect(writer.messageCount == UInt64(SmallTrace.written.count))
    try writer.finish()
    let reader = try TraceReader(path: folder.file())
    try reader.readToEnd()
    #expect(writer.statistics == reader.statistics)
    #expect(writer.byteCount == UInt64(bytes(of: folder.file()).count))
  }

  /// The first stored byte of a trace's only chunk, and how many there are.
  private static func storedRecords(
    _ file: [UInt8]
  ) throws -> (name: String, bytes: ArraySlice<UInt8>, recordBytes: Int) {
    let chunk = try #require(Handmade.records(file).first { $0.opcode == 6 }).range
    func number(at offset: Int, size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(file[chunk.lowerBound + offset + $1]) << (8 * $1) }
    }
    let nameBytes = number(at: 9 + 28, size: 4)
    let nameAt = chunk.lowerBound + 9 + 32
    let name = String(decoding: file[nameAt..<nameAt + nameBytes], as: UTF8.self)
    let count = number(at: 9 + 32 + nameBytes, size: 8)
    let first = nameAt + nameBytes + 8
    #expect(first + count == chunk.upperBound)
    return (name, file[first..<first + count], number(at: 9 + 16, size: 8))
  }

  private static func storedRecords(
    _ message: [UInt8], _ compression: TraceCompression
  ) throws -> (name: String, bytes: ArraySlice<UInt8>, recordBytes: Int) {
    let folder = TemporaryFolder()
    let writer = try TraceWriter(
      path: folder.file(), compression: compression, chunkBytes: 8 << 20, clock: { 0 })
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    try writer.write(
      TraceMessageHead(channel, sequence: 1, logTimeNs: 1, publishTimeNs: 1), bytes: message)
    try writer.finish()
    return try storedRecords(bytes(of: folder.file()))
  }

  /// An LZ4 frame says how much it holds, so that readers need not guess, and in blocks of up to 4 MiB.
  @Test func lz4FrameTellsItsSize() throws {
    let message = [UInt8](repeating: 7, count: 2_000_000)
    let stored = try Self.storedRecords(message, .lz4)
    #expect(stored.name == "lz4")
    let frame = Array(stored.bytes)
    #expect(Array(frame[..<4]) == [0x04, 0x22, 0x4D, 0x18])
    // Version 1, content size present, no checksums, no dictionary.
    #expect(frame[4] & 0b1101_1101 == 0b0100_1000)
    #expect(frame[5] == 0x70)
    let size = (0..<8).reduce(0) { $0 | Int(frame[6 + $1]) << (8 * $1) }
    #expect(size == stored.recordBytes)
    #expect(size > message.count)
  }

  @Test func zstdFrameBeginsAsOne() throws {
    let stored = try Self.storedRecords([UInt8](repeating: 7, count: 100_000), .zstd)
    #expect(stored.name == "zstd")
    #expect(Array(stored.bytes.prefix(4)) == [0x28, 0xB5, 0x2F, 0xFD])
  }

  /// Runs of every length among noise: at some length both forms have the same size.
  @Test(arguments: [TraceCompression.lz4, .zstd])
  func chunkIsCompressedOnlyWhereThatMakesItSmaller(compression: TraceCompression) throws {
    let noisy = noise(200, seed: 5)
    var names: Set<String> = []
    for run in 0..<80 {
      let message = noisy + [UInt8](repeating: 0, count: run)
      let stored = try Self.storedRecords(message, compression)
      names.insert(stored.name)
      let isSmaller = stored.bytes.count < stored.recordBytes
      try #require(isSmaller == (stored.name == compression.rawValue), "a run of \(run)")
      try #require(isSmaller || stored.bytes.count == stored.recordBytes, "a run of \(run)")
    }
    #expect(names.contains(compression.rawValue))
    // A frame of LZ4 costs 23 bytes, which there is nothing in noise to save.
    if compression == .lz4 { #expect(names.contains("")) }
  }

  @Test func limitsAreThoseOfTheDocuments() {
    let limits = TraceLimits()
    #expect(limits.recordBytes == 2_147_483_648)
    #expect(limits.catalogueBytes == 16_777_216)
    #expect(limits.indexedRecords == 4_000_000)
    #expect(limits.messageBytes == 2_143_289_344)
    #expect(TraceWriter.chunkAgeNsMax == 1_000_000_000)
    #expect(TraceWriter.library == "orrery 0.1")
  }
}
