// SPDX-License-Identifier: Apache-2.0

import OrreryTrace
import Testing

/// An archive gives the same messages as a reader from front to back, but by time and by location.
///
/// Method: open whole, cut off and damaged files by their summary and without it, alone and in sets.
@Suite struct TraceArchiveTests {
  private static func archive(_ files: [[UInt8]]) throws -> TraceArchive {
    try TraceArchive(
      files.enumerated().map { try TraceArchiveFile(bytes: $0.element, path: "\($0.offset)") })
  }

  private static func kept(_ archive: TraceArchive) throws -> [KeptMessage] {
    try kept(archive.messages())
  }

  private static func kept(_ messages: TraceArchiveMessages) throws -> [KeptMessage] {
    var all: [KeptMessage] = []
    while let message = try messages.next() { all.append(keep(message)) }
    return all
  }

  private static func keep(_ message: TraceArchiveMessage) -> KeptMessage {
    KeptMessage(
      topic: message.topic, sequence: message.head.sequence, logTimeNs: message.head.logTimeNs,
      publishTimeNs: message.head.publishTimeNs, bytes: Array(message.bytes))
  }

  private static let byTime = SmallTrace.written.sorted { $0.logTimeNs < $1.logTimeNs }

  /// The data section with nothing behind it.
  private static func killed(_ trace: [UInt8]) throws -> [UInt8] {
    let end = try #require(Handmade.records(trace).first { $0.opcode == 0x0F })
    return Array(trace[..<end.range.lowerBound])
  }

  @Test(arguments: TraceCompression.allCases)
  func messagesComeByRisingTime(compression: TraceCompression) throws {
    let archive = try Self.archive([SmallTrace.bytes(compression)])
    #expect(try Self.kept(archive) == Self.byTime)
    let file = archive.files[0]
    #expect(file.state == .whole)
    #expect(file.hasSummary)
    #expect(file.library == TraceWriter.library)
    #expect(file.statistics.messageCount == UInt64(SmallTrace.written.count))
    #expect(file.channels.count == 3)
    #expect(file.schemas.count == 2)
    #expect(try file.metadata().map(\.values["scene"]) == ["prismatic"])
    #expect(file.attachments.map(\.head.name) == ["scene.toml", "empty"])
    #expect(try file.data(of: file.attachments[0]) == Array("x = 1\n".utf8))
    #expect(file.totals.values.reduce(0) { $0 + Int($1.chunkCount) } == file.chunks.count)
    #expect(archive.startNs == 1_000)
    #expect(archive.endNs == 1_011)
    #expect(archive.topics == ["/frames", "/loss", "/silent"])
  }

  @Test(arguments: TraceCompression.allCases)
  func fileWithoutSummaryIsWalked(compression: TraceCompression) throws {
    let bytes = try Self.killed(SmallTrace.bytes(compression))
    let archive = try Self.archive([bytes])
    let file = archive.files[0]
    #expect(file.state == .unfinished(.end(offset: UInt64(bytes.count))))
    #expect(!file.hasSummary)
    #expect(try Self.kept(archive) == Self.byTime)
    #expect(file.statistics.messageCount == UInt64(SmallTrace.written.count))
    #expect(file.statistics.startNs == 1_000)
    #expect(file.statistics.endNs == 1_011)
    #expect(try file.metadata().map(\.name) == ["run"])
    #expect(file.attachments.map(\.head.name) == ["scene.toml", "empty"])
    #expect(try file.data(of: file.attachments[0]) == Array("x = 1\n".utf8))
  }

  @Test func walkAndSummaryAgree() throws {
    let whole = try SmallTrace.bytes(.none)
    let walked = try TraceArchiveFile(bytes: Self.killed(whole))
    let opened = try TraceArchiveFile(bytes: whole)
    #expect(walked.chunks.map(\.offset) == opened.chunks.map(\.offset))
    #expect(walked.chunks.map(\.startNs) == opened.chunks.map(\.startNs))
    #expect(walked.chunks.map(\.endNs) == opened.chunks.map(\.endNs))
    #expect(walked.totals == opened.totals)
    #expect(walked.statistics.messageCounts == opened.statistics.messageCounts)
    #expect(walked.attachments == opened.attachments)
    // The channel without messages is declared in a chunk that is read for another.
    #expect(walked.channels == opened.channels)
  }

  @Test(arguments: [UInt64](996...1_014))
  func topicsAndTimesAreFiltered(limit: UInt64) throws {
    let archive = try Self.archive([SmallTrace.bytes(.none)])
    let before = Self.byTime.filter { $0.logTimeNs <= limit }
    #expect(try Self.kept(archive.messages(toNs: limit)) == before)
    let after = Self.byTime.filter { $0.logTimeNs >= limit && $0.topic == "/loss" }
    #expect(try Self.kept(archive.messages(topics: ["/loss"], fromNs: limit)) == after)
    #expect(try Self.kept(archive.messages(topics: ["/none"])).isEmpty)
  }

  @Test func filesAreOneTraceByTime() throws {
    let trace = try SmallTrace.bytes(.none)
    let archive = try Self.archive([trace, Self.killed(trace), trace])
    let expected = Self.byTime.flatMap { [$0, $0, $0] }
    #expect(try Self.kept(archive) == expected)
    let messages = archive.messages()
    for index in 0..<6 { #expect(try messages.next()?.file == index % 3) }
  }

  @Test func overlappingChunksComeByTime() throws {
    // Each chunk has times from its own number to 100 more.
    let starts = 0..<5
    var data = Handmade.join(Handmade.start, Handmade.channel(1))
    for start in starts {
      let messages = [start + 100, start].flatMap {
        Handmade.message(
          1, sequence: UInt32(start), at: UInt64($0), [UInt8](repeating: 7, count: 9))
      }
      data += Handmade.chunk(messages, from: UInt64(start), to: UInt64(start + 100))
    }
    let archive = try Self.archive([Handmade.whole(data)])
    #expect(archive.files[0].state == .whole)
    #expect(try Self.kept(archive).map(\.logTimeNs) == Array(0..<5) + Array(100..<105))
  }

  @Test func messagesOutsideOfChunksAreFound() throws {
    let data = Handmade.join(
      Handmade.start, Handmade.channel(1), Handmade.message(1, at: 5, [1]),
      Handmade.message(1, at: 3, [2]), Handmade.metadata("m"), Handmade.message(1, at: 4, [3]))
    let archive = try Self.archive([Handmade.whole(data)])
    #expect(try Self.kept(archive).map(\.bytes) == [[2], [3], [1]])
    #expect(archive.files[0].statistics.messageCount == 3)
    let locations = try archive.locations(file: 0, chunk: 0)
    #expect(
      try locations.map { Array(try archive.message(at: $0).bytes) } == [[2], [1]].reversed())
    #expect(
      try locations.map { Array(try archive.prefix(of: $0, byteCount: 8).bytes) }
        == [[2], [1]].reversed())
  }

  @Test(arguments: TraceCompression.allCases)
  func everyMessageHasALocation(compression: TraceCompression) throws {
    for bytes in [
      try SmallTrace.bytes(compression), try Self.killed(SmallTrace.bytes(compression)),
    ] {
      let archive = try Self.archive([bytes])
      var messages: [KeptMessage] = []
      for chunk in archive.files[0].chunks.indices {
        for location in try archive.locations(file: 0, chunk: chunk) {
          let prefix = try archive.prefix(of: location, byteCount: 5)
          let first = Array(prefix.bytes)
          #expect(prefix.head == (try archive.message(at: location)).head)
          let message = Self.keep(try archive.message(at: location))
          #expect(first == Array(message.bytes.prefix(5)))
          #expect(
            Array(try archive.prefix(of: location, byteCount: 1 << 20).bytes) == message.bytes)
          messages.append(message)
        }
      }
      // Chunks are in the order of their times.
      #expect(messages.sorted { $0.sequence < $1.sequence } == SmallTrace.written)
      let chunk = archive.files[0].chunks.indices.last ?? 0
      let losses = try archive.locations(file: 0, chunk: chunk, topic: "/loss")
      #expect(try losses.allSatisfy { try archive.message(at: $0).topic == "/loss" })
      #expect(!losses.isEmpty)
    }
  }

  @Test func prefixOfAnUnreadChunkIsReadAlone() throws {
    for compression in TraceCompression.allCases {
      let trace = try SmallTrace.bytes(compression, chunkBytes: 1 << 20)
      let located = try Self.archive([trace])
      let locations = try located.locations(file: 0, chunk: 0)
      for location in locations {
        // A new archive has nothing in its cache.
        let archive = try Self.archive([trace])
        let prefix = try archive.prefix(of: location, byteCount: 3)
        let message = try located.message(at: location)
        #expect(Array(prefix.bytes) == Array(message.bytes.prefix(3)))
      }
    }
  }

  @Test(arguments: TraceCompression.allCases)
  func everyPrefixOpensUpToItsLastWholeRecord(compression: TraceCompression) throws {
    let trace = try SmallTrace.bytes(compression)
    let dataEnd = try Self.killed(trace).count
    for count in trace.indices {
      let cut = Array(trace[..<count])
      guard count >= 8 else {
        #expect(throws: TraceError.self) { try TraceArchiveFile(bytes: cut) }
        continue
      }
      let archive = try Self.archive([cut])
      #expect(archive.files[0].state != .whole)
      let reader = try TraceReader(bytes: cut, mode: .scan)
      let expected = try reader.keptMessages().sorted { $0.logTimeNs < $1.logTimeNs }
      #expect(try Self.kept(archive) == expected, "of \(count) bytes")
      if count >= dataEnd { #expect(expected == Self.byTime) }
    }
  }

  @Test func damagedSummaryIsReportedAndNotUsed() throws {
    let trace = try SmallTrace.bytes(.none)
    let start = try Self.killed(trace).count + 13
    for offset in start..<trace.count {
      for bit in [UInt8(1), 0x80] {
        var damaged = trace
        damaged[offset] ^= bit
        let archive = try Self.archive([damaged])
        #expect(archive.files[0].state != .whole, "\(bit) at \(offset)")
        #expect(try Self.kept(archive) == Self.byTime)
      }
    }
  }

  /// What follows the end of a file is damage, and costs none of its messages.
  @Test func bytesBehindTheEndAreReported() throws {
    let trace = try SmallTrace.bytes(.none)
    let archive = try Self.archive([trace + [1, 2, 3]])
    #expect(
      archive.files[0].state == .damaged(.trailingBytes(offset: UInt64(trace.count), count: 3)))
    #expect(try Self.kept(archive) == Self.byTime)
  }

  @Test func damagedChunkIsAnErrorWithItsFile() throws {
    let trace = try SmallTrace.bytes(.none)
    let chunk = try #require(Handmade.records(trace).last { $0.opcode == 6 }).range
    var damaged = trace
    damaged[chunk.upperBound - 1] ^= 1
    let archive = try Self.archive([trace, damaged])
    #expect(archive.files[1].state == .whole)
    let error = #expect(throws: TraceError.self) { try Self.kept(archive) }
    guard case .inFile("1", .checksum(.chunkRecords, UInt64(chunk.lowerBound), _, _))? = error
    else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// Damage in a chunk is met only by those who want one of its messages.
  @Test func chunksWithoutAWantedMessageAreNotRead() throws {
    let trace = try SmallTrace.bytes(.none)
    let chunk = try #require(Handmade.records(trace).last { $0.opcode == 6 }).range
    var damaged = trace
    damaged[chunk.upperBound - 1] ^= 1
    let archive = try Self.archive([damaged])
    let last = try #require(archive.files[0].chunks.last)
    #expect(last.offset == UInt64(chunk.lowerBound))
    let before = Self.byTime.filter { $0.logTimeNs < last.startNs }
    #expect(before.count > 4)
    #expect(try Self.kept(archive.messages(toNs: last.startNs - 1)) == before)
    #expect(throws: TraceError.self) { try Self.kept(archive.messages(toNs: last.startNs)) }
    let after = Self.byTime.filter { $0.logTimeNs > last.endNs }
    #expect(try Self.kept(archive.messages(fromNs: last.endNs + 1)) == after)
    #expect(throws: TraceError.self) { try Self.kept(archive.messages(fromNs: last.endNs)) }
    #expect(try Self.kept(archive.messages(topics: ["/silent"])).isEmpty)
  }

  /// A chunk is not read for topics that it has no message of, whatever the numbers of its channels are.
  @Test(arguments: [2, 63, 64])
  func chunksOfOtherTopicsAreNotRead(number: Int) throws {
    let folder = TemporaryFolder()
    let writer = try TraceWriter(path: folder.file(), chunkBytes: 1, clock: { 0 })
    let channels = try (1...number).map { number in
      try writer.addChannel(
        TraceChannel(schema: nil, topic: "/\(number)", messageEncoding: "raw"))
    }
    for (time, channel) in [channels[0], channels[number - 1]].enumerated() {
      try writer.write(
        TraceMessageHead(channel, sequence: 1, logTimeNs: UInt64(time), publishTimeNs: 1),
        bytes: [1, 2, 3])
    }
    try writer.finish()
    var damaged = bytes(of: folder.file())
    let chunk = try #require(Handmade.records(damaged).last { $0.opcode == 6 }).range
    damaged[chunk.upperBound - 1] ^= 1
    let archive = try Self.archive([damaged])
    #expect(try Self.kept(archive.messages(topics: ["/1"])).map(\.topic) == ["/1"])
    #expect(throws: TraceError.self) {
      try Self.kept(archive.messages(topics: ["/\(number)"]))
    }
  }

  /// A file whose summary lists one chunk that it does not have.
  private static func listing(
    _ index: [UInt8], also: [[UInt8]] = [], chunks: UInt32 = 1
  ) -> [UInt8] {
    let chunk = Handmade.chunk(Handmade.message(1, at: 5), from: 5, to: 5)
    let data = Handmade.join(Handmade.start, Handmade.channel(1), chunk)
    let statistics = Handmade.statistics(
      messages: 1, channels: 1, chunks: chunks, from: 5, to: 5, counts: [(1, 1)])
    return Handmade.whole(data, summary: [Handmade.channel(1), statistics, index] + also)
  }

  @Test func cyclicOverlappingAndHugeIndexesAreRefused() throws {
    let chunk = Handmade.chunk(Handmade.message(1, at: 5), from: 5, to: 5)
    let at = UInt64(Handmade.join(Handmade.start, Handmade.channel(1)).count)
    let size = UInt64(chunk.count)
    func index(
      _ offset: UInt64, _ byteCount: UInt64, from: UInt64 = 5, to: UInt64 = 5,
      indexBytes: UInt64 = 0
    ) -> [UInt8] {
      Handmade.chunkIndex(
        at: offset, byteCount: byteCount, from: from, to: to, indexes: [], indexBytes: indexBytes,
        stored: 31, records: 31)
    }
    let right = try Self.archive([Self.listing(index(at, size))])
    #expect(right.files[0].state == .whole && right.files[0].hasSummary)
    #expect(try Self.kept(right).count == 1)
    let file = UInt64(Self.listing(index(at, size)).count)
    let wrong: [([UInt8], [[UInt8]], UInt32)] = [
      // Itself, the end, beyond the end, and beyond all numbers.
      (index(at + size + 13 + 40, size), [], 1), (index(file - 8, 8), [], 1),
      (index(file + 1, size), [], 1), (index(.max, size), [], 1), (index(at, .max), [], 1),
      (index(at, 4 << 30), [], 1), (index(at, size, indexBytes: 4 << 30), [], 1),
      (index(at, size, indexBytes: 1 << 20), [], 1),
      // Twice the same, overlapping, before the header, backward in time, miscounted.
      (index(at, size), [index(at, size)], 2), (index(at, size), [index(at + 1, size - 1)], 2),
      (index(0, at), [], 1), (index(at, size, from: 6, to: 5), [], 1), (index(at, size), [], 2),
    ]
    for (first, also, chunks) in wrong {
      let archive = try Self.archive([Self.listing(first, also: also, chunks: chunks)])
      guard case .damaged = archive.files[0].state else {
        Issue.record("\(archive.files[0].state) of \(first)")
        continue
      }
      #expect(!archive.files[0].hasSummary)
      #expect(try Self.kept(archive).count == 1)
    }
    // In bounds, but not the chunk's: found when it is read.
    for lie in [index(at, size - 1), index(at + 1, size - 1), index(at, size, from: 4)] {
      let archive = try Self.archive([Self.listing(lie)])
      #expect(throws: TraceError.self) { try Self.kept(archive) }
    }
  }

  @Test func bombIsRefusedBeforeItTakesMemory() throws {
    let trace = try SmallTrace.bytes(.zstd, chunkBytes: 1 << 20)
    let chunk = try #require(Handmade.records(trace).first { $0.opcode == 6 }).range
    for declared in [UInt64(300) << 20, 1 << 31, 1 << 32, 1 << 40, .max] {
      var bomb = try Self.killed(trace)
      for byte in 0..<8 {
        bomb[chunk.lowerBound + 9 + 16 + byte] = UInt8(truncatingIfNeeded: declared >> (8 * byte))
      }
      let archive = try Self.archive([bomb])
      guard case .damaged(.tooLarge(.chunkBytes, declared, _)) = archive.files[0].state else {
        Issue.record("\(archive.files[0].state)")
        continue
      }
      let error = #expect(throws: TraceError.self) { try TraceReader(bytes: bomb).readToEnd() }
      guard case .tooLarge(.chunkBytes, declared, _)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test func limitsHoldForAllFilesTogether() throws {
    let trace = try SmallTrace.bytes(.none)
    let chunks = try TraceArchiveFile(bytes: trace).chunks.count
    var limits = TraceLimits()
    limits.indexedRecords = 2 * chunks - 1
    let files = try [0, 1].map { _ in try TraceArchiveFile(bytes: trace) }
    #expect(
      throws: TraceError.tooLarge(
        .indexedRecords, value: UInt64(2 * chunks), limit: UInt64(limits.indexedRecords))
    ) { try TraceArchive(files, limits: limits) }
    limits.indexedRecords = 2
    let file = try TraceArchiveFile(bytes: trace, limits: limits)
    #expect(file.chunks.count + file.attachments.count <= 2)
    #expect(file.state == .damaged(.tooLarge(.indexedRecords, value: 3, limit: 2)))
  }

  @Test func whatIsNoTraceIsAnErrorWithItsPath() throws {
    #expect(throws: TraceError.inFile(path: "x", .badMagic(offset: 0))) {
      try TraceArchiveFile(bytes: Array("not a trace".utf8), path: "x")
    }
    let error = #expect(throws: TraceError.self) { try TraceArchive(paths: ["/nowhere"]) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("/nowhere"))
  }
}
