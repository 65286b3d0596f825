// SPDX-License-Identifier: Apache-2.0

import OrreryTrace
import TestSupport
import Testing

/// Goal: whole files as other programs write them are read to the last message, with a note where their writer has a known
/// fault, and nothing of them is doubted.
///
/// Method: files made by hand, each with one thing that MCAP lets a writer leave out, or that a writer is known to do.
@Suite struct ForeignTraceTests {
  private static let declared = Handmade.schema(3, "S") + Handmade.channel(5, schema: 3)

  /// A chunk of messages at some times, with its index.
  private struct Chunk {
    let bytes: [UInt8]
    let index: [UInt8]
    let recordBytes: Int
    let times: (UInt64, UInt64)
    let isEmpty: Bool

    init(_ times: [UInt64], from: UInt64? = nil, to: UInt64? = nil) {
      var records = ForeignTraceTests.declared
      var entries: [(UInt64, UInt64)] = []
      for time in times {
        entries.append((time, UInt64(records.count)))
        records += Handmade.message(5, sequence: UInt32(time), at: time, [1, 2])
      }
      self.times = (from ?? times.min() ?? 0, to ?? times.max() ?? 0)
      (recordBytes, isEmpty) = (records.count, times.isEmpty)
      bytes = Handmade.chunk(records, from: self.times.0, to: self.times.1)
      index = times.isEmpty ? [] : Handmade.messageIndex(5, entries)
    }
  }

  /// A file of chunks whose summary has counts and chunks, and `repeated`.
  private static func file(
    _ chunks: [Chunk], repeated: [[UInt8]] = [], messages: UInt64, from: UInt64, to: UInt64,
    after: [UInt8] = [], statistics: Bool = true, attachments: UInt32 = 0, metadata: UInt32 = 0
  ) -> [UInt8] {
    var data = Handmade.start
    var indexes: [[UInt8]] = []
    for chunk in chunks {
      let at = UInt64(data.count)
      let end = at + UInt64(chunk.bytes.count)
      let places: [(UInt16, UInt64)] = chunk.isEmpty ? [] : [(UInt16(5), end)]
      indexes.append(
        Handmade.chunkIndex(
          at: at, byteCount: UInt64(chunk.bytes.count), from: chunk.times.0, to: chunk.times.1,
          indexes: places,
          indexBytes: UInt64(chunk.index.count), stored: UInt64(chunk.recordBytes),
          records: UInt64(chunk.recordBytes)))
      data += chunk.bytes + chunk.index
    }
    data += after
    var summary = repeated
    let counts: [(UInt16, UInt64)] = messages > 0 ? [(UInt16(5), messages)] : []
    if statistics {
      summary.append(
        Handmade.statistics(
          messages: messages, schemas: 1, channels: 1, attachments: attachments,
          metadata: metadata, chunks: UInt32(chunks.count), from: from, to: to,
          counts: counts))
    }
    return Handmade.whole(data, summary: summary + indexes)
  }

  private func times(
    _ archive: TraceArchive, from: UInt64 = 0, to: UInt64 = .max
  ) throws -> [UInt64] {
    let messages = archive.messages(topics: ["/a"], fromNs: from, toNs: to)
    var times: [UInt64] = []
    while let message = try messages.next() { times.append(message.head.logTimeNs) }
    return times
  }

  private func salvaged(_ bytes: [UInt8]) throws -> (count: Int, losses: [TraceSalvage.Loss]) {
    let salvage = TraceSalvage(bytes: bytes)
    var count = 0
    try salvage.run { if case .message = $0 { count += 1 } }
    return (count, salvage.losses)
  }

  static let repeats: [(String, [[UInt8]])] = [
    ("nothing", []), ("channels", [Handmade.channel(5, schema: 3)]),
    ("schemas", [Handmade.schema(3, "S")]),
    ("both", [Handmade.schema(3, "S"), Handmade.channel(5, schema: 3)]),
  ]

  @Test(arguments: repeats.indices, [true, false])
  func summaryMayLeaveOutWhatChunksDeclare(number: Int, statistics: Bool) throws {
    let bytes = Self.file(
      [Chunk([3, 4]), Chunk([5, 9])], repeated: Self.repeats[number].1, messages: 4, from: 3, to: 9,
      statistics: statistics)
    let archive = try TraceArchive([TraceArchiveFile(bytes: bytes)])
    #expect(archive.files[0].state == .whole)
    #expect(archive.topics == ["/a"])
    #expect(archive.files[0].schemas.count == 1)
    #expect(archive.files[0].statistics.messageCount == 4)
    #expect(try times(archive) == [3, 4, 5, 9])
    #expect(try TraceReader(bytes: bytes).readToEnd() == .whole)
    let kept = try salvaged(bytes)
    #expect(kept.count == 4 && kept.losses.isEmpty)
  }

  /// The indexes of attachments and metadata may be left out too.
  @Test func whatTheSummaryOnlyCountsIsFound() throws {
    let bytes = Self.file(
      [Chunk([3])], repeated: Self.repeats[3].1, messages: 1, from: 3, to: 3,
      after: Handmade.attachment("n", "t", [1], logTimeNs: 1, createTimeNs: 1)
        + Handmade.metadata("m", [("k", "v")]), attachments: 1, metadata: 1)
    let file = try TraceArchiveFile(bytes: bytes)
    #expect(file.attachments.map(\.head.name) == ["n"])
    #expect(try file.metadata().map(\.name) == ["m"])
    #expect(file.state == .whole)
  }

  /// A known writer gives a chunk without messages the largest number as its first time.
  @Test(arguments: [true, false])
  func emptyChunkWithTheLargestStartIsReadWithANote(hasSummary: Bool) throws {
    let chunks = [Chunk([3, 4]), Chunk([], from: .max, to: 0), Chunk([5])]
    var bytes = Self.file(
      chunks, repeated: Self.repeats[3].1, messages: 3, from: 3, to: 5)
    if !hasSummary {
      let end = try #require(Handmade.records(bytes).first { $0.opcode == 0x0F })
      bytes = Handmade.whole(Array(bytes[..<end.range.lowerBound]))
    }
    let archive = try TraceArchive([TraceArchiveFile(bytes: bytes)])
    let file = archive.files[0]
    #expect(file.state == .whole && file.hasSummary == hasSummary)
    #expect(file.notes == ["a chunk without messages has times"])
    #expect(try times(archive) == [3, 4, 5])
    let all = try file.chunks.indices.flatMap { try archive.locations(file: 0, chunk: $0) }
    #expect(all.count == 3)
    let reader = try TraceReader(bytes: bytes)
    #expect(try reader.readToEnd() == .whole)
    #expect(reader.notes == ["a chunk without messages has times"])
    let kept = try salvaged(bytes)
    #expect(kept.count == 3 && kept.losses.isEmpty)
    // One that has messages is damaged.
    let wrong = Self.file(
      [Chunk([3], from: .max, to: 0)], repeated: Self.repeats[3].1, messages: 1, from: 3, to: 3)
    #expect(try TraceArchiveFile(bytes: wrong).state.word == "damaged")
    #expect(throws: TraceError.self) { try TraceReader(bytes: wrong).readToEnd() }
  }

  /// Whatever times a chunk without messages has, it may hold none of any channel, at no time.
  @Test func emptyChunkHoldsNoChannel() throws {
    let bytes = Self.file(
      [Chunk([3]), Chunk([], from: .max, to: 0)], repeated: Self.repeats[3].1, messages: 1,
      from: 3, to: 3)
    let file = try TraceArchiveFile(bytes: bytes)
    let chunk = try #require(file.chunks.first { $0.endNs < 3 })
    #expect(file.hasSummary && chunk.startNs == 0 && chunk.endNs == 0)
    let channels = (0..<64 as Range<UInt16>).map { TraceChannelID(number: $0) }
    #expect(channels.filter { chunk.mayHold($0) }.isEmpty)
  }

  /// A summary may list a chunk that is shorter than the head of a record.
  @Test(arguments: [0, 5, 8, 9] as [UInt64])
  func listedChunkWithoutAHeadIsDamage(byteCount: UInt64) throws {
    let index = Handmade.chunkIndex(
      at: 8, byteCount: byteCount, from: .max, to: 0, indexes: [], indexBytes: 0, stored: 0,
      records: 0)
    let bytes = Handmade.whole(Handmade.start, summary: [index])
    #expect(try TraceArchiveFile(bytes: bytes).state.word == "damaged")
    #expect(throws: TraceError.self) { try TraceReader(bytes: bytes).readToEnd() }
    #expect(try salvaged(bytes).count == 0)
  }

  /// A known writer takes 0 for "no time yet", and so leaves it out of a chunk's first time.
  @Test func messageOfTimeZeroBeforeItsChunkIsReadWithANote() throws {
    let bytes = Self.file(
      [Chunk([0, 5, 10], from: 5), Chunk([15, 20])], repeated: Self.repeats[3].1, messages: 5,
      from: 5, to: 20)
    let archive = try TraceArchive([TraceArchiveFile(bytes: bytes)])
    #expect(try times(archive) == [0, 5, 10, 15, 20])
    #expect(try times(archive, to: 2) == [0])
    #expect(try times(archive, from: 5, to: 15) == [5, 10, 15])
    #expect(archive.files[0].notes == ["a chunk's first time leaves out its message of time 0"])
    let reader = try TraceReader(bytes: bytes)
    #expect(try reader.readToEnd() == .whole)
    #expect(!reader.notes.isEmpty)
    // Beside a file that has finer times, messages come by time all the same.
    let finer = Self.file(
      [Chunk([0, 1, 2, 3, 4])], repeated: Self.repeats[3].1, messages: 5, from: 0, to: 4)
    let both = try TraceArchive([TraceArchiveFile(bytes: finer), TraceArchiveFile(bytes: bytes)])
    #expect(try times(both) == [0, 0, 1, 2, 3, 4, 5, 10, 15, 20])
    // Any other time before a chunk's first is damage.
    let wrong = Self.file(
      [Chunk([3, 5], from: 5)], repeated: Self.repeats[3].1, messages: 2, from: 3, to: 5)
    let damaged = try TraceArchive([TraceArchiveFile(bytes: wrong)])
    #expect(throws: TraceError.self) { try times(damaged) }
    #expect(throws: TraceError.self) { try TraceReader(bytes: wrong).readToEnd() }
  }

  /// Messages outside of chunks whose numbers make them look like the index of a chunk: their sequence is where an index
  /// has the length of its entries.
  @Test(arguments: [true, false], [UInt32(0), nil])
  func messageThatLooksLikeAnIndexIsKept(isWhole: Bool, dataChecksum: UInt32?) throws {
    let payload = noise(48, seed: 3)
    var data = Handmade.start + Self.declared
    // Behind a chunk, too, where an index may stand.
    data += Handmade.chunk(Handmade.message(5, sequence: 1, at: 1), from: 1, to: 1)
    for time in 2..<12 as Range<UInt64> {
      data += Handmade.message(
        5, sequence: UInt32(payload.count + 16), at: time, published: time, payload)
    }
    // Two records of kinds that are not known yet.
    data += Handmade.record(0x20, [1]) + Handmade.record(0x21, [2])
    let bytes =
      isWhole
      ? Handmade.whole(data, but: Handmade.Fault(dataChecksum: dataChecksum))
      : data + Array(Handmade.message(5, at: 12, payload).dropLast(3))
    let kept = try salvaged(bytes)
    #expect(kept.count == 11)
    if isWhole { #expect(kept.losses.isEmpty) }
  }

  /// A flipped bit makes a message of an index: its entries are those of the chunk before it.
  @Test func indexThatBecameAMessageIsNone() throws {
    let chunk = Chunk([3, 4])
    var bytes = Handmade.start + chunk.bytes
    let at = bytes.count
    bytes += chunk.index + Chunk([5]).bytes
    bytes[at] ^= 0x02
    #expect(bytes[at] == 0x05)
    let kept = try salvaged(bytes)
    #expect(kept.count == 3)
    #expect(kept.losses.map(\.kind) == ["message"])
  }
}
