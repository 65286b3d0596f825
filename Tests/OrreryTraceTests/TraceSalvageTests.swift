// SPDX-License-Identifier: Apache-2.0

import OrreryTrace
import TestSupport
import Testing

/// What a salvage hands over was written so, and one flipped bit costs one record at most.
///
/// Method: every bit of small files is flipped in turn: a file of ours, which has a summary; one that was cut off and has
/// none; one with messages outside of chunks, for which only the checksum of all data speaks.
@Suite struct TraceSalvageTests {
  /// What came out of a file.
  private struct Salvaged {
    var messages: [KeptMessage] = []
    var attachments: [String] = []
    var metadata: [TraceMetadata] = []
    var losses: [TraceSalvage.Loss] = []
    var undeclared: UInt64 = 0

    init(_ bytes: [UInt8]) throws {
      let salvage = TraceSalvage(bytes: bytes)
      try salvage.run { item in
        switch item {
        case .message(let message):
          messages.append(
            KeptMessage(
              topic: message.topic, sequence: message.head.sequence,
              logTimeNs: message.head.logTimeNs,
              publishTimeNs: message.head.publishTimeNs, bytes: Array(message.bytes)))
        case .attachment(let attachment, let data):
          attachments.append("\(attachment.head.name) \(attachment.head.logTimeNs) \(Array(data))")
        case .metadata(let record): metadata.append(record)
        }
      }
      (losses, undeclared) = (salvage.losses, salvage.undeclaredMessages)
    }

    var isLossy: Bool { losses.contains { $0.isOfContent } }
  }

  /// All bits of a file with `ORRERY_TEST_EFFORT=8`; one of each byte without it.
  private static func bits(_ file: [UInt8]) -> [Int] {
    file.indices.flatMap { byte in
      (0..<min(8, testEffort)).map { 8 * byte + (byte + $0) % 8 }
    }
  }

  /// Flips every bit, and compares what comes out with what the whole file gives.
  ///
  /// `groups` are numbers of messages: one flip may cost those of one. Of a file that is whole, `verify` finds each flip.
  private func check(
    _ file: [UInt8], groups: [Set<UInt32>], isWhole: Bool,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let whole = try Salvaged(file)
    #expect(!whole.isLossy, sourceLocation: location)
    let written = Dictionary(uniqueKeysWithValues: whole.messages.map { ($0.sequence, $0) })
    #expect(
      Set(written.keys) == groups.reduce(Set()) { $0.union($1) }, sourceLocation: location)
    var faults: [String] = []
    for bit in Self.bits(file) {
      var damaged = file
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      let kept = try Salvaged(damaged)
      func fail(_ text: String) { faults.append("byte \(bit / 8), bit \(bit % 8): \(text)") }
      let numbers = kept.messages.map(\.sequence)
      if kept.messages.contains(where: { written[$0.sequence] != $0 }) { fail("not written so") }
      if Set(numbers).count != numbers.count { fail("a message twice") }
      let lost = Set(written.keys).subtracting(numbers)
      if !groups.contains(where: lost.isSubset) { fail("lost \(lost.sorted())") }
      if !lost.isEmpty, !kept.isLossy { fail("says that nothing is lost") }
      if whole.attachments.count - kept.attachments.count > 1
        || !Set(kept.attachments).isSubset(of: whole.attachments)
      {
        fail("attachments \(kept.attachments)")
      }
      if kept.attachments.count < whole.attachments.count, !kept.isLossy { fail("lost attachment") }
      guard isWhole else { continue }
      if (try? TraceReader(bytes: damaged).readToEnd()) != nil { fail("not found by verify") }
      if whole.metadata.count - kept.metadata.count > 1
        || !kept.metadata.allSatisfy(whole.metadata.contains)
      {
        fail("metadata \(kept.metadata)")
      }
    }
    #expect(faults.isEmpty, "\(faults.count): \(faults.prefix(8))", sourceLocation: location)
  }

  /// The numbers of the messages in each chunk.
  private func groups(_ file: [UInt8]) throws -> [Set<UInt32>] {
    let archive = try TraceArchive([try TraceArchiveFile(bytes: file)])
    return try archive.files[0].chunks.indices.map { chunk in
      Set(
        try archive.locations(file: 0, chunk: chunk).map {
          try archive.message(at: $0).head.sequence
        })
    }
  }

  @Test(arguments: TraceCompression.allCases)
  func salvageOfEveryBitFlipGivesOnlyWholeMessages(compression: TraceCompression) throws {
    let file = try SmallTrace.bytes(compression)
    let groups = try groups(file)
    #expect(groups.count >= 3)
    try check(file, groups: groups, isWhole: true)
  }

  /// A chunk with its declarations, as a writer makes it that repeats them.
  private static func chunk(_ number: UInt32, messages: Int) -> [UInt8] {
    var records = Handmade.schema(1, "S") + Handmade.channel(1, schema: 1, topic: "/a")
    records += Handmade.channel(2, topic: "/b")
    var entries: [UInt16: [(UInt64, UInt64)]] = [:]
    for index in 0..<messages {
      let sequence = number * 10 + UInt32(index)
      let channel = UInt16(index % 2 + 1)
      entries[channel, default: []].append((UInt64(sequence), UInt64(records.count)))
      records += Handmade.message(
        channel, sequence: sequence, at: UInt64(sequence), published: 7,
        noise(12 + index, seed: UInt64(sequence)))
    }
    return Handmade.join(
      Handmade.chunk(
        records, from: UInt64(number * 10), to: UInt64(number * 10) + UInt64(messages) - 1),
      Handmade.messageIndex(1, entries[1] ?? []), Handmade.messageIndex(2, entries[2] ?? []))
  }

  /// Without a summary only the records themselves say where they end.
  @Test func aBitOfAFileThatWasCutOffCostsOneChunk() throws {
    let file = Handmade.join(
      Handmade.start, Handmade.metadata("m", [("k", "v")]), Self.chunk(1, messages: 3),
      Self.chunk(2, messages: 2),
      Handmade.attachment("n", "t", [1, 2, 3], logTimeNs: 4, createTimeNs: 5),
      Self.chunk(3, messages: 3), Handmade.metadata("n", [("k", "w")]),
      Self.chunk(4, messages: 2))
    try check(
      file, groups: [[10, 11, 12], [20, 21], [30, 31, 32], [40, 41]], isWhole: false)
  }

  /// Messages outside of chunks have no checksum; that of all data tells which one is damaged.
  @Test func aBitOfMessagesOutsideOfChunksCostsOne() throws {
    let declared = [Handmade.schema(1, "S"), Handmade.channel(1, schema: 1, topic: "/a")]
    let bare = (0..<6 as Range<UInt32>).map {
      Handmade.message(
        1, sequence: $0, at: UInt64($0) + 100, published: 3, noise(9 + Int($0), seed: UInt64($0)))
    }
    let data = Handmade.join(
      Handmade.start, declared[0], declared[1], bare[0], bare[1], bare[2],
      Handmade.metadata("m", [("k", "v")]), Self.chunk(1, messages: 2), bare[3],
      Handmade.record(0x99, [1, 2, 3]), bare[4], bare[5])
    let statistics = Handmade.statistics(
      messages: 8, schemas: 1, channels: 2, metadata: 1, chunks: 1, from: 10, to: 105,
      counts: [(1, 7), (2, 1)])
    let file = Handmade.whole(
      data, summary: declared + [Handmade.channel(2, topic: "/b"), statistics])
    try check(
      file, groups: [[10, 11]] + (0..<6).map { [$0] }, isWhole: true)
  }

  /// A message index that became a message by a flipped bit; and messages without any proof, in a file with damage.
  @Test func whatCannotBeProvenIsDoubtful() throws {
    let bare = Handmade.join(
      Handmade.start, Handmade.channel(1), Handmade.message(1, sequence: 1, at: 5, [1, 2, 3]),
      Self.chunk(2, messages: 2))
    let whole = try Salvaged(bare)
    #expect(whole.messages.map(\.sequence) == [1, 20, 21])
    #expect(whole.losses.isEmpty)
    // A damaged chunk behind it casts doubt on it.
    var damaged = bare + Self.chunk(3, messages: 1)
    damaged[bare.count + 60] ^= 1
    let kept = try Salvaged(damaged)
    #expect(kept.messages.map(\.sequence) == [1, 20, 21])
    #expect(kept.losses.map(\.kind) == ["chunk", "doubtful"])
    #expect(kept.isLossy)
    // A cut is no damage.
    #expect(try Salvaged(Array(damaged.prefix(bare.count + 40))).losses.map(\.kind) == ["chunk"])
  }

  /// That a summary knows its channel does not prove a message.
  @Test func messageOnAProvenChannelIsDoubtful() throws {
    let declared = [Handmade.schema(1, "S"), Handmade.channel(1, schema: 1, topic: "/a")]
    let head = Handmade.join(Handmade.start, declared[0], declared[1])
    let message = Handmade.message(1, sequence: 1, at: 5, [1, 2, 3])
    let data = Handmade.join(head, message, Self.chunk(2, messages: 2))
    let statistics = Handmade.statistics(
      messages: 3, schemas: 1, channels: 2, chunks: 1, from: 5, to: 21, counts: [(1, 2), (2, 1)])
    var file = Handmade.whole(
      data, summary: declared + [Handmade.channel(2, topic: "/b"), statistics],
      but: Handmade.Fault(dataChecksum: 0))
    #expect(try Salvaged(file).losses == [])
    file[head.count + message.count + 60] ^= 1
    let kept = try Salvaged(file)
    #expect(kept.messages.map(\.sequence) == [1])
    #expect(kept.losses.map(\.kind) == ["chunk", "doubtful"])
    #expect(kept.losses.last?.offset == UInt64(head.count))
    #expect(kept.losses.last?.byteCount == UInt64(message.count))
  }

  /// A chunk that did not reach the disk leaves the room's record where it would be.
  @Test func chunksInTheRoomAreFound() throws {
    let missing = Self.chunk(2, messages: 3)
    let later = Self.chunk(3, messages: 2)
    let room = missing.count + later.count + 500
    var file = Handmade.join(Handmade.start, Self.chunk(1, messages: 2))
    let at = file.count
    file += Handmade.record(0x80, [UInt8](repeating: 0, count: room - 9))
    file.replaceSubrange(at + missing.count..<at + missing.count + later.count, with: later)
    let kept = try Salvaged(file)
    #expect(kept.messages.map(\.sequence) == [10, 11, 30, 31])
    #expect(kept.isLossy)
    #expect(kept.losses.first?.offset == UInt64(at))
    #expect(kept.losses.first?.byteCount == UInt64(missing.count))
  }

  /// Blocks in which a chunk is searched for meet at some byte: it may begin at any one around that.
  @Test(arguments: 65_520..<65_544)
  func chunksAreFoundWhereBlocksOfTheSearchMeet(distance: Int) throws {
    let later = Self.chunk(3, messages: 2)
    let file = Handmade.join(
      Handmade.start, Self.chunk(1, messages: 2), [0x80],
      Handmade.number(UInt64(distance - 9 + later.count)),
      [UInt8](repeating: 0, count: distance - 9), later)
    let kept = try Salvaged(file)
    #expect(kept.messages.map(\.sequence) == [10, 11, 30, 31])
    #expect(kept.losses.map(\.byteCount) == [UInt64(distance)])
  }

  /// Records of unknown kinds confirm each other if eight follow one; fewer before what is no record do not.
  @Test(arguments: [7, 8, 9])
  func unknownRecordsAreBelievedIfEightFollow(count: Int) throws {
    let head = Handmade.join(Handmade.start, Self.chunk(1, messages: 2))
    let unknown = Handmade.record(0x99, [0, 0, 0])
    let records = [[UInt8]](repeating: unknown, count: 1 + count).flatMap { $0 }
    let kept = try Salvaged(head + records + [UInt8](repeating: 0xFF, count: 20))
    #expect(kept.messages.map(\.sequence) == [10, 11])
    let believed = max(count - 7, 0)
    #expect(kept.losses.map(\.offset) == [UInt64(head.count + believed * unknown.count)])
  }

  /// A record of an unknown kind is believed before a message of a channel that was declared.
  @Test(arguments: [1, 2] as [UInt16])
  func messagesOfDeclaredChannelsConfirmWhatIsBeforeThem(channel: UInt16) throws {
    let head = Handmade.join(Handmade.start, Handmade.channel(1))
    let unknown = Handmade.record(0x99, [0, 0, 0])
    let message = Handmade.message(channel, sequence: 7, at: 5)
    let file = Handmade.join(head, unknown, message, [UInt8](repeating: 0xFF, count: 20))
    let kept = try Salvaged(file)
    let isKnown = channel == 1
    #expect(kept.messages.map(\.sequence) == (isKnown ? [7] : []))
    let lossAt = head.count + (isKnown ? unknown.count + message.count : 0)
    #expect(kept.losses.first?.offset == UInt64(lossAt))
  }

  /// The end of the data is where the records behind it lead to the end of the file, though nothing has a checksum.
  @Test func endOfADamagedFileWithoutASummaryIsFound() throws {
    let data = Handmade.join(
      Handmade.start, Self.chunk(1, messages: 3), Self.chunk(2, messages: 2),
      Handmade.record(0x99, [0, 0, 0]))
    var file = Handmade.whole(data, but: Handmade.Fault(dataChecksum: 0, checksum: 0))
    #expect(try Salvaged(file).losses == [])
    file[Handmade.start.count + 60] ^= 1
    let kept = try Salvaged(file)
    #expect(kept.messages.map(\.sequence) == [20, 21])
    #expect(kept.losses.map(\.kind) == ["chunk"])
  }

  /// A search may look at four times the bytes of the file and 64 MiB more, as a chunk may say that it holds any count.
  @Test(arguments: [2, 4])
  func searchEndsWhereItCostsTooMuch(times: Int) throws {
    func file(_ declared: Int) -> [UInt8] {
      Handmade.join(
        Handmade.start, Self.chunk(1, messages: 2), [UInt8](repeating: 0xFF, count: 5_000),
        Handmade.chunk([1], declared: declared), Self.chunk(3, messages: 2))
    }
    let byteCount = file(0).count
    let kept = try Salvaged(file((64 << 20) + times * byteCount))
    #expect(kept.messages.map(\.sequence) == (times == 2 ? [10, 11, 30, 31] : [10, 11]))
  }

  /// A metadata record that a summary lists where other records stand costs none of these.
  @Test(arguments: [0, 1])
  func metadataAreNotExpectedWhereOtherRecordsStand(place: Int) throws {
    let data = Handmade.join(Handmade.start, Self.chunk(1, messages: 2))
    let ranges = Handmade.records(data + Handmade.magic).map(\.range)
    let (chunk, index) = (ranges[1], ranges[2])
    let byteCount = UInt64(chunk.count)
    let statistics = Handmade.statistics(
      messages: 2, schemas: 1, channels: 2, metadata: 1, chunks: 1, from: 10, to: 11,
      counts: [(1, 1), (2, 1)])
    let chunkIndex = Handmade.chunkIndex(
      at: UInt64(chunk.lowerBound), byteCount: byteCount, from: 10, to: 11, indexes: [],
      indexBytes: UInt64(data.count - chunk.upperBound), stored: byteCount - 49,
      records: byteCount - 49)
    // Where the chunk's first index stands, and where the end of the data does.
    let metadata = Handmade.metadataIndex(
      at: UInt64([index.lowerBound, data.count][place]), byteCount: 13, "m")
    let file = Handmade.whole(
      data,
      summary: [
        Handmade.schema(1, "S"), Handmade.channel(1, schema: 1, topic: "/a"),
        Handmade.channel(2, topic: "/b"), statistics, chunkIndex, metadata,
      ])
    let kept = try Salvaged(file)
    #expect(kept.messages.map(\.sequence) == [10, 11])
    #expect(kept.losses == [])
  }

  /// Chunks without a checksum, as others may write them, are no loss as long as nothing is damaged.
  @Test func filesWithoutChecksumsAreKept() throws {
    let records = Handmade.channel(1) + Handmade.message(1, sequence: 4, at: 3)
    let file = Handmade.join(Handmade.start, Handmade.chunk(records, from: 3, to: 3, checksum: 0))
    let kept = try Salvaged(Handmade.whole(file, but: Handmade.Fault(dataChecksum: 0, checksum: 0)))
    #expect(kept.messages.map(\.sequence) == [4])
    #expect(!kept.isLossy)
  }
}
