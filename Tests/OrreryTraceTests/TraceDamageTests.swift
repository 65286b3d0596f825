// SPDX-License-Identifier: Apache-2.0

import OrreryTrace
import Testing

/// No damage to a file goes unseen, and none ends the process.
///
/// Method: take a small trace with something of every kind, damage it at every place in turn, and read
/// it. A checksum of our own makes damage that only the comparison of index and data can find.
@Suite struct TraceDamageTests {
  private static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> UInt64 {
    (0..<size).reversed().reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) }
  }

  private static func put(_ number: UInt64, size: Int, at offset: Int, in bytes: inout [UInt8]) {
    for byte in 0..<size { bytes[offset + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
  }

  /// Of the first summary record: the footer's first field.
  private static func summaryStart(_ trace: [UInt8]) -> Int {
    Int(number(trace, at: trace.count - 8 - 20, size: 8))
  }

  /// Makes the checksums of data section and summary right again.
  private static func sign(_ trace: inout [UInt8], summaryStart: Int) {
    let data = Handmade.checksum(trace[..<(summaryStart - 13)])
    put(UInt64(data), size: 4, at: summaryStart - 4, in: &trace)
    let summary = Handmade.checksum(trace[summaryStart..<(trace.count - 12)])
    put(UInt64(summary), size: 4, at: trace.count - 12, in: &trace)
  }

  /// A data section with DataEnd, a footer without a summary, and right checksums.
  private static func ended(_ data: [UInt8]) -> [UInt8] {
    let dataEnd: [UInt8] = [0x0F, 4, 0, 0, 0, 0, 0, 0, 0]
    let footer: [UInt8] = [0x02, 20] + [UInt8](repeating: 0, count: 7 + 16)
    return Handmade.join(
      data, dataEnd, Handmade.number(Handmade.checksum(data)), footer,
      Handmade.number(Handmade.checksum(footer)), Handmade.magic)
  }

  /// Places of all records outside of chunks.
  private static func records(_ trace: [UInt8]) -> [(opcode: UInt8, range: Range<Int>)] {
    var records: [(UInt8, Range<Int>)] = []
    var offset = 8
    while offset < trace.count - 8 {
      let end = offset + 9 + Int(number(trace, at: offset + 1, size: 8))
      records.append((trace[offset], offset..<end))
      offset = end
    }
    return records
  }

  private static func isReported(_ trace: [UInt8]) -> Bool {
    do {
      return try TraceReader(bytes: trace).readToEnd() != .whole
    } catch {
      return true
    }
  }

  /// Messages that a scan gives; none if it is not a trace at all.
  private static func scan(
    _ trace: [UInt8]
  ) throws -> (messages: [KeptMessage], TraceState?) {
    do {
      let reader = try TraceReader(bytes: trace, mode: .scan)
      return (try reader.keptMessages(), reader.ending)
    } catch {
      switch error {
      case .badMagic, .fileEnds: return ([], nil)
      default: throw error
      }
    }
  }

  @Test(arguments: TraceCompression.allCases)
  func everyFlippedBitIsReported(compression: TraceCompression) throws {
    let trace = try SmallTrace.bytes(compression)
    var unseen: [Int] = []
    for bit in 0..<(8 * trace.count) {
      var damaged = trace
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      if !Self.isReported(damaged) { unseen.append(bit) }
    }
    #expect(unseen == [])
    #expect(!Self.isReported(trace))
  }

  @Test(arguments: TraceCompression.allCases)
  func scanOfDamagedFileGivesOnlyWhatWasWritten(compression: TraceCompression) throws {
    let trace = try SmallTrace.bytes(compression)
    for index in trace.indices {
      for mask: UInt8 in [0x01, 0x80, 0xFF] {
        var damaged = trace
        damaged[index] ^= mask
        let (messages, ending) = try Self.scan(damaged)
        #expect(messages.elementsEqual(SmallTrace.written.prefix(messages.count)), "byte \(index)")
        #expect(ending != .whole, "byte \(index)")
      }
    }
  }

  @Test(arguments: TraceCompression.allCases)
  func everyPrefixIsReportedAndReadToItsLastChunk(compression: TraceCompression) throws {
    let trace = try SmallTrace.bytes(compression)
    let records = Self.records(trace)
    let chunkEnds = records.filter { $0.opcode == 6 }.map(\.range.upperBound)
    let boundaries = Set(records.map(\.range.upperBound))
    // How many messages each chunk brings, from reading the file up to each of its ends.
    var counts = [0]
    for end in chunkEnds { counts.append(try Self.scan(Array(trace[..<end])).messages.count) }
    #expect(counts.last == SmallTrace.written.count)
    for count in trace.indices {
      let prefix = Array(trace[..<count])
      #expect(Self.isReported(prefix), "prefix \(count)")
      let (messages, ending) = try Self.scan(prefix)
      let whole = chunkEnds.filter { $0 <= count }.count
      #expect(messages == Array(SmallTrace.written.prefix(counts[whole])), "prefix \(count)")
      guard count >= 8 else { continue }
      if count == 8 || boundaries.contains(count) {
        #expect(ending == .unfinished(.end(offset: UInt64(count))), "prefix \(count)")
      } else if case .unfinished(.restOfRecord(let offset, let needed, let have))? = ending {
        #expect(Int(offset) <= count, "prefix \(count)")
        #expect(needed > have, "prefix \(count)")
      } else {
        Issue.record("prefix \(count): \(String(describing: ending))")
      }
    }
  }

  @Test(arguments: TraceCompression.allCases)
  func indexesAndSummaryThatLieAreFoundUnderRightChecksums(compression: TraceCompression) throws {
    let trace = try SmallTrace.bytes(compression)
    let start = Self.summaryStart(trace)
    let indexes = Self.records(trace).filter { $0.opcode == 7 }.flatMap { Array($0.range) }
    let summary = Array(start..<(trace.count - 12))
    #expect(indexes.count > 100)
    #expect(summary.count > 500)
    var unseen: [Int] = []
    for index in indexes + summary {
      for bit in 0..<8 {
        var damaged = trace
        damaged[index] ^= 1 << UInt8(bit)
        Self.sign(&damaged, summaryStart: start)
        if !Self.isReported(damaged) { unseen.append(index) }
      }
    }
    #expect(unseen == [])
    var same = trace
    Self.sign(&same, summaryStart: start)
    #expect(same == trace)
  }

  @Test func summaryThatOmitsRecordsIsFound() throws {
    let trace = try SmallTrace.bytes(.none)
    let start = Self.summaryStart(trace)
    for record in Self.records(trace) where record.range.lowerBound >= start {
      guard record.opcode != 2 else { continue }
      var damaged = trace
      // An unknown kind of record, as readers must skip.
      damaged[record.range.lowerBound] = 0x80
      Self.sign(&damaged, summaryStart: start)
      #expect(Self.isReported(damaged), "record \(record)")
    }
  }

  @Test func chunkTimesAreThoseOfItsMessages() throws {
    let trace = try SmallTrace.bytes(.none, chunkBytes: 1 << 20)
    let start = Self.summaryStart(trace)
    // Earliest log time in Chunk, ChunkIndex and Statistics; the latest stands 8 bytes behind it.
    let places: [UInt8: Int] = [0x06: 9, 0x08: 9, 0x0B: 9 + 26]
    for shift in [0, 8] {
      var damaged = trace
      for record in Self.records(trace) {
        guard let place = places[record.opcode] else { continue }
        damaged[record.range.lowerBound + place + shift] ^= 1
      }
      Self.sign(&damaged, summaryStart: start)
      let field = shift == 0 ? TraceField.startTime : .endTime
      let error = #expect(throws: TraceError.self) { try TraceReader(bytes: damaged).readToEnd() }
      guard case .mismatch(field, let offset, let stored, let actual)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(stored == actual ^ 1)
      #expect(offset < UInt64(start))
    }
  }

  @Test func everyChannelOfAChunkHasItsIndex() throws {
    let trace = try SmallTrace.bytes(.none, chunkBytes: 1 << 20)
    let data = Array(trace[..<(Self.summaryStart(trace) - 13)])
    let indexes = Self.records(trace).filter { $0.opcode == 7 }.map(\.range.lowerBound)
    #expect(indexes.count == 2)
    #expect(!Self.isReported(Self.ended(data)))
    var damaged = data
    damaged[indexes[1]] = 0x99
    #expect(Self.isReported(Self.ended(damaged)))
  }

  @Test func unknownRecordsAndLaterFieldsAreHarmless() throws {
    // A trace whose metadata record has a field more, and a private record after it.
    var trace = try SmallTrace.bytes(.none)
    let start = Self.summaryStart(trace)
    let metadata = try #require(Self.records(trace).first { $0.opcode == 12 })
    // Without a summary nothing points to what moves.
    trace = Array(trace[..<(start - 13)])
    let privateRecord: [UInt8] = [0x99, 3, 0, 0, 0, 0, 0, 0, 0, 7, 8, 9]
    trace.insert(contentsOf: privateRecord, at: metadata.range.upperBound)
    trace.insert(contentsOf: [1, 2, 3, 4], at: metadata.range.upperBound)
    let length = UInt64(metadata.range.count - 9 + 4)
    Self.put(length, size: 8, at: metadata.range.lowerBound + 1, in: &trace)
    let reader = try TraceReader(bytes: Self.ended(trace))
    #expect(try reader.keptMessages() == SmallTrace.written)
    #expect(reader.metadata.map(\.name) == ["run"])
    #expect(reader.ending == .whole)
  }

  @Test(arguments: TraceCompression.allCases)
  func hugeNumbersAnywhereAreReported(compression: TraceCompression) throws {
    let trace = try SmallTrace.bytes(compression)
    let huge: [UInt64] = [.max, 1 << 63, (1 << 63) - 1, UInt64(UInt32.max), 1 << 40]
    for number in huge {
      for offset in 0..<(trace.count - 8) {
        for size in [4, 8] {
          var damaged = trace
          Self.put(number, size: size, at: offset, in: &damaged)
          if damaged == trace { continue }
          #expect(Self.isReported(damaged), "\(number) in \(size) bytes at \(offset)")
        }
      }
    }
  }

  @Test(arguments: [TraceCompression.lz4, .zstd])
  func chunkThatIsNotOfItsDeclaredSizeIsRefused(compression: TraceCompression) throws {
    let trace = try SmallTrace.bytes(compression, chunkBytes: 1 << 20)
    let chunk = try #require(Self.records(trace).first { $0.opcode == 6 }).range
    let sizeOffset = chunk.lowerBound + 9 + 16
    let size = Self.number(trace, at: sizeOffset, size: 8)
    for declared in [0, 1, size - 1, size + 1, 200 << 20] {
      var damaged = trace
      Self.put(declared, size: 8, at: sizeOffset, in: &damaged)
      let error = #expect(throws: TraceError.self) {
        try TraceReader(bytes: damaged).readToEnd()
      }
      guard case .decompression(_, let found, let produced)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(found == declared)
      #expect(produced != declared)
    }
    var bomb = trace
    Self.put(1 << 40, size: 8, at: sizeOffset, in: &bomb)
    let limit = UInt64(TraceLimits().recordBytes)
    #expect(throws: TraceError.tooLarge(.chunkBytes, value: 1 << 40, limit: limit)) {
      try TraceReader(bytes: bomb).readToEnd()
    }
  }

  @Test func limitsHold() throws {
    let trace = try SmallTrace.bytes(.none)
    var limits = TraceLimits()
    limits.indexedRecords = 4
    #expect(throws: TraceError.tooLarge(.indexedRecords, value: 5, limit: 4)) {
      try TraceReader(bytes: trace, limits: limits).readToEnd()
    }
    limits = TraceLimits()
    limits.catalogueBytes = 60
    #expect(throws: TraceError.self) { try TraceReader(bytes: trace, limits: limits).readToEnd() }
    limits = TraceLimits()
    limits.recordBytes = 100
    #expect(throws: TraceError.self) { try TraceReader(bytes: trace, limits: limits).readToEnd() }
  }

  @Test func whatFollowsTheEndIsReported() throws {
    let trace = try SmallTrace.bytes(.none)
    let expected = TraceError.trailingBytes(offset: UInt64(trace.count), count: 1)
    #expect(throws: expected) { try TraceReader(bytes: trace + [0]).readToEnd() }
    #expect(try Self.scan(trace + trace).1 != .whole)
  }

  @Test func failedReaderStaysFailed() throws {
    var trace = try SmallTrace.bytes(.none)
    trace[trace.count - 1] ^= 1
    let reader = try TraceReader(bytes: trace)
    let expected = TraceError.badMagic(offset: UInt64(trace.count - 8))
    #expect(throws: expected) { try reader.readToEnd() }
    #expect(throws: expected) { try reader.readToEnd() }
    #expect(reader.ending == nil)
  }
}
