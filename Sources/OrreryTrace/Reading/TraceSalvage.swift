// SPDX-License-Identifier: Apache-2.0

/// Takes whatever is whole out of a damaged trace.
///
/// A chunk or an attachment is whole if its checksum is right. No other record has a checksum of its own: these
/// are compared with what knows them too (`TraceProof`, a summary whose checksum is right), and what remains
/// without a proof in a file with damage is listed as doubtful.
///
///     believed where a record ends              what speaks for it
///     chunk, metadata in a proven summary       the summary
///     lengths inside agree with the length      each other, and a record behind it
///     neither                                   nothing: on to the next byte where a whole record begins
///
/// So one damaged byte costs one record at most, whatever it was.
package final class TraceSalvage {
  /// What was met, in the order of the file; metadata come last.
  package enum Item {
    /// A message; its bytes are valid until the next read.
    case message(TraceMessage)

    /// An attachment and its data.
    case attachment(TraceAttachment, data: UnsafeRawBufferPointer)

    /// A metadata record.
    case metadata(TraceMetadata)
  }

  /// A part of the file that could not be used, or not be proven.
  package struct Loss: Sendable, Equatable {
    /// In bytes from the start of the file.
    package let offset: UInt64
    /// Bytes.
    package let byteCount: UInt64

    /// What it seems to have been: the name of a record, or `unreadable`; `unknown` if it is not known what is
    /// damaged; `doubtful` for what was handed on without a proof.
    package let kind: String

    /// The first fault in it.
    package let fault: TraceError

    /// Whether it may have held what is in no other place: indexes and ends are made anew.
    package var isOfContent: Bool { kind != "messageIndex" && kind != "dataEnd" }
  }

  /// A metadata record, kept until it is known whether anything speaks against it.
  private struct HeldMetadata {
    let range: Range<UInt64>
    let record: TraceMetadata
  }

  /// What could not be used, in the order of the file.
  package private(set) var losses: [Loss] = []

  /// Messages of whole chunks whose channel is declared nowhere.
  package private(set) var undeclaredMessages: UInt64 = 0

  /// Whether the data section has its end.
  ///
  /// Without it, a writer was stopped.
  package internal(set) var hasEnd = false

  /// Compression of the first chunk that was whole.
  package private(set) var compression: TraceCompression?

  /// Schemas met so far, and those of the summary.
  package var schemas: [TraceSchemaID: TraceSchema] { declarations.schemas }

  /// Channels met so far, and those of the summary.
  package var channels: [TraceChannelID: TraceChannel] { declarations.channels }

  /// Size of the file, in bytes.
  package var byteCount: UInt64 { source.byteCount }

  let limits: TraceLimits
  var source: TraceSource
  var decompressor = ChunkDecompressor()

  /// What a summary says whose checksum is right.
  let map: SalvageMap
  private var declarations: SalvageDeclarations
  private var dataChecksum = Checksum()
  private var proof: TraceProof?
  private var metadata: [HeldMetadata] = []
  private var metadataBytes: UInt64 = 0

  /// What was handed on without a proof.
  private var doubtful: (offset: UInt64, byteCount: UInt64)?

  /// Whether something is damaged, and not only cut off.
  package private(set) var isDamaged = false

  /// The chunk that message indexes may stand behind, where reading is.
  private var lastChunk: RecordLocation?

  /// Bytes that may still be decompressed or checked in search of a whole record: a hostile file could
  /// have one that seems to begin at each byte.
  var searchBudget: UInt64

  /// Losses that are listed.
  private static let lossesMax = 100_000

  /// Opens a file.
  ///
  /// - Throws: `system`; `notRegularFile`.
  package convenience init(
    path: String, limits: TraceLimits = TraceLimits()
  ) throws(TraceError) {
    self.init(try TraceSource(path: path), limits: limits)
  }

  /// Opens the bytes of a file.
  package convenience init(bytes: [UInt8], limits: TraceLimits = TraceLimits()) {
    self.init(TraceSource(bytes: bytes), limits: limits)
  }

  private init(_ source: consuming TraceSource, limits: TraceLimits) {
    let summary = TraceArchiveFile.summary(of: TraceSource(source), limits: limits)
    searchBudget = 4 * source.byteCount + (64 << 20)
    self.limits = limits
    self.source = source
    map = SalvageMap(summary)
    // The chunk that declares a channel may be the one that is damaged.
    declarations = SalvageDeclarations(summary, limits: limits)
  }

  /// Reads the file once and hands over everything that is whole.
  ///
  /// - Parameter take: Takes an item, and may throw.
  /// - Throws: `system`, and what `take` throws.
  package func run(_ take: (Item) throws(TraceError) -> Void) throws(TraceError) {
    var offset = try readStart()
    while offset < byteCount, !hasEnd {
      let fault: TraceError
      do throws(TraceError) {
        offset = try readRecord(at: offset, take)
        continue
      } catch {
        fault = error
      }
      if case .system = fault { throw fault }
      if let failure = taken { throw failure }
      let (next, kind) = try resume(at: offset, fault)
      lose(from: offset, to: next, kind: kind, fault)
      offset = next
    }
    try handOverMetadata(take)
    losses.sort { $0.offset < $1.offset }
    if isDamaged, let doubtful {
      lose(
        from: doubtful.offset, to: doubtful.offset + doubtful.byteCount, kind: "doubtful",
        losses.first?.fault ?? .noSummary(offset: byteCount))
    }
  }

  /// The error of `take`, which is no fault of the file.
  private var taken: TraceError?

  private func give(
    _ item: Item, _ take: (Item) throws(TraceError) -> Void
  ) throws(TraceError) {
    do throws(TraceError) {
      try take(item)
    } catch {
      taken = error
      throw error
    }
  }

  private func lose(from start: UInt64, to end: UInt64, kind: String, _ fault: TraceError) {
    // What reaches past the end of the file was cut off.
    if case .fileEnds = fault, end == byteCount {} else { isDamaged = true }
    guard losses.count < Self.lossesMax else { return }
    losses.append(Loss(offset: start, byteCount: end - start, kind: kind, fault: fault))
  }

  private func readStart() throws(TraceError) -> UInt64 {
    let magicBytes = UInt64(TraceFormat.magic.count)
    guard byteCount >= magicBytes else {
      lose(
        from: 0, to: byteCount, kind: "unreadable",
        .fileEnds(offset: 0, needed: magicBytes, have: byteCount))
      return byteCount
    }
    let bytes = try source.bytes(at: 0, count: magicBytes)
    dataChecksum.update(bytes)
    if !bytes.elementsEqual(TraceFormat.magic) {
      lose(from: 0, to: magicBytes, kind: "magic", .badMagic(offset: 0))
    }
    return magicBytes
  }

  // MARK: - Records

  /// - Returns: Offset of what follows the record.
  private func readRecord(
    at offset: UInt64, _ take: (Item) throws(TraceError) -> Void
  ) throws(TraceError) -> UInt64 {
    let head = try source.head(at: offset, limits)
    let (record, end) = (head.location, head.location.end)
    try map.check(head.opcode, at: offset, byteCount: record.byteCount, fileEnd: byteCount)
    guard let opcode = head.kind else {
      try checkUnknown(head.opcode, record)
      return try skip(head.opcode, record)
    }
    guard opcode == .header ? offset == UInt64(TraceFormat.magic.count) : opcode.isOfData else {
      throw .unexpectedRecord(opcode, offset: offset)
    }
    if opcode == .dataEnd { return try readDataEnd(record) }
    let fieldsEnd = try fieldsEnd(opcode, at: offset, limit: end)
    if fieldsEnd < end, proof != .whole, !isStrictlyWhole {
      // Later versions of a record may have more fields; but its length may be damaged, too.
      guard try !isChain(from: fieldsEnd), try isChain(from: end) else {
        throw .trailingBytes(offset: fieldsEnd, count: end - fieldsEnd)
      }
      try checkIsNoOther(than: opcode, record)
    }
    switch opcode {
    case .schema, .channel:
      let isProven = try isProven(record)
      let isListed = !isProven && map.listsChannels
      try declarations.add(
        opcode, try source.content(record), isProven: isProven, onlyIfKnown: isListed)
    case .message:
      let isProven = try isProven(record)
      if !isProven { try checkIsMessage(record) }
      let message = try TraceMessage(source.content(record), channels: declarations.channels)
      if !isProven || !declarations.isProven(message.head.channel) { doubt(record.range) }
      try give(.message(message), take)
    case .chunk: try readChunk(record, take)
    case .attachment:
      let found = try attachment(record)
      try give(.attachment(found.attachment, data: found.data), take)
    case .metadata: try hold(try source.content(record), record.range)
    default: break
    }
    if opcode != .messageIndex { lastChunk = opcode == .chunk ? record : nil }
    try addToChecksum(from: offset, to: end)
    return end
  }

  private func addToChecksum(from start: UInt64, to end: UInt64) throws(TraceError) {
    // Whatever is damaged, it cannot be right.
    if losses.isEmpty { try source.sum(start..<end, into: &dataChecksum) }
  }

  /// Refuses a chunk or attachment whose kind is damaged.
  private func checkIsNoOther(
    than found: TraceOpcode?, _ record: RecordLocation
  ) throws(TraceError) {
    for opcode in [TraceOpcode.chunk, .attachment] where opcode != found {
      if try isWhole(opcode, record) { throw .unexpectedRecord(opcode, offset: record.offset) }
    }
  }

  /// Refuses a record of an unknown kind that seems to be damaged.
  private func checkUnknown(_ opcode: UInt8, _ record: RecordLocation) throws(TraceError) {
    try checkIsNoOther(than: nil, record)
    if opcode == TraceFormat.roomOpcode { return }
    if try isChain(from: record.end) { return }
    guard try isProven(record) else { throw .invalidOpcode(offset: record.offset) }
  }

  /// Passes over a record of an unknown kind.
  ///
  /// Chunks that are in the room of a file stand behind one that is not: it was lost on its way.
  private func skip(_ opcode: UInt8, _ record: RecordLocation) throws(TraceError) -> UInt64 {
    let (offset, end) = (record.offset, record.end)
    guard opcode == TraceFormat.roomOpcode else {
      try addToChecksum(from: offset, to: end)
      return end
    }
    let next = try search(from: offset + 1, to: end, chunksOnly: true)
    if next < end {
      lose(
        from: offset, to: next, kind: "unreadable", .invalidOpcode(offset: offset))
    }
    try addToChecksum(from: offset, to: next)
    return next
  }

  /// - Returns: Offset of what follows the record.
  private func readDataEnd(_ record: RecordLocation) throws(TraceError) -> UInt64 {
    let (offset, end) = (record.offset, record.end)
    guard record.byteCount == UInt64(DataEndRecord.recordBytes) else {
      throw .trailingBytes(offset: offset, count: record.byteCount)
    }
    let stored = try DataEndRecord(of: source.content(record)).checksum
    hasEnd = true
    // With damage before it, it cannot be right; without, it covers what nothing else does.
    guard losses.isEmpty, stored != 0, stored != dataChecksum.value else { return end }
    let fault = TraceError.checksum(
      .dataSection, offset: offset, stored: stored, computed: dataChecksum.value)
    let proof =
      self.proof
      ?? TraceProof(stored: stored, computed: dataChecksum.value, dataBytes: offset)
    self.proof = proof
    guard case .damagedByte(let place) = proof else {
      lose(from: offset, to: offset, kind: "unknown", fault)
      return end
    }
    // A metadata record with the byte is lost when its turn comes.
    if metadata.contains(where: { $0.range.contains(place) }) {
      isDamaged = true
    } else {
      lose(from: place, to: place + 1, kind: "unknown", fault)
    }
    return end
  }

  /// Refuses a message index whose kind is damaged, and a message whose length is.
  private func checkIsMessage(_ record: RecordLocation) throws(TraceError) {
    let (offset, end) = (record.offset, record.end)
    if let lastChunk, try possibleFieldsEnd(.messageIndex, at: offset, limit: end) == end,
      try isIndex(record, of: lastChunk)
    {
      throw .unexpectedRecord(.messageIndex, offset: offset)
    }
    guard try !isChain(from: end) else { return }
    let limit = map.limit(behind: offset, byteCount)
    if let other = try lengthRepaired(at: offset, limit: limit) {
      throw .mismatch(.recordBytes, offset: offset, stored: end - offset, actual: other - offset)
    }
  }

  private func readChunk(
    _ record: RecordLocation, _ take: (Item) throws(TraceError) -> Void
  ) throws(TraceError) {
    let chunk = try wholeChunk(record)
    if compression == nil { compression = chunk.head.compression }
    let isProven = chunk.head.checksum != 0
    var records = chunk.records
    while let found = try records.nextRecord() {
      switch found.opcode {
      case .schema: try declarations.add(.schema, found.fields, isProven: isProven)
      case .channel:
        do throws(TraceError) {
          try declarations.add(.channel, found.fields, isProven: isProven)
        } catch {
          // Messages of a channel whose schema is lost are of no channel.
          guard case .undeclared = error else { throw error }
        }
      case .message:
        do throws(TraceError) {
          let message = try TraceMessage(found.fields, channels: declarations.channels)
          if !isProven || !declarations.isProven(message.head.channel) { doubt(record.range) }
          try give(.message(message), take)
        } catch {
          guard taken == nil, case .undeclared = error else { throw error }
          undeclaredMessages += 1
        }
      default: continue
      }
    }
  }

  // MARK: - Proofs

  private func doubt(_ range: Range<UInt64>) {
    let before = doubtful ?? (range.lowerBound, 0)
    let end = before.offset + before.byteCount
    guard range.upperBound > end else { return }
    doubtful = (before.offset, range.upperBound - before.offset)
  }

  /// What speaks for records without a checksum of their own; it is looked for when it is first needed.
  private func findProof() throws(TraceError) -> TraceProof {
    if let proof { return proof }
    var found = try TraceProof(of: &source)
    if found == .absent, isStrictlyWhole { found = .whole }
    proof = found
    return found
  }

  /// Whether the strict reader finds nothing wrong: then no record is doubted, proven or not.
  private lazy var isStrictlyWhole: Bool = {
    let strict = try? TraceReader(source: TraceSource(source), mode: .strict, limits: limits)
    return (try? strict?.readToEnd()) == .whole
  }()

  /// Whether something speaks for a record that has no checksum of its own.
  ///
  /// - Throws: If the checksum of the data section speaks against it.
  private func isProven(_ record: RecordLocation) throws(TraceError) -> Bool {
    switch try findProof() {
    case .whole: return true
    case .unknown, .absent: return false
    case .damagedByte(let offset):
      guard !record.range.contains(offset) else {
        throw .checksum(.dataSection, offset: offset, stored: 0, computed: 0)
      }
      return true
    }
  }

  private func hold(_ fields: ByteCursor, _ range: Range<UInt64>) throws(TraceError) {
    metadataBytes += UInt64(fields.remaining)
    try TraceField.catalogueBytes.check(metadataBytes, max: limits.catalogueBytes)
    metadata.append(HeldMetadata(range: range, record: try TraceMetadata(of: fields)))
  }

  private func handOverMetadata(
    _ take: (Item) throws(TraceError) -> Void
  ) throws(TraceError) {
    for held in metadata {
      if isDamaged {
        switch try findProof() {
        case .damagedByte(let offset) where held.range.contains(offset):
          lose(
            from: held.range.lowerBound, to: held.range.upperBound, kind: "metadata",
            .checksum(.dataSection, offset: offset, stored: 0, computed: 0))
          continue
        case .damagedByte, .whole: break
        case .unknown, .absent: doubt(held.range)
        }
      }
      try give(.metadata(held.record), take)
    }
  }
}
