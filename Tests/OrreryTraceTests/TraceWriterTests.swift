// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryTrace
import TestSupport
import Testing

/// Goal: chunks end where they should, limits hold to the byte, and whoever misuses a writer is told.
///
/// Method: traces at a limit and one past it; what the writer asks of the system, call by call.
@Suite struct TraceWriterTests {
  /// A writer with one channel, whose record has 30 bytes.
  private static func writer(
    _ path: String, chunkBytes: Int? = nil, overwrite: Bool = false, calls: TraceSystemCalls = .live
  ) throws -> (TraceWriter, TraceChannelID) {
    let writer =
      if let chunkBytes {
        try TraceWriter(path: path, chunkBytes: chunkBytes, clock: { 0 }, calls: calls)
      } else {
        try TraceWriter(path: path, overwrite: overwrite, clock: { 0 }, calls: calls)
      }
    return (
      writer, try writer.addChannel(TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    )
  }

  private static let channelBytes = Handmade.channel(1, topic: "/t").count

  private static func message(_ recordBytes: Int) -> [UInt8] {
    [UInt8](repeating: 1, count: recordBytes - 31)
  }

  private static func write(
    _ writer: TraceWriter, _ channel: TraceChannelID, recordBytes: Int, at logTimeNs: UInt64 = 1
  ) throws {
    try writer.write(
      TraceMessageHead(channel, sequence: 1, logTimeNs: logTimeNs, publishTimeNs: 1),
      bytes: message(recordBytes))
  }

  // MARK: - Chunks

  /// Nil is what a writer does unasked: 4 MiB.
  @Test(arguments: [200, 1_000, nil] as [Int?])
  func chunkThatHasItsSizeIsHandedOver(chunkBytes: Int?) throws {
    let size = chunkBytes ?? 4_194_304
    let folder = TemporaryFolder()
    let (open, channel) = try Self.writer(folder.file("a"), chunkBytes: chunkBytes)
    try Self.write(open, channel, recordBytes: size - Self.channelBytes - 1)
    #expect(open.statistics.messageCount == 0)
    let (full, other) = try Self.writer(folder.file("b"), chunkBytes: chunkBytes)
    try Self.write(full, other, recordBytes: size - Self.channelBytes)
    #expect(full.statistics.messageCount == 1)
    #expect(full.statistics.chunkCount == 1)
    #expect(full.statistics.channelCount == 1)
    #expect(full.flushDeadlineNs == nil)
    #expect(full.messageCount == 1)
    // Nothing is left to be written.
    let byteCount = full.byteCount
    try full.flush()
    try full.flush()
    #expect(full.byteCount == byteCount)
  }

  /// A message that fills the open chunk to its size belongs to it; one that is a byte larger begins another.
  @Test(arguments: [(0, 1), (1, 2)]) func messageThatFitsIsInTheOpenChunk(
    more: Int, chunkCount: UInt32
  ) throws {
    let folder = TemporaryFolder()
    let (writer, channel) = try Self.writer(folder.file(), chunkBytes: 500)
    try Self.write(writer, channel, recordBytes: 100)
    try Self.write(writer, channel, recordBytes: 400 - Self.channelBytes + more)
    try writer.finish()
    #expect(writer.statistics.chunkCount == chunkCount)
    #expect(writer.statistics.messageCount == 2)
    #expect(try TraceReader(path: folder.file()).keptMessages().count == 2)
  }

  /// A chunk begins anew: neither its times nor anything else are of the chunk before.
  @Test func chunksMayGoBackInTime() throws {
    let folder = TemporaryFolder()
    let (writer, channel) = try Self.writer(folder.file())
    for times in [[900, 950, 920], [500], [], [700, 600], [980]] as [[UInt64]] {
      for time in times { try Self.write(writer, channel, recordBytes: 40, at: time) }
      if times.isEmpty {
        _ = try writer.addChannel(TraceChannel(schema: nil, topic: "/u", messageEncoding: "raw"))
      }
      try writer.flush()
    }
    #expect(writer.statistics.startNs == 500)
    #expect(writer.statistics.endNs == 980)
    try writer.finish()
    let reader = try TraceReader(path: folder.file())
    #expect(try reader.keptMessages().map(\.logTimeNs) == [900, 950, 920, 500, 700, 600, 980])
    #expect(reader.statistics == writer.statistics)
    #expect(reader.statistics.chunkCount == 5)
  }

  @Test func messageThatIsNotIntactStartsNoClock() throws {
    let folder = TemporaryFolder()
    let (writer, channel) = try Self.writer(folder.file())
    let isKept = try [UInt8](repeating: 3, count: 500).withUnsafeBytes {
      try writer.write(
        TraceMessageHead(channel, sequence: 2, logTimeNs: 9, publishTimeNs: 9), parts: [$0],
        isIntact: { false })
    }
    #expect(!isKept)
    #expect(writer.messageCount == 0)
    #expect(writer.flushDeadlineNs == nil)
    try Self.write(writer, channel, recordBytes: 40)
    #expect(writer.messageCount == 1)
    #expect(writer.flushDeadlineNs == 1_000_000_000)
    try writer.finish()
    #expect(try TraceReader(path: folder.file()).keptMessages().map(\.bytes.count) == [9])
  }

  /// The clock of a chunk is that of its first message, not of the last.
  @Test func deadlineIsThatOfTheFirstMessage() throws {
    let folder = TemporaryFolder()
    nonisolated(unsafe) var nowNs: UInt64 = 10
    let writer = try TraceWriter(path: folder.file(), clock: { nowNs })
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    try Self.write(writer, channel, recordBytes: 40)
    nowNs = 500
    try Self.write(writer, channel, recordBytes: 40)
    #expect(writer.flushDeadlineNs == 1_000_000_010)
    nowNs = 1_000_000_010
    try Self.write(writer, channel, recordBytes: 40)
    #expect(writer.statistics.messageCount == 3)
    #expect(writer.flushDeadlineNs == nil)
  }

  // MARK: - Limits

  @Test func schemasAndChannelsAreAsManyAsTheirNumbers() throws {
    let folder = TemporaryFolder()
    let writer = try TraceWriter(path: folder.file(), clock: { 0 })
    var (schema, channel) = (TraceSchemaID(number: 0), TraceChannelID(number: 0))
    for number in 1...65_535 {
      schema = try writer.addSchema(TraceSchema(name: "", encoding: "", data: []))
      channel = try writer.addChannel(TraceChannel(schema: schema, topic: "", messageEncoding: ""))
      try #require(Int(schema.number) == number)
      try #require(Int(channel.number) == number)
    }
    #expect(throws: TraceError.tooLarge(.schemaCount, value: 65_536, limit: 65_535)) {
      _ = try writer.addSchema(TraceSchema(name: "", encoding: "", data: []))
    }
    #expect(throws: TraceError.tooLarge(.channelCount, value: 65_536, limit: 65_535)) {
      _ = try writer.addChannel(TraceChannel(schema: nil, topic: "", messageEncoding: ""))
    }
    try Self.write(writer, channel, recordBytes: 40)
    try writer.finish()
    let reader = try TraceReader(path: folder.file())
    #expect(try reader.keptMessages().count == 1)
    #expect(reader.statistics.schemaCount == 65_535)
    #expect(reader.statistics.channelCount == 65_535)
    #expect(reader.statistics.messageCounts == [channel: 1])
  }

  /// Schemas, channels and metadata together, with their heads.
  @Test func catalogueIsFullAtItsLimit() throws {
    let folder = TemporaryFolder()
    let writer = try TraceWriter(path: folder.file(), clock: { 0 })
    let limit = 16 << 20
    let channel = Handmade.channel(1, topic: "/t").count
    let metadata = Handmade.metadata("m").count
    let empty = Handmade.schema(1, "", "").count
    let data = [UInt8](repeating: 1, count: limit - channel - metadata - empty)
    _ = try writer.addChannel(TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    try writer.addMetadata(name: "m", [:])
    #expect(
      throws: TraceError.tooLarge(
        .catalogueBytes, value: UInt64(limit + 1), limit: UInt64(limit))
    ) { _ = try writer.addSchema(TraceSchema(name: "", encoding: "", data: data + [1])) }
    _ = try writer.addSchema(TraceSchema(name: "", encoding: "", data: data))
    #expect(
      throws: TraceError.tooLarge(
        .catalogueBytes, value: UInt64(limit + metadata), limit: UInt64(limit))
    ) { try writer.addMetadata(name: "m", [:]) }
    #expect(
      throws: TraceError.tooLarge(
        .catalogueBytes, value: UInt64(limit + channel), limit: UInt64(limit))
    ) { _ = try writer.addChannel(TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw")) }
    try writer.finish()
    let reader = try TraceReader(path: folder.file())
    try reader.readToEnd()
    #expect(reader.statistics.schemaCount == 1)
    #expect(reader.statistics.channelCount == 1)
    #expect(reader.statistics.metadataCount == 1)
  }

  /// What is too large is refused before a byte of it is looked at, and the trace goes on.
  @Test func messagesAndAttachmentsThatAreTooLargeAreRefused() throws {
    let folder = TemporaryFolder()
    let (writer, channel) = try Self.writer(folder.file())
    let limit = TraceLimits().messageBytes
    let expected = TraceError.tooLarge(
      .recordBytes, value: UInt64(limit + 1), limit: UInt64(limit))
    let byte = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    defer { byte.deallocate() }
    // Together, not each by itself.
    let parts = [limit, 1].map { UnsafeRawBufferPointer(start: byte, count: $0) }
    #expect(throws: expected) {
      try writer.write(
        TraceMessageHead(channel, sequence: 1, logTimeNs: 1, publishTimeNs: 1), parts: parts)
    }
    // Reserved and not touched.
    let data = [UInt8](unsafeUninitializedCapacity: limit + 1) { $1 = limit + 1 }
    #expect(throws: expected) {
      try writer.addAttachment(
        TraceAttachmentHead(name: "n", mediaType: "t", logTimeNs: 1, createTimeNs: 1), data)
    }
    #expect(writer.messageCount == 0)
    try Self.write(writer, channel, recordBytes: 40)
    try writer.finish()
    let reader = try TraceReader(path: folder.file())
    #expect(try reader.keptMessages().count == 1)
    #expect(reader.attachments.isEmpty)
  }

  /// The layout of `stress` with thirty million entities takes nine bytes for each.
  @Test func layoutOfThirtyMillionEntitiesComesBack() throws {
    let folder = TemporaryFolder()
    let writer = try TraceWriter(path: folder.file(), compression: .zstd)
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    let byteCount = 9 * 30_000_000
    let layout = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 8)
    defer { layout.deallocate() }
    layout.initializeMemory(as: UInt8.self, repeating: 0)
    let marks = [0: 1, byteCount / 2: 2, byteCount - 1: 3] as [Int: UInt8]
    for (index, byte) in marks { layout[index] = byte }
    try writer.write(
      TraceMessageHead(channel, sequence: 1, logTimeNs: 1, publishTimeNs: 1),
      parts: [UnsafeRawBufferPointer(layout)])
    try Self.write(writer, channel, recordBytes: 40)
    try writer.finish()
    let reader = try TraceReader(path: folder.file())
    let message = try #require(try reader.nextMessage())
    #expect(message.bytes.count == byteCount)
    for (index, byte) in marks { #expect(message.bytes[index] == byte, "byte \(index)") }
    #expect(try reader.nextMessage()?.bytes.count == 40 - 31)
    #expect(try reader.nextMessage() == nil)
  }

  // MARK: - Disk space

  /// What a writer does, and how many of its channels are counted once more than they will be.
  private enum Step: CaseIterable {
    case channel, message, sameChannel, otherChannel, metadata, attachment

    func run(_ writer: TraceWriter, _ ids: inout [TraceChannelID]) throws {
      switch self {
      case .channel:
        let schema = try writer.addSchema(
          TraceSchema(name: "Schema", encoding: "enc", data: [1, 2, 3]))
        for topic in ["/a", "/b"] {
          ids.append(
            try writer.addChannel(
              TraceChannel(schema: schema, topic: topic, messageEncoding: "raw")))
        }
        try writer.flush()
      case .message, .sameChannel:
        try writer.write(
          TraceMessageHead(ids[0], sequence: 1, logTimeNs: 5, publishTimeNs: 1), bytes: [1])
        try writer.flush()
      case .otherChannel:
        try writer.write(
          TraceMessageHead(ids[1], sequence: 1, logTimeNs: 5, publishTimeNs: 1), bytes: [1])
        try writer.flush()
      case .metadata: try writer.addMetadata(name: "metadata", ["x": "y"])
      case .attachment:
        try writer.addAttachment(
          TraceAttachmentHead(name: "name", mediaType: "type", logTimeNs: 1, createTimeNs: 2), [1])
      }
    }

    /// A channel that has messages in this chunk and in one before.
    var countedTwice: Int { self == .sameChannel ? 1 : 0 }
  }

  /// Calls that remember which room was asked for: from where, and how much.
  private final class Room {
    var asked: [(offset: Int, byteCount: Int)] = []
    /// The only answer, if it is not 0.
    var error: CInt = 0
    var limit = UInt64.max

    var calls: TraceSystemCalls {
      var calls = TraceSystemCalls.live
      nonisolated(unsafe) let room = self
      calls.reserve = { _, offset, byteCount in
        room.asked.append((offset, byteCount))
        errno = room.error
        return room.error == 0 ? 0 : -1
      }
      calls.fileSizeLimit = { room.limit }
      return calls
    }
  }

  /// With each record comes room for the summary that would then end the file: its records, ten bytes for each
  /// channel with messages, and 512 for the rest.
  @Test(arguments: 1...Step.allCases.count)
  func roomIsReservedForTheSummaryToo(steps: Int) throws {
    let folder = TemporaryFolder()
    let room = Room()
    let writer = try TraceWriter(path: folder.file(), clock: { 0 }, calls: room.calls)
    #expect(room.asked.map(\.byteCount) == [35 + 512])
    var ids: [TraceChannelID] = []
    for step in Step.allCases.prefix(steps) { try step.run(writer, &ids) }
    try writer.finish()
    #expect(room.asked.count == steps + 1)
    let last = try #require(room.asked.last)
    let file = bytes(of: folder.file())
    let records = Handmade.records(file)
    let end = try #require(records.first { $0.opcode == 0x0F }).range.lowerBound
    let told = records.filter { $0.range.lowerBound > end }
      .filter { [0x03, 0x04, 0x08, 0x0A, 0x0D].contains($0.opcode) }
      .reduce(0) { $0 + $1.range.count }
    let counts = writer.statistics.messageCounts.count
    let twice = Step.allCases[steps - 1].countedTwice
    #expect(last.offset + last.byteCount == end + 512 + told + 10 * (counts + twice))
    #expect(last.offset < end)
    // A file system's limit is that of a disk.
    for missing: UInt64 in [0, 1] {
      let again = Room()
      again.limit = UInt64(last.offset + last.byteCount) - missing
      let failed = try Self.run(folder.file("b\(missing)"), again, steps: steps)
      let after = bytes(of: folder.file("b\(missing)"))
      if missing == 0 {
        #expect(failed == nil)
        #expect(firstDifference(after, file) == nil)
      } else {
        let failure = try #require(failed)
        #expect(failure.cause.call == "write")
        #expect(failure.cause.errno == EFBIG)
        #expect(failure.offset == UInt64(last.offset))
        #expect(failure.byteCount == end - last.offset)
        #expect(failure.isFinished)
        #expect(try TraceReader(bytes: after).readToEnd() == .whole)
      }
    }
  }

  private static func run(_ path: String, _ room: Room, steps: Int) throws -> TraceWriteFailure? {
    do {
      let writer = try TraceWriter(path: path, clock: { 0 }, calls: room.calls)
      var ids: [TraceChannelID] = []
      for step in Step.allCases.prefix(steps) { try step.run(writer, &ids) }
      try writer.finish()
      return nil
    } catch let error as TraceError {
      return error.writeFailure
    }
  }

  /// Where nothing can be reserved, nothing more is asked for; other refusals end the trace.
  @Test(arguments: [EOPNOTSUPP, ENOSYS, EINVAL, EPERM, EIO, EDQUOT])
  func fileSystemsThatReserveNothingAreAskedOnce(number: CInt) throws {
    let folder = TemporaryFolder()
    let room = Room()
    room.error = number
    if [EIO, EDQUOT].contains(number) {
      let failure = try #require(try Self.run(folder.file(), room, steps: 2))
      #expect(
        failure.cause
          == SystemCallError(
            call: "fallocate", path: folder.file(), errno: number))
      #expect(!failure.isFinished)
      #expect(failure.offset == 0)
      #expect(failure.byteCount == 35)
    } else {
      #expect(try Self.run(folder.file(), room, steps: Step.allCases.count) == nil)
      #expect(try TraceReader(path: folder.file()).readToEnd() == .whole)
      let reader = try TraceReader(path: folder.file())
      #expect(try reader.keptMessages().count == 3)
    }
    #expect(room.asked.count == 1)
  }

  /// The end of the file is held to the limit of that moment, to the byte.
  @Test func endIsWrittenUpToTheFileSizeLimit() throws {
    let folder = TemporaryFolder()
    let room = Room()
    let (first, _) = try Self.writer(folder.file("a"), calls: room.calls)
    try first.finish()
    let whole = bytes(of: folder.file("a"))
    for missing: UInt64 in [0, 1] {
      let path = folder.file("b\(missing)")
      let room = Room()
      let (writer, _) = try Self.writer(path, calls: room.calls)
      try writer.flush()
      let byteCount = writer.byteCount
      room.limit = UInt64(whole.count) - missing
      if missing == 0 {
        try writer.finish()
        #expect(firstDifference(bytes(of: path), whole) == nil)
      } else {
        let error = #expect(throws: TraceError.self) { try writer.finish() }
        let failure = try #require(error?.writeFailure)
        #expect(failure.cause == SystemCallError(call: "write", path: path, errno: EFBIG))
        #expect(failure.offset == byteCount)
        #expect(failure.byteCount == whole.count - Int(byteCount))
        #expect(!failure.isFinished)
        #expect(bytes(of: path).count == Int(byteCount))
      }
    }
  }

  @Test func diskThatTakesNothingIsBroken() throws {
    let folder = TemporaryFolder()
    var calls = TraceSystemCalls.live
    calls.write = { _, _, offset in offset == 0 ? 35 : 0 }
    let (writer, _) = try Self.writer(folder.file(), calls: calls)
    let error = #expect(throws: TraceError.self) { try writer.flush() }
    let failure = try #require(error?.writeFailure)
    #expect(failure.cause == SystemCallError(call: "write", path: folder.file(), errno: EIO))
  }

  /// Space is taken where it is asked for, and the file becomes no longer by it.
  @Test func roomIsReservedBehindTheFile() throws {
    let folder = TemporaryFolder()
    let number = open(folder.file(), O_RDWR | O_CREAT | O_EXCL, 0o600)
    try #require(number >= 0)
    defer { close(number) }
    guard TraceSystemCalls.live.reserve(number, 1 << 20, 8_192) == 0 else {
      // Not every file system can.
      let why = errno
      #expect(why == EOPNOTSUPP)
      return
    }
    var status = stat()
    #expect(fstat(number, &status) == 0)
    #expect(status.st_size == 0)
    #expect(status.st_blocks > 0)
    #expect(status.st_blocks * 512 < 1 << 20)
  }

  // MARK: - Files

  @Test func fileIsForItsOwnerAndIsReadByAll() throws {
    let folder = TemporaryFolder()
    let (writer, _) = try Self.writer(folder.file())
    try writer.finish()
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file())
    #expect(attributes[.posixPermissions] as? Int == 0o644 & ~processMask())
  }

  /// What is there is not worse than nothing: it goes when there is something in its place.
  @Test(arguments: [false, true]) func fileIsReplacedOnceTheNewOneHasAChunk(isDirect: Bool) throws {
    let folder = TemporaryFolder()
    let path = folder.file()
    try SmallTrace.write(to: path, compression: .none)
    chmod(path, 0o600)
    let earlier = bytes(of: path)
    // Not an operand of `#expect`, which would look for the differences of long files.
    func isEarlier() -> Bool { bytes(of: path) == earlier }
    let (writer, channel) = try Self.writer(
      path, overwrite: true, calls: isDirect ? .direct : .live)
    let partial = PartialFile.path(for: path)
    #expect(isEarlier())
    #expect(access(partial, F_OK) == 0)
    // Nobody else may replace the one or the other.
    #expect(throws: TraceError.beingWritten(path: path)) {
      _ = try TraceWriter(path: path, overwrite: true, calls: .live)
    }
    try writer.write(
      TraceMessageHead(channel, sequence: 1, logTimeNs: 1, publishTimeNs: 1), bytes: [1, 2])
    #expect(isEarlier())
    try writer.flush()
    #expect(access(partial, F_OK) != 0)
    #expect(throws: TraceError.beingWritten(path: path)) {
      _ = try TraceWriter(path: path, overwrite: true, calls: .live)
    }
    try writer.finish()
    #expect(try TraceReader(path: path).keptMessages().map(\.bytes) == [[1, 2]])
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func traceWithoutMessagesReplacesAtItsEnd() throws {
    let folder = TemporaryFolder()
    try SmallTrace.write(to: folder.file(), compression: .none)
    let writer = try TraceWriter(path: folder.file(), overwrite: true, clock: { 0 }, calls: .live)
    try writer.finish()
    #expect(try TraceReader(path: folder.file()).keptMessages().isEmpty)
    #expect(access(PartialFile.path(for: folder.file()), F_OK) != 0)
  }

  /// A file that cannot be begun stands in nobody's way, and takes nobody's place.
  @Test(arguments: [false, true]) func fileThatGetsNoHeaderIsRemoved(overwrite: Bool) throws {
    let folder = TemporaryFolder()
    let path = folder.file()
    for hasEarlier in overwrite ? [false, true] : [false] {
      if hasEarlier { try SmallTrace.write(to: path, compression: .none) }
      let earlier = hasEarlier ? bytes(of: path) : []
      let calls = TraceFailureTests.failing(.always, at: 1, errno: ENOSPC)
      let error = #expect(throws: TraceError.self) {
        _ = try TraceWriter(path: path, overwrite: overwrite, calls: calls)
      }
      #expect(error?.writeFailure?.isFinished == false)
      #expect((access(path, F_OK) == 0) == hasEarlier)
      #expect(access(PartialFile.path(for: path), F_OK) != 0)
      if hasEarlier { #expect(bytes(of: path) == earlier) }
    }
  }

  /// The first chunk does not fit, or the recording does not begin.
  @Test(arguments: [false, true]) func earlierFileStaysWhereNothingIsRecorded(fails: Bool) throws {
    let folder = TemporaryFolder()
    let path = folder.file()
    try SmallTrace.write(to: path, compression: .none)
    let earlier = bytes(of: path)
    let isFull = Flag()
    var calls = TraceSystemCalls.live
    calls.freeSpace = { _ in isFull.isSet ? (5, 10) : (1 << 40, 1 << 40) }
    var options = TraceOptions()
    options.freeSpace = .bytes(1 << 20)
    let writer = try TraceWriter(path: path, options: options, overwrite: true, calls: calls)
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    try writer.write(
      TraceMessageHead(channel, sequence: 1, logTimeNs: 1, publishTimeNs: 1), bytes: [1, 2])
    if fails {
      isFull.set()
      #expect(throws: TraceError.self) { try writer.finish() }
    } else {
      writer.discard()
    }
    #expect(bytes(of: path) == earlier)
    #expect(access(PartialFile.path(for: path), F_OK) != 0)
  }

  /// An error of a call long past is none of this one.
  @Test func oldErrorsAreForgotten() throws {
    let folder = TemporaryFolder()
    errno = EWOULDBLOCK
    let writer = try TraceWriter(path: folder.file())
    try writer.finish()
  }

  /// A program that is started meanwhile does not hold the file.
  @Test func filesAreNotHandedToOtherPrograms() throws {
    let folder = TemporaryFolder()
    try SmallTrace.write(to: folder.file("a"), compression: .none)
    let reader = try TraceReader(path: folder.file("a"))
    let writer = try TraceWriter(path: folder.file("b"))
    var found: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(name)")
      guard let target, [folder.file("a"), folder.file("b")].contains(target),
        let number = CInt(name)
      else { continue }
      found.insert(target)
      #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0, "\(target)")
    }
    #expect(found.count == 2)
    try reader.readToEnd()
    try writer.finish()
  }

  /// Someone shortened the file after it was opened.
  @Test(arguments: [(0, 0), (2, 2), (5, 5)])
  func attachmentOfAShortenedFileIsReported(left: Int, have: UInt64) throws {
    let folder = TemporaryFolder()
    let writer = try TraceWriter(path: folder.file(), clock: { 0 })
    try writer.addAttachment(
      TraceAttachmentHead(name: "n", mediaType: "t", logTimeNs: 1, createTimeNs: 1),
      [1, 2, 3, 4, 5, 6])
    try writer.finish()
    let reader = try TraceReader(path: folder.file())
    try reader.readToEnd()
    let attachment = try #require(reader.attachments.first)
    #expect(try reader.data(of: attachment) == [1, 2, 3, 4, 5, 6])
    #expect(truncate(folder.file(), Int(attachment.offset) + left) == 0)
    #expect(throws: TraceError.fileEnds(offset: attachment.offset, needed: 6, have: have)) {
      _ = try reader.data(of: attachment)
    }
  }

  // MARK: - Misuse

  @Test func everyCallOfAFailedWriterFails() throws {
    let folder = TemporaryFolder()
    let calls = TraceFailureTests.failing(.once, at: 2, errno: EIO)
    let writer = try TraceWriter(path: folder.file(), clock: { 0 }, calls: calls)
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    try Self.write(writer, channel, recordBytes: 40)
    let error = try #require(throws: TraceError.self) { try writer.flush() }
    #expect(error.writeFailure?.messagesLost == 1)
    let after = bytes(of: folder.file())
    #expect(throws: error) {
      _ = try writer.addSchema(TraceSchema(name: "", encoding: "", data: []))
    }
    #expect(throws: error) {
      _ = try writer.addChannel(TraceChannel(schema: nil, topic: "", messageEncoding: ""))
    }
    #expect(throws: error) { try Self.write(writer, channel, recordBytes: 40) }
    #expect(throws: error) {
      try writer.addAttachment(
        TraceAttachmentHead(name: "", mediaType: "", logTimeNs: 1, createTimeNs: 1), [])
    }
    #expect(throws: error) { try writer.addMetadata(name: "", [:]) }
    #expect(throws: error) { try writer.flush() }
    #expect(throws: error) { try writer.finish() }
    #expect(writer.messageCount == 1)
    #expect(bytes(of: folder.file()) == after)
  }

  @Test func chunksMayHaveFromOneByteTo64MiB() throws {
    let folder = TemporaryFolder()
    for chunkBytes in [1, 64 << 20] {
      let (writer, channel) = try Self.writer(
        folder.file("\(chunkBytes)"), chunkBytes: chunkBytes)
      try Self.write(writer, channel, recordBytes: 31)
      try writer.finish()
      #expect(try TraceReader(path: folder.file("\(chunkBytes)")).keptMessages().count == 1)
    }
  }

  /// Errors are caught; what is left is a trap.
  @Test func chunksOfNoBytesTrap() async {
    await #expect(processExitsWith: .failure) {
      do { _ = try TraceWriter(path: "/nonexistent/a", chunkBytes: 0) } catch {}
    }
  }

  @Test func chunksOfMoreThan64MiBTrap() async {
    await #expect(processExitsWith: .failure) {
      do { _ = try TraceWriter(path: "/nonexistent/a", chunkBytes: (64 << 20) + 1) } catch {}
    }
  }

  @Test func schemaOfAnotherTraceTraps() async {
    await #expect(processExitsWith: .failure) {
      let folder = TemporaryFolder()
      let writer = try TraceWriter(path: folder.file())
      folder.remove()
      do {
        _ = try writer.addChannel(
          TraceChannel(schema: TraceSchemaID(number: 1), topic: "/t", messageEncoding: "raw"))
      } catch {}
    }
  }

  @Test func finishedTraceTakesNothingMore() async {
    await #expect(processExitsWith: .failure) {
      let folder = TemporaryFolder()
      let writer = try TraceWriter(path: folder.file())
      do { try writer.finish() } catch {}
      folder.remove()
      do { try writer.addMetadata(name: "m", [:]) } catch {}
    }
  }

  @Test func discardedTraceTakesNothingMore() async {
    await #expect(processExitsWith: .failure) {
      let folder = TemporaryFolder()
      let writer = try TraceWriter(path: folder.file())
      writer.discard()
      folder.remove()
      do { try writer.addMetadata(name: "m", [:]) } catch {}
    }
  }
}
